import fc from "fast-check";
import { expect, test } from "vitest";
import { panned, placed, ticks, tickWords, whole, zoomed } from "../../src/core/axis";
import { diffLines, tally } from "../../src/core/diff";
import { ANY, fromQuery, isNarrowed, toQuery, toRequest } from "../../src/core/run-filters";
import { rowAt, shown, topOf } from "../../src/core/window";

test("a window holds all rows that can be seen and no more than a bounded number", () => {
  const rows = fc.record({
    count: fc.nat(100_000),
    scrolled: fc.nat(4_000_000),
    heights: fc.dictionary(fc.nat(100_000).map(String), fc.integer({ min: 40, max: 900 }), {
      maxKeys: 5,
    }),
  });
  fc.assert(
    fc.property(rows, ({ count, scrolled, heights }) => {
      const open = new Map(Object.entries(heights).map(([row, height]) => [Number(row), height]));
      const { first, end, top, total } = shown(scrolled, 800, count, 34, open);
      expect(end - first).toBeLessThan(60);
      expect(top).toBe(topOf(first, 34, open));
      expect(total).toBe(topOf(count, 34, open));
      if (count === 0 || scrolled >= total) return;
      const row = rowAt(scrolled, count, 34, open);
      expect(topOf(row, 34, open)).toBeLessThanOrEqual(scrolled);
      expect(first).toBeLessThanOrEqual(row);
      expect(end).toBeGreaterThan(row);
    }),
  );
});

test("zooming and panning stay within the axis, and what is pointed at stays in place", () => {
  const moves = fc.array(
    fc.tuple(
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      fc.double({ min: -2, max: 2, noNaN: true }),
    ),
  );
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e5, noNaN: true }), moves, (length, all) => {
      let reach = whole(length);
      for (const [factor, share] of all) {
        reach = panned(zoomed(reach, length, factor), length, share);
        expect(reach.from).toBeGreaterThanOrEqual(0);
        expect(reach.to).toBeLessThanOrEqual(whole(length).to * (1 + 1e-9));
        expect(reach.to).toBeGreaterThan(reach.from);
      }
    }),
  );
  const closer = zoomed({ from: 0, to: 10 }, 10, 0.5, 4);
  expect(closer).toEqual({ from: 2, to: 7 });
});

test("ticks are round, and things are placed in percent", () => {
  expect(ticks({ from: 0, to: 10 }, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(tickWords(0.25, 0.25)).toBe("250 ms");
  expect(tickWords(75, 5)).toBe("1:15 min");
  expect(placed({ from: 0, to: 10 }, 5, 20)).toEqual({ left: 50, width: 50 });
  expect(placed({ from: 0, to: 10 }, 11, 20)).toBeNull();
});

test("filters survive the address, and only what narrows is in it", () => {
  const word = fc.string({ minLength: 0, maxLength: 8 });
  const filters = fc.record({
    status: word,
    model: word,
    surface: word,
    words: word,
    time: word,
    subagents: fc.boolean(),
  });
  fc.assert(
    fc.property(filters, (each) => {
      expect(fromQuery(new URLSearchParams(toQuery(each)))).toEqual(each);
    }),
  );
  expect(toQuery(ANY)).toEqual({});
  expect(isNarrowed({ ...ANY, words: "x" })).toBe(true);
  expect(toRequest({ ...ANY, status: "open", time: "1h" }, 10_000)).toMatchObject({
    since: 6400,
    status: "queued,running,waiting_for_approval,waiting_for_client,stopping",
    delegated: "false",
  });
});

test("lines of a diff know what they are, also those that look like a head", () => {
  const lines = diffLines("--- a\n+++ b\n@@ -1 +1 @@\n--- x\n+y\n z\n");
  expect(lines.map(({ kind }) => kind)).toEqual([
    "file",
    "file",
    "place",
    "removed",
    "added",
    "same",
  ]);
  expect(tally(lines)).toEqual({ added: 1, removed: 1 });
});
