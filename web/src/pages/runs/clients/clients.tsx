/** What each client saw: one run as three protocols, line by line of its log. */

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { address, goInstead, place } from "../../../core/route";
import { isNarrow } from "../narrow";
import type { Tab } from "../run";
import { VirtualRows } from "../virtual";
import { EntryRow } from "./entry";
import { COLUMNS, type Column, Views } from "./views";

const HEIGHT = 92;
const TOOL_EVENTS = ["named", "carrier", "openwebui", "off"];
const TOOL_ITEMS = ["pair", "mcp", "off"];

export default function Clients({ log }: Tab) {
  const version = log.version.value;
  const { query } = place.value;
  const toolEvents = query.get("tool_events") ?? "";
  const toolItems = query.get("tool_items") ?? "";
  const views = useMemo(
    () => new Views(log.runId, toolEvents, toolItems),
    [log, toolEvents, toolItems],
  );
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [column, setColumn] = useState<Column>("chat");
  const more = useCallback(() => void views.more(), [views]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the log has gained, clients have seen
  useEffect(() => void views.more(), [views, version]);
  const choose = (more: Record<string, string>) => {
    const all = { tab: "clients", tool_events: toolEvents, tool_items: toolItems, ...more };
    const said = Object.entries(all).filter(([, value]) => value !== "");
    goInstead(address("runs", log.runId, Object.fromEntries(said)));
  };
  const toggle = (index: number) => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };
  const entries = views.entries.value;
  const columns = isNarrow.value ? [column] : COLUMNS;
  return (
    <div class="clients-tab">
      <div class="filters">
        <Picker
          label="Tools in chat (tool_events)"
          value={toolEvents}
          names={TOOL_EVENTS}
          onChange={(value) => choose({ tool_events: value })}
        />
        <Picker
          label="Tools in responses (tool_items)"
          value={toolItems}
          names={TOOL_ITEMS}
          onChange={(value) => choose({ tool_items: value })}
        />
        {isNarrow.value && <Switch column={column} setColumn={setColumn} />}
        <p class="dim" role="status">
          {views.state.value === "loading"
            ? "Loading …"
            : `${entries.length} entries${views.hasMore.value ? ", more below" : ""}`}
        </p>
      </div>
      {views.trouble.value !== "" && <p role="alert">{views.trouble.value}</p>}
      <div class="client-heads" aria-hidden="true" data-columns={columns.length}>
        <span>Log</span>
        {columns.map((each) => (
          <span key={each}>{each}</span>
        ))}
      </div>
      <VirtualRows
        label="Frames of each client"
        class="client-list"
        count={entries.length}
        height={HEIGHT}
        open={open}
        onNearEnd={more}
        row={(index) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          const isOpen = open.has(index);
          return <EntryRow {...{ entry, columns, isOpen }} onToggle={() => toggle(index)} />;
        }}
      />
    </div>
  );
}

interface Pick {
  label: string;
  value: string;
  names: readonly string[];
  onChange: (value: string) => void;
}

function Picker({ label, value, names, onChange }: Pick) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">as configured</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function Switch({ column, setColumn }: { column: Column; setColumn: (column: Column) => void }) {
  return (
    <fieldset class="client-switch" aria-label="Client">
      {COLUMNS.map((each) => (
        <button
          key={each}
          type="button"
          class="plain small"
          aria-pressed={each === column}
          onClick={() => setColumn(each)}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}
