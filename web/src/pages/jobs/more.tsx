/** Fields of a job that most jobs leave alone. */

import type { Job } from "../../api/admin-shapes";
import type { Form } from "../../core/form";
import { Field } from "../../parts/field";
import { untilText } from "./form";

export function More({ form, job }: { form: Form; job: Job | null }) {
  return (
    <details>
      <summary>More</summary>
      <div class="form">
        <Field form={form} name="instructions" label="Instructions">
          {(tied) => <textarea {...tied} rows={2} defaultValue={job?.instructions ?? ""} />}
        </Field>
        <div class="pair">
          <Field form={form} name="model" label="Model" hint="The server's own if empty.">
            {(tied) => <input {...tied} defaultValue={job?.model ?? ""} />}
          </Field>
          <Field
            form={form}
            name="session_id"
            label="Session"
            hint="Every time goes on in this one; if empty, each has its own."
          >
            {(tied) => <input {...tied} defaultValue={job?.session_id ?? ""} />}
          </Field>
          <Field
            form={form}
            name="toolsets"
            label="Tools"
            hint="Names or toolsets with commas between; all if empty."
          >
            {(tied) => <input {...tied} defaultValue={job?.toolsets?.join(", ") ?? ""} />}
          </Field>
          <Field form={form} name="catch_up" label="Times at which no server was there">
            {(tied) => (
              <select {...tied} defaultValue={job?.catch_up ?? "once"}>
                <option value="once">one run for all of them</option>
                <option value="all">a run for each</option>
                <option value="skip">leave them out</option>
              </select>
            )}
          </Field>
          <Field form={form} name="overlap" label="If the last run has not ended">
            {(tied) => (
              <select {...tied} defaultValue={job?.overlap ?? "skip"}>
                <option value="skip">leave the time out</option>
                <option value="queue">wait for it</option>
                <option value="parallel">run beside it</option>
              </select>
            )}
          </Field>
          <Field form={form} name="until" label="Until" hint="A day, or a day and time.">
            {(tied) => <input {...tied} defaultValue={untilText(job) ?? ""} />}
          </Field>
          <Field form={form} name="max_firings" label="How often at most">
            {(tied) => (
              <input {...tied} type="number" min={1} defaultValue={job?.firings_left ?? ""} />
            )}
          </Field>
          <Field
            form={form}
            name="webhook"
            label="Webhook"
            hint={job?.webhook_host ? `Now: ${job.webhook_host}. Empty leaves it.` : undefined}
          >
            {(tied) => <input {...tied} type="url" />}
          </Field>
        </div>
      </div>
    </details>
  );
}
