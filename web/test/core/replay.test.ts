import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/api/shapes";
import { comeBy, nextTool, previousTool, schedule, Tape } from "../../src/core/replay";
import { EMPTY, fold } from "../../src/core/turn";
import { logs, told } from "../support/run-logs";

/** Longer than what is folded at one go. */
const LONG = told({
  queued: false,
  ending: "run.completed",
  gaps: [0.1, 2, 0],
  steps: Array.from({ length: 90 }, (_, index) => ({
    thoughts: ["so", " then"],
    text: ["a", "b", "c", `${index}`],
    calls: [
      {
        tool: "terminal",
        pieces: ["{}"],
        way: "allowed" as const,
        outcome: "ok",
        prints: ["1"],
        hasChild: false,
      },
    ],
    voided: [],
    notice: true,
    steered: false,
  })),
});

test("wherever the tape is wound to, the run looks as it did then", () => {
  const tape = new Tape(LONG);
  expect(LONG.length).toBeGreaterThan(1000);
  const places = fc.array(fc.integer({ min: -5, max: LONG.length + 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(places, (visits) => {
      for (const visit of visits) {
        expect(tape.after(visit)).toEqual(fold(EMPTY, LONG.slice(0, Math.max(0, visit))));
      }
    }),
    { numRuns: 30 },
  );
});

test("a tape that grows is as good as one that was whole", () => {
  const events: RunEvent[] = [];
  const tape = new Tape(events);
  for (const each of LONG.slice(0, 700)) {
    events.push(each);
    tape.after(events.length);
  }
  expect(tape.after(699)).toEqual(fold(EMPTY, LONG.slice(0, 699)));
  expect(tape.after(3)).toEqual(fold(EMPTY, LONG.slice(0, 3)));
});

test("events come in their order, with no pause longer than the longest", () => {
  fc.assert(
    fc.property(logs, fc.double({ min: 0.1, max: 2, noNaN: true }), (events, longest) => {
      const times = schedule(events, longest);
      expect(times).toHaveLength(events.length);
      expect(times[0]).toBe(0);
      times.slice(1).forEach((at, index) => {
        const pause = at - (times[index] ?? 0);
        expect(pause).toBeGreaterThanOrEqual(0);
        expect(pause).toBeLessThanOrEqual(longest + 1e-9);
      });
    }),
  );
});

test("a clock that was set back does not stop the tape", () => {
  const events = [5, 3, 6].map((timestamp) => ({ timestamp }) as RunEvent);
  expect(schedule(events)).toEqual([0, 0, 1]);
});

test("as many events have come as are not later", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: -1, max: 60 }), (some, at) => {
      const times = some.toSorted((a, b) => a - b);
      expect(comeBy(times, at)).toBe(times.filter((time) => time <= at).length);
    }),
  );
});

test("from call to call, forwards and back", () => {
  fc.assert(
    fc.property(logs, (events) => {
      const calls = events.flatMap((each, index) =>
        each.event === "tool.started" ? [index + 1] : [],
      );
      const forwards: number[] = [];
      for (let at = nextTool(events, 0); at < events.length; at = nextTool(events, at)) {
        forwards.push(at);
      }
      const back: number[] = [];
      for (let at = previousTool(events, events.length); at > 0; at = previousTool(events, at)) {
        back.unshift(at);
      }
      expect([forwards, back]).toEqual([calls, calls]);
    }),
  );
});
