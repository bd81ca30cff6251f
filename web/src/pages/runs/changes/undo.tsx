/** Taking back what a run did: first what would happen, then the question, then the deed. */

import { useState } from "preact/hooks";
import { ask } from "../../../api/client";
import { Dialog } from "../../../parts/dialog";
import { attempt, say } from "../../../parts/toasts";
import type { Changes, Undone } from "./shapes";

interface Asked {
  path: string;
  changes: Changes;
  onDone: () => Promise<void>;
}

type Wish = { redo: boolean; force: boolean };

export function Undo({ path, changes, onDone }: Asked) {
  const [wish, setWish] = useState<Wish | null>(null);
  const [plan, setPlan] = useState<Undone | null>(null);
  const preview = (next: Wish) =>
    attempt(async () => {
      setPlan(await ask<Undone>("POST", `${path}/undo`, { ...next, dry_run: true }));
      setWish(next);
    });
  const close = () => setWish(null);
  const act = () =>
    attempt(async () => {
      const done = await ask<Undone>("POST", `${path}/undo`, { ...wish, dry_run: false });
      const count = done.restored.length + done.removed.length;
      say(count === 1 ? "1 file is brought back." : `${count} files are brought back.`);
      close();
      await onDone();
    });
  const canUndo = changes.data.some((file) => file.status !== "undone");
  const canRedo = changes.data.some((file) => file.status === "undone");
  return (
    <>
      {canUndo && (
        <button type="button" class="plain" onClick={() => preview({ redo: false, force: false })}>
          Undo …
        </button>
      )}
      {canRedo && (
        <button type="button" class="plain" onClick={() => preview({ redo: true, force: false })}>
          Redo …
        </button>
      )}
      {wish !== null && plan !== null && (
        <Dialog title={wish.redo ? "Redo these changes?" : "Undo these changes?"} onClose={close}>
          <Plan plan={plan} />
          <div class="answers">
            {plan.conflicts.length > 0 && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={wish.force}
                  onChange={(event) => preview({ ...wish, force: event.currentTarget.checked })}
                />
                Also files that somebody has changed since
              </label>
            )}
            <button
              type="button"
              class="danger"
              disabled={plan.restored.length + plan.removed.length === 0}
              onClick={act}
            >
              {wish.redo ? "Redo" : "Undo"}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Plan({ plan }: { plan: Undone }) {
  const nothing = plan.restored.length + plan.removed.length + plan.conflicts.length === 0;
  if (nothing) return <p>There is nothing to do.</p>;
  return (
    <ul class="plan">
      {plan.restored.map((path) => (
        <li key={path}>
          <b>{path}</b> is restored
        </li>
      ))}
      {plan.removed.map((path) => (
        <li key={path}>
          <b>{path}</b> is removed
        </li>
      ))}
      {plan.conflicts.map(({ path, reason }) => (
        <li key={path}>
          <b>{path}</b> is left alone: {reason}
        </li>
      ))}
    </ul>
  );
}
