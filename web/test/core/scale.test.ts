import fc from "fast-check";
import { expect, test } from "vitest";
import { bands, labelled, placeAt, stacked, ticks } from "../../src/core/scale";

const amounts = fc.double({ min: 1e-9, max: 1e12, noNaN: true });

test("ticks are round, evenly spaced, few, and reach what is highest", () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 2, max: 10 }), (highest, most) => {
      const all = ticks(highest, most);
      const step = all[1] ?? 0;
      expect(all[0]).toBe(0);
      expect(all.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-6));
      expect(all.length).toBeLessThanOrEqual(most + 1);
      const digits = step.toExponential(6);
      expect(digits).toMatch(/^(1|2|2\.5|5)(\.?0*)e/);
      all.forEach((each, index) => {
        expect(Math.abs(each - index * step)).toBeLessThanOrEqual(step * 1e-6);
      });
    }),
  );
});

test.each([0, -3, Number.NaN, Number.POSITIVE_INFINITY])("%d has an axis too", (highest) => {
  expect(ticks(highest)).toEqual([0, 1]);
});

test("tenths stay tenths", () => {
  expect(ticks(0.3, 4)).toEqual([0, 0.1, 0.2, 0.3]);
});

test("stacked pieces touch, and together are as high as their sum", () => {
  const series = fc.array(fc.array(fc.nat(1000), { maxLength: 6 }), { maxLength: 5 });
  fc.assert(
    fc.property(series, (values) => {
      const all = stacked(values);
      const places = Math.max(0, ...values.map((each) => each.length));
      for (let place = 0; place < places; place += 1) {
        let height = 0;
        for (const pieces of all) {
          expect(pieces[place]?.from).toBe(height);
          height = pieces[place]?.to ?? Number.NaN;
        }
        expect(height).toBe(values.reduce((sum, each) => sum + (each[place] ?? 0), 0));
      }
    }),
  );
});

test("each place is found from any point within its band", () => {
  const counts = fc.integer({ min: 1, max: 60 });
  const widths = fc.double({ min: 1, max: 5000, noNaN: true });
  fc.assert(
    fc.property(counts, widths, fc.double({ min: 0, max: 1, noNaN: true }), (count, width, at) => {
      const all = bands(count, width);
      expect(all).toHaveLength(count);
      all.forEach(({ start, width: own, middle }, index) => {
        expect(placeAt(start + own * at, count, width)).toBe(index);
        expect(placeAt(middle, count, width)).toBe(index);
        expect(start + own).toBeLessThanOrEqual(width + 1e-6);
      });
      expect(placeAt(-5, count, width)).toBe(0);
      expect(placeAt(width * 2, count, width)).toBe(count - 1);
    }),
  );
});

test("no more labels than wanted are written, and the last always is", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 30 }),
      (count, most) => {
        const shown = labelled(count, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.at(-1)).toBe(count === 0 ? undefined : count - 1);
        expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
      },
    ),
  );
});
