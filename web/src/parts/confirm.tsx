/** A question before something that cannot be taken back. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { attempt } from "./toasts";

interface Question {
  title: string;
  /** What the button says that does it. */
  action: string;
  work: () => Promise<unknown>;
  /** What is said once it is done. */
  done: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Confirm({ title, action, work, done, onClose, children }: Question) {
  const [isBusy, setBusy] = useState(false);
  const agree = async () => {
    setBusy(true);
    const worked = await attempt(work, done);
    setBusy(false);
    if (worked) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="confirm">
        {children}
        <div class="actions">
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger" disabled={isBusy} onClick={() => void agree()}>
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
