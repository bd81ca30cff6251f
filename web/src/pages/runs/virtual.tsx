/** A list of any length of which only what can be seen is in the page. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Heights, shown, topOf } from "../../core/window";

interface Rows {
  count: number;
  /** Of a row that is not open, in pixels. */
  height: number;
  /** Rows that are open and as high as what is in them. */
  open?: ReadonlySet<number>;
  row: (index: number) => ComponentChildren;
  /** The row to bring into sight whenever this changes. */
  target?: number | null;
  onNearEnd?: () => void;
  class?: string;
  label: string;
  role?: "treegrid" | "table" | "list";
  onKeyDown?: (event: KeyboardEvent) => void;
}

const NONE: ReadonlySet<number> = new Set();

export function VirtualRows(given: Rows) {
  const { count, height, open = NONE, row, target, onNearEnd, label, role = "list" } = given;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrolled: 0, seen: 600 });
  const [heights, setHeights] = useState<Heights>(new Map());
  const look = useCallback(() => {
    const element = frame.current;
    if (element !== null) setView({ scrolled: element.scrollTop, seen: element.clientHeight });
  }, []);
  useLayoutEffect(look, [look]);
  useEffect(() => {
    const watch = new ResizeObserver(look);
    if (frame.current !== null) watch.observe(frame.current);
    return () => watch.disconnect();
  }, [look]);
  const known = new Map([...heights].filter(([index]) => open.has(index)));
  const { first, end, top, total } = shown(view.scrolled, view.seen, count, height, known);
  useEffect(() => {
    if (end >= count - 20) onNearEnd?.();
  }, [end, count, onNearEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that change later do not move the sight
  useLayoutEffect(() => {
    if (target == null || frame.current === null || target >= count) return;
    const at = topOf(target, height, known);
    const { scrollTop, clientHeight } = frame.current;
    if (at < scrollTop || at + height > scrollTop + clientHeight) {
      frame.current.scrollTop = Math.max(0, at - clientHeight / 3);
      look();
    }
  }, [target, count > (target ?? 0)]);
  const measured = (index: number, pixels: number) => {
    if (heights.get(index) !== pixels) setHeights((all) => new Map(all).set(index, pixels));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is given
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above
    <div
      ref={frame}
      class={`virtual ${given.class ?? ""}`}
      role={role}
      aria-label={label}
      aria-rowcount={role === "list" ? undefined : count}
      tabIndex={role === "treegrid" ? -1 : 0}
      onScroll={look}
      onKeyDown={given.onKeyDown}
    >
      <div role="presentation" style={{ height: `${total}px`, position: "relative" }}>
        <div role="presentation" style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at).map((index) =>
            open.has(index) ? (
              <Measured key={index} onHeight={(pixels) => measured(index, pixels)}>
                {row(index)}
              </Measured>
            ) : (
              <div key={index} role="presentation" style={{ height: `${height}px` }}>
                {row(index)}
              </div>
            ),
          )}
        </div>
      </div>
    </div>
  );
}

interface Grown {
  onHeight: (pixels: number) => void;
  children: ComponentChildren;
}

function Measured({ onHeight, children }: Grown) {
  const element = useRef<HTMLDivElement>(null);
  const tell = useRef(onHeight);
  tell.current = onHeight;
  useLayoutEffect(() => {
    if (element.current === null) return;
    const own = element.current;
    const watch = new ResizeObserver(() => tell.current(own.offsetHeight));
    tell.current(own.offsetHeight);
    watch.observe(own);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={element} role="presentation">
      {children}
    </div>
  );
}
