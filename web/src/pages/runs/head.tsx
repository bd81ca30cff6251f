/** What a run is, at a glance, and what can be done with it. */

import { useState } from "preact/hooks";
import { ask, asSegment } from "../../api/client";
import { hasEnded } from "../../api/follow";
import type { Run } from "../../api/shapes";
import { address, go } from "../../core/route";
import { childrenOf } from "../../core/spans";
import { count, duration, moment, money } from "../../core/words";
import { Badge } from "../../parts/badge";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";
import { attempt } from "../../parts/toasts";
import { useNow } from "./now";
import type { RunLog } from "./run-log";
import { lasted } from "./run-rows";
import { saveEvents } from "./save";

export function Head({ log }: { log: RunLog }) {
  const run = log.run.value;
  const now = useNow(run !== null && !hasEnded(run.status) ? 500 : 0);
  return (
    <header class="run-head">
      <nav aria-label="Way back">
        <a href={address("runs")}>Runs</a> <span class="dim">/ {log.runId}</span>{" "}
        <Copy text={log.runId} words="Copy id" />
      </nav>
      <h1>{run?.question || (run === null ? "Loading …" : "A run")}</h1>
      {run !== null && <Facts run={run} now={now} />}
      {run !== null && <Kin run={run} log={log} />}
      {run?.error != null && (
        <p class="run-error" role="alert">
          {run.error.message} <code>{run.error.code}</code>
        </p>
      )}
      {run !== null && <Deeds run={run} log={log} />}
    </header>
  );
}

function Facts({ run, now }: { run: Run; now: number }) {
  const { usage } = run;
  const tokens = `${count(usage.total_tokens)} (${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out)`;
  return (
    <dl class="run-facts">
      <Fact name="Status">
        <Badge status={run.status} />
      </Fact>
      <Fact name="Model">{run.model}</Fact>
      <Fact name="Surface">{run.surface}</Fact>
      <Fact name="Started">{moment(run.created_at)}</Fact>
      <Fact name="Duration">{duration(lasted(run, now))}</Fact>
      <Fact name="Tokens">{tokens}</Fact>
      <Fact name="Cost">{money(run.cost)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Sessions and runs that this one has to do with. */
function Kin({ run, log }: { run: Run; log: RunLog }) {
  log.version.value;
  const children = childrenOf(log.events);
  return (
    <p class="kin">
      {run.session_id !== "" && <a href={address("chat", run.session_id)}>Open its session</a>}
      {run.parent_run_id != null && <RunLink id={run.parent_run_id} words="Goes on from" />}
      {run.delegated_by != null && <RunLink id={run.delegated_by.run_id} words="Delegated by" />}
      {children.length > 0 && (
        <span>
          {children.length === 1 ? "1 subagent" : `${children.length} subagents`}:{" "}
          {children.slice(0, 8).map((id, index) => (
            <a key={id} href={address("runs", id)} aria-label={`Subagent ${index + 1}`}>
              {index + 1}
            </a>
          ))}
        </span>
      )}
    </p>
  );
}

function RunLink({ id, words }: { id: string; words: string }) {
  return (
    <span>
      {words} <a href={address("runs", id)}>{id}</a>
    </span>
  );
}

function Deeds({ run, log }: { run: Run; log: RunLog }) {
  const path = `/v1/runs/${asSegment(run.run_id)}`;
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    if (await attempt(() => ask("DELETE", path), "The run is deleted.")) go(address("runs"));
  };
  const stop = () => attempt(() => ask("POST", `${path}/stop`, {}).then(() => log.look()));
  return (
    <div class="deeds">
      {!hasEnded(run.status) && (
        <button
          type="button"
          class="danger small"
          disabled={run.status === "stopping"}
          onClick={stop}
        >
          <Icon name="stop" /> Stop
        </button>
      )}
      <button type="button" class="plain small" onClick={() => saveEvents(log)}>
        Events (JSONL)
      </button>
      <a
        class="button plain small"
        href={`${path}/events?as=chat`}
        download={`${run.run_id}.chat.sse`}
      >
        Chat
      </a>
      <a
        class="button plain small"
        href={`${path}/events?as=responses`}
        download={`${run.run_id}.responses.sse`}
      >
        Responses
      </a>
      {hasEnded(run.status) && (
        <button type="button" class="plain small" onClick={() => setAsked(true)}>
          <Icon name="trash" /> Delete
        </button>
      )}
      {isAsked && (
        <Dialog title="Delete this run?" onClose={() => setAsked(false)}>
          <p>Its log, the outputs of its tools and what could be undone of it are lost for good.</p>
          <div class="answers">
            <button type="button" class="danger" onClick={remove}>
              Delete
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
