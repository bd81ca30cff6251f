/** Changes of files as lines that were taken out, put in or left alone. */

export interface DiffLine {
  sign: "+" | "-" | " ";
  text: string;
}

export interface FileDiff {
  path: string;
  lines: readonly DiffLine[];
}

const HEAD = /^--- .*\n\+\+\+ /m;

export function isDiff(text: string): boolean {
  return HEAD.test(text);
}

/** The files of a unified diff. Lines between the pieces say where one is, and are kept. */
export function parseDiff(text: string): FileDiff[] {
  const files: { path: string; lines: DiffLine[] }[] = [];
  const rows = text.split("\n");
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? "";
    const next = rows[at + 1] ?? "";
    if (row.startsWith("--- ") && next.startsWith("+++ ")) {
      files.push({ path: named(next.slice(4), row.slice(4)), lines: [] });
      at += 1;
    } else {
      const line = read(row);
      if (line !== null) files.at(-1)?.lines.push(line);
    }
  }
  return files;
}

/** What a call would do to files, as far as its arguments say. Null for other tools. */
export function proposed(tool: string, args: unknown): FileDiff[] | null {
  if (typeof args !== "object" || args === null) return null;
  const given = args as Record<string, unknown>;
  if (tool === "write_file" && typeof given.content === "string") {
    return [{ path: String(given.path), lines: signed("+", given.content) }];
  }
  if (tool !== "patch" || !Array.isArray(given.edits)) return null;
  return (given.edits as Record<string, unknown>[]).map((edit) => ({
    path: String(edit?.path ?? "") + (edit?.delete === true ? " (deleted)" : ""),
    lines: [...signed("-", edit?.old), ...signed("+", edit?.new)],
  }));
}

function signed(sign: "+" | "-", text: unknown): DiffLine[] {
  if (typeof text !== "string" || text === "") return [];
  const rows = text.endsWith("\n") ? text.slice(0, -1) : text;
  return rows.split("\n").map((row) => ({ sign, text: row }));
}

function named(after: string, before: string): string {
  const path = after === "/dev/null" ? before : after;
  return path.replace(/^[ab]\//, "");
}

function read(row: string): DiffLine | null {
  const sign = row[0];
  if (sign === "+" || sign === "-" || sign === " ") return { sign, text: row.slice(1) };
  return row.startsWith("@@") ? { sign: " ", text: row } : null;
}
