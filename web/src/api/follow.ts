/** Following what happens at the server, over lost connections and restarts. */

import { keyHolds, refusal } from "./client";
import { ENDED, type RunChanged, type RunEvent, type Status } from "./shapes";
import { Decoder, type Sent } from "./sse";

export type Connection = "open" | "lost";

export interface Following {
  signal: AbortSignal;
  onConnection?: (state: Connection) => void;
}

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 4000;
const STOPPING = "server.stopping";
const TERMINAL = new Set(["run.completed", "run.failed", "run.cancelled"]);

/**
 * Every event of a run behind `after`, once and in order, to its end. Events that arrived together
 * come together. Resolves at the end of the run or when it is aborted; rejects with Refused where
 * the server says that there is no such run.
 */
export async function followRun(
  runId: string,
  after: number,
  onEvents: (events: RunEvent[]) => void,
  following: Following,
): Promise<void> {
  let last = after;
  let isOver = false;
  const take = (sent: Sent[]) => {
    const events = sent.map(({ data }) => JSON.parse(data) as RunEvent);
    const fresh = events.filter((event) => event.seq > last);
    if (fresh.length === 0) return;
    last = fresh.at(-1)?.seq ?? last;
    isOver = fresh.some(({ event }) => TERMINAL.has(event));
    onEvents(fresh);
  };
  const path = () => `/v1/runs/${encodeURIComponent(runId)}/events?after=${last}`;
  await persist(path, take, () => isOver, following);
}

/** Hints about all runs of the key, until aborted; `onOpen` is called with each connection. */
export async function followFeed(
  onChange: (changes: RunChanged[]) => void,
  onOpen: () => void,
  following: Following,
): Promise<void> {
  const take = (sent: Sent[]) => onChange(sent.map(({ data }) => JSON.parse(data) as RunChanged));
  const told: Following = {
    // Not spread: a controller, which fits as well, has its signal on its prototype.
    signal: following.signal,
    onConnection: (state) => {
      following.onConnection?.(state);
      if (state === "open") onOpen();
    },
  };
  await persist(
    () => "/api/feed",
    take,
    () => false,
    told,
  );
}

export function hasEnded(status: Status): boolean {
  return ENDED.includes(status);
}

async function persist(
  path: () => string,
  take: (sent: Sent[]) => void,
  isOver: () => boolean,
  { signal, onConnection }: Following,
): Promise<void> {
  let pause = SHORTEST_PAUSE;
  while (!signal.aborted && !isOver()) {
    const heard = await listen(path(), take, signal, () => {
      pause = SHORTEST_PAUSE;
      onConnection?.("open");
    });
    if (heard === "over" || signal.aborted || isOver()) return;
    onConnection?.("lost");
    await waited(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** One connection. It is "over" where the server has nothing more to say. */
async function listen(
  path: string,
  take: (sent: Sent[]) => void,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<"over" | "lost"> {
  let answer: Response;
  try {
    answer = await fetch(path, { signal });
  } catch {
    return "lost";
  }
  if (answer.status === 204) return "over";
  if (answer.status >= 500) return "lost";
  if (!answer.ok) {
    const refused = await refusal(answer);
    if (!keyHolds.value) return "over";
    throw refused;
  }
  onOpen();
  return read(answer, take);
}

async function read(answer: Response, take: (sent: Sent[]) => void): Promise<"lost"> {
  const decoder = new Decoder();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return "lost";
      const sent = decoder.feed(piece.value);
      const told = sent.filter(({ name }) => name === "");
      if (told.length > 0) take(told);
      // A server that stops says so before it goes; at its next start it is followed on.
      if (sent.some(({ name }) => name === STOPPING)) return "lost";
    }
  } catch {
    return "lost";
  }
}

function waited(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
