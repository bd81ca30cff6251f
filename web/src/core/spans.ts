/** What a run spent its time on: its events as spans on one axis, those of subagents inside. */

import type { RunEvent, Usage } from "../api/shapes";
import { Tracing } from "./tracing";

export type SpanKind = "model" | "tool" | "subagent" | "approval" | "client" | "queue" | "pause";

export interface Mark {
  seq: number;
  at: number;
  words: string;
}

export interface Span {
  /** The run and the entry that began it: no other span of a trace has the same. */
  id: string;
  kind: SpanKind;
  runId: string;
  seq: number;
  /** A model, a tool, or whom the run waits for. */
  name: string;
  /** What it is about, in a line. */
  label: string;
  start: number;
  /** Null: it is under way. */
  end: number | null;
  /** When the first piece of a model's answer came. */
  firstAt: number | null;
  outcome: string | null;
  usage: Usage | null;
  cost: number;
  marks: Mark[];
  callId: string | null;
  childRunId: string | null;
  args: unknown;
  output: string;
  truncated: boolean;
  children: Span[];
}

export interface Trace {
  runId: string;
  start: number;
  /** Null: the run is under way. */
  end: number | null;
  /** Of the last event. */
  lastAt: number;
  spans: Span[];
  /** News about the run itself. */
  marks: Mark[];
  /** The whole of the run, once it has ended. */
  usage: Usage | null;
  /** What no call of a model that is shown has used: summaries, attempts that came to nothing. */
  rest: Usage;
}

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};

/** Events of subagents by the id of their run, as far as they are known. */
export type Logs = ReadonlyMap<string, readonly RunEvent[]>;

const NO_LOGS: Logs = new Map();

/** The spans of a run, in the order they began. Runs that delegate in a circle end the descent. */
export function trace(events: readonly RunEvent[], logs: Logs = NO_LOGS): Trace {
  return traced(events, logs, new Set());
}

function traced(events: readonly RunEvent[], logs: Logs, above: ReadonlySet<string>): Trace {
  const tracing = new Tracing();
  for (const event of events) tracing.take(event);
  const own = tracing.result();
  const seen = new Set(above).add(own.runId);
  for (const span of own.spans) nest(span, logs, seen);
  return own;
}

/** Puts what subagents did inside of their spans, and every span inside of the one around it. */
function nest(span: Span, logs: Logs, above: ReadonlySet<string>): void {
  for (const child of span.children) {
    const log = child.childRunId === null ? undefined : logs.get(child.childRunId);
    if (log !== undefined && log.length > 0 && !above.has(child.childRunId ?? "")) {
      child.children = traced(log, logs, above).spans;
    }
    confine(child, span.start, span.end);
  }
}

/** Clocks of two logs need not agree to the millisecond; a call lasts as long as what it does. */
function confine(span: Span, from: number, to: number | null): void {
  const latest = to ?? Number.POSITIVE_INFINITY;
  span.start = Math.min(Math.max(span.start, from), latest);
  span.end = ending(span, latest, to !== null);
  if (span.firstAt !== null) {
    span.firstAt = Math.min(Math.max(span.firstAt, span.start), span.end ?? latest);
  }
  for (const child of span.children) confine(child, span.start, span.end);
}

function ending(span: Span, latest: number, isOver: boolean): number | null {
  if (span.end !== null) return Math.max(span.start, Math.min(span.end, latest));
  return isOver ? latest : null;
}

/** All spans of a trace, each before those inside of it. */
export function* everySpan(spans: readonly Span[]): Generator<Span> {
  for (const span of spans) {
    yield span;
    yield* everySpan(span.children);
  }
}

export function plus(one: Usage, other: Usage): Usage {
  return combined(one, other, (a, b) => a + b);
}

/** Never below nothing. */
export function minus(one: Usage, other: Usage): Usage {
  return combined(one, other, (a, b) => Math.max(0, a - b));
}

function combined(one: Usage, other: Usage, by: (a: number, b: number) => number): Usage {
  return {
    input_tokens: by(one.input_tokens, other.input_tokens),
    output_tokens: by(one.output_tokens, other.output_tokens),
    total_tokens: by(one.total_tokens, other.total_tokens),
    cached_tokens: by(one.cached_tokens, other.cached_tokens),
    cache_write_tokens: by(one.cache_write_tokens, other.cache_write_tokens),
    reasoning_tokens: by(one.reasoning_tokens, other.reasoning_tokens),
  };
}

export interface Row {
  span: Span;
  /** 1 for the spans of the run itself. */
  level: number;
  isOpen: boolean;
  canOpen: boolean;
}

/** The spans as lines of a tree; those in `folded` keep what is inside to themselves. */
export function rows(spans: readonly Span[], folded: ReadonlySet<string>, level = 1): Row[] {
  return spans.flatMap((span) => {
    const canOpen = span.children.length > 0;
    const isOpen = canOpen && !folded.has(span.id);
    const row = { span, level, isOpen, canOpen };
    return isOpen ? [row, ...rows(span.children, folded, level + 1)] : [row];
  });
}

/** The ids of all subagents that a log tells of. */
export function childrenOf(events: readonly RunEvent[]): string[] {
  const ids = events.flatMap((event) =>
    event.event === "subagent.started" ? [event.child_run_id] : [],
  );
  return [...new Set(ids)];
}
