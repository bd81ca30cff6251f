/** What a run has done to the files of the workspace, and the way back. */

import { useCallback, useEffect, useState } from "preact/hooks";
import { asSegment, get } from "../../../api/client";
import { hasEnded } from "../../../api/follow";
import { diffLines, tally } from "../../../core/diff";
import { Badge } from "../../../parts/badge";
import type { Tab } from "../run";
import { type Changed, type Changes, STANDINGS } from "./shapes";
import { Undo } from "./undo";

export default function ChangesTab({ log }: Tab) {
  const [changes, setChanges] = useState<Changes | null>(null);
  const [trouble, setTrouble] = useState("");
  const status = log.run.value?.status;
  const path = `/v1/runs/${asSegment(log.runId)}`;
  const look = useCallback(async () => {
    try {
      setChanges(await get<Changes>(`${path}/changes`));
      setTrouble("");
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  }, [path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a run has changed changes with its status
  useEffect(() => void look(), [look, status]);
  if (trouble !== "") return <p role="alert">{trouble}</p>;
  if (changes === null) return <p class="empty">Loading …</p>;
  if (changes.data.length === 0) return <p class="empty">This run has changed no files.</p>;
  const isOver = status !== undefined && hasEnded(status);
  return (
    <div class="changes">
      <div class="line">
        <p>{changes.data.length === 1 ? "1 file" : `${changes.data.length} files`}</p>
        {isOver && <Undo path={path} changes={changes} onDone={look} />}
      </div>
      {changes.notes.map((note) => (
        <p key={note} class="dim">
          {note}
        </p>
      ))}
      {changes.data.map((file) => (
        <File key={file.path} file={file} />
      ))}
    </div>
  );
}

function File({ file }: { file: Changed }) {
  const lines = file.diff === "" ? [] : diffLines(file.diff);
  const { added, removed } = tally(lines);
  return (
    <section class="changed-file card" aria-label={file.path}>
      <header class="line">
        <h3>{file.path}</h3>
        <span class="dim">{file.change}</span>
        <span class="plus">+{added}</span>
        <span class="minus">−{removed}</span>
        <Badge status={STANDINGS[file.status]} />
      </header>
      {file.note !== "" && <p class="dim">{file.note}</p>}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre class="change-lines" tabIndex={0}>
          {lines.map((line, index) => (
            <span key={index} class={`change-line ${line.kind}`}>
              {line.text}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}
