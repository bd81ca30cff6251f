/** The log of a run as it is: every event, found by name and words. */

import { useMemo, useState } from "preact/hooks";
import type { RunEvent } from "../../api/shapes";
import { address, goInstead, place } from "../../core/route";
import { Code } from "../../markdown/code";
import { Copy } from "../../parts/copy";
import type { Tab } from "./run";
import { VirtualRows } from "./virtual";

const HEIGHT = 34;
const DELTAS = new Set(["message.delta", "reasoning.delta", "tool.arguments", "tool.output"]);

export default function Events({ log }: Tab) {
  const version = log.version.value;
  const [name, setName] = useState("");
  const [words, setWords] = useState("");
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array grows in place, the version says so
  const names = useMemo(() => [...new Set(log.events.map(({ event }) => event))].sort(), [version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const found = useMemo(() => filtered(log.events, name, words), [version, name, words]);
  const seq = Number(place.value.query.get("seq") ?? 0);
  const target = seq > 0 ? found.findIndex((event) => event.seq === seq) : -1;
  const opened = useMemo(() => indexes(found, open, seq), [found, open, seq]);
  const start = log.events[0]?.timestamp ?? 0;
  const toggle = (event: RunEvent) => {
    const isOpen = open.has(event.seq) || event.seq === seq;
    const next = new Set(open);
    if (isOpen) next.delete(event.seq);
    else next.add(event.seq);
    setOpen(next);
    if (event.seq === seq) goInstead(address("runs", log.runId, { tab: "events" }));
  };
  return (
    <div class="events-tab">
      <search class="filters" aria-label="Filter events">
        <label>
          <span>Event</span>
          <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
            <option value="">all</option>
            <option value="facts">all but deltas</option>
            {names.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Words</span>
          <input
            type="search"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <p class="dim" role="status">
          {found.length} of {log.events.length} events
          {log.state.value === "loading" && ", loading …"}
        </p>
      </search>
      <VirtualRows
        label="Events"
        class="event-list"
        count={found.length}
        height={HEIGHT}
        open={opened}
        target={target === -1 ? null : target}
        row={(index) => {
          const event = found[index];
          if (event === undefined) return null;
          const isOpen = opened.has(index);
          return <Line {...{ event, start, isOpen, toggle, count: found.length, index }} />;
        }}
      />
    </div>
  );
}

function filtered(events: readonly RunEvent[], name: string, words: string): readonly RunEvent[] {
  const wanted = words.toLowerCase();
  return events.filter((event) => {
    if (name === "facts" ? DELTAS.has(event.event) : name !== "" && event.event !== name)
      return false;
    return wanted === "" || JSON.stringify(event).toLowerCase().includes(wanted);
  });
}

function indexes(events: readonly RunEvent[], open: ReadonlySet<number>, seq: number) {
  const wanted = new Set(open);
  if (seq > 0) wanted.add(seq);
  if (wanted.size === 0) return new Set<number>();
  const found = events.flatMap((event, index) => (wanted.has(event.seq) ? [index] : []));
  return new Set(found);
}

interface EventLine {
  event: RunEvent;
  start: number;
  isOpen: boolean;
  toggle: (event: RunEvent) => void;
  count: number;
  index: number;
}

function Line({ event, start, isOpen, toggle, count, index }: EventLine) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list scrolls a window of its rows
    <div
      class={isOpen ? "event-line open" : "event-line"}
      role="listitem"
      data-seq={event.seq}
      aria-setsize={count}
      aria-posinset={index + 1}
    >
      <button type="button" class="event-head" aria-expanded={isOpen} onClick={() => toggle(event)}>
        <span class="seq">{event.seq}</span>
        <span class="offset">+{(event.timestamp - start).toFixed(3)} s</span>
        <span class="name">{event.event}</span>
        <code class="gist">{gist(event)}</code>
      </button>
      {isOpen && <Whole event={event} />}
    </div>
  );
}

function Whole({ event }: { event: RunEvent }) {
  const text = JSON.stringify(event, null, 2);
  const query = { tab: "events", seq: String(event.seq) };
  return (
    <div class="event-whole">
      <div class="line">
        <a href={address("runs", event.run_id, query)}>Link to this event</a>
        <Copy text={JSON.stringify(event)} words="Copy as one line" />
      </div>
      <Code text={text} language="json" />
    </div>
  );
}

/** The event without what every event has, in one line. */
function gist(event: RunEvent): string {
  const { run_id: _run, seq: _seq, timestamp: _at, event: _event, ...own } = event;
  return JSON.stringify(own).slice(0, 300);
}
