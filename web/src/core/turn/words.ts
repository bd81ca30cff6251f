/** What the words and thoughts of the model make of a view. */

import type { EventOf, RunEvent } from "../../api/shapes";
import { added, type Block, replaced, type View } from "./view";

export function withText(view: View, event: EventOf<"message.delta">): View {
  // What others say meanwhile does not cut a reply in two.
  const index = view.blocks.findLastIndex(({ kind }) => kind !== "notice" && kind !== "steered");
  const last = view.blocks[index];
  if (last?.kind === "text" && !last.done && last.step === view.step) {
    return replaced(view, index, { ...last, text: last.text + event.delta });
  }
  const key = `text-${event.seq}`;
  return added(view, { kind: "text", key, step: view.step, text: event.delta, done: false });
}

/** The reply is whole: what was streamed of it stands, and what was not is added. */
export function withMessage(view: View, { seq }: RunEvent, text: string): View {
  const isOfStep = (block: Block) => block.kind === "text" && block.step === view.step;
  const streamed = view.blocks.filter(isOfStep);
  if (streamed.map((block) => (block.kind === "text" ? block.text : "")).join("") === text) {
    const blocks = view.blocks.map((block) =>
      block.kind === "text" && isOfStep(block) ? { ...block, done: true } : block,
    );
    return { ...view, blocks };
  }
  const others = view.blocks.filter((block) => !isOfStep(block));
  if (text === "") return { ...view, blocks: others };
  const key = `text-${seq}`;
  const whole: Block = { kind: "text", key, step: view.step, text, done: true };
  const firstCall = others.findIndex((block) => block.kind === "tool" && block.step === view.step);
  const place = firstCall === -1 ? others.length : firstCall;
  return { ...view, blocks: others.toSpliced(place, 0, whole) };
}

export function withReasoning(view: View, event: EventOf<"reasoning.delta">): View {
  const last = view.blocks.at(-1);
  if (last?.kind === "reasoning" && !last.done && last.step === view.step) {
    const text = last.text + event.delta;
    return replaced(view, view.blocks.length - 1, { ...last, text });
  }
  return added(view, thought(view, event, event.delta, false));
}

export function withReasoningClosed(view: View, event: EventOf<"reasoning.available">): View {
  const index = view.blocks.findLastIndex(
    (block) => block.kind === "reasoning" && !block.done && block.step === view.step,
  );
  const open = view.blocks[index];
  if (open?.kind !== "reasoning") return added(view, thought(view, event, event.text, true));
  const { text, timestamp } = event;
  return replaced(view, index, { ...open, text, done: true, endedAt: timestamp });
}

function thought(view: View, event: RunEvent, text: string, done: boolean): Block {
  const { seq, timestamp } = event;
  const endedAt = done ? timestamp : null;
  const key = `reasoning-${seq}`;
  // Where only the end was told, it began behind what happened before.
  const startedAt = done ? (view.lastAt ?? timestamp) : timestamp;
  return { kind: "reasoning", key, step: view.step, text, done, startedAt, endedAt };
}
