/** Logs of runs as a server could tell them, for tests of what is made of them. */

import fc from "fast-check";
import type { RunEvent, Usage } from "../../src/api/shapes";

interface Call {
  tool: string;
  pieces: string[];
  way: "plain" | "allowed" | "denied" | "client";
  outcome: string;
  prints: string[];
  hasChild: boolean;
}

interface Step {
  thoughts: string[];
  text: string[];
  calls: Call[];
  /** What was streamed before each reset. */
  voided: { text: string[]; calls: string[] }[];
  notice: boolean;
  steered: boolean;
}

export interface Story {
  queued: boolean;
  steps: Step[];
  ending: "run.completed" | "run.failed" | "run.cancelled";
  gaps: number[];
}

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 4 });

const calls = fc.record<Call>({
  tool: fc.constantFrom("terminal", "read_file", "delegate"),
  pieces: fc.constant(['{"path"', ':"x"}']),
  way: fc.constantFrom("plain", "allowed", "denied", "client"),
  outcome: fc.constantFrom("ok", "error", "timeout"),
  prints: pieces,
  hasChild: fc.boolean(),
});

const steps = fc.record<Step>({
  thoughts: pieces,
  text: pieces,
  calls: fc.array(calls, { maxLength: 3 }),
  voided: fc.array(fc.record({ text: pieces, calls: fc.array(fc.constant("terminal")) }), {
    maxLength: 2,
  }),
  notice: fc.boolean(),
  steered: fc.boolean(),
});

export const stories = fc.record<Story>({
  queued: fc.boolean(),
  steps: fc.array(steps, { maxLength: 4 }),
  ending: fc.constantFrom("run.completed", "run.failed", "run.cancelled"),
  gaps: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 5 }),
});

export const logs = stories.map(told);

type Unstamped = RunEvent extends infer Each
  ? Each extends RunEvent
    ? Omit<Each, "run_id" | "seq" | "timestamp">
    : never
  : never;

export const USED: Usage = {
  input_tokens: 7,
  output_tokens: 5,
  total_tokens: 12,
  cached_tokens: 2,
  cache_write_tokens: 1,
  reasoning_tokens: 3,
};

export function told(story: Story): RunEvent[] {
  const log = new Log(story.gaps);
  log.add({ event: "run.started", model: "m", session_id: "sess", queued: story.queued });
  if (story.queued) log.add({ event: "run.begun", parent: null });
  for (const [index, step] of story.steps.entries()) tellStep(log, step, index);
  const times = story.steps.length;
  const usage = Object.fromEntries(
    Object.entries(USED).map(([name, value]) => [name, value * times]),
  ) as unknown as Usage;
  const event = story.ending;
  if (event === "run.completed") {
    log.add({ event, output: "", usage, finish_reason: "stop", cost: times });
  } else if (event === "run.failed") {
    log.add({ event, error: { message: "no", code: "x" }, output: "", usage });
  } else log.add({ event, by: "user", usage });
  return log.events;
}

class Log {
  readonly events: RunEvent[] = [];
  #at = 1_790_000_000;

  constructor(readonly gaps: number[]) {}

