/** One turn: the question, the answer as it comes, and what can be done with both. */

import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnded } from "../../api/follow";
import type { Content, Turn } from "../../api/shapes";
import { imagesOf, questionsOf, reworded, textOf } from "../../core/attachments";
import { address } from "../../core/route";
import { answer, type View } from "../../core/turn";
import { count, duration, money } from "../../core/words";
import { Markdown } from "../../markdown/markdown";
import { Blocks } from "../../parts/blocks";
import { Copy } from "../../parts/copy";
import { Icon } from "../../parts/icon";
import { attempt } from "../../parts/toasts";
import { Changes } from "./changes";
import type { Conversation } from "./conversation";
import { newMark } from "./mark";

interface Shown {
  turn: Turn;
  conversation: Conversation;
}

export function TurnView({ turn, conversation }: Shown) {
  const live = conversation.live(turn);
  const view = live.view.value;
  return (
    <article class="turn" aria-label="Turn">
      <Asked turn={turn} conversation={conversation} isOver={hasEnded(view.status)} />
      <div class="answer" aria-busy={!hasEnded(view.status)}>
        <Blocks view={view} runId={turn.run.run_id} />
        <Progress view={view} isLost={live.connection.value === "lost"} />
        <Ending view={view} turn={turn} conversation={conversation} />
      </div>
    </article>
  );
}

function Asked({ turn, conversation, isOver }: Shown & { isOver: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const isBrought = turn.events.length === 0 && turn.input.length > 1;
  if (isBrought) return <Brought turn={turn} />;
  const content = questionsOf(turn.input).at(-1) ?? "";
  if (isEditing) {
    const say = (text: string) =>
      attempt(() => conversation.sayInstead(turn, reworded(content, text), newMark()));
    const isBusy = conversation.isStarting.value;
    const close = () => setEditing(false);
    return <Editor text={textOf(content)} isBusy={isBusy} onSay={say} onClose={close} />;
  }
  return (
    <div class="asked-by-you">
      <Question content={content} />
      <div class="row small aside">
        <Branches turn={turn} conversation={conversation} />
        {isOver && (
          <button type="button" class="quiet small" onClick={() => setEditing(true)}>
            <Icon name="edit" />
            <span class="visually-hidden">Edit the question</span>
          </button>
        )}
      </div>
    </div>
  );
}

function Question({ content }: { content: Content }) {
  return (
    <section class="said-by-you" aria-label="You">
      {imagesOf(content)
        .filter((url) => url.startsWith("data:image/"))
        .map((url, index) => (
          <img key={index} src={url} alt={`Attached ${index + 1}`} />
        ))}
      <p>{textOf(content)}</p>
    </section>
  );
}

/** What came with a fork or an import. */
function Brought({ turn }: { turn: Turn }) {
  return (
    <>
      {turn.input.map((message, index) =>
        message.role === "user" ? (
          <Question key={index} content={message.content} />
        ) : message.role === "assistant" && message.content ? (
          <Markdown key={index} text={message.content} />
        ) : null,
      )}
    </>
  );
}

interface Editing {
  text: string;
  isBusy: boolean;
  onSay: (text: string) => Promise<boolean>;
  onClose: () => void;
}

function Editor({ text, isBusy, onSay, onClose }: Editing) {
  const [words, setWords] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const say = async () => {
    if (words.trim() !== "" && (await onSay(words))) onClose();
  };
  return (
    <div class="stack editor">
      <textarea
        ref={area}
        aria-label="The question"
        rows={Math.min(10, words.split("\n").length + 1)}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      <div class="row">
        <button type="button" class="small" disabled={isBusy} onClick={() => void say()}>
          Ask this instead
        </button>
        <button type="button" class="quiet small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function Branches({ turn, conversation }: Shown) {
  const beside = conversation.beside(turn.run.run_id);
  const at = beside.indexOf(turn.run.run_id);
  if (beside.length < 2) return null;
  const step = (by: number, icon: "left" | "right", words: string) => {
    const other = beside[at + by];
    return (
      <button
        type="button"
        class="quiet small"
        disabled={other === undefined}
        onClick={() => other !== undefined && conversation.choose(other)}
      >
        <Icon name={icon} />
        <span class="visually-hidden">{words}</span>
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field of a form
    <span class="branches" role="group" aria-label={`Branch ${at + 1} of ${beside.length}`}>
      {step(-1, "left", "The branch before")}
      <span>
        {at + 1} / {beside.length}
      </span>
      {step(1, "right", "The next branch")}
    </span>
  );
}

function Progress({ view, isLost }: { view: View; isLost: boolean }) {
  if (isLost) {
    return (
      <p class="remark" role="status">
        <span class="spinner" /> Reconnecting …
      </p>
    );
  }
  if (hasEnded(view.status)) return null;
  if (view.status === "queued") return <p class="remark">In line behind the turn before it.</p>;
  if (view.status === "stopping") return <p class="remark">Stopping …</p>;
  if (view.blocks.length > 0) return null;
  return (
    <p class="remark">
      <span class="spinner" /> Working …
    </p>
  );
}

function Ending({ view, turn, conversation }: Shown & { view: View }) {
  if (!hasEnded(view.status) || turn.events.length + view.lastSeq === 0) return null;
  const content = questionsOf(turn.input).at(-1) ?? "";
  const again = () => void attempt(() => conversation.sayInstead(turn, content, newMark()));
  const isBusy = conversation.isStarting.value;
  const said = answer(view);
  return (
    <>
      {view.error !== null && (
        <div class="failure" role="alert">
          <p>{view.error.message}</p>
          <button type="button" class="plain small" disabled={isBusy} onClick={again}>
            Try again
          </button>
        </div>
      )}
      {view.status === "cancelled" && <p class="remark">Stopped.</p>}
      {view.remark === "length" && <p class="remark">The answer reached its longest length.</p>}
      <footer class="row small dim aside ending">
        {said !== "" && <Copy text={said} words="Copy answer" />}
        <button type="button" class="quiet small" disabled={isBusy} onClick={again}>
          <Icon name="again" /> Regenerate
        </button>
        <Changes view={view} runId={turn.run.run_id} />
        <span class="used">{used(view)}</span>
        <a href={address("runs", turn.run.run_id)}>Run</a>
      </footer>
    </>
  );
}

function used(view: View): string {
  const parts = [view.model];
  if (view.usage !== null) parts.push(`${count(view.usage.total_tokens)} tokens`);
  if (view.cost > 0) parts.push(`cost ${money(view.cost)}`);
  if (view.startedAt !== null && view.endedAt !== null) {
    parts.push(duration(view.endedAt - view.startedAt));
  }
  return parts.filter((part) => part !== "").join(" · ");
}
