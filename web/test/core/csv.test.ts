import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cell, csv } from "../../src/core/csv";

/** Reads as the standard for such files (RFC 4180) has it. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const words = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", "=", "'", "é", " ") });
const cells: fc.Arbitrary<Cell> = fc.oneof(words, fc.string(), fc.integer(), fc.constant(null));
const width = 3;
const tables = fc.array(fc.array(cells, { minLength: width, maxLength: width }));

test("a spreadsheet reads what was written", () => {
  fc.assert(
    fc.property(tables, (rows) => {
      const read = rowsOf(csv(["a", "b", "c"], rows));
      const plain = read
        .slice(1)
        .map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, "")));
      const meant = rows.map((row) =>
        row.map((cell) => String(cell ?? "").replace(/^'(?=[=+\-@\t\r])/, "")),
      );
      expect(read[0]).toEqual(["a", "b", "c"]);
      expect(plain).toEqual(meant);
    }),
  );
});

test("no text is taken for a formula", () => {
  fc.assert(
    fc.property(fc.constantFrom(..."=+-@\t\r"), fc.string(), (start, rest) => {
      const [[cell] = []] = rowsOf(csv([start + rest], []));
      expect(cell?.[0]).toBe("'");
    }),
  );
});

test("numbers stay numbers", () => {
  expect(csv(["n"], [[-1.5], [null]])).toBe("n\r\n-1.5\r\n\r\n");
});
