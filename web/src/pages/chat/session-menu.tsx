/** What can be done with a session: another title, a copy, a file of it, an end. */

import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Session } from "../../api/shapes";
import { address, go } from "../../core/route";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";
import { useOutside } from "../../parts/outside";
import { attempt } from "../../parts/toasts";
import { exportLink, fork, remove, rename } from "./session-list";

interface Given {
  session: Session;
  /** The last turn that is shown and over: a copy ends with it. */
  runId: string | null;
}

export function SessionMenu({ session, runId }: Given) {
  const [asked, setAsked] = useState<"" | "rename" | "delete">("");
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const pick = (what: "rename" | "delete") => {
    close();
    setAsked(what);
  };
  const copy = () => {
    close();
    void attempt(
      async () => go(address("chat", await fork(session.id, runId))),
      "A copy was made.",
    );
  };
  useOutside(menu, close);
  return (
    <>
      <details class="session-menu" ref={menu} onKeyDown={(event) => left(event, close)}>
        <summary aria-label="What can be done with this session">
          <Icon name="more" />
        </summary>
        <div>
          <button type="button" class="quiet" onClick={() => pick("rename")}>
            <Icon name="edit" /> Rename
          </button>
          <button type="button" class="quiet" onClick={copy}>
            <Icon name="fork" /> Fork
          </button>
          <a class="button quiet" href={exportLink(session.id, "markdown")} download>
            <Icon name="down" /> Export as Markdown
          </a>
          <a class="button quiet" href={exportLink(session.id, "jsonl")} download>
            <Icon name="down" /> Export as JSONL
          </a>
          <button type="button" class="quiet" onClick={() => pick("delete")}>
            <Icon name="trash" /> Delete
          </button>
        </div>
      </details>
      {asked === "rename" && <Rename session={session} onClose={() => setAsked("")} />}
      {asked === "delete" && <Delete session={session} onClose={() => setAsked("")} />}
    </>
  );
}

/** Escape closes it, and the focus goes back to what opened it. */
function left(event: TargetedKeyboardEvent<HTMLDetailsElement>, close: () => void): void {
  if (event.key !== "Escape") return;
  close();
  event.currentTarget.querySelector("summary")?.focus();
}

interface Asked {
  session: Session;
  onClose: () => void;
}

function Rename({ session, onClose }: Asked) {
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title"));
    if (await attempt(() => rename(session.id, title))) onClose();
  };
  return (
    <Dialog title="Rename this session" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label for="title">Title</label>
        <input id="title" name="title" defaultValue={session.title} required />
        <button type="submit">Rename</button>
      </form>
    </Dialog>
  );
}

function Delete({ session, onClose }: Asked) {
  const confirm = async () => {
    const went = await attempt(() => remove(session.id), "The session was deleted.");
    onClose();
    if (went) go(address("chat"));
  };
  return (
    <Dialog title="Delete this session?" onClose={onClose}>
      <div class="stack">
        <p>“{session.title}” is deleted with all its answers. This cannot be undone.</p>
        <button type="button" class="danger" onClick={() => void confirm()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
