/** Which rows of a long list are to be in the page. */

export interface Shown {
  first: number;
  /** Behind the last one. */
  end: number;
  /** How far below the beginning the first one is. */
  top: number;
  total: number;
}

/** Heights of the rows that are not as high as the others, by index. */
export type Heights = ReadonlyMap<number, number>;

const BEYOND = 8;

/** All rows that can be seen and a few around them. */
export function shown(
  scrolled: number,
  seen: number,
  count: number,
  height: number,
  heights: Heights,
): Shown {
  const first = Math.max(0, rowAt(scrolled, count, height, heights) - BEYOND);
  const last = rowAt(scrolled + seen, count, height, heights) + BEYOND;
  return {
    first,
    end: Math.min(count, last + 1),
    top: topOf(first, height, heights),
    total: topOf(count, height, heights),
  };
}

/** How far below the beginning a row is. */
export function topOf(index: number, height: number, heights: Heights): number {
  let top = index * height;
  for (const [row, own] of heights) if (row < index) top += own - height;
  return top;
}

/** The row at a distance from the beginning. */
export function rowAt(distance: number, count: number, height: number, heights: Heights): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (topOf(middle, height, heights) <= distance) low = middle;
    else high = middle - 1;
  }
  return low;
}
