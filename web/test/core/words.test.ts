import fc from "fast-check";
import { expect, test } from "vitest";
import { ago, count, duration, money, statusWords } from "../../src/core/words";

test.each([
  [0, "0 ms"],
  [0.0994, "99 ms"],
  [0.1, "0.1 s"],
  [9.94, "9.9 s"],
  [9.96, "10 s"],
  [59.4, "59 s"],
  [59.6, "1 min 0 s"],
  [119.7, "2 min 0 s"],
  [3599.9, "1 h 0 min"],
  [7260, "2 h 1 min"],
])("%d seconds are %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test("no duration has sixty of anything", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (seconds) => {
      expect(duration(seconds)).not.toMatch(/\b60 (s|min)/);
    }),
  );
});

test("what was longer never reads as shorter", () => {
  const units: Record<string, number> = { ms: 0.001, s: 1, min: 60, h: 3600 };
  const read = (words: string) =>
    [...words.matchAll(/([\d.]+) (ms|s|min|h)/g)].reduce(
      (all, [, number, unit]) => all + Number(number) * (units[unit ?? ""] ?? Number.NaN),
      0,
    );
  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      const [short, long] = one < other ? [one, other] : [other, one];
      expect(read(duration(short))).toBeLessThanOrEqual(read(duration(long)) + 1e-9);
    }),
  );
});

test.each([
  [0, "just now"],
  [-5, "just now"],
  [44, "just now"],
  [45, "1 min ago"],
  [3569, "59 min ago"],
  [3599, "1 h ago"],
  [86_300, "1 d ago"],
  [6 * 86_400, "6 d ago"],
])("what happened %d seconds ago was %s", (passed, words) => {
  expect(ago(1_790_000_000 - passed, 1_790_000_000)).toBe(words);
});

test("what is older than a week has a date", () => {
  expect(ago(0, 1_790_000_000)).toMatch(/19(70|69)/);
});

test.each([
  [0, "0"],
  [1, "1.00"],
  [1234.567, "1234.57"],
  [0.0123, "0.01"],
  [0.00123, "0.0012"],
  [0.0000012, "0.0000012"],
  [1e-9, "< 0.000001"],
])("an amount of %d is %s", (amount, words) => {
  expect(money(amount)).toBe(words);
});

test("large counts are short", () => {
  expect([count(0), count(9999), count(12_345), count(4_500_000)]).toEqual([
    "0",
    "9,999",
    "12.3K",
    "4.5M",
  ]);
});

test("a status that is not known is said as it is", () => {
  expect([statusWords("cancelled"), statusWords("dancing")]).toEqual(["stopped", "dancing"]);
});
