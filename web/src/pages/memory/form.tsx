/** Noting something. */

import type { TargetedSubmitEvent } from "preact";
import { ask } from "../../api/client";
import { useForm } from "../../core/form";
import { Dialog } from "../../parts/dialog";
import { Field, FormError, textOf, textOrNull } from "../../parts/field";
import { KindField } from "./owner";

interface Adding {
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function NoteForm({ onClose, onSaved }: Adding) {
  const form = useForm(["text", "kind", "user", "X-Hermes-Session-Key"]);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const note = {
      text: textOf(data, "text"),
      kind: textOf(data, "kind"),
      user: textOrNull(data, "user"),
    };
    const scope = textOf(data, "X-Hermes-Session-Key");
    const headers = scope === "" ? {} : { "X-Hermes-Session-Key": scope };
    if (!(await form.send(() => ask("POST", "/api/memory", note, headers)))) return;
    onClose();
    await onSaved();
  };
  return (
    <Dialog title="New note" onClose={onClose}>
      <form class="form" ref={form.ref} onSubmit={submit} noValidate>
        <Field form={form} name="text" label="Note">
          {(tied) => <textarea {...tied} rows={3} />}
        </Field>
        <div class="pair">
          <KindField form={form} kind="note" />
          <Field form={form} name="user" label="User" hint="Runs without a user if empty.">
            {(tied) => <input {...tied} />}
          </Field>
          <Field
            form={form}
            name="X-Hermes-Session-Key"
            label="Scope"
            hint="What clients send as X-Hermes-Session-Key; none if empty."
          >
            {(tied) => <input {...tied} />}
          </Field>
        </div>
        <FormError form={form} />
        <div class="actions">
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" disabled={form.isBusy}>
            Note it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
