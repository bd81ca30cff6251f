/** Where one writes: Enter sends, or steers while an answer is being made. */

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, asSegment, Refused } from "../../api/client";
import { type Attached, asText, IMAGES, objection, question, textOf } from "../../core/attachments";
import { Icon } from "../../parts/icon";
import { attempt, say } from "../../parts/toasts";
import type { Conversation } from "./conversation";
import { newMark } from "./mark";
import { choose, chosenModel, models } from "./models";

const DRAFT = "angelia-draft:";
/** What goes with each draft; it is too large to be kept over a reload. */
const attachments = signal<ReadonlyMap<string, readonly Attached[]>>(new Map());
const NO_FILES: readonly Attached[] = [];

export function Composer({ conversation }: { conversation: Conversation }) {
  const draft = DRAFT + (conversation.sessionId.value ?? "");
  const [text, setText] = useState(localStorage.getItem(draft) ?? "");
  const files = attachments.value.get(draft) ?? NO_FILES;
  const [isSending, setSending] = useState(false);
  const mark = useRef(newMark());
  const atWork = conversation.atWork.value;
  useEffect(() => setText(localStorage.getItem(draft) ?? ""), [draft]);
  const shown = useRef(draft);
  shown.current = draft;
  const write = (words: string) => {
    // Another chat may have been opened since this was sent.
    if (shown.current === draft) setText(words);
    mark.current = newMark();
    if (words === "") localStorage.removeItem(draft);
    else localStorage.setItem(draft, words);
  };
  const keep = (change: (before: readonly Attached[]) => readonly Attached[]) => {
    const before = attachments.peek();
    attachments.value = new Map(before).set(draft, change(before.get(draft) ?? NO_FILES));
    mark.current = newMark();
  };
  const attach = async (given: readonly File[]) => {
    const read = await Promise.all(given.map(attached));
    keep((before) => [...before, ...read.filter((each) => each !== null)]);
  };
  const send = async () => {
    if (isSending || conversation.isStarting.peek() || (text.trim() === "" && files.length === 0))
      return;
    setSending(true);
    const content = question(text.trim(), files);
    const went = await attempt(async () => {
      const steered = atWork !== null && (await steer(atWork.runId, textOf(content), files));
      if (!steered) await conversation.say(content, mark.current);
    });
    setSending(false);
    if (!went) return;
    localStorage.removeItem(draft);
    write("");
    keep(() => NO_FILES);
  };
  const stop = () =>
    atWork !== null && void attempt(() => ask("POST", `/v1/runs/${asSegment(atWork.runId)}/stop`));
  const typed = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (event.key === "Escape" && text === "") stop();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Thumbnails files={files} onRemove={(at) => keep((before) => before.toSpliced(at, 1))} />
      <div class="box" data-text={text}>
        <textarea
          id="message"
          rows={1}
          aria-label="Message"
          placeholder={atWork === null ? "Ask anything" : "Say something while it works"}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={typed}
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])];
            if (pasted.length === 0) return;
            event.preventDefault();
            void attach(pasted);
          }}
        />
      </div>
      <div class="row">
        <Attach onFiles={attach} />
        <Models />
        <span class="grow" />
        {atWork !== null && (
          <button type="button" class="plain" onClick={stop} title="Stop (Escape)">
            <Icon name="stop" /> Stop
          </button>
        )}
        <button type="submit" disabled={isSending || (text.trim() === "" && files.length === 0)}>
          <Icon name="send" /> {atWork === null ? "Send" : "Steer"}
        </button>
      </div>
    </form>
  );
}

/** False where the run has ended meanwhile: what was said is a turn of its own then. */
async function steer(runId: string, text: string, files: readonly Attached[]): Promise<boolean> {
  if (files.some(({ image }) => image !== null)) {
    throw new Refused(0, "Images can be sent when this answer is done.");
  }
  try {
    await ask("POST", `/v1/runs/${asSegment(runId)}/steer`, { input: text });
    return true;
  } catch (error) {
    if (error instanceof Refused && error.code === "run_ended") return false;
    throw error;
  }
}

function Thumbnails({
  files,
  onRemove,
}: {
  files: readonly Attached[];
  onRemove: (at: number) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul class="thumbnails" aria-label="Attached">
      {files.map(({ name, image }, index) => (
        <li key={index}>
          {image !== null && <img src={image} alt="" />}
          <span>{name}</span>
          <button type="button" class="quiet small" onClick={() => onRemove(index)}>
            <Icon name="close" />
            <span class="visually-hidden">Remove {name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Attach({ onFiles }: { onFiles: (files: readonly File[]) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="quiet" onClick={() => input.current?.click()}>
        <Icon name="attach" />
        <span class="visually-hidden">Attach files</span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          void onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function Models() {
  if (models.value.length < 2) return null;
  return (
    <select
      aria-label="Model"
      value={chosenModel.value ?? models.value[0]}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {models.value.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

async function attached(file: File): Promise<Attached | null> {
  const why = objection(file.name, file.type, file.size);
  if (why !== null) {
    say(why, true);
    return null;
  }
  if (IMAGES.includes(file.type)) return { name: file.name, image: await dataUrl(file), text: "" };
  const text = asText(await file.arrayBuffer());
  if (text !== null) return { name: file.name, image: null, text };
  say(`${file.name} is no text (UTF-8) and no image.`, true);
  return null;
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
