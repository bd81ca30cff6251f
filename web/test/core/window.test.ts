import fc from "fast-check";
import { expect, test } from "vitest";
import { rowAt, shown, topOf } from "../../src/core/window";

const lists = fc
  .record({
    count: fc.integer({ min: 1, max: 500 }),
    height: fc.integer({ min: 10, max: 60 }),
    open: fc.array(fc.tuple(fc.nat(499), fc.integer({ min: 1, max: 900 })), { maxLength: 8 }),
    scrolled: fc.nat(30_000),
    seen: fc.integer({ min: 0, max: 2000 }),
  })
  .map(({ open, ...rest }) => ({
    ...rest,
    heights: new Map(open.filter(([row]) => row < rest.count)),
  }));

test("every row of which anything can be seen is there", () => {
  fc.assert(
    fc.property(lists, ({ count, height, heights, scrolled, seen }) => {
      const { first, end, top, total } = shown(scrolled, seen, count, height, heights);
      expect(top).toBe(topOf(first, height, heights));
      expect(total).toBe(topOf(count, height, heights));
      for (let row = 0; row < count; row += 1) {
        const from = topOf(row, height, heights);
        const to = topOf(row + 1, height, heights);
        if (to > scrolled && from < scrolled + seen) {
          expect(row).toBeGreaterThanOrEqual(first);
          expect(row).toBeLessThan(end);
        }
      }
    }),
  );
});

test("few rows are there that cannot be seen, however long the list", () => {
  const { first, end } = shown(5_000_000, 600, 1_000_000, 30, new Map());
  expect(end - first).toBeLessThan(50);
});

test("rows are as high as they are", () => {
  fc.assert(
    fc.property(lists, ({ count, height, heights }) => {
      for (let row = 0; row < Math.min(count, 50); row += 1) {
        const own = topOf(row + 1, height, heights) - topOf(row, height, heights);
        expect(own).toBe(heights.get(row) ?? height);
      }
    }),
  );
});

test("a distance falls into the row that is there", () => {
  fc.assert(
    fc.property(lists, ({ count, height, heights, scrolled }) => {
      const row = rowAt(scrolled, count, height, heights);
      expect(topOf(row, height, heights)).toBeLessThanOrEqual(scrolled);
      if (row < count - 1) expect(topOf(row + 1, height, heights)).toBeGreaterThan(scrolled);
    }),
  );
});

test("of nothing nothing is shown", () => {
  expect(shown(0, 600, 0, 30, new Map())).toEqual({ first: 0, end: 0, top: 0, total: 0 });
});
