/** What a run has said and done, block by block; calls of one reply stand side by side. */

import { memo } from "preact/compat";
import { hasEnded } from "../api/follow";
import { type Block, type View, wasRead } from "../core/turn";
import { Markdown } from "../markdown/markdown";
import { Reasoning } from "./reasoning";
import { ToolCard } from "./tool-card";

type ToolBlock = Extract<Block, { kind: "tool" }>;
type Group = { key: string; tools: ToolBlock[] } | Exclude<Block, ToolBlock>;

export function Blocks({ view, runId }: { view: View; runId: string }) {
  return (
    <div class="blocks">
      {grouped(view.blocks).map((group) =>
        "tools" in group ? (
          <div key={group.key} class={group.tools.length > 1 ? "tools many" : "tools"}>
            {group.tools.map((block) => (
              <Call key={block.key} runId={runId} tool={block.tool} />
            ))}
          </div>
        ) : (
          <Said key={group.key} block={group} fate={fate(view, group)} />
        ),
      )}
    </div>
  );
}

const Call = memo(ToolCard);

function fate(view: View, block: Block): string {
  if (wasRead(view, block)) return "read";
  return hasEnded(view.status) ? "was not read" : "waits to be read";
}

const Said = memo(({ block, fate }: { block: Exclude<Block, ToolBlock>; fate: string }) => {
  switch (block.kind) {
    case "text":
      return <Markdown text={block.text} />;
    case "reasoning":
      return <Reasoning block={block} />;
    case "notice":
      return <p class="remark">{block.message}</p>;
    case "steered":
      return (
        <div class="steering">
          <p class="dim small">You, while it worked · {fate}</p>
          <p class="words">{block.text}</p>
        </div>
      );
  }
});

function grouped(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind !== "tool") groups.push(block);
    else if (last !== undefined && "tools" in last && last.tools[0]?.step === block.step) {
      last.tools.push(block);
    } else groups.push({ key: `group-${block.key}`, tools: [block] });
  }
  return groups;
}
