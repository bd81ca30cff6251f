/** One run as it is seen here: followed while it is under way, drawn once for each frame. */

import { type Signal, signal } from "@preact/signals";
import { type Connection, followRun, hasEnded } from "../api/follow";
import type { RunEvent, Turn } from "../api/shapes";
import { EMPTY, fold, type View } from "./turn";

export class Live {
  readonly view: Signal<View>;
  readonly connection = signal<Connection>("open");
  #made: View = EMPTY;
  #waiting: RunEvent[] = [];
  #isDue = false;
  #following: AbortController | null = null;
  #isOver = false;

  constructor(
    readonly runId: string,
    seen: View = { ...EMPTY, runId, status: "running" },
  ) {
    this.view = signal(seen);
    if (hasEnded(seen.status)) this.#made = seen;
  }

  get hasEnded(): boolean {
    return hasEnded(this.view.peek().status);
  }

  /** Follows it to its end, or until it is left. Doing so twice is the same as once. */
  follow(onEnd: () => void = () => {}): void {
    if (this.#following !== null || this.#isOver || this.hasEnded) return;
    const following = new AbortController();
    this.#following = following;
    const { signal } = following;
    const onConnection = (state: Connection) => {
      this.connection.value = state;
    };
    const lastSeq = this.#waiting.at(-1)?.seq ?? this.#made.lastSeq;
    followRun(this.runId, lastSeq, (events) => this.#take(events), { signal, onConnection })
      .catch(() => {})
      .finally(() => {
        if (signal.aborted) return;
        this.#following = null;
        this.#isOver = true;
        this.connection.value = "open";
        // Whoever hears of the end finds it here; a tab in the background may get no frame for long.
        this.#draw();
        onEnd();
      });
  }

  leave(): void {
    this.#following?.abort();
    this.#following = null;
  }

  #take(events: RunEvent[]): void {
    this.#waiting.push(...events);
    if (this.#isDue) return;
    this.#isDue = true;
    // A page that nobody sees gets no frames.
    if (document.hidden) setTimeout(() => this.#draw(), 200);
    else requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#isDue = false;
    this.#made = fold(this.#made, this.#waiting);
    this.#waiting = [];
    // What was known before is shown until the log has told as much again.
    if (this.#made.lastSeq >= this.view.peek().lastSeq) this.view.value = this.#made;
  }
}

/** A run as its turn tells of it, without what came in pieces. */
export function told(turn: Turn): View {
  const start = { ...EMPTY, runId: turn.run.run_id, model: turn.run.model };
  const view = fold({ ...start, status: turn.run.status }, turn.events);
  const known = { ...view, status: turn.run.status };
  // What was brought here from elsewhere has no events of its own.
  if (turn.events.length === 0) known.endedAt = turn.run.updated_at;
  return turn.cut_off ? withCutOff(known, turn.cut_off) : known;
}

function withCutOff(view: View, text: string): View {
  const block = { kind: "text", key: "cut-off", step: view.step, text, done: true } as const;
  return { ...view, blocks: [...view.blocks, block] };
}
