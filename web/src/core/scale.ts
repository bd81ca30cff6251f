/** Where figures stand in a chart. */

/** How far apart round numbers may be, times a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10];

/** Round numbers from 0 on, evenly spaced, the last of them not below `highest`. */
export function ticks(highest: number, most = 5): number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [0, 1];
  const step = roundStep(highest / Math.max(1, most - 1));
  // What is a hair above a tick by the way numbers are stored stands on it.
  const steps = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => tidy(index * step));
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ROUND.find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return tidy(step * power);
}

/** 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

export interface Piece {
  from: number;
  to: number;
}

/** Each series on top of those before it: pieces by series, then by place. */
export function stacked(series: readonly (readonly number[])[]): Piece[][] {
  const places = Math.max(0, ...series.map((values) => values.length));
  const heights = new Array<number>(places).fill(0);
  return series.map((values) =>
    Array.from({ length: places }, (_, place) => {
      const from = heights[place] ?? 0;
      const to = from + Math.max(0, values[place] ?? 0);
      heights[place] = to;
      return { from, to };
    }),
  );
}

export interface Band {
  start: number;
  width: number;
  middle: number;
}

/** `count` places beside each other with gaps between, filling `width`. */
export function bands(count: number, width: number, gap = 0.25): Band[] {
  if (count === 0) return [];
  const step = width / count;
  return Array.from({ length: count }, (_, index) => ({
    start: index * step + (step * gap) / 2,
    width: step * (1 - gap),
    middle: (index + 0.5) * step,
  }));
}

/** The place that a distance from the start falls into. */
export function placeAt(distance: number, count: number, width: number): number {
  const place = Math.floor((distance / width) * count);
  return Math.min(count - 1, Math.max(0, place));
}

/** Which of `count` labels are written, so that at most `most` are, the last one included. */
export function labelled(count: number, most: number): number[] {
  if (count <= 0) return [];
  const step = Math.ceil(count / Math.max(1, most));
  const shown: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) shown.unshift(index);
  return shown;
}
