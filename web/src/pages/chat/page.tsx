/** Chat: the sessions, and the one that is open. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { followFeed, hasEnded } from "../../api/follow";
import { address, goInstead, place } from "../../core/route";
import { useSubject } from "../../core/title";
import { isVisible } from "../../core/visible";
import { Icon } from "../../parts/icon";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { loadModels } from "./models";
import { known, loadSessions, loadUnlisted, refreshSoon, sessions } from "./session-list";
import { SessionMenu } from "./session-menu";
import { Sessions } from "./sessions";
import { Talk } from "./talk";

/** Outlives the change of address that the first message of a new chat brings. */
let current: Conversation | null = null;

function opened(id: string | null): Conversation {
  if (current !== null && current.sessionId.peek() === id) return current;
  current?.close();
  current = new Conversation(id);
  void current.refresh();
  return current;
}

export default function ChatPage() {
  const id = place.value.rest || null;
  const conversation = useMemo(() => opened(id), [id]);
  const [isListOpen, setListOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const leaveList = () => setListOpen(false);
  const closeList = () => {
    setListOpen(false);
    opener.current?.focus();
  };
  const isBusy = conversation.atWork.value !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn that begins or ends is in the list
  useEffect(refreshSoon, [isBusy]);
  useFeed(conversation);
  useOwnAddress(conversation);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session closes the list
  useEffect(() => setListOpen(false), [id]);
  useEffect(() => {
    void loadModels().catch(() => {});
    return leave;
  }, []);
  const session = known(conversation.sessionId.value);
  useUnlisted(conversation.sessionId.value);
  useSubject(session?.title ?? "");
  return (
    <div class="chat">
      <Sessions isOpen={isListOpen} onClose={closeList} onLeave={leaveList} />
      <section class="conversation" aria-label="Conversation">
        <header>
          <button
            ref={opener}
            type="button"
            class="quiet small only-narrow"
            aria-expanded={isListOpen}
            onClick={() => setListOpen(!isListOpen)}
          >
            <Icon name="menu" />
            <span class="visually-hidden">Sessions</span>
          </button>
          <h1>{session?.title || (conversation.state.value === "ready" ? "New chat" : "Chat")}</h1>
          <p class="visually-hidden" role="status">
            {doing(conversation)}
          </p>
          {session !== undefined && (
            <SessionMenu session={session} runId={conversation.lastOver.value} />
          )}
        </header>
        <Talk conversation={conversation} />
        <Composer conversation={conversation} />
      </section>
    </div>
  );
}

/** For those who do not see it. */
function doing(conversation: Conversation): string {
  const status = conversation.last.value?.view.value.status;
  if (status === undefined) return "";
  if (status === "waiting_for_approval") return "It asks for your approval.";
  if (status === "failed") return "It failed.";
  if (status === "cancelled") return "Stopped.";
  return hasEnded(status) ? "The answer is there." : "It is at work.";
}

function leave(): void {
  current?.close();
  current = null;
}

/** A new chat has an address once its first message has made a session of it. */
function useOwnAddress(conversation: Conversation): void {
  const made = conversation.sessionId.value;
  useEffect(() => {
    if (made !== null && place.peek().rest === "") goInstead(address("chat", made));
  }, [made]);
}

function useUnlisted(id: string | null): void {
  const listed = sessions.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes the list may have renamed it
  useEffect(() => {
    if (id === null) return;
    const asking = new AbortController();
    loadUnlisted(id, asking).catch(() => {});
    return () => asking.abort();
  }, [id, listed]);
}

function useFeed(conversation: Conversation): void {
  const visible = isVisible.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a signal changes what is seen
  useEffect(() => {
    if (!visible) return;
    const following = new AbortController();
    const look = () => {
      void loadSessions().catch(() => {});
      void conversation.refresh();
    };
    const heard = (ids: string[]) => {
      refreshSoon();
      if (ids.includes(conversation.sessionId.peek() ?? "")) void conversation.refresh();
    };
    look();
    followFeed((changes) => heard(changes.map((each) => each.session_id)), look, following).catch(
      () => {},
    );
    return () => following.abort();
  }, [conversation, visible]);
}
