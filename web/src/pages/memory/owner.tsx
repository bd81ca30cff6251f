/** The notes of one user in one scope. */

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { Note } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import { useForm } from "../../core/form";
import type { NoteOwner } from "../../core/notes";
import { address } from "../../core/route";
import { moment } from "../../core/words";
import { Confirm } from "../../parts/confirm";
import { Field, FormError, textOf } from "../../parts/field";

interface Owned {
  owner: NoteOwner;
  onChange: () => Promise<void>;
}

export function OwnerNotes({ owner, onChange }: Owned) {
  const [isClearing, setClearing] = useState(false);
  const name = owner.user ?? "No user";
  const clear = async () => {
    const query = new URLSearchParams({
      user: owner.user ?? "",
      session_key: owner.sessionKey ?? "",
    });
    await ask("DELETE", `/api/memory?${query}`);
    await onChange();
  };
  return (
    <section aria-label={`Notes of ${name}`}>
      <div class="card-head">
        <h2>
          {name} {owner.sessionKey !== null && <span class="chip">scope {owner.sessionKey}</span>}
        </h2>
        <button type="button" class="danger small" onClick={() => setClearing(true)}>
          Forget all
        </button>
      </div>
      <ul class="cards">
        {owner.notes.map((note) => (
          <NoteCard key={note.id} note={note} onChange={onChange} />
        ))}
      </ul>
      {isClearing && (
        <Confirm
          title="Forget all notes?"
          action="Forget all"
          work={clear}
          done="They are forgotten."
          onClose={() => setClearing(false)}
        >
          <p>
            All notes of “{name}”
            {owner.sessionKey !== null && ` in the scope “${owner.sessionKey}”`} are forgotten for
            good, also those that a search does not show.
          </p>
        </Confirm>
      )}
    </section>
  );
}

function NoteCard({ note, onChange }: { note: Note; onChange: () => Promise<void> }) {
  const [state, setState] = useState<"read" | "edit" | "forget">("read");
  const forget = async () => {
    await ask("DELETE", `/api/memory/${asSegment(note.id)}`);
    await onChange();
  };
  if (state === "edit") {
    return <NoteEditor note={note} onClose={() => setState("read")} onChange={onChange} />;
  }
  return (
    <li class="card">
      <p class="prose">{note.text}</p>
      <div class="card-head">
        <p class="dim">
          {note.kind === "user" ? "about the user" : "note"} · {moment(note.updated_at)}
          {note.run_id !== null && (
            <>
              {" · "}
              <a href={address("runs", note.run_id)}>the run that wrote it</a>
            </>
          )}
        </p>
        <div class="actions">
          <button type="button" class="plain small" onClick={() => setState("edit")}>
            Edit
          </button>
          <button type="button" class="danger small" onClick={() => setState("forget")}>
            Forget
          </button>
        </div>
      </div>
      {state === "forget" && (
        <Confirm
          title="Forget this note?"
          action="Forget"
          work={forget}
          done="It is forgotten."
          onClose={() => setState("read")}
        >
          <p class="prose clamped">{note.text}</p>
        </Confirm>
      )}
    </li>
  );
}

interface Edited {
  note: Note;
  onClose: () => void;
  onChange: () => Promise<void>;
}

function NoteEditor({ note, onClose, onChange }: Edited) {
  const form = useForm(["text", "kind"]);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const given = { text: textOf(data, "text"), kind: textOf(data, "kind") };
    const worked = await form.send(() => ask("PATCH", `/api/memory/${asSegment(note.id)}`, given));
    if (!worked) return;
    onClose();
    await onChange();
  };
  return (
    <li class="card">
      <form class="form" ref={form.ref} onSubmit={submit} noValidate>
        <Field form={form} name="text" label="Note">
          {(tied) => (
            // biome-ignore lint/a11y/noAutofocus: whoever has asked to edit it goes on here
            <textarea {...tied} rows={3} autoFocus defaultValue={note.text} />
          )}
        </Field>
        <KindField form={form} kind={note.kind} />
        <FormError form={form} />
        <div class="actions">
          <button type="button" class="plain small" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="small" disabled={form.isBusy}>
            Save
          </button>
        </div>
      </form>
    </li>
  );
}

export function KindField({ form, kind }: { form: ReturnType<typeof useForm>; kind: string }) {
  return (
    <Field form={form} name="kind" label="Kind">
      {(tied) => (
        <select {...tied} defaultValue={kind}>
          <option value="note">a note</option>
          <option value="user">a fact about the user</option>
        </select>
      )}
    </Field>
  );
}
