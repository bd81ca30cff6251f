/** What a turn has done to files, on demand. */

import { useState } from "preact/hooks";
import { asSegment, get } from "../../api/client";
import { parseDiff } from "../../core/file-diff";
import { tools, type View } from "../../core/turn";
import { Dialog } from "../../parts/dialog";
import { Diff } from "../../parts/diff";
import { attempt } from "../../parts/toasts";

interface Changed {
  data: { path: string; change: string; status: string; diff: string; note: string }[];
  notes: string[];
}

export function Changes({ view, runId }: { view: View; runId: string }) {
  const [changed, setChanged] = useState<Changed | null>(null);
  if (!tools(view).some(({ effect }) => effect !== "" && effect !== "pure")) return null;
  const open = () =>
    void attempt(async () => setChanged(await get(`/v1/runs/${asSegment(runId)}/changes`)));
  return (
    <>
      <button type="button" class="quiet small" onClick={open}>
        Changed files
      </button>
      {changed !== null && (
        <Dialog title="Changed files" onClose={() => setChanged(null)}>
          <div class="stack">
            {changed.data.length === 0 && <p>No file of the workspace was changed.</p>}
            {changed.data.map(({ path, change, status, diff, note }) => (
              <div key={path}>
                <p>
                  <code>{path}</code> {change}
                  {status !== "there" && `, ${status}`} {note}
                </p>
                <Diff files={parseDiff(diff)} />
              </div>
            ))}
            {changed.notes.map((note) => (
              <p key={note} class="dim">
                {note}
              </p>
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}
