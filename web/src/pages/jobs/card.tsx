/** One job: when, what, how it went, and what can be done with it. */

import { useState } from "preact/hooks";
import type { Firing, Job } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import { address } from "../../core/route";
import { moment } from "../../core/words";
import { Badge } from "../../parts/badge";
import { Confirm } from "../../parts/confirm";
import { attempt } from "../../parts/toasts";
import { Firings } from "./firings";

interface Shown {
  job: Job;
  onEdit: () => void;
  onChange: () => Promise<void>;
}

export function JobCard({ job, onEdit, onChange }: Shown) {
  const [isRemoving, setRemoving] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const path = `/api/jobs/${asSegment(job.id)}`;
  const act = async (action: "pause" | "resume" | "run", done: string) => {
    await attempt(() => ask("POST", `${path}/${action}`), done);
    await onChange();
  };
  const remove = async () => {
    await ask("DELETE", path);
    await onChange();
  };
  return (
    <li class="card">
      <div class="card-head">
        <h3>
          {job.name} <Badge status={job.status} />
        </h3>
        <div class="actions">
          <button
            type="button"
            class="plain small"
            onClick={() => void act("run", `“${job.name}” has begun.`)}
          >
            Run now
          </button>
          {job.status === "active" && (
            <button
              type="button"
              class="plain small"
              onClick={() => void act("pause", `“${job.name}” is paused.`)}
            >
              Pause
            </button>
          )}
          {job.status === "paused" && (
            <button
              type="button"
              class="plain small"
              onClick={() => void act("resume", `“${job.name}” goes on.`)}
            >
              Resume
            </button>
          )}
          <button type="button" class="plain small" onClick={onEdit}>
            Edit
          </button>
          <button type="button" class="danger small" onClick={() => setRemoving(true)}>
            Remove
          </button>
        </div>
      </div>
      {job.reason !== null && <p class="dim">{job.reason}</p>}
      <p class="prose clamped">{job.input}</p>
      <Facts job={job} />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Next times and firings</summary>
        {isOpen && <Firings job={job} />}
      </details>
      {isRemoving && (
        <Confirm
          title="Remove this job?"
          action="Remove"
          work={remove}
          done="The job is gone."
          onClose={() => setRemoving(false)}
        >
          <p>“{job.name}” does not come again. Its runs stay.</p>
        </Confirm>
      )}
    </li>
  );
}

function Facts({ job }: { job: Job }) {
  return (
    <dl class="facts">
      <div>
        <dt>When</dt>
        <dd>
          {job.schedule} ({job.timezone})
        </dd>
      </div>
      <div>
        <dt>Next</dt>
        <dd>{job.next_at === null ? "not planned" : moment(job.next_at)}</dd>
      </div>
      <div>
        <dt>Last</dt>
        <dd>{job.last_firing === null ? "never yet" : <Outcome firing={job.last_firing} />}</dd>
      </div>
      {job.session_id !== null && (
        <div>
          <dt>Session</dt>
          <dd>
            <a href={address("chat", job.session_id)}>{job.session_id}</a>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What became of a firing, with the way to its run. */
export function Outcome({ firing }: { firing: Firing }) {
  const status = firing.outcome ?? firing.status;
  if (firing.run_id === null) {
    return (
      <>
        <Badge status={status} /> {firing.reason}
      </>
    );
  }
  return (
    <a href={address("runs", firing.run_id)} aria-label={`Run ${firing.run_id}: ${status}`}>
      <Badge status={status} />
    </a>
  );
}
