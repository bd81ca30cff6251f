/** The events of a run as they come, and of its subagents as far as they are looked at. */

import { signal } from "@preact/signals";
import { asSegment, get } from "../../api/client";
import { followRun, hasEnded } from "../../api/follow";
import type { Run, RunEvent } from "../../api/shapes";
import { childrenOf } from "../../core/spans";

/** A browser holds few connections to one server: no more subagents are read at a time. */
const AT_A_TIME = 2;
const AGAIN = 1000;
/** More subagents are read when they are opened on a page of their own. */
const MOST_CHILDREN = 64;

export class RunLog {
  readonly events: RunEvent[] = [];
  /** Counts up with every change of `events` or `children`, at most once a frame. */
  readonly version = signal(0);
  readonly run = signal<Run | null>(null);
  readonly state = signal<"loading" | "live" | "lost" | "over">("loading");
  readonly trouble = signal("");
  readonly children = new Map<string, RunEvent[]>();
  #stop = new AbortController();
  #drawn = 0;
  #looked: ReturnType<typeof setTimeout> | undefined;
  #reading = false;

  constructor(readonly runId: string) {}

  start(): void {
    void this.look();
    const { signal } = this.#stop;
    const onConnection = (state: "open" | "lost") => {
      this.state.value = state === "open" ? "live" : "lost";
    };
    followRun(this.runId, 0, (events) => this.#take(events), { signal, onConnection })
      .then(() => {
        this.state.value = "over";
      })
      .catch((error) => {
        this.trouble.value = error instanceof Error ? error.message : String(error);
      });
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#looked);
    cancelAnimationFrame(this.#drawn);
  }

  async look(): Promise<void> {
    const run = await get<Run>(`/v1/runs/${asSegment(this.runId)}`).catch(() => null);
    if (run !== null && !this.#stop.signal.aborted) this.run.value = run;
  }

  /** Reads all subagents at any depth, and goes on until they have ended. */
  async readChildren(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    while (!this.#stop.signal.aborted) {
      const todo = this.#unread();
      for (let at = 0; at < todo.length; at += AT_A_TIME) {
        await Promise.all(todo.slice(at, at + AT_A_TIME).map((id) => this.#readChild(id)));
      }
      if (this.#unread().length === 0 && this.state.value === "over") break;
      await new Promise((resolve) => setTimeout(resolve, todo.length > 0 ? AGAIN / 4 : AGAIN));
    }
    this.#reading = false;
  }

  #take(events: RunEvent[]): void {
    // Spreading a great many into push would overflow the stack.
    for (const event of events) this.events.push(event);
    if (events.some(({ event }) => event.startsWith("run.") || event.startsWith("approval."))) {
      this.#lookSoon();
    }
    this.#draw();
  }

  #lookSoon(): void {
    this.#looked ??= setTimeout(() => {
      this.#looked = undefined;
      void this.look();
    }, 80);
  }

  #draw(): void {
    if (this.#drawn !== 0) return;
    this.#drawn = requestAnimationFrame(() => {
      this.#drawn = 0;
      this.version.value += 1;
    });
  }

  #unread(): string[] {
    const known = [this.events, ...this.children.values()]
      .flatMap(childrenOf)
      .slice(0, MOST_CHILDREN);
    return known.filter((id) => !isOver(this.children.get(id)));
  }

  /** What the child has come to so far; a stream that stays open would hold a connection. */
  async #readChild(id: string): Promise<void> {
    const known = this.children.get(id) ?? [];
    const run = await get<Run>(`/v1/runs/${asSegment(id)}`).catch(() => null);
    if (run === null) return;
    const last = known.at(-1)?.seq ?? 0;
    if (run.last_seq <= last && !hasEnded(run.status)) return;
    const enough = new AbortController();
    const stop = () => enough.abort();
    this.#stop.signal.addEventListener("abort", stop);
    const take = (events: RunEvent[]) => {
      for (const event of events) known.push(event);
      if ((events.at(-1)?.seq ?? 0) >= run.last_seq) enough.abort();
    };
    await followRun(id, last, take, { signal: enough.signal }).catch(() => undefined);
    this.#stop.signal.removeEventListener("abort", stop);
    this.children.set(id, known);
    this.#draw();
  }
}

const LAST = new Set(["run.completed", "run.failed", "run.cancelled"]);

function isOver(events: readonly RunEvent[] | undefined): boolean {
  return LAST.has(events?.at(-1)?.event ?? "");
}
