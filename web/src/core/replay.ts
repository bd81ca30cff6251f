/** A run as a tape: how it looked after any of its events, and when each of them comes. */

import type { RunEvent } from "../api/shapes";
import { EMPTY, fold, type View } from "./turn";

/** So many events are folded anew at most to go back to one. */
const STRIDE = 256;

export class Tape {
  #checkpoints: View[] = [EMPTY];
  #near: { count: number; view: View } = { count: 0, view: EMPTY };

  /** `events` may grow at its end afterwards. */
  constructor(readonly events: readonly RunEvent[]) {}

  /** The run after its first `count` events. */
  after(count: number): View {
    const wanted = Math.min(Math.max(0, count), this.events.length);
    let { count: at, view } = this.#start(wanted);
    while (at < wanted) {
      const next = Math.min(wanted, (Math.floor(at / STRIDE) + 1) * STRIDE);
      view = fold(view, this.events.slice(at, next));
      at = next;
      if (at % STRIDE === 0) this.#checkpoints[at / STRIDE] ??= view;
    }
    this.#near = { count: wanted, view };
    return view;
  }

  #start(wanted: number): { count: number; view: View } {
    const index = Math.min(Math.floor(wanted / STRIDE), this.#checkpoints.length - 1);
    const view = this.#checkpoints[index] ?? EMPTY;
    const near = this.#near;
    const isNearer = near.count <= wanted && near.count >= index * STRIDE;
    return isNearer ? near : { count: index * STRIDE, view };
  }
}

/** When each event comes, in seconds from the first; no pause is longer than `longest`. */
export function schedule(events: readonly RunEvent[], longest = Number.POSITIVE_INFINITY) {
  const times: number[] = [];
  let at = 0;
  let before = events[0]?.timestamp ?? 0;
  for (const { timestamp } of events) {
    at += Math.min(Math.max(0, timestamp - before), longest);
    before = Math.max(before, timestamp);
    times.push(at);
  }
  return times;
}

/** How many events have come by then. */
export function comeBy(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many events have come with the next call of a tool behind the first `count`. */
export function nextTool(events: readonly RunEvent[], count: number): number {
  const found = events.findIndex(
    (event, index) => index >= count && event.event === "tool.started",
  );
  return found === -1 ? events.length : found + 1;
}

export function previousTool(events: readonly RunEvent[], count: number): number {
  const found = events.findLastIndex(
    (event, index) => index < count - 1 && event.event === "tool.started",
  );
  return found + 1;
}
