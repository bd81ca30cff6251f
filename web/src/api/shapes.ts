/** The JSON of the server, as far as the console reads it. */

export type Status =
  | "queued"
  | "running"
  | "waiting_for_approval"
  | "waiting_for_client"
  | "stopping"
  | "completed"
  | "failed"
  | "cancelled";

export const ENDED: readonly Status[] = ["completed", "failed", "cancelled"];

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
}

export interface Failure {
  message: string;
  code: string;
}

export type Choice = "once" | "session" | "always" | "deny";

export interface PendingApproval {
  approval_id: string;
  tool_call_id: string;
  tool: string;
  args: unknown;
  choices: Choice[];
  preview: string;
  code: string | null;
  expires_at: number | null;
  reason: string;
  covers: string[];
}

export interface Run {
  run_id: string;
  status: Status;
  created_at: number;
  updated_at: number;
  session_id: string;
  model: string;
  last_seq: number;
  output: string;
  usage: Usage;
  error: Failure | null;
  pending_approvals: PendingApproval[];
  cost: number;
  surface: string;
  question: string;
  parent_run_id: string | null;
  user: string | null;
  delegated_by: { run_id: string; tool_call_id: string } | null;
}

export interface Page<T> {
  data: T[];
  has_more: boolean;
}

export interface TextPart {
  type: "text";
  text: string;
}

export interface ImagePart {
  type: "image_url";
  image_url: { url: string };
}

export type Content = string | (TextPart | ImagePart)[];

export type Message =
  | { role: "system"; content: string }
  | { role: "user"; content: Content; name?: string }
  | {
      role: "assistant";
      content: string | null;
      reasoning?: string;
      tool_calls?: { id: string; name: string; arguments: string }[];
    }
  | { role: "tool"; tool_call_id: string; content: string; failed: boolean };

export interface Turn {
  run: Run;
  input: Message[];
  events: RunEvent[];
  /** The text of a reply that the end of the run cut off. */
  cut_off: string;
}

export interface Session {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  user: string | null;
  runs: number;
  last_run_id: string | null;
  forked_from: string | null;
  status: "idle" | Status;
}

export interface SignIn {
  signed_in: boolean;
  key: { id: string; name: string; scopes: string[] } | null;
  version: string;
}

/** A hint that a run is not as it was; whoever needs more asks for it. */
export interface RunChanged {
  event: "run.changed";
  run_id: string;
  session_id: string;
  status: Status;
  model: string;
  surface: string;
  timestamp: number;
}

interface Stamp {
  run_id: string;
  seq: number;
  timestamp: number;
}

export interface CallRef {
  id: string;
  name: string;
}

type Told =
  | { event: "run.started"; model: string; session_id: string; queued: boolean }
  | { event: "run.begun"; parent: string | null }
  | { event: "message.delta"; delta: string }
  | { event: "reasoning.delta"; delta: string }
  | { event: "reasoning.available"; text: string }
  | { event: "tool.arguments"; index: number; delta: string; tool_call_id?: string; tool?: string }
  | {
      event: "message.completed";
      text: string;
      finish_reason: string;
      model: string | null;
      tool_calls?: CallRef[];
    }
  | {
      event: "step.completed";
      finish_reason: string;
      model: string | null;
      tool_calls?: CallRef[];
    }
  | { event: "usage"; model: string; usage: Usage; cost: number }
  | { event: "step.reset"; reason: string; dropped_tools: string[] }
  | {
      event: "tool.started";
      tool_call_id: string;
      tool: string;
      preview: string;
      emoji: string;
      args: unknown;
      effect: string;
    }
  | { event: "tool.output"; tool_call_id: string; offset: number; stream: string; delta: string }
  | {
      event: "tool.completed";
      tool_call_id: string;
      tool: string;
      duration: number;
      error: boolean;
      outcome: string;
      output: string;
      truncated: boolean;
      sandbox: string | null;
    }
  | {
      event: "approval.requested";
      approval_id: string;
      tool_call_id: string;
      tool: string;
      preview: string;
      reason: string;
      choices: Choice[];
      expires_at: number | null;
      code: string | null;
    }
  | { event: "approval.resolved"; approval_id: string; choice: Choice; by: string; reason: string }
  | { event: "notice"; code: string; message: string; tool_call_id?: string }
  | { event: "subagent.started"; child_run_id: string; tool_call_id: string; goal: string }
  | {
      event: "subagent.completed";
      child_run_id: string;
      tool_call_id: string;
      status: string;
      summary: string;
      duration: number;
    }
  | { event: "run.waiting"; for: "approval" | "client_tools"; tool_calls: string[] }
  | { event: "run.resumed"; tool_calls: string[] }
  | { event: "run.steered"; text: string }
  | { event: "run.stopping"; by: string }
  | {
      event: "run.completed";
      output: string;
      usage: Usage;
      finish_reason: string;
      cost: number;
    }
  | { event: "run.failed"; error: Failure; output: string; usage: Usage }
  | { event: "run.cancelled"; by: string; usage: Usage };

/** One entry of a run's log, as `/v1/runs/{id}/events` shows it. */
export type RunEvent = Stamp & Told;

export type EventOf<Name extends RunEvent["event"]> = Extract<RunEvent, { event: Name }>;
