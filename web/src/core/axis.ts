/** The part of a time axis that is looked at, in seconds since the axis began. */

export interface Reach {
  from: number;
  to: number;
}

/** Nothing is looked at closer than this. */
const CLOSEST = 0.001;

export function whole(length: number): Reach {
  return { from: 0, to: Math.max(length, CLOSEST) };
}

/** Closer (`factor` below 1) or further away, with what is at `around` staying where it is. */
export function zoomed(reach: Reach, length: number, factor: number, around?: number): Reach {
  const still = around ?? (reach.from + reach.to) / 2;
  const span = Math.min(Math.max((reach.to - reach.from) * factor, CLOSEST), whole(length).to);
  const share = (still - reach.from) / (reach.to - reach.from);
  return held(still - share * span, span, length);
}

/** By a share of what is seen; it ends at the ends. */
export function panned(reach: Reach, length: number, share: number): Reach {
  const span = reach.to - reach.from;
  return held(reach.from + share * span, span, length);
}

function held(from: number, span: number, length: number): Reach {
  const { to: most } = whole(length);
  const start = Math.min(Math.max(from, 0), Math.max(most - span, 0));
  return { from: start, to: start + Math.min(span, most) };
}

/** Where something is within the reach, in percent of its width; null where it is not seen. */
export function placed(
  reach: Reach,
  start: number,
  end: number,
): { left: number; width: number } | null {
  if (end < reach.from || start > reach.to) return null;
  const span = reach.to - reach.from;
  const left = Math.max(0, (start - reach.from) / span);
  const right = Math.min(1, (end - reach.from) / span);
  return { left: left * 100, width: Math.max(0, right - left) * 100 };
}

/** Round moments, about `wanted` of them. */
export function ticks(reach: Reach, wanted: number): number[] {
  const rough = (reach.to - reach.from) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(reach.from / step - 1e-9);
  const count = Math.floor(reach.to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}

/** "1.25 s", as exact as the distance between two ticks asks for. */
export function tickWords(seconds: number, step: number): string {
  if (step < 1 && seconds < 1) return `${Number((seconds * 1000).toPrecision(6))} ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(step < 1 ? 3 : 0))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - minutes * 60;
  return `${minutes}:${rest.toFixed(step < 1 ? 2 : 0).padStart(step < 1 ? 5 : 2, "0")} min`;
}
