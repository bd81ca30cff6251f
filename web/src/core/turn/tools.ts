/** What calls of tools make of a view: their arguments, their questions and their ends. */

import type { EventOf } from "../../api/shapes";
import {
  type Approval,
  added,
  type Block,
  type Child,
  replaced,
  type Tool,
  type View,
} from "./view";

export function withArguments(view: View, event: EventOf<"tool.arguments">): View {
  if (event.tool_call_id !== undefined) {
    const call = newTool(event.tool_call_id, event.tool ?? "", { args: event.delta });
    return added(view, toolBlock(view.step, call));
  }
  const calls = view.blocks.filter((block) => block.kind === "tool" && block.step === view.step);
  const call = calls[event.index];
  if (call?.kind !== "tool") return view;
  const grown = (tool: Tool) => ({ ...tool, args: String(tool.args) + event.delta });
  return changeTool(view, call.tool.id, grown);
}

export function withToolStarted(view: View, event: EventOf<"tool.started">): View {
  const started = (tool: Tool): Tool => ({
    ...tool,
    name: event.tool,
    label: event.preview,
    emoji: event.emoji,
    args: event.args,
    effect: event.effect,
    state: "running",
    startedAt: event.timestamp,
  });
  return changeTool(view, event.tool_call_id, started, event.tool);
}

export function withToolCompleted(view: View, event: EventOf<"tool.completed">): View {
  const completed = (tool: Tool): Tool => ({
    ...tool,
    name: event.tool,
    state: "done",
    outcome: event.outcome,
    output: event.output,
    truncated: event.truncated,
    sandbox: event.sandbox,
    duration: event.duration,
    endedAt: event.timestamp,
  });
  return changeTool(view, event.tool_call_id, completed, event.tool);
}

export function withApproval(view: View, event: EventOf<"approval.requested">): View {
  const approval: Approval = {
    id: event.approval_id,
    preview: event.preview,
    reason: event.reason,
    choices: event.choices,
    expiresAt: event.expires_at,
    code: event.code,
    askedAt: event.timestamp,
    answer: null,
  };
  const asked = (tool: Tool): Tool => ({
    ...tool,
    label: tool.label || event.preview,
    state: "waiting",
    approval,
  });
  return changeTool(view, event.tool_call_id, asked, event.tool);
}

export function withAnswer(view: View, event: EventOf<"approval.resolved">): View {
  const { choice, by, reason, timestamp: at } = event;
  const blocks = view.blocks.map((block) => {
    if (block.kind !== "tool" || block.tool.approval?.id !== event.approval_id) return block;
    const approval = { ...block.tool.approval, answer: { choice, by, reason, at } };
    const state = block.tool.state === "waiting" ? "running" : block.tool.state;
    return { ...block, tool: { ...block.tool, approval, state } };
  });
  const status = view.status === "waiting_for_approval" ? "running" : view.status;
  return { ...view, status, blocks };
}

export function withChild(view: View, event: EventOf<"subagent.started">): View {
  const child: Child = {
    runId: event.child_run_id,
    goal: event.goal,
    status: "running",
    summary: "",
    startedAt: event.timestamp,
    endedAt: null,
  };
  return changeTool(view, event.tool_call_id, (tool) => ({
    ...tool,
    children: [...tool.children, child],
  }));
}

export function withChildEnded(view: View, event: EventOf<"subagent.completed">): View {
  const { status, summary, timestamp } = event;
  return changeTool(view, event.tool_call_id, (tool) => ({
    ...tool,
    children: tool.children.map((child) =>
      child.runId === event.child_run_id
        ? { ...child, status, summary, endedAt: timestamp }
        : child,
    ),
  }));
}

export function withClient(view: View, calls: readonly string[]): View {
  return calls.reduce(
    (seen, id) => changeTool(seen, id, (tool) => ({ ...tool, state: "client" })),
    view,
  );
}

/** What the client's tools came to is read by the model alone. */
export function withClientAnswers(view: View, event: EventOf<"run.resumed">): View {
  const answered = (tool: Tool): Tool =>
    tool.state === "client"
      ? { ...tool, state: "done", outcome: "answered", endedAt: event.timestamp }
      : tool;
  return event.tool_calls.reduce((seen, id) => changeTool(seen, id, answered), view);
}

export function closedTool(tool: Tool, at: number): Tool {
  const children = tool.children.map((child) =>
    child.endedAt === null ? { ...child, status: "cancelled", endedAt: at } : child,
  );
  if (tool.state === "done") return { ...tool, children };
  const outcome = tool.outcome ?? "cancelled";
  return { ...tool, state: "done", outcome, endedAt: at, children };
}

/** A call that was not heard of before is made of its name, if that is given. */
export function changeTool(
  view: View,
  id: string,
  change: (tool: Tool) => Tool,
  name?: string,
): View {
  const index = view.blocks.findLastIndex((block) => block.kind === "tool" && block.tool.id === id);
  const known = view.blocks[index];
  if (known?.kind === "tool") {
    return replaced(view, index, { ...known, tool: change(known.tool) });
  }
  if (name === undefined) return view;
  // Calls are heard of behind the reply that made them.
  return added(view, toolBlock(view.step - 1, change(newTool(id, name))));
}

export function toolBlock(step: number, tool: Tool): Block {
  return { kind: "tool", key: `tool-${tool.id}`, step, tool };
}

export function newTool(id: string, name: string, more: Partial<Tool> = {}): Tool {
  return {
    id,
    name,
    label: "",
    emoji: "",
    args: "",
    state: "writing",
    outcome: null,
    output: "",
    truncated: false,
    live: "",
    effect: "",
    sandbox: null,
    startedAt: null,
    endedAt: null,
    duration: null,
    approval: null,
    children: [],
    ...more,
  };
}
