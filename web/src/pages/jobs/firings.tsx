/** The times of a job: those to come, and what became of those that have been. */

import type { Firing, Job } from "../../api/admin-shapes";
import { asSegment } from "../../api/client";
import type { Page } from "../../api/shapes";
import { useAsked } from "../../core/asked";
import { address } from "../../core/route";
import { moment } from "../../core/words";
import { Shown } from "../../parts/shown";
import { type Column, Table } from "../../parts/table";
import { Outcome } from "./card";

const COLUMNS: Column<Firing>[] = [
  { words: "Time", show: (firing) => moment(firing.planned_at) },
  { words: "Why", show: (firing) => (firing.asked ? "asked for" : "by its schedule") },
  { words: "Outcome", show: (firing) => <Outcome firing={firing} /> },
  {
    words: "Run",
    show: ({ run_id }) => (run_id === null ? "–" : <a href={address("runs", run_id)}>{run_id}</a>),
  },
];

export function Firings({ job }: { job: Job }) {
  const mark = job.last_firing === null ? "" : `${job.last_firing.id}-${job.last_firing.outcome}`;
  const path = `/api/jobs/${asSegment(job.id)}/runs?limit=20`;
  const asked = useAsked<Page<Firing>>(`${path}#${mark}`);
  return (
    <div class="form">
      <NextTimes times={job.next_times} />
      <Shown asked={asked} what="the firings">
        {({ data }) =>
          data.length === 0 ? (
            <p class="dim">It has not come yet.</p>
          ) : (
            <Table
              label={`Firings of ${job.name}`}
              columns={COLUMNS}
              rows={data}
              keyOf={(firing) => firing.id}
            />
          )
        }
      </Shown>
    </div>
  );
}

/** As the server tells them, by the clocks of the job's zone. */
export function NextTimes({ times }: { times: readonly string[] }) {
  if (times.length === 0) return <p class="dim">No time is left to come.</p>;
  return (
    <ol aria-label="Next times">
      {times.map((time) => (
        <li key={time}>
          <time dateTime={time}>{time.replace("T", " ")}</time>
        </li>
      ))}
    </ol>
  );
}
