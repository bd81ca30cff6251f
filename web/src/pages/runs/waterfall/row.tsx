/** One span: its name in the tree, and its bar on the axis. */

import { useEffect, useRef } from "preact/hooks";
import { placed, type Reach } from "../../../core/axis";
import type { Row, Span } from "../../../core/spans";
import { count, duration, money } from "../../../core/words";
import { Icon } from "../../../parts/icon";

interface Shown {
  line: Row;
  index: number;
  reach: Reach;
  start: number;
  now: number;
  isFocused: boolean;
  isChosen: boolean;
  onChoose: () => void;
  fold: (span: Span, isOpen: boolean) => void;
}

const KINDS: Record<Span["kind"], string> = {
  model: "model",
  tool: "tool",
  subagent: "subagent",
  approval: "waits for approval",
  client: "waits for its client",
  queue: "waits in line",
  pause: "pauses before asking again",
};

export function SpanRow({
  line,
  index,
  reach,
  start,
  now,
  isFocused,
  isChosen,
  onChoose,
  fold,
}: Shown) {
  const { span, level, isOpen, canOpen } = line;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Only where the keys already are in the tree do they go along.
    const tree = element.current?.closest('[role="treegrid"]');
    if (isFocused && tree?.contains(document.activeElement)) {
      element.current?.focus({ preventScroll: true });
    }
  }, [isFocused]);
  const words = spanWords(span, now);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the tree scrolls a window of its rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid takes the keys for all rows
    <div
      ref={element}
      class={isChosen ? "span-row chosen" : "span-row"}
      role="row"
      aria-level={level}
      aria-rowindex={index + 1}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isChosen}
      aria-label={words}
      title={words}
      tabIndex={isFocused ? 0 : -1}
      data-kind={span.kind}
      data-start={span.start}
      data-end={span.end ?? ""}
      onClick={onChoose}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as the row */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: rows are what has the focus */}
      <div class="span-name" role="gridcell" style={{ "--depth": level - 1 }}>
        {canOpen ? (
          <Fold isOpen={isOpen} onClick={() => fold(span, !isOpen)} />
        ) : (
          <i class="no-fold" />
        )}
        <span class={`span-dot kind-${span.kind}`} />
        <b>{nameOf(span)}</b> <span class="dim">{span.label}</span>
      </div>
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore lint/a11y/useSemanticElements: as the row */}
      <div class="span-bar" role="gridcell">
        <Bar span={span} reach={reach} start={start} now={now} />
      </div>
    </div>
  );
}

/** For the mouse; the keys fold with left and right. */
function Fold({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row itself is what the keys fold
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span
      class={isOpen ? "fold open" : "fold"}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name="right" />
    </span>
  );
}

function Bar({ span, reach, start, now }: Pick<Shown, "reach" | "start" | "now"> & { span: Span }) {
  const end = span.end ?? now;
  const part = placed(reach, span.start - start, end - start);
  if (part === null) return null;
  const first =
    span.firstAt === null ? null : placed(reach, span.firstAt - start, span.firstAt - start);
  const isLate = part.left > 65;
  return (
    <>
      <div
        class={`bar kind-${span.kind} ${isBad(span) ? "bad" : ""} ${span.end === null ? "growing" : ""}`}
        style={{ left: `${part.left}%`, width: `${part.width}%` }}
      />
      {first !== null && <i class="first" style={{ left: `${first.left}%` }} />}
      <span
        class="bar-words"
        style={isLate ? { right: `${100 - part.left}%` } : { left: `${part.left + part.width}%` }}
      >
        {duration(end - span.start)}
        {span.usage !== null && ` · ${count(span.usage.total_tokens)} tok`}
        {span.cost > 0 && ` · ${money(span.cost)}`}
      </span>
    </>
  );
}

export function isBad(span: Span): boolean {
  return ["error", "failed", "timeout", "denied", "in_doubt", "cancelled"].includes(
    span.outcome ?? "",
  );
}

export function nameOf(span: Span): string {
  if (span.kind === "approval") return `approval of ${span.name}`;
  if (span.kind === "model") return span.name || "model";
  return span.name;
}

export function spanWords(span: Span, now: number): string {
  const usage = span.usage === null ? "" : `, ${count(span.usage.total_tokens)} tokens`;
  const cost = span.cost > 0 ? `, cost ${money(span.cost)}` : "";
  const state = span.end === null ? "under way" : (span.outcome ?? "done");
  const label = span.label === "" ? "" : ` ${span.label}`;
  return `${nameOf(span)}${label}, ${KINDS[span.kind]}, ${duration((span.end ?? now) - span.start)}, ${state}${usage}${cost}`;
}
