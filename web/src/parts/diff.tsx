/** Changes of files: a sign before each line, and a colour for those who see it. */

import type { DiffLine, FileDiff } from "../core/file-diff";

/** Longer ones are cut: the whole is in the output. */
const MOST_LINES = 600;
const NAMES = { "+": "added", "-": "removed", " ": undefined };

export function Diff({ files }: { files: readonly FileDiff[] }) {
  return (
    <div class="file-diffs">
      {files.map((file, index) => (
        <figure key={index} class="code">
          <figcaption>
            <span>{file.path}</span>
            <span>{counted(file.lines)}</span>
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>{file.lines.slice(0, MOST_LINES).map(line)}</pre>
          {file.lines.length > MOST_LINES && (
            <p class="dim">{file.lines.length - MOST_LINES} more lines</p>
          )}
        </figure>
      ))}
    </div>
  );
}

function line({ sign, text }: DiffLine, index: number) {
  return (
    <div key={index} class={NAMES[sign] ?? (text.startsWith("@@") ? "where" : undefined)}>
      {sign} {text}
    </div>
  );
}

function counted(lines: readonly DiffLine[]): string {
  const of = (sign: string) => lines.filter((each) => each.sign === sign).length;
  return `+${of("+")} −${of("-")}`;
}
