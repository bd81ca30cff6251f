/** Making a job, or giving one other fields. */

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { Job } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import { useForm } from "../../core/form";
import { Dialog } from "../../parts/dialog";
import { Field, FormError, namesOrNull, numberOrNull, textOf, textOrNull } from "../../parts/field";
import { NextTimes } from "./firings";
import { More } from "./more";

const FIELDS = [
  "schedule",
  "input",
  "name",
  "timezone",
  "instructions",
  "model",
  "session_id",
  "toolsets",
  "catch_up",
  "overlap",
  "until",
  "max_firings",
  "webhook",
];

interface Edited {
  job: Job | null;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function JobForm({ job, onClose, onSaved }: Edited) {
  const form = useForm(FIELDS);
  const [saved, setSaved] = useState<Job | null>(null);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = fieldsOf(new FormData(event.currentTarget), job);
    await form.send(async () => {
      const answer = await (job === null
        ? ask<Job>("POST", "/api/jobs", given)
        : ask<Job>("PATCH", `/api/jobs/${asSegment(job.id)}`, given));
      setSaved(answer);
      await onSaved();
    });
  };
  if (saved !== null) return <Saved job={saved} onClose={onClose} />;
  return (
    <Dialog title={job === null ? "New job" : "Edit job"} onClose={onClose}>
      <form class="form" ref={form.ref} onSubmit={submit} noValidate>
        <div class="pair">
          <Field
            form={form}
            name="schedule"
            label="When"
            hint="every weekday at 9:00 · every 2h · in 20 minutes · 2026-12-24 18:00 · 0 9 * * 1-5"
          >
            {(tied) => <input {...tied} defaultValue={job?.schedule} autocomplete="off" />}
          </Field>
          <Field form={form} name="timezone" label="Time zone" hint="Such as Europe/Berlin.">
            {(tied) => <input {...tied} defaultValue={job?.timezone ?? ownZone()} />}
          </Field>
        </div>
        <Field form={form} name="input" label="What the agent is asked">
          {(tied) => <textarea {...tied} rows={4} defaultValue={job?.input} />}
        </Field>
        <Field form={form} name="name" label="Name" hint="The first line of the question if empty.">
          {(tied) => <input {...tied} defaultValue={job?.name} maxLength={128} />}
        </Field>
        <More form={form} job={job} />
        <FormError form={form} />
        <div class="actions">
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" disabled={form.isBusy}>
            {job === null ? "Make job" : "Save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Saved({ job, onClose }: { job: Job; onClose: () => void }) {
  return (
    <Dialog title={`“${job.name}” is saved`} onClose={onClose}>
      <div class="form">
        <p role="status">Its next times, by the clocks of {job.timezone}:</p>
        <NextTimes times={job.next_times} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What a form says; of a job that is edited only what is not as it was. */
function fieldsOf(data: FormData, job: Job | null): Record<string, unknown> {
  const given: Record<string, unknown> = {
    schedule: textOf(data, "schedule"),
    input: textOf(data, "input"),
    name: textOrNull(data, "name"),
    timezone: textOrNull(data, "timezone"),
    instructions: textOrNull(data, "instructions"),
    model: textOrNull(data, "model"),
    session_id: textOrNull(data, "session_id"),
    toolsets: namesOrNull(data, "toolsets"),
    catch_up: textOf(data, "catch_up"),
    overlap: textOf(data, "overlap"),
    until: textOrNull(data, "until"),
    max_firings: numberOrNull(data, "max_firings"),
    webhook: textOrNull(data, "webhook"),
  };
  if (job === null) return given;
  const before: Record<string, unknown> = { ...job, max_firings: job.firings_left, webhook: null };
  const isChanged = ([name, value]: [string, unknown]) =>
    name === "until"
      ? value !== untilText(job)
      : JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(given).filter(isChanged));
}

/** The end of a job as the form shows it. */
export function untilText(job: Job | null): string | null {
  return job?.until == null ? null : new Date(job.until * 1000).toISOString();
}
