/** The turns that are shown, kept at the end while the reader is there. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon";
import { attempt } from "../../parts/toasts";
import type { Conversation } from "./conversation";
import { TurnView } from "./turn";
import { Welcome } from "./welcome";

/** Pixels from the end that still count as being there. */
const NEAR = 60;

export function Talk({ conversation }: { conversation: Conversation }) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isPinned = useRef(true);
  const top = useRef(0);
  const [isAway, setAway] = useState(false);
  const turns = conversation.shown.value;
  const toEnd = () => {
    const at = frame.current;
    if (at === null) return;
    at.scrollTop = at.scrollHeight;
    top.current = at.scrollTop;
  };
  const scrolled = () => {
    const at = frame.current;
    if (at === null) return;
    // The end may have moved on since it was scrolled to: only who goes up leaves it.
    const isNear = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR;
    if (isNear || at.scrollTop < top.current) isPinned.current = isNear;
    top.current = at.scrollTop;
    setAway(!isPinned.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is shown from its end
  useEffect(() => {
    isPinned.current = true;
    const resized = new ResizeObserver(() => {
      if (isPinned.current) toEnd();
    });
    // The frame shrinks while the box one writes in grows.
    for (const each of [content.current, frame.current]) if (each !== null) resized.observe(each);
    return () => resized.disconnect();
  }, [conversation]);
  const last = turns.at(-1)?.run.run_id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn is the reason to look
  useLayoutEffect(() => {
    if (isPinned.current) toEnd();
  }, [last]);
  const said = conversation.said.value;
  // What one says is to be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is the reason to look
  useLayoutEffect(() => {
    isPinned.current = true;
    toEnd();
  }, [said]);
  return (
    <div class="talk-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="talk" ref={frame} onScroll={scrolled} tabIndex={0} aria-label="Turns">
        <div ref={content} class="turns">
          <Earlier conversation={conversation} frame={frame} />
          <Where conversation={conversation} />
          {turns.map((turn) => (
            <TurnView key={turn.run.run_id} turn={turn} conversation={conversation} />
          ))}
        </div>
      </section>
      {isAway && turns.length > 0 && (
        <button type="button" class="plain small latest" onClick={toEnd}>
          <Icon name="down" /> Jump to the latest
        </button>
      )}
    </div>
  );
}

function Where({ conversation }: { conversation: Conversation }) {
  const state = conversation.state.value;
  if (conversation.problem.value !== "") return <p role="alert">{conversation.problem.value}</p>;
  if (state === "missing") return <p class="empty">There is no such session.</p>;
  if (state === "loading") return <p class="empty">Loading …</p>;
  if (conversation.shown.value.length > 0) return null;
  return <Welcome conversation={conversation} />;
}

interface Top {
  conversation: Conversation;
  frame: { current: HTMLDivElement | null };
}

/** Asks for what came before when it is scrolled to, and keeps the place of the reader. */
function Earlier({ conversation, frame }: Top) {
  const mark = useRef<HTMLButtonElement>(null);
  const isBusy = useRef(false);
  const more = async () => {
    const at = frame.current;
    if (at === null || isBusy.current) return;
    isBusy.current = true;
    const fromEnd = at.scrollHeight - at.scrollTop;
    await attempt(() => conversation.earlier());
    requestAnimationFrame(() => {
      at.scrollTop = at.scrollHeight - fromEnd;
      isBusy.current = false;
    });
  };
  const hasEarlier = conversation.hasEarlier.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls is made anew each time
  useEffect(() => {
    if (!hasEarlier || mark.current === null) return;
    const seen = new IntersectionObserver(
      (entries) => {
        // A page that has just been opened stands at its top for a moment.
        const isScrolled = (frame.current?.scrollTop ?? 0) > 0 || isBusy.current;
        if (entries.some((entry) => entry.isIntersecting) && isScrolled) void more();
      },
      { root: frame.current },
    );
    seen.observe(mark.current);
    return () => seen.disconnect();
  }, [hasEarlier, conversation]);
  if (!hasEarlier) return null;
  return (
    <button type="button" class="quiet small" ref={mark} onClick={() => void more()}>
      Earlier turns
    </button>
  );
}
