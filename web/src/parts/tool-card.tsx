/** A call of a tool: what it is, how it goes, and all of it when it is opened. */

import { useState } from "preact/hooks";
import { asSegment } from "../api/client";
import { isDiff, parseDiff } from "../core/file-diff";
import type { Tool } from "../core/turn";
import { duration } from "../core/words";
import { ApprovalCard, pretty } from "./approval";
import { Diff } from "./diff";
import { Subagents } from "./subagent";

const OUTCOMES: Record<string, { words: string; look: string; tells?: string }> = {
  ok: { words: "done", look: "good" },
  error: { words: "failed", look: "bad" },
  timeout: { words: "timed out", look: "bad", tells: "It took too long and was ended." },
  denied: { words: "denied", look: "warn", tells: "It was not allowed and was not done." },
  cancelled: { words: "stopped", look: "dim", tells: "It ended with the run." },
  answered: { words: "answered by its client", look: "good" },
  in_doubt: {
    words: "in doubt",
    look: "warn",
    tells: "The server was lost while this ran. Nobody knows whether it was done: have a look.",
  },
};
const STATES = {
  writing: "being written",
  waiting: "asks you",
  client: "waits for its client",
  running: "running",
  done: "",
};
const TAIL_LINES = 6;

export function ToolCard({ runId, tool }: { runId: string; tool: Tool }) {
  const [isOpen, setOpen] = useState(false);
  const outcome = OUTCOMES[tool.outcome ?? ""];
  const state = tool.state === "done" ? (outcome?.words ?? tool.outcome ?? "") : STATES[tool.state];
  return (
    <article class={isOpen ? "tool-card open" : "tool-card"} aria-label={`${tool.name}, ${state}`}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="emoji" aria-hidden="true">
            {tool.emoji || "🔧"}
          </span>
          <span class="what">
            <strong>{tool.name}</strong> <span class="label">{tool.label}</span>
          </span>
          <State tool={tool} words={state} look={outcome?.look ?? "live"} />
        </summary>
        {isOpen && <Inside runId={runId} tool={tool} />}
      </details>
      {outcome?.tells && tool.state === "done" && <p class="tells">{outcome.tells}</p>}
      {tool.approval !== null && (
        <ApprovalCard runId={runId} tool={tool} approval={tool.approval} />
      )}
      {!isOpen && tool.state === "running" && tool.live !== "" && <Tail text={tool.live} />}
      {tool.children.length > 0 && <Subagents items={tool.children} />}
    </article>
  );
}

function State({ tool, words, look }: { tool: Tool; words: string; look: string }) {
  const isBusy = tool.state === "running" || tool.state === "writing";
  return (
    <span class="state">
      {isBusy && <span class="spinner" aria-hidden="true" />}
      <span class={`badge ${tool.state === "waiting" ? "warn" : look}`}>{words}</span>
      {tool.duration !== null && <span class="dim small">{duration(tool.duration)}</span>}
    </span>
  );
}

function Tail({ text }: { text: string }) {
  const lines = text.replace(/\n$/, "").split("\n").slice(-TAIL_LINES);
  return <pre class="tail">{lines.join("\n")}</pre>;
}

function Inside({ runId, tool }: { runId: string; tool: Tool }) {
  const output = tool.state === "done" ? tool.output : tool.live;
  const whole = `/v1/runs/${asSegment(runId)}/tools/${asSegment(tool.id)}/output`;
  return (
    <div class="inside">
      <h4>Arguments</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{pretty(tool.args)}</pre>
      <h4>Output</h4>
      {isDiff(output) ? (
        <Diff files={parseDiff(output)} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0}>{output || "(nothing)"}</pre>
      )}
      <p class="dim small">
        {tool.state === "done" && tool.startedAt !== null && (
          <a href={whole} target="_blank" rel="noopener">
            {tool.truncated ? "The whole output" : "Output as text"}
          </a>
        )}{" "}
        {tool.sandbox !== null && <>Sandbox: {tool.sandbox}.</>}
      </p>
    </div>
  );
}
