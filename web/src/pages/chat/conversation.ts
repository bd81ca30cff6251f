/** One session as it is shown: its turns, the branch one is on, and what is said next. */

import { batch, computed, effect, signal } from "@preact/signals";
import { ask, asSegment, get } from "../../api/client";
import { hasEnded } from "../../api/follow";
import type { Content, Page, Run, Turn } from "../../api/shapes";
import { type Node, newestBelow, path, siblings } from "../../core/branches";
import { Live, told } from "../../core/live";
import { isVisible } from "../../core/visible";
import { chosenModel } from "./models";

const PAGE = 20;
const LEAF = "angelia-branch:";

interface Started {
  run_id: string;
  session_id: string;
}

export class Conversation {
  readonly sessionId = signal<string | null>(null);
  readonly turns = signal<readonly Turn[]>([]);
  readonly hasEarlier = signal(false);
  readonly state = signal<"loading" | "ready" | "missing">("ready");
  readonly problem = signal("");
  /** How many turns were begun here. */
  readonly said = signal(0);
  /** Set until the server has taken what was said last. */
  readonly isStarting = signal(false);
  /** The run that somebody chose to see; null for the newest. */
  readonly leaf = signal<string | null>(null);
  readonly #lives = new Map<string, Live>();
  #isAsking = false;
  #askAgain = false;
  #end: () => void;

  readonly nodes = computed<readonly Node[]>(() => asNodes(this.turns.value));
  readonly shown = computed<readonly Turn[]>(() => {
    const known = new Map(this.turns.value.map((turn) => [turn.run.run_id, turn]));
    return path(this.nodes.value, this.leaf.value).flatMap((id) => known.get(id) ?? []);
  });
  readonly last = computed<Live | null>(() => {
    const turn = this.shown.value.at(-1);
    return turn === undefined ? null : this.live(turn);
  });
  /** The run that answers at the moment on the branch that is shown. */
  readonly atWork = computed<Live | null>(() => {
    const last = this.last.value;
    return last === null || hasEnded(last.view.value.status) ? null : last;
  });

  readonly lastOver = computed<string | null>(() => {
    const isOver = (turn: Turn) => hasEnded(this.live(turn).view.value.status);
    return this.shown.value.findLast(isOver)?.run.run_id ?? null;
  });

