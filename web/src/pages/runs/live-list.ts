/** The list of runs as it is at the server: hints of changes become rows that change in place. */

import { signal } from "@preact/signals";
import { asSegment, get } from "../../api/client";
import { followFeed } from "../../api/follow";
import type { Page, Run, RunChanged } from "../../api/shapes";
import { type Filters, toRequest } from "../../core/run-filters";

const PAGE = 40;
/** Hints that come together are one question to the server. */
const GATHER = 150;
/** How often to ask where the server gives no hints. */
const POLL = 4000;

export class LiveList {
  readonly runs = signal<readonly Run[]>([]);
  /** New ones that wait above the list while somebody reads further down. */
  readonly held = signal<readonly Run[]>([]);
  readonly hasMore = signal(false);
  readonly state = signal<"loading" | "ready" | "lost">("loading");
  readonly trouble = signal("");
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();

  /** `isReading` says whether rows above would push away what is looked at. */
  constructor(
    readonly filters: Filters,
    readonly isReading: () => boolean,
  ) {}

  start(): void {
    void this.refresh();
    const onOpen = () => this.#soon();
    followFeed((changes) => this.#hear(changes), onOpen, {
      signal: this.#stop.signal,
      onConnection: (state) => {
        this.state.value = state === "open" ? "ready" : "lost";
      },
    }).catch(() => this.#poll());
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  async older(): Promise<void> {
    const page = await this.#ask(this.runs.value.at(-1)?.run_id ?? null);
    this.runs.value = merged(this.runs.value, page.data);
    this.hasMore.value = page.has_more;
  }

  release(): void {
    this.runs.value = merged(this.held.value, this.runs.value);
    this.held.value = [];
  }

  /** One run as it is now, whether hinted at or changed from here. */
  async look(runId: string): Promise<void> {
    const run = await get<Run>(`/v1/runs/${asSegment(runId)}`);
    this.runs.value = this.runs.value.map((known) => (known.run_id === runId ? run : known));
  }

  drop(runId: string): void {
    this.runs.value = this.runs.value.filter((run) => run.run_id !== runId);
  }

  async refresh(): Promise<void> {
    try {
      const page = await this.#ask(null);
      if (this.#stop.signal.aborted) return;
      this.#take(page);
      this.trouble.value = "";
    } catch (error) {
      this.trouble.value = error instanceof Error ? error.message : String(error);
    }
    if (this.state.value === "loading") this.state.value = "ready";
  }

  #ask(after: string | null): Promise<Page<Run>> {
    const asked = toRequest(this.filters, Date.now() / 1000);
    return get<Page<Run>>("/v1/runs", { ...asked, limit: PAGE, after });
  }

  #take(page: Page<Run>): void {
    const known = new Set(this.runs.value.map((run) => run.run_id));
    const fresh = page.data.filter((run) => !known.has(run.run_id));
    const latest = new Map(page.data.map((run) => [run.run_id, run]));
    const updated = this.runs.value.map((run) => latest.get(run.run_id) ?? run);
    if (known.size === 0) this.hasMore.value = page.has_more;
    if (known.size > 0 && this.isReading()) {
      this.runs.value = updated;
      this.held.value = fresh;
    } else {
      this.runs.value = merged(fresh, updated);
      this.held.value = [];
    }
  }

  #hear(changes: readonly RunChanged[]): void {
    for (const change of changes) this.#changed.add(change.run_id);
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#catchUp();
    }, GATHER);
  }

  /** Rows that the first page does not show are asked for one by one. */
  async #catchUp(): Promise<void> {
    const hinted = [...this.#changed];
    this.#changed.clear();
    await this.refresh();
    const onFirst = new Set(this.runs.value.slice(0, PAGE).map((run) => run.run_id));
    const known = new Set(this.runs.value.map((run) => run.run_id));
    const others = hinted.filter((id) => known.has(id) && !onFirst.has(id));
    await Promise.allSettled(others.map((id) => this.look(id)));
  }

  #poll(): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => void this.refresh().then(() => this.#poll()), POLL);
  }
}

/** Newest first, each once. */
function merged(one: readonly Run[], other: readonly Run[]): readonly Run[] {
  const known = new Set(one.map((run) => run.run_id));
  return [...one, ...other.filter((run) => !known.has(run.run_id))];
}
