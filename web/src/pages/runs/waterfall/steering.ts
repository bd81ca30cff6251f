/** Moving about in a waterfall, by keys and by wheel. */

import { useEffect, useRef } from "preact/hooks";
import { panned, type Reach, zoomed } from "../../../core/axis";
import type { Row, Span } from "../../../core/spans";

interface Steered {
  reach: Reach;
  length: number;
  setLooked: (reach: Reach | null) => void;
  lines: readonly Row[];
  focused: number;
  setFocused: (index: number) => void;
  fold: (span: Span, isOpen: boolean) => void;
  setChosen: (id: string | null) => void;
}

const CLOSER = 0.6;
const STEP = 0.2;

export function useSteering(steered: Steered) {
  const { reach, length, setLooked } = steered;
  const frame = useRef<HTMLDivElement>(null);
  const zoom = (factor: number, around?: number) => {
    const next = zoomed(reach, length, factor, around);
    setLooked(next.to - next.from >= length ? null : next);
  };
  const pan = (share: number) => setLooked(panned(reach, length, share));
  const latest = useRef({ zoom, reach });
  latest.current = { zoom, reach };
  useEffect(() => {
    const element = frame.current;
    // A wheel with ctrl zooms the page unless it is taken, which only a listener of our own may do.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { zoom, reach } = latest.current;
      zoom(event.deltaY < 0 ? CLOSER : 1 / CLOSER, under(element, event.clientX, reach));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = deed(event, steered, zoom, pan);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return { frame, zoom, pan, onKeyDown };
}

function under(element: HTMLElement | null, x: number, reach: Reach): number {
  const box = element?.querySelector(".axis-scale")?.getBoundingClientRect();
  if (box === undefined || box.width === 0) return (reach.from + reach.to) / 2;
  const share = Math.min(1, Math.max(0, (x - box.left) / box.width));
  return reach.from + share * (reach.to - reach.from);
}

function deed(
  event: KeyboardEvent,
  { lines, focused, setFocused, fold, setChosen, setLooked }: Steered,
  zoom: (factor: number) => void,
  pan: (share: number) => void,
): (() => void) | undefined {
  const line = lines[focused];
  const last = lines.length - 1;
  switch (event.key) {
    case "ArrowDown":
      return () => setFocused(Math.min(last, focused + 1));
    case "ArrowUp":
      return () => setFocused(Math.max(0, focused - 1));
    case "Home":
      return () => setFocused(0);
    case "End":
      return () => setFocused(last);
    case "ArrowRight":
      if (event.shiftKey) return () => pan(STEP);
      return line === undefined ? undefined : () => fold(line.span, true);
    case "ArrowLeft":
      if (event.shiftKey) return () => pan(-STEP);
      return line === undefined ? undefined : () => fold(line.span, false);
    case "Enter":
    case " ":
      return line === undefined ? undefined : () => setChosen(line.span.id);
    case "Escape":
      return () => setChosen(null);
    case "+":
    case "=":
      return () => zoom(CLOSER);
    case "-":
      return () => zoom(1 / CLOSER);
    case "0":
      return () => setLooked(null);
  }
  return undefined;
}
