/** Runs as a table, or as cards where there is no room for one. */

import { ask, asSegment } from "../../api/client";
import { hasEnded } from "../../api/follow";
import type { Run } from "../../api/shapes";
import { address } from "../../core/route";
import { ago, count, duration, moment, money } from "../../core/words";
import { Badge } from "../../parts/badge";
import { Icon } from "../../parts/icon";
import { attempt } from "../../parts/toasts";
import type { LiveList } from "./live-list";
import { isNarrow } from "./narrow";
import { useNow } from "./now";

export function RunRows({ list }: { list: LiveList }) {
  const isLive = list.runs.value.some((run) => !hasEnded(run.status));
  const now = useNow(isLive ? 1000 : 30_000);
  return isNarrow.value ? <Cards list={list} now={now} /> : <Table list={list} now={now} />;
}

interface Rows {
  list: LiveList;
  now: number;
}

function Table({ list, now }: Rows) {
  return (
    <table class="run-table">
      <thead>
        <tr>
          <th>Status</th>
          <th>Question</th>
          <th>Model</th>
          <th>Surface</th>
          <th>Started</th>
          <th class="run-number">Duration</th>
          <th class="run-number">Tokens</th>
          <th class="run-number">Cost</th>
          <th>
            <span class="visually-hidden">Stop</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.runs.value.map((run) => (
          <tr key={run.run_id} data-run={run.run_id}>
            <td>
              <Badge status={run.status} />
            </td>
            <td class="asked-cell">
              <Question run={run} />
            </td>
            <td>{run.model}</td>
            <td>{run.surface}</td>
            <td title={moment(run.created_at)}>{ago(run.created_at, now)}</td>
            <td class="run-number">{duration(lasted(run, now))}</td>
            <td class="run-number">{count(run.usage.total_tokens)}</td>
            <td class="run-number">{money(run.cost)}</td>
            <td>
              <Stop run={run} list={list} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ list, now }: Rows) {
  return (
    <ul class="run-cards" aria-label="Runs">
      {list.runs.value.map((run) => (
        <li key={run.run_id} class="card" data-run={run.run_id}>
          <div class="line">
            <Badge status={run.status} />
            <span class="dim">{ago(run.created_at, now)}</span>
            <Stop run={run} list={list} />
          </div>
          <Question run={run} />
          <p class="dim">
            {run.model} · {run.surface} · {duration(lasted(run, now))} ·{" "}
            {count(run.usage.total_tokens)} tokens · {money(run.cost)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Question({ run }: { run: Run }) {
  return (
    <a class="run-link" href={address("runs", run.run_id)} title={run.question}>
      {run.delegated_by !== null && run.delegated_by !== undefined && "↳ "}
      {run.question || run.run_id}
    </a>
  );
}

function Stop({ run, list }: { run: Run; list: LiveList }) {
  if (hasEnded(run.status)) return null;
  const stop = () =>
    attempt(async () => {
      await ask("POST", `/v1/runs/${asSegment(run.run_id)}/stop`, {});
      await list.look(run.run_id);
    });
  return (
    <button
      type="button"
      class="plain small"
      disabled={run.status === "stopping"}
      aria-label={`Stop ${run.question || run.run_id}`}
      onClick={stop}
    >
      <Icon name="stop" /> Stop
    </button>
  );
}

/** Of a run under way, until now. */
export function lasted(run: Run, now: number): number {
  return Math.max(0, (hasEnded(run.status) ? run.updated_at : now) - run.created_at);
}
