import fc from "fast-check";
import { expect, test } from "vitest";
import type { UsageLine } from "../../src/api/admin-shapes";
import * as usage from "../../src/core/usage";

const DAYS = ["2026-03-28", "2026-03-29", "2026-03-30"];
const tokens = fc.nat(1_000_000);
const lines = fc.array(
  fc.record({
    day: fc.constantFrom(...DAYS),
    model: fc.constantFrom("m1", "m2", "m3", null),
    key: fc.constantFrom("k1", "k2"),
    key_name: fc.constantFrom("laptop", "phone", null),
    total_tokens: tokens,
    input_tokens: tokens,
    output_tokens: tokens,
    cached_tokens: tokens,
    cache_write_tokens: tokens,
    reasoning_tokens: tokens,
  }),
) as unknown as fc.Arbitrary<UsageLine[]>;

const total = (figures: usage.Figures) =>
  usage.sum(figures.series.map((series) => usage.sum(series.values)));

test("series by name hold all there is", () => {
  fc.assert(
    fc.property(lines, fc.constantFrom("day,model", "day,key"), (all, group) => {
      const figures = usage.byName(all, group as usage.Group, DAYS, (line) => line.total_tokens);
      expect(total(figures)).toBe(usage.sum(all.map((line) => line.total_tokens)));
      const names = figures.series.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { values } of figures.series) expect(values).toHaveLength(DAYS.length);
    }),
  );
});

test("few series hold as much as many", () => {
  const series = fc.array(
    fc.record({
      name: fc.string(),
      values: fc.array(fc.option(tokens), { minLength: 3, maxLength: 3 }),
    }),
    { maxLength: 15 },
  );
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 8 }), (all, most) => {
      const figures = usage.largest({ places: DAYS, series: all }, most);
      expect(figures.series.length).toBe(Math.min(all.length, most));
      expect(total(figures)).toBe(total({ places: DAYS, series: all }));
    }),
  );
});

test("kinds of tokens count none of them twice", () => {
  fc.assert(
    fc.property(tokens, tokens, tokens, tokens, tokens, (plain, cached, written, said, thought) => {
      const line = {
        input_tokens: plain + cached + written,
        cached_tokens: cached,
        cache_write_tokens: written,
        output_tokens: said + thought,
        reasoning_tokens: thought,
      } as UsageLine;
      const kinds = Object.values(usage.KINDS).map((kind) => kind(line));
      expect(usage.sum(kinds)).toBe(line.input_tokens + line.output_tokens);
      expect(Math.min(...kinds)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("days follow each other, both ends included", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30_000 }),
      fc.integer({ min: 1, max: 400 }),
      (day, count) => {
        const now = (day + 500) * 86_400_000 + 5;
        const days = usage.daysBetween(usage.daysBack(count, now), usage.dayOf(now));
        expect(days).toHaveLength(count);
        expect(days.at(-1)).toBe(usage.dayOf(now));
        expect(days).toEqual([...new Set(days)].toSorted());
      },
    ),
  );
});

test("days that are none, or the wrong way round, are no days", () => {
  expect(usage.daysBetween("2026-01-02", "2026-01-01")).toEqual([]);
  expect(usage.daysBetween("yesterday", "2026-01-01")).toEqual([]);
});

test("what is not known is not nothing", () => {
  const line = { day: DAYS[0], total_tokens: 0 } as UsageLine;
  const parts = { Total: (each: UsageLine) => each.total_tokens };
  expect(usage.byPart([line], "day", DAYS, parts).series[0]?.values).toEqual([0, null, null]);
});

test("places are days or names", () => {
  const all = [{ model: "m" }, { model: null }, { model: "m" }] as UsageLine[];
  expect(usage.placesOf(all, "model", DAYS)).toEqual(["m", "no model"]);
  expect(usage.placesOf(all, "day,model", DAYS)).toEqual(DAYS);
});

test("a key without a name goes by its id", () => {
  expect(usage.nameOf({ key: "key_1", key_name: null } as UsageLine, "key")).toBe("key_1");
});
