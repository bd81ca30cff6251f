/** What a model thought before it spoke: dimmed while it lasts, folded when it is over. */

import type { Block } from "../core/turn";
import { duration } from "../core/words";

type Thought = Extract<Block, { kind: "reasoning" }>;

export function Reasoning({ block }: { block: Thought }) {
  if (!block.done) {
    return (
      <div class="reasoning live">
        <p class="dim">
          <span class="spinner" /> Thinking …
        </p>
        <p class="thinking">{block.text}</p>
      </div>
    );
  }
  return (
    <details class="reasoning">
      <summary>{summary(block)}</summary>
      <p class="thinking">{block.text}</p>
    </details>
  );
}

function summary({ startedAt, endedAt }: Thought): string {
  const seconds = endedAt === null ? 0 : endedAt - startedAt;
  return seconds < 0.05 ? "Thought" : `Thought for ${duration(seconds)}`;
}
