/** Runs that a call has begun: what each is to do, how it goes, and the way to it. */

import { useEffect, useState } from "preact/hooks";
import { Live } from "../core/live";
import { address } from "../core/route";
import type { Child } from "../core/turn";
import { duration } from "../core/words";
import { Badge } from "./badge";
import { Blocks } from "./blocks";

export function Subagents({ items }: { items: readonly Child[] }) {
  return (
    <ul class="subagents" aria-label="Subagents">
      {items.map((child) => (
        <li key={child.runId}>
          <Subagent child={child} />
        </li>
      ))}
    </ul>
  );
}

/** A child is followed only while it is open: a browser has few connections to one server. */
function Subagent({ child }: { child: Child }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="subagent-card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {child.endedAt === null && child.status === "running" && <span class="spinner" />}
        <span class="what">{child.goal}</span>
        <Badge status={child.status} />
        {child.endedAt !== null && (
          <span class="dim small">{duration(child.endedAt - child.startedAt)}</span>
        )}
      </summary>
      {child.status !== "completed" && child.summary !== "" && <p>{child.summary}</p>}
      {isOpen && <Progress runId={child.runId} />}
      <a class="small" href={address("runs", child.runId)}>
        Open this run
      </a>
    </details>
  );
}

function Progress({ runId }: { runId: string }) {
  const [live] = useState(() => new Live(runId));
  useEffect(() => {
    live.follow();
    return () => live.leave();
  }, [live]);
  return <Blocks view={live.view.value} runId={runId} />;
}
