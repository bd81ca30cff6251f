/** Names and values that people write into lines. */

/** `{"A": "1"}` of `A=1`; a line without the mark is a name with an empty value. */
export function pairsOf(text: string, mark: "=" | ":"): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(mark);
      return [name.trim(), rest.join(mark).trim()];
    }),
  );
}
