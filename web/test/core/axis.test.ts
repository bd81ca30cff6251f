import fc from "fast-check";
import { expect, test } from "vitest";
import { panned, placed, type Reach, ticks, tickWords, whole, zoomed } from "../../src/core/axis";

const lengths = fc.double({ min: 0.01, max: 10_000, noNaN: true });
const moves = fc.array(
  fc.oneof(
    fc.record({ factor: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
    fc.record({ share: fc.double({ min: -2, max: 2, noNaN: true }) }),
  ),
  { maxLength: 10 },
);

function moved(length: number, all: ({ factor: number } | { share: number })[]): Reach {
  return all.reduce(
    (reach, move) =>
      "factor" in move ? zoomed(reach, length, move.factor) : panned(reach, length, move.share),
    whole(length),
  );
}

test("however it is moved, what is looked at lies within the run", () => {
  fc.assert(
    fc.property(lengths, moves, (length, all) => {
      const { from, to } = moved(length, all);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(length * (1 + 1e-9));
      expect(to).toBeGreaterThan(from);
    }),
  );
});

test("ticks lie within what is looked at, in their order and not too many", () => {
  fc.assert(
    fc.property(lengths, moves, fc.integer({ min: 1, max: 12 }), (length, all, wanted) => {
      const reach = moved(length, all);
      const found = ticks(reach, wanted);
      const slack = (reach.to - reach.from) * 1e-6 + 1e-9;
      expect(found.length).toBeLessThanOrEqual(wanted + 1);
      found.forEach((at, index) => {
        expect(at).toBeGreaterThanOrEqual(reach.from - slack);
        expect(at).toBeLessThanOrEqual(reach.to + slack);
        if (index > 0) expect(at).toBeGreaterThan(found[index - 1] ?? 0);
      });
    }),
  );
});

test("what is not seen has no place, and what is seen stays within the width", () => {
  const reach = { from: 2, to: 4 };
  expect(placed(reach, 0, 1)).toBeNull();
  expect(placed(reach, 5, 6)).toBeNull();
  expect(placed(reach, 0, 9)).toEqual({ left: 0, width: 100 });
  expect(placed(reach, 3, 3.5)).toEqual({ left: 50, width: 25 });
});

test.each([
  [0.25, 0.05, "250 ms"],
  [1.25, 0.05, "1.25 s"],
  [12, 1, "12 s"],
  [75, 5, "1:15 min"],
])("%d s with ticks %d apart is written %s", (seconds, step, words) => {
  expect(tickWords(seconds, step)).toBe(words);
});
