/** What a person sees of a run: its events folded into blocks, in the order they came. */

import type { CallRef, RunEvent, Status, Usage } from "../api/shapes";
import {
  changeTool,
  closedTool,
  newTool,
  toolBlock,
  withAnswer,
  withApproval,
  withArguments,
  withChild,
  withChildEnded,
  withClient,
  withClientAnswers,
  withToolCompleted,
  withToolStarted,
} from "./turn/tools";
import { added, type Block, type Tool, type View } from "./turn/view";
import { withMessage, withReasoning, withReasoningClosed, withText } from "./turn/words";

export { type Approval, type Block, type Child, EMPTY, type Tool, type View } from "./turn/view";

/** More of a tool's live output is not kept: the whole is a link away. */
const LIVE_LIMIT = 20_000;

/** The view with these events in it. What did not change stays the same object. */
export function fold(view: View, events: readonly RunEvent[]): View {
  return events.reduce(
    (seen, event) =>
      event.seq > seen.lastSeq
        ? { ...told(seen, event), lastSeq: event.seq, lastAt: event.timestamp }
        : seen,
    view,
  );
}

/** Calls that a person is asked about, oldest first. */
export function pending(view: View): Tool[] {
  return tools(view).filter(({ state }) => state === "waiting");
}

export function tools(view: View): Tool[] {
  return view.blocks.flatMap((block) => (block.kind === "tool" ? [block.tool] : []));
}

/** Whether the model has said anything since it was told this. */
export function wasRead(view: View, steered: Block): boolean {
  const isSaid = ({ kind, step }: Block) =>
    kind !== "steered" && kind !== "notice" && step >= steered.step;
  return view.step > steered.step || view.blocks.some(isSaid);
}

/** The answer so far, as one text. A reply is one piece of it, also where thoughts cut it in two. */
export function answer(view: View): string {
  const replies = new Map<number, string>();
  for (const block of view.blocks) {
    if (block.kind !== "text") continue;
    replies.set(block.step, (replies.get(block.step) ?? "") + block.text);
  }
  return [...replies.values()].join("\n\n");
}

function told(view: View, event: RunEvent): View {
  switch (event.event) {
    case "run.started":
      return {
        ...view,
        runId: event.run_id,
        model: event.model,
        status: event.queued ? "queued" : "running",
        startedAt: event.timestamp,
      };
    case "run.begun":
      return { ...view, status: "running" };
    case "message.delta":
      return withText(view, event);
    case "reasoning.delta":
      return withReasoning(view, event);
    case "reasoning.available":
      return withReasoningClosed(view, event);
    case "tool.arguments":
      return withArguments(view, event);
    case "message.completed":
      return replied(withMessage(view, event, event.text), event.tool_calls);
    case "step.completed":
      return replied(withMessage(view, event, ""), event.tool_calls);
    case "usage":
      return { ...view, cost: view.cost + event.cost };
    case "step.reset":
      return { ...view, blocks: view.blocks.filter((block) => !isVoid(block, view.step)) };
    case "tool.started":
      return withToolStarted(view, event);
    case "tool.output":
      return changeTool(view, event.tool_call_id, (tool) => ({
        ...tool,
        live: (tool.live + event.delta).slice(-LIVE_LIMIT),
      }));
    case "tool.completed":
      return withToolCompleted(view, event);
    case "approval.requested":
      return withApproval(view, event);
    case "approval.resolved":
      return withAnswer(view, event);
    case "subagent.started":
      return withChild(view, event);
    case "subagent.completed":
      return withChildEnded(view, event);
    case "notice":
      return added(view, {
        kind: "notice",
        key: `notice-${event.seq}`,
        step: view.step,
        code: event.code,
        message: event.message,
      });
    case "run.waiting":
      return event.for === "approval"
        ? { ...view, status: "waiting_for_approval" }
        : { ...withClient(view, event.tool_calls), status: "waiting_for_client" };
    case "run.resumed":
      return { ...withClientAnswers(view, event), status: "running" };
    case "run.steered":
      return added(view, {
        kind: "steered",
        key: `steered-${event.seq}`,
        step: view.blocks.some((block) => isUnfinished(block, view.step))
          ? view.step + 1
          : view.step,
        text: event.text,
      });
    case "run.stopping":
      return { ...view, status: "stopping" };
    case "run.completed":
      return ended(view, event, "completed", {
        cost: event.cost,
        remark: event.finish_reason === "stop" ? null : event.finish_reason,
      });
    case "run.failed":
      return ended(view, event, "failed", { error: event.error });
    case "run.cancelled":
      return ended(view, event, "cancelled", { remark: event.by });
    default:
      // A newer server may tell of things that this page does not know.
      return view;
  }
}

function ended(
  view: View,
  event: RunEvent & { usage: Usage },
  status: Status,
  more: Partial<View>,
): View {
  const blocks = view.blocks.map((block) => closed(block, event.timestamp));
  return { ...view, status, blocks, usage: event.usage, endedAt: event.timestamp, ...more };
}

/** Nothing goes on when its run is over. */
function closed(block: Block, at: number): Block {
  switch (block.kind) {
    case "text":
      return block.done ? block : { ...block, done: true };
    case "reasoning":
      return block.done ? block : { ...block, done: true, endedAt: at };
    case "tool":
      return { ...block, tool: closedTool(block.tool, at) };
    default:
      return block;
  }
}

/** Its calls are there in its order, whether or not they were streamed; the next step begins. */
function replied(view: View, calls: readonly CallRef[] = []): View {
  const known = new Set(
    view.blocks.flatMap((block) =>
      block.kind === "tool" && block.step === view.step ? [block.tool.id] : [],
    ),
  );
  const unknown = calls.filter(({ id }) => !known.has(id));
  const made = unknown.map(({ id, name }) => toolBlock(view.step, newTool(id, name)));
  return { ...view, blocks: [...view.blocks, ...made], step: view.step + 1 };
}

function isUnfinished(block: Block, step: number): boolean {
  if (block.kind === "tool") return block.step === step && block.tool.state === "writing";
  return block.step === step && "done" in block;
}

/** What was streamed of a step that is asked again. Calls that have begun are facts and stay. */
function isVoid(block: Block, step: number): boolean {
  if (block.step !== step) return false;
  if (block.kind === "tool") return block.tool.state === "writing";
  return block.kind === "text" || block.kind === "reasoning";
}
