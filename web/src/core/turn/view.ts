/** A run as a person sees it: blocks in the order they came. */

import type { Choice, Failure, Status, Usage } from "../../api/shapes";

export interface Approval {
  id: string;
  preview: string;
  reason: string;
  choices: readonly Choice[];
  expiresAt: number | null;
  code: string | null;
  askedAt: number;
  answer: { choice: Choice; by: string; reason: string; at: number } | null;
}

export interface Child {
  runId: string;
  goal: string;
  status: string;
  summary: string;
  startedAt: number;
  endedAt: number | null;
}

export interface Tool {
  id: string;
  name: string;
  label: string;
  emoji: string;
  /** The JSON of the arguments, once the call is whole; before that, their text. */
  args: unknown;
  /** "writing": the model is at it; "waiting": a person is asked; "client": the client runs it. */
  state: "writing" | "waiting" | "client" | "running" | "done";
  outcome: string | null;
  output: string;
  truncated: boolean;
  /** What it has printed so far. */
  live: string;
  effect: string;
  sandbox: string | null;
  startedAt: number | null;
  endedAt: number | null;
  duration: number | null;
  approval: Approval | null;
  children: readonly Child[];
}

export type Block =
  | { kind: "text"; key: string; step: number; text: string; done: boolean }
  | {
      kind: "reasoning";
      key: string;
      step: number;
      text: string;
      done: boolean;
      startedAt: number;
      endedAt: number | null;
    }
  | { kind: "tool"; key: string; step: number; tool: Tool }
  | { kind: "notice"; key: string; step: number; code: string; message: string }
  /** `step` is the one in which the model reads it. */
  | { kind: "steered"; key: string; step: number; text: string };

export interface View {
  runId: string;
  status: Status;
  model: string;
  blocks: readonly Block[];
  usage: Usage | null;
  cost: number;
  error: Failure | null;
  /** How it ended, where that is worth a word: "length", "content_filter", who stopped it. */
  remark: string | null;
  startedAt: number | null;
  endedAt: number | null;
  lastSeq: number;
  /** When the last of them happened. */
  lastAt: number | null;
  step: number;
}

export const EMPTY: View = {
  runId: "",
  status: "queued",
  model: "",
  blocks: [],
  usage: null,
  cost: 0,
  error: null,
  remark: null,
  startedAt: null,
  endedAt: null,
  lastSeq: 0,
  lastAt: null,
  step: 0,
};

export function added(view: View, block: Block): View {
  return { ...view, blocks: [...view.blocks, block] };
}

export function replaced(view: View, index: number, block: Block): View {
  return { ...view, blocks: view.blocks.with(index, block) };
}
