/** The time axis of a waterfall: all of it small, and the part that is looked at with its ticks. */

import { useRef } from "preact/hooks";
import { placed, type Reach, ticks, tickWords, whole } from "../../../core/axis";
import { everySpan, type Trace } from "../../../core/spans";
import { isNarrow } from "../narrow";

/** Percent of the axis behind which the words of a tick stand before it. */
const ROOM = 85;

interface Shown {
  traced: Trace;
  reach: Reach;
  length: number;
  now: number;
  setLooked: (reach: Reach | null) => void;
  zoom: (factor: number) => void;
  pan: (share: number) => void;
}

export function Axis({ traced, reach, length, now, setLooked, zoom, pan }: Shown) {
  const marks = ticks(reach, isNarrow.value ? 3 : 6);
  const step = (marks[1] ?? 1) - (marks[0] ?? 0);
  return (
    <div class="axis">
      <div class="axis-tools" role="toolbar" aria-label="Zoom">
        <Tool words="Earlier" sign="←" onClick={() => pan(-0.3)} />
        <Tool words="Closer" sign="+" onClick={() => zoom(0.6)} />
        <Tool words="Further" sign="−" onClick={() => zoom(1 / 0.6)} />
        <Tool words="All" sign="All" onClick={() => setLooked(null)} />
        <Tool words="Later" sign="→" onClick={() => pan(0.3)} />
      </div>
      <Overview {...{ traced, reach, length, now, setLooked }} />
      <div class="axis-scale" aria-hidden="true">
        {marks.map((at) => {
          const left = placed(reach, at, at)?.left ?? 0;
          return (
            <span key={at} class={left > ROOM ? "late" : ""} style={{ left: `${left}%` }}>
              {tickWords(at, step)}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function Tool({ words, sign, onClick }: { words: string; sign: string; onClick: () => void }) {
  return (
    <button type="button" class="plain small" aria-label={words} title={words} onClick={onClick}>
      {sign}
    </button>
  );
}

/** Dragging over it chooses what is looked at; the buttons and keys do the same. */
function Overview({ traced, reach, length, now, setLooked }: Omit<Shown, "zoom" | "pan">) {
  const from = useRef<number | null>(null);
  const all = whole(length);
  const at = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * all.to;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (from.current === null) return;
    const here = at(event);
    const [low, high] = [Math.min(from.current, here), Math.max(from.current, here)];
    if (high - low > all.to / 100) setLooked({ from: low, to: high });
  };
  const spans = [...everySpan(traced.spans)].slice(0, 1500);
  const box = placed(all, reach.from, reach.to);
  return (
    <div
      class="overview"
      aria-hidden="true"
      onPointerDown={(event) => {
        from.current = at(event);
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null;
      }}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden with the strip it is in */}
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" focusable="false">
        {spans.map((span, index) => {
          const part = placed(all, span.start - traced.start, (span.end ?? now) - traced.start);
          if (part === null) return null;
          const y = 2 + ((index * 3) % 20);
          const width = Math.max(2, part.width * 10);
          return (
            <rect
              key={span.id}
              class={`kind-${span.kind}`}
              x={part.left * 10}
              y={y}
              width={width}
              height="3"
            />
          );
        })}
      </svg>
      {box !== null && (
        <div class="looked-at" style={{ left: `${box.left}%`, width: `${box.width}%` }} />
      )}
    </div>
  );
}
