/** A run as a person sees it, at one moment of it. */

import type { Block, Tool, View } from "../../../core/turn";
import { Markdown } from "../../../markdown/markdown";
import { Badge } from "../../../parts/badge";

export function Blocks({ view }: { view: View }) {
  return (
    <article class="replay-view card" aria-label="The run at this moment">
      {view.blocks.length === 0 && <p class="dim">Nothing was said yet.</p>}
      {view.blocks.map((block) => (
        <Shown key={block.key} block={block} />
      ))}
      <footer>
        <Badge status={view.status} />
        {view.error !== null && <span>{view.error.message}</span>}
      </footer>
    </article>
  );
}

function Shown({ block }: { block: Block }) {
  switch (block.kind) {
    case "text":
      return (
        <div data-block="text">
          <Markdown text={block.text} />
        </div>
      );
    case "reasoning":
      return (
        <details class="replay-thought" open={!block.done}>
          <summary>Thoughts</summary>
          <p>{block.text}</p>
        </details>
      );
    case "tool":
      return <Call tool={block.tool} />;
    case "notice":
      return <p class="dim">{block.message}</p>;
    case "steered":
      return <blockquote class="replay-steered">{block.text}</blockquote>;
  }
}

function Call({ tool }: { tool: Tool }) {
  const args = typeof tool.args === "string" ? tool.args : JSON.stringify(tool.args);
  const output = tool.state === "done" ? tool.output : tool.live;
  return (
    <section class="replay-tool" aria-label={`Tool ${tool.name}`}>
      <div class="line">
        <b>
          {tool.emoji} {tool.name}
        </b>
        <Badge status={STATES[tool.state] ?? tool.outcome ?? "ok"} />
      </div>
      <code>{args}</code>
      {tool.children.map((child) => (
        <p key={child.runId} class="dim">
          ↳ {child.goal} ({child.status})
        </p>
      ))}
      {output !== "" && (
        <details open={tool.state !== "done"}>
          <summary>Output</summary>
          <pre>{output}</pre>
        </details>
      )}
    </section>
  );
}

const STATES: Record<string, string | null> = {
  writing: "being written",
  waiting: "waiting_for_approval",
  client: "waiting_for_client",
  running: "running",
  done: null,
};
