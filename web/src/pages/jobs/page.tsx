/** Jobs: what agents are asked when its time comes. */

import { useState } from "preact/hooks";
import type { Job } from "../../api/admin-shapes";
import type { Page } from "../../api/shapes";
import { useAsked, useEvery } from "../../core/asked";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/shown";
import { JobCard } from "./card";
import { JobForm } from "./form";

const EVERY = 15;

export default function JobsPage() {
  const asked = useAsked<Page<Job>>("/api/jobs?limit=100");
  const [edited, setEdited] = useState<Job | "new" | null>(null);
  useEvery(EVERY, () => void asked.again());
  return (
    <div class="page">
      <header>
        <h1>Jobs</h1>
        <button type="button" onClick={() => setEdited("new")}>
          <Icon name="plus" /> New job
        </button>
      </header>
      <Shown asked={asked} what="the jobs">
        {({ data, has_more }) => (
          <>
            {data.length === 0 && (
              <p class="empty">
                There is no job yet. A job asks an agent something when its time comes, such as
                “every weekday at 9:00”.
              </p>
            )}
            <ul class="cards" aria-label="Jobs">
              {data.map((job) => (
                <JobCard
                  key={job.id}
                  job={job}
                  onEdit={() => setEdited(job)}
                  onChange={asked.again}
                />
              ))}
            </ul>
            {has_more && <p class="dim">Older jobs are not shown.</p>}
          </>
        )}
      </Shown>
      {edited !== null && (
        <JobForm
          job={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={asked.again}
        />
      )}
    </div>
  );
}
