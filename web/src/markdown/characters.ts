/** Characters that a text names, as `&lt;` and `&#60;` do. What comes of it is text and no HTML. */

const NAMED: Record<string, string> = {
  amp: "&",
  apos: "'",
  copy: "©",
  deg: "°",
  ge: "≥",
  gt: ">",
  hellip: "…",
  larr: "←",
  le: "≤",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: "\u00a0",
  ndash: "–",
  ne: "≠",
  quot: '"',
  rarr: "→",
  times: "×",
};
const LARGEST = 0x10ffff;

/** Names that are not known stay as they are. */
export function withCharacters(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, ten, sixteen, name) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
      const code = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten);
      return code > 0 && code <= LARGEST ? String.fromCodePoint(code) : whole;
    },
  );
}