  add(event: Unstamped): void {
    const seq = this.events.length + 1;
    this.#at += this.gaps[seq % this.gaps.length] ?? 0;
    this.events.push({ ...event, run_id: "run_1", seq, timestamp: this.#at } as RunEvent);
  }
}

function tellStep(log: Log, step: Step, index: number): void {
  for (const { text, calls: names } of step.voided) {
    for (const delta of text) log.add({ event: "message.delta", delta });
    for (const [at, tool] of names.entries()) {
      const id = `void_${index}_${at}`;
      log.add({ event: "tool.arguments", index: at, delta: "{", tool_call_id: id, tool });
    }
    log.add({ event: "step.reset", reason: "provider", dropped_tools: names });
  }
  for (const delta of step.thoughts) log.add({ event: "reasoning.delta", delta });
  if (step.thoughts.length > 0) {
    log.add({ event: "reasoning.available", text: step.thoughts.join("") });
  }
  for (const [at, delta] of step.text.entries()) {
    log.add({ event: "message.delta", delta });
    if (at === 0 && step.notice) log.add({ event: "notice", code: "retry", message: "Again." });
    if (at === 1) {
      // Some models think again in the middle of a reply.
      log.add({ event: "reasoning.delta", delta: "hm" });
      log.add({ event: "reasoning.available", text: "hm" });
    }
  }
  if (step.steered) log.add({ event: "run.steered", text: "also this" });
  tellCalls(log, step, index);
}

function tellCalls(log: Log, step: Step, index: number): void {
  const idOf = (at: number) => `call_${index}_${at}`;
  for (const [at, { tool, pieces: written }] of step.calls.entries()) {
    log.add({ event: "tool.arguments", index: at, delta: "", tool_call_id: idOf(at), tool });
    for (const delta of written) log.add({ event: "tool.arguments", index: at, delta });
  }
  log.add({ event: "usage", model: "m", usage: USED, cost: 1 });
  const refs = step.calls.map(({ tool }, at) => ({ id: idOf(at), name: tool }));
  const text = step.text.join("");
  const whole = { finish_reason: "stop", model: "m", tool_calls: refs };
  log.add(
    text === ""
      ? { event: "step.completed", ...whole }
      : { event: "message.completed", text, ...whole },
  );
  // The last is the first to be heard of: calls side by side keep no order.
  for (const [at, call] of [...step.calls.entries()].reverse()) tellCall(log, call, idOf(at));
  const theirs = step.calls.flatMap(({ way }, at) => (way === "client" ? [idOf(at)] : []));
  if (theirs.length === 0) return;
  log.add({ event: "run.waiting", for: "client_tools", tool_calls: theirs });
  log.add({ event: "run.resumed", tool_calls: theirs });
}

function tellCall(log: Log, { tool, way, outcome, prints, hasChild }: Call, id: string): void {
  if (way === "client") return;
  if (way !== "plain") {
    const choice = way === "allowed" ? ("once" as const) : ("deny" as const);
    log.add({
      event: "approval.requested",
      approval_id: `apr_${id}`,
      tool_call_id: id,
      tool,
      preview: "x",
      reason: "It may be impossible to undo.",
      choices: ["once", "deny"],
      expires_at: null,
      code: "123",
    });
    log.add({ event: "run.waiting", for: "approval", tool_calls: [id] });
    log.add({
      event: "approval.resolved",
      approval_id: `apr_${id}`,
      choice,
      by: "user",
      reason: "",
    });
  }
  const begun = { tool_call_id: id, tool, preview: "x", emoji: "📖", args: { path: "x" } };
  log.add({ event: "tool.started", ...begun, effect: "pure" });
  if (hasChild) {
    log.add({ event: "subagent.started", child_run_id: `run_${id}`, tool_call_id: id, goal: "g" });
  }
  let offset = 0;
  for (const delta of prints) {
    log.add({ event: "tool.output", tool_call_id: id, offset, stream: "stdout", delta });
    offset += delta.length;
  }
  if (hasChild) {
    const child = { child_run_id: `run_${id}`, tool_call_id: id, status: "completed" };
    log.add({ event: "subagent.completed", ...child, summary: "s", duration: 1 });
  }
  log.add({
    event: "tool.completed",
    tool_call_id: id,
    tool,
    duration: 0.5,
    error: way === "denied" || outcome !== "ok",
    outcome: way === "denied" ? "denied" : outcome,
    output: prints.join(""),
    truncated: false,
    sandbox: null,
  });
}

const DELTAS = new Set<RunEvent["event"]>([
  "message.delta",
  "reasoning.delta",
  "reasoning.available",
  "tool.arguments",
  "tool.output",
]);

/** The log without what came in pieces. */
export function factsOf(events: readonly RunEvent[]): RunEvent[] {
  return events.filter(({ event }) => !DELTAS.has(event));
}

/** The log cut into batches at these places, some of which hold nothing. */
export function batched(events: readonly RunEvent[], cuts: readonly number[]): RunEvent[][] {
  const places = cuts.map((cut) => cut % (events.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => events.slice(from, places[index] ?? events.length));
}
