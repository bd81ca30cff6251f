/** The sessions beside the chat; on a phone, a drawer over it. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Session } from "../../api/shapes";
import { address, place } from "../../core/route";
import { ago, statusWords } from "../../core/words";
import { Icon } from "../../parts/icon";
import { useOutside } from "../../parts/outside";
import { attempt } from "../../parts/toasts";
import { type Hit, hasMore, loadMore, search, sessions } from "./session-list";

interface Drawer {
  isOpen: boolean;
  /** Somebody is done with it. */
  onClose: () => void;
  /** Somebody has gone on to something else. */
  onLeave: () => void;
}

export function Sessions({ isOpen, onClose, onLeave }: Drawer) {
  const [words, setWords] = useState("");
  const drawer = useRef<HTMLElement>(null);
  useOutside(drawer, onLeave, isOpen);
  useLayoutEffect(() => {
    if (isOpen) drawer.current?.querySelector("a")?.focus();
  }, [isOpen]);
  return (
    <aside
      ref={drawer}
      class={isOpen ? "sessions open" : "sessions"}
      aria-label="Sessions"
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <div class="top">
        <a class="button" href={address("chat")} onClick={onClose}>
          <Icon name="plus" /> New chat
        </a>
        <button type="button" class="quiet small only-narrow" onClick={onClose}>
          <Icon name="close" />
          <span class="visually-hidden">Close the list</span>
        </button>
      </div>
      <input
        type="search"
        aria-label="Search in all sessions"
        placeholder="Search"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {words.trim() === "" ? <All /> : <Found words={words.trim()} />}
    </aside>
  );
}

function All() {
  if (sessions.value.length === 0) return <p class="dim small">Your chats will be listed here.</p>;
  return (
    <>
      <ul>
        {sessions.value.map((session) => (
          <li key={session.id}>
            <Way session={session} />
          </li>
        ))}
      </ul>
      {hasMore.value && (
        <button type="button" class="quiet small" onClick={() => void attempt(loadMore)}>
          More
        </button>
      )}
    </>
  );
}

function Way({ session }: { session: Session }) {
  const isBusy = session.status !== "idle";
  const isHere = place.value.rest === session.id;
  return (
    <a href={address("chat", session.id)} aria-current={isHere ? "page" : undefined}>
      <span class="title">{session.title || "Without words"}</span>
      <span class="dim small">
        {isBusy && <span class={`dot ${session.status}`} aria-hidden="true" />}
        {isBusy ? statusWords(session.status) : ago(session.updated_at, Date.now() / 1000)}
      </span>
    </a>
  );
}

const PAUSE = 200;

function Found({ words }: { words: string }) {
  const [hits, setHits] = useState<Hit[] | null>(null);
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      try {
        const found = await search(words);
        if (!isOver) setHits(found);
        setRefusal("");
      } catch (error) {
        setRefusal((error as Error).message);
      }
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  if (refusal !== "") return <p role="alert">{refusal}</p>;
  if (hits === null) return <p class="dim small">Searching …</p>;
  if (hits.length === 0) return <p class="dim small">Nothing found.</p>;
  return (
    <ul aria-label="Found">
      {hits.map((hit) => (
        <li key={`${hit.run_id}${hit.role}`}>
          <a href={address("chat", hit.session.id)}>
            <span class="title">{hit.session.title}</span>
            <span class="dim small">{marked(hit.snippet)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What was found stands between « and ». */
function marked(snippet: string) {
  return snippet
    .split(/(«[^»]*»)/)
    .map((part, index) =>
      part.startsWith("«") ? <mark key={index}>{part.slice(1, -1)}</mark> : part,
    );
}
