/** Making a key, or changing what one may do. */

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { type Key, type NewKey, SCOPES } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import { useForm } from "../../core/form";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Field, FormError, namesOrNull, numberOrNull, textOf } from "../../parts/field";
import { RuleFields } from "./rules";

const FIELDS = [
  "name",
  "scopes",
  "expires_at",
  "rules.models",
  "rules.tools",
  "rules.requests_per_minute",
  "rules.concurrent_runs",
  "rules.daily_budget",
  "rules.monthly_budget",
  "rules.on_disconnect",
  "rules.policy.ask",
  "rules.policy.deny",
];

interface Edited {
  edited: Key | null;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function KeyForm({ edited, onClose, onSaved }: Edited) {
  const form = useForm(FIELDS);
  const [made, setMade] = useState<NewKey | null>(null);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = fieldsOf(new FormData(event.currentTarget), edited);
    const worked = await form.send(async () => {
      if (edited === null) setMade(await ask<NewKey>("POST", "/api/keys", given));
      else await ask("PATCH", `/api/keys/${asSegment(edited.id)}`, given);
    });
    if (!worked) return;
    if (edited !== null) onClose();
    await onSaved();
  };
  if (made !== null) return <Secret made={made} onClose={onClose} />;
  return (
    <Dialog title={edited === null ? "New key" : "Edit key"} onClose={onClose}>
      <form class="form" ref={form.ref} onSubmit={submit} noValidate>
        <div class="pair">
          <Field form={form} name="name" label="Name">
            {(tied) => <input {...tied} defaultValue={edited?.name} autocomplete="off" />}
          </Field>
          <Field form={form} name="expires_at" label="Ends" hint="Never if empty; by your clock.">
            {(tied) => (
              <input {...tied} type="datetime-local" defaultValue={localTime(edited?.expires_at)} />
            )}
          </Field>
        </div>
        <ScopeField form={form} scopes={edited?.scopes ?? ["chat", "runs", "read"]} />
        <RuleFields form={form} rules={edited?.rules ?? null} />
        <FormError form={form} />
        <div class="actions">
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" disabled={form.isBusy}>
            {edited === null ? "Make key" : "Save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ScopeField({ form, scopes }: { form: ReturnType<typeof useForm>; scopes: string[] }) {
  const error = form.errorOf("scopes");
  return (
    <fieldset aria-describedby={error === null ? undefined : "scopes-error"}>
      <legend class="legend-words">Scopes</legend>
      <div class="checks">
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scopes.includes(scope)}
              aria-invalid={error === null ? undefined : "true"}
            />
            {scope}
          </label>
        ))}
      </div>
      {error !== null && (
        <p class="field-error" id="scopes-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Shown once: the server keeps a hash of it and nothing else. */
function Secret({ made, onClose }: { made: NewKey; onClose: () => void }) {
  return (
    <Dialog title={`The key “${made.name}” is made`} onClose={onClose}>
      <div class="form">
        <p class="callout warn" role="status">
          Copy it now: it is shown this once, and nobody can look it up later.
        </p>
        <code class="secret">{made.secret}</code>
        <div class="actions">
          <Copy text={made.secret} words="Copy the key" />
          <button type="button" onClick={onClose}>
            I have it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function fieldsOf(data: FormData, edited: Key | null): Record<string, unknown> {
  const end = textOf(data, "expires_at");
  const given: Record<string, unknown> = {
    name: textOf(data, "name"),
    scopes: data.getAll("scopes"),
    expires_at: end === "" ? null : new Date(end).getTime() / 1000,
    rules: {
      models: namesOrNull(data, "rules.models"),
      tools: data.get("no-tools") === null ? namesOrNull(data, "rules.tools") : [],
      requests_per_minute: numberOrNull(data, "rules.requests_per_minute"),
      concurrent_runs: numberOrNull(data, "rules.concurrent_runs"),
      daily_budget: numberOrNull(data, "rules.daily_budget"),
      monthly_budget: numberOrNull(data, "rules.monthly_budget"),
      on_disconnect: textOf(data, "rules.on_disconnect") || null,
      policy: policyOf(data, edited),
    },
  };
  // An end that nobody has touched may lie in the past, which the server refuses for a new one.
  if (edited !== null && end === localTime(edited.expires_at)) delete given.expires_at;
  return given;
}

/** Rules that are no names stay as they are. */
function policyOf(data: FormData, edited: Key | null): Record<string, unknown> {
  return {
    ...edited?.rules.policy,
    ask: namesOrNull(data, "rules.policy.ask") ?? [],
    deny: namesOrNull(data, "rules.policy.deny") ?? [],
  };
}

/** As an input of a day and time shows it. */
function localTime(seconds: number | null | undefined): string {
  if (seconds == null) return "";
  const there = new Date(seconds * 1000);
  const shifted = new Date(there.getTime() - there.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
