/** What a run spent its time on: calls of models and tools, waits and subagents on one axis. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Reach, whole } from "../../../core/axis";
import { everySpan, rows, type Span, trace } from "../../../core/spans";
import { count, duration } from "../../../core/words";
import { useNow } from "../now";
import type { Tab } from "../run";
import { VirtualRows } from "../virtual";
import { Axis } from "./axis";
import { Detail } from "./detail";
import { SpanRow } from "./row";
import { useSteering } from "./steering";

const HEIGHT = 34;

export default function Waterfall({ log }: Tab) {
  const version = log.version.value;
  useEffect(() => void log.readChildren(), [log]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log grows in place, the version says so
  const traced = useMemo(() => trace(log.events, log.children), [version, log]);
  const now = Math.max(useNow(traced.end === null ? 200 : 0), traced.lastAt);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const [focused, setFocused] = useState(0);
  const [looked, setLooked] = useState<Reach | null>(null);
  const lines = useMemo(() => rows(traced.spans, folded), [traced, folded]);
  const length = (traced.end ?? now) - traced.start;
  const reach = looked ?? whole(length);
  const fold = (span: Span, isOpen: boolean) => {
    const next = new Set(folded);
    if (isOpen) next.delete(span.id);
    else next.add(span.id);
    setFolded(next);
  };
  const steering = useSteering({
    reach,
    length,
    setLooked,
    lines,
    focused,
    setFocused,
    fold,
    setChosen,
  });
  if (traced.spans.length === 0) {
    return (
      <p class="empty">{log.state.value === "loading" ? "Loading …" : "Nothing to show yet."}</p>
    );
  }
  const span =
    chosen === null ? undefined : [...everySpan(traced.spans)].find(({ id }) => id === chosen);
  return (
    <div class={span === undefined ? "waterfall" : "waterfall with-detail"}>
      <div class="waterfall-main" ref={steering.frame}>
        <Axis
          {...{ traced, reach, length, now, setLooked }}
          zoom={steering.zoom}
          pan={steering.pan}
        />
        <VirtualRows
          label="Spans of the run"
          role="treegrid"
          class="span-list"
          count={lines.length}
          height={HEIGHT}
          target={focused}
          onKeyDown={steering.onKeyDown}
          row={(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            const isFocused = index === Math.min(focused, lines.length - 1);
            const isChosen = line.span.id === chosen;
            const onChoose = () => {
              setFocused(index);
              setChosen(line.span.id);
            };
            const start = traced.start;
            return (
              <SpanRow
                {...{ line, index, reach, start, now, isFocused, isChosen, onChoose, fold }}
              />
            );
          }}
        />
        <p class="dim sums">
          {lines.length} rows · {duration(length)}
          {traced.rest.total_tokens > 0 &&
            ` · ${count(traced.rest.total_tokens)} tokens outside of these calls (summaries, attempts that came to nothing)`}
        </p>
      </div>
      {span !== undefined && (
        <Detail span={span} start={traced.start} now={now} onClose={() => setChosen(null)} />
      )}
    </div>
  );
}
