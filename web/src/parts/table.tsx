/** Figures in rows; a table that is wider than the page scrolls inside its frame. */

import type { ComponentChildren } from "preact";

export interface Column<T> {
  words: string;
  show: (row: T) => ComponentChildren;
  isNumber?: boolean;
}

interface Rows<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

export function Table<T>({ label, columns, rows, keyOf }: Rows<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus nobody scrolls it by keyboard
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ words, isNumber }) => (
              <th key={words} scope="col" class={isNumber ? "number" : ""}>
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ words, show, isNumber }) => (
                <td key={words} class={isNumber ? "number" : ""}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