  constructor(sessionId: string | null) {
    this.sessionId.value = sessionId;
    if (sessionId !== null) {
      this.state.value = "loading";
      this.leaf.value = localStorage.getItem(LEAF + sessionId);
    }
    // A browser has few connections to one server: pages that nobody sees hold none.
    this.#end = effect(() => {
      const lives = this.shown.value.map((turn) => this.live(turn));
      for (const live of this.#lives.values()) if (!lives.includes(live)) live.leave();
      for (const live of lives) {
        if (isVisible.value) live.follow(() => void this.refresh());
        else live.leave();
      }
    });
  }

  close(): void {
    this.#end();
    for (const live of this.#lives.values()) live.leave();
  }

  live(turn: Turn): Live {
    const known = this.#lives.get(turn.run.run_id);
    if (known !== undefined) return known;
    const made = new Live(turn.run.run_id, told(turn));
    this.#lives.set(turn.run.run_id, made);
    return made;
  }

  beside(runId: string): string[] {
    return siblings(this.nodes.value, runId);
  }

  choose(runId: string): void {
    this.#keep(newestBelow(this.nodes.value, runId));
  }

  /** Asks for the newest turns, back to one that is known. */
  async refresh(): Promise<void> {
    const id = this.sessionId.peek();
    if (id === null) return;
    if (this.#isAsking) {
      this.#askAgain = true;
      return;
    }
    this.#isAsking = true;
    try {
      await this.#load(id);
    } finally {
      this.#isAsking = false;
    }
    if (this.#askAgain) {
      this.#askAgain = false;
      await this.refresh();
    }
  }

  async #load(id: string): Promise<void> {
    const fresh: Turn[] = [];
    const known = new Set(this.turns.peek().map((turn) => turn.run.run_id));
    let page: Page<Turn> = { data: [], has_more: true };
    try {
      do {
        page = await turnsOf(id, fresh[0]?.run.run_id);
        fresh.unshift(...page.data);
      } while (page.has_more && this.#isApart(fresh, known));
    } catch (error) {
      this.#failed(error as Error & { status?: number });
      return;
    }
    batch(() => {
      if (known.size === 0) this.hasEarlier.value = page.has_more;
      this.turns.value = merged(this.turns.peek(), fresh);
      this.state.value = "ready";
      this.problem.value = "";
    });
  }

  /** The page does not reach what is known, or the branch that was chosen. */
  #isApart(fresh: readonly Turn[], known: ReadonlySet<string>): boolean {
    const leaf = this.leaf.peek();
    if (known.size > 0) return !fresh.some((turn) => known.has(turn.run.run_id));
    return leaf !== null && fresh.length < 200 && !fresh.some(({ run }) => run.run_id === leaf);
  }

  #failed(error: Error & { status?: number }): void {
    if (this.state.peek() !== "loading") return;
    if (error.status === 404) this.state.value = "missing";
    else this.problem.value = error.message;
  }

  async earlier(): Promise<void> {
    const id = this.sessionId.peek();
    const first = this.turns.peek()[0];
    if (id === null || first === undefined || !this.hasEarlier.peek()) return;
    const page = await turnsOf(id, first.run.run_id);
    batch(() => {
      this.hasEarlier.value = page.has_more;
      this.turns.value = merged(page.data, this.turns.peek());
    });
  }

  /** Says something behind what is shown. */
  say(content: Content, mark: string): Promise<void> {
    const last = this.shown.peek().at(-1)?.run.run_id ?? null;
    const isNewest = last === (this.turns.peek().at(-1)?.run.run_id ?? null);
    return this.#start(content, last, isNewest, mark);
  }

  /** Says something instead of what was said in a turn: a branch beside it. */
  sayInstead(turn: Turn, content: Content, mark: string): Promise<void> {
    return this.#start(content, parentOf(this.nodes.peek(), turn), false, mark);
  }

  async #start(content: Content, parent: string | null, isNext: boolean, mark: string) {
    const session = this.sessionId.peek();
    const model = chosenModel.peek();
    const body = {
      input: [{ role: "user", content }],
      ...(model === null ? {} : { model }),
      ...(session === null ? {} : { session_id: session }),
      ...(session === null || isNext ? {} : { parent_run_id: parent }),
    };
    const headers = { "Idempotency-Key": mark };
    this.isStarting.value = true;
    const started = await ask<Started>("POST", "/v1/runs", body, headers).finally(() => {
      this.isStarting.value = false;
    });
    batch(() => {
      this.said.value += 1;
      this.sessionId.value = started.session_id;
      this.turns.value = merged(this.turns.peek(), [provisional(started, content, parent)]);
      this.#keep(started.run_id);
    });
  }

  #keep(leaf: string): void {
    const isNewest = this.turns.peek().at(-1)?.run.run_id === leaf;
    this.leaf.value = isNewest ? null : leaf;
    const name = LEAF + this.sessionId.peek();
    if (isNewest) localStorage.removeItem(name);
    else localStorage.setItem(name, leaf);
  }
}

function turnsOf(id: string, before?: string): Promise<Page<Turn>> {
  return get(`/api/sessions/${asSegment(id)}/turns`, { limit: PAGE, before });
}

/** Oldest first; what comes later in the arguments is the newer word about a run. */
function merged(before: readonly Turn[], after: readonly Turn[]): readonly Turn[] {
  const newer = new Map(after.map((turn) => [turn.run.run_id, turn]));
  const kept = before.map((turn) => newer.get(turn.run.run_id) ?? turn);
  const known = new Set(before.map((turn) => turn.run.run_id));
  return [...kept, ...after.filter((turn) => !known.has(turn.run.run_id))];
}

/** A run that is in line learns only later what it goes on from: what came before it, it will be. */
function asNodes(turns: readonly Turn[]): Node[] {
  return turns.map(({ run }, index) => {
    const isInLine = run.status === "queued" && run.parent_run_id === null;
    const parent = isInLine ? (turns[index - 1]?.run.run_id ?? null) : run.parent_run_id;
    return { id: run.run_id, parent };
  });
}

function parentOf(nodes: readonly Node[], turn: Turn): string | null {
  return nodes.find(({ id }) => id === turn.run.run_id)?.parent ?? null;
}

/** A turn that has just begun, until the server tells of it. */
function provisional(started: Started, content: Content, parent: string | null): Turn {
  const now = Date.now() / 1000;
  const run: Run = {
    run_id: started.run_id,
    session_id: started.session_id,
    status: "running",
    created_at: now,
    updated_at: now,
    model: "",
    last_seq: 0,
    output: "",
    usage: NOTHING,
    error: null,
    pending_approvals: [],
    cost: 0,
    surface: "runs",
    question: "",
    parent_run_id: parent,
    user: null,
    delegated_by: null,
  };
  return { run, input: [{ role: "user", content }], events: [], cut_off: "" };
}

const NOTHING = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};
