/** Reads the events of one run in their order and remembers what began and has not ended. */

import type { EventOf, RunEvent, Usage } from "../api/shapes";
import { type Mark, minus, NO_USAGE, plus, type Span, type SpanKind, type Trace } from "./spans";

/** A log does not say when a model was asked, only what was the last thing before it. */
const SIGNS = new Set<RunEvent["event"]>([
  "message.delta",
  "reasoning.delta",
  "reasoning.available",
  "tool.arguments",
]);

const PAUSES = new Set(["retry", "stall"]);
const PAUSE = /in ([\d.]+) s\.$/;
/** A model that had no more time than this was not asked. */
const BLINK = 0.005;

export class Tracing {
  #runId = "";
  #start = 0;
  #end: number | null = null;
  #last = 0;
  #spans: Span[] = [];
  #marks: Mark[] = [];
  #usage: Usage | null = null;
  #summed = NO_USAGE;
  #model: Span | null = null;
  #modelHasSign = false;
  #pause: Span | null = null;
  #client: Span | null = null;
  #queue: Span | null = null;
  #due = new Set<string>();
  #open = new Map<string, Span>();
  #approvals = new Map<string, Span>();
  #children = new Map<string, Span>();

  take(event: RunEvent): void {
    if (this.#last === 0) {
      this.#start = this.#last = event.timestamp;
      this.#runId = event.run_id;
    }
    if (SIGNS.has(event.event)) this.#sign(event);
    else this.#fact(event);
    // A clock that was set back does not turn time round.
    this.#last = Math.max(this.#last, event.timestamp);
  }

  result(): Trace {
    return {
      runId: this.#runId,
      start: this.#start,
      end: this.#end,
      lastAt: this.#last,
      spans: this.#spans,
      marks: this.#marks,
      usage: this.#usage,
      rest: this.#usage === null ? NO_USAGE : minus(this.#usage, this.#summed),
    };
  }

