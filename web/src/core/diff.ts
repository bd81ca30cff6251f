/** A unified diff as lines that know what they are. */

export interface DiffLine {
  kind: "added" | "removed" | "same" | "place" | "file";
  text: string;
}

export function diffLines(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  let inHunk = false;
  return lines.map((text) => {
    if (text.startsWith("@@")) inHunk = true;
    return { kind: kind(text, inHunk), text };
  });
}

function kind(line: string, inHunk: boolean): DiffLine["kind"] {
  if (line.startsWith("@@")) return "place";
  if (!inHunk) return "file";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

export function tally(lines: readonly DiffLine[]): { added: number; removed: number } {
  const of = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: of("added"), removed: of("removed") };
}
