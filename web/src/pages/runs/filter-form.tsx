/** What narrows the list of runs. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ANY, type Filters, isNarrowed } from "../../core/run-filters";
import { statusWords } from "../../core/words";

const STATUSES = [
  "running",
  "queued",
  "waiting_for_approval",
  "waiting_for_client",
  "completed",
  "failed",
  "cancelled",
];
const SURFACES = ["chat", "responses", "runs", "jobs", "delegate"];
const TIMES = { "1h": "last hour", "24h": "last day", "7d": "last week", "30d": "last month" };
/** Typing is over when nothing came for so long. */
const PAUSE = 250;

interface Form {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

export function FilterForm({ filters, onChange }: Form) {
  const set = (more: Partial<Filters>) => onChange({ ...filters, ...more });
  return (
    <search class="filters" aria-label="Filter runs">
      <Words label="Words" value={filters.words} onChange={(words) => set({ words })} />
      <Choice label="Status" value={filters.status} onChange={(status) => set({ status })}>
        <option value="open">under way</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {statusWords(status)}
          </option>
        ))}
      </Choice>
      <Words label="Model" value={filters.model} onChange={(model) => set({ model })} />
      <Choice label="Surface" value={filters.surface} onChange={(surface) => set({ surface })}>
        {SURFACES.map((surface) => (
          <option key={surface}>{surface}</option>
        ))}
      </Choice>
      <Choice label="Time" value={filters.time} onChange={(time) => set({ time })}>
        {Object.entries(TIMES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Choice>
      <label class="check">
        <input
          type="checkbox"
          checked={filters.subagents}
          onChange={(event) => set({ subagents: event.currentTarget.checked })}
        />
        Subagents
      </label>
      {isNarrowed(filters) && (
        <button type="button" class="quiet small" onClick={() => onChange(ANY)}>
          Clear
        </button>
      )}
    </search>
  );
}

interface Field {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function Words({ label, value, onChange }: Field) {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <label>
      <span>{label}</span>
      <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
    </label>
  );
}

function Choice({
  label,
  value,
  onChange,
  children,
}: Field & { children: preact.ComponentChildren }) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {children}
      </select>
    </label>
  );
}