  #fact(event: RunEvent): void {
    switch (event.event) {
      case "run.started":
        if (event.queued) this.#queue = this.#add("queue", event, "queue", "its turn comes");
        else this.#think(event);
        break;
      case "run.begun":
        this.#close(this.#queue, event);
        this.#think(event);
        break;
      case "usage":
        this.#counted(event);
        break;
      case "message.completed":
      case "step.completed":
        this.#replied(event);
        break;
      case "step.reset":
        this.#sign(event);
        this.#note(this.#model, event, `void: ${event.reason}`);
        break;
      case "tool.started":
        this.#toolStarted(event);
        break;
      case "tool.completed":
        this.#toolCompleted(event);
        break;
      case "approval.requested":
        this.#asked(event);
        break;
      case "approval.resolved":
        this.#answered(event);
        break;
      case "subagent.started":
        this.#delegated(event);
        break;
      case "subagent.completed":
        this.#reported(event);
        break;
      case "run.waiting":
        if (event.for === "client_tools") {
          this.#client = this.#add("client", event, "client", "its own tools");
        }
        break;
      case "run.resumed":
        this.#close(this.#client, event);
        this.#settle(event, event.tool_calls);
        break;
      case "notice":
        this.#noticed(event);
        break;
      case "run.steered":
        this.#note(null, event, `steered: ${event.text}`);
        break;
      case "run.stopping":
        this.#note(null, event, `stop asked for by ${event.by}`);
        break;
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        this.#over(event);
        break;
    }
  }

  // ── models ────────────────────────────────────────────────────────────────────────────

  #think(event: RunEvent): void {
    this.#model = this.#add("model", event, "", "");
    this.#modelHasSign = false;
  }

  /** The span of the model that speaks; one that nothing announced has begun with the last event. */
  #speaking(event: RunEvent): Span {
    if (this.#model === null) {
      this.#model = this.#add("model", event, "", "");
      this.#model.start = this.#last;
    }
    this.#modelHasSign = true;
    if (this.#pause !== null && (this.#pause.end ?? 0) > event.timestamp) {
      this.#pause.end = this.#at(event, this.#pause.start);
    }
    this.#pause = null;
    return this.#model;
  }

  #sign(event: RunEvent): void {
    const model = this.#speaking(event);
    if (event.event !== "step.reset") model.firstAt ??= this.#at(event, model.start);
  }

  #counted(event: EventOf<"usage">): void {
    const model = this.#speaking(event);
    model.name = event.model || model.name;
    model.usage = plus(model.usage ?? NO_USAGE, event.usage);
    model.cost += event.cost;
    this.#summed = plus(this.#summed, event.usage);
  }

  #replied(event: EventOf<"message.completed"> | EventOf<"step.completed">): void {
    const model = this.#speaking(event);
    const calls = event.tool_calls ?? [];
    model.name = event.model ?? model.name;
    model.outcome = event.finish_reason;
    model.label = calls.map((call) => call.name).join(", ");
    if (event.event === "message.completed") model.output = event.text;
    this.#close(model, event);
    this.#model = null;
    this.#due = new Set(calls.map((call) => call.id));
  }

  #noticed(event: EventOf<"notice">): void {
    const tool = event.tool_call_id === undefined ? undefined : this.#open.get(event.tool_call_id);
    this.#note(tool ?? this.#model, event, event.message);
    if (tool === undefined && PAUSES.has(event.code)) this.#paused(event);
    if (event.code === "compaction") this.#compacted(event);
  }

  #paused(event: EventOf<"notice">): void {
    const seconds = Number(PAUSE.exec(event.message)?.[1] ?? 0);
    const model = this.#speaking(event);
    const pause = this.#made("pause", event, "pause", event.message);
    pause.end = pause.start + seconds;
    model.children.push(pause);
    this.#pause = pause;
  }

  /** What had to be made shorter first was not yet asked. */
  #compacted(event: EventOf<"notice">): void {
    if (this.#model === null || this.#modelHasSign) return;
    this.#model.name = "summary";
    this.#model.outcome = "compaction";
    this.#close(this.#model, event);
    this.#think(event);
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────

  #toolStarted(event: EventOf<"tool.started">): void {
    const tool = this.#add("tool", event, event.tool, event.preview);
    tool.callId = event.tool_call_id;
    tool.args = event.args;
    this.#open.set(event.tool_call_id, tool);
  }

  #toolCompleted(event: EventOf<"tool.completed">): void {
    const tool = this.#open.get(event.tool_call_id) ?? this.#unannounced(event);
    tool.outcome = event.outcome;
    tool.output = event.output;
    tool.truncated = event.truncated;
    this.#close(tool, event);
    this.#open.delete(event.tool_call_id);
    this.#settle(event, [event.tool_call_id]);
  }

  /** A call that was not let begin has only an end. */
  #unannounced(event: EventOf<"tool.completed">): Span {
    const tool = this.#add("tool", event, event.tool, "");
    tool.callId = event.tool_call_id;
    return tool;
  }

  /** With the last of its calls, the model is asked again. */
  #settle(event: RunEvent, calls: readonly string[]): void {
    const before = this.#due.size;
    for (const call of calls) this.#due.delete(call);
    if (before > 0 && this.#due.size === 0) this.#think(event);
  }

  #asked(event: EventOf<"approval.requested">): void {
    const wait = this.#add("approval", event, event.tool, event.preview || event.reason);
    wait.callId = event.tool_call_id;
    this.#approvals.set(event.approval_id, wait);
  }

  #answered(event: EventOf<"approval.resolved">): void {
    const wait = this.#approvals.get(event.approval_id);
    if (wait === undefined) return;
    wait.outcome = `${event.choice}, by ${event.by}`;
    this.#close(wait, event);
  }

  #delegated(event: EventOf<"subagent.started">): void {
    const child = this.#made("subagent", event, "subagent", event.goal);
    child.childRunId = event.child_run_id;
    const call = this.#open.get(event.tool_call_id);
    (call?.children ?? this.#spans).push(child);
    this.#children.set(event.child_run_id, child);
  }

  #reported(event: EventOf<"subagent.completed">): void {
    const child = this.#children.get(event.child_run_id);
    if (child === undefined) return;
    child.outcome = event.status;
    child.output = event.summary;
    this.#close(child, event);
  }

  // ── ends ──────────────────────────────────────────────────────────────────────────────

  #over(event: EventOf<"run.completed"> | EventOf<"run.failed"> | EventOf<"run.cancelled">): void {
    this.#end = this.#at(event, this.#start);
    this.#usage = event.usage;
    const model = this.#model;
    if (model !== null && !this.#modelHasSign && this.#end - model.start < BLINK) {
      this.#spans = this.#spans.filter((span) => span !== model);
    } else if (model !== null) {
      model.outcome = event.event.replace("run.", "");
    }
    for (const span of this.#spans) this.#finish(span, event);
  }

  #finish(span: Span, event: RunEvent): void {
    for (const child of span.children) this.#finish(child, event);
    this.#close(span, event);
    span.end = Math.min(span.end ?? 0, this.#end ?? 0);
    span.end = Math.max(span.end, span.start);
  }

  #close(span: Span | null, event: RunEvent): void {
    if (span !== null) span.end ??= this.#at(event, span.start);
  }

  #note(span: Span | null, event: RunEvent, words: string): void {
    const mark = { seq: event.seq, at: this.#at(event, this.#start), words };
    (span?.marks ?? this.#marks).push(mark);
  }

  #add(kind: SpanKind, event: RunEvent, name: string, label: string): Span {
    const span = this.#made(kind, event, name, label);
    this.#spans.push(span);
    return span;
  }

  #made(kind: SpanKind, event: RunEvent, name: string, label: string): Span {
    return {
      id: `${event.run_id}:${event.seq}:${kind}`,
      kind,
      runId: event.run_id,
      seq: event.seq,
      name,
      label,
      start: this.#at(event, this.#start),
      end: null,
      firstAt: null,
      outcome: null,
      usage: null,
      cost: 0,
      marks: [],
      callId: null,
      childRunId: null,
      args: null,
      output: "",
      truncated: false,
      children: [],
    };
  }

  #at(event: RunEvent, earliest: number): number {
    return Math.max(event.timestamp, this.#last, earliest);
  }
}
