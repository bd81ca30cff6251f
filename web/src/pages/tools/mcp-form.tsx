/** Adding an MCP server: a process of the server's machine, or an address. */

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useForm } from "../../core/form";
import { pairsOf } from "../../core/pairs";
import { Choices } from "../../parts/choices";
import { Dialog } from "../../parts/dialog";
import { Field, FormError, textOf } from "../../parts/field";

const WAYS = { url: "An address", command: "A process" } as const;

interface Adding {
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function McpForm({ onClose, onSaved }: Adding) {
  const form = useForm(["name", "url", "headers", "command", "args", "env", "approval"]);
  const [way, setWay] = useState<keyof typeof WAYS>("url");
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = serverOf(new FormData(event.currentTarget), way);
    if (!(await form.send(() => ask("POST", "/api/mcp", given)))) return;
    onClose();
    await onSaved();
  };
  return (
    <Dialog title="Add an MCP server" onClose={onClose}>
      <form class="form" ref={form.ref} onSubmit={submit} noValidate>
        <Choices label="What it is" options={WAYS} value={way} onChange={setWay} />
        <div class="pair">
          <Field form={form} name="name" label="Name">
            {(tied) => <input {...tied} autocomplete="off" />}
          </Field>
          <Field form={form} name="approval" label="Approval">
            {(tied) => (
              <select {...tied}>
                <option value="auto">ask before what changes something</option>
                <option value="ask">always ask</option>
                <option value="allow">never ask</option>
                <option value="deny">refuse all</option>
              </select>
            )}
          </Field>
        </div>
        {way === "url" ? (
          <>
            <Field form={form} name="url" label="Address">
              {(tied) => <input {...tied} type="url" placeholder="https://tracker.example/mcp" />}
            </Field>
            <Field form={form} name="headers" label="Headers" hint="Name: value, one in a line.">
              {(tied) => <textarea {...tied} rows={2} />}
            </Field>
          </>
        ) : (
          <>
            <p class="callout warn">
              It runs with the rights of the server, outside any sandbox: add only what you would
              install.
            </p>
            <Field form={form} name="command" label="Command">
              {(tied) => <input {...tied} autocomplete="off" />}
            </Field>
            <Field form={form} name="args" label="Arguments" hint="One in a line.">
              {(tied) => <textarea {...tied} rows={3} />}
            </Field>
            <Field form={form} name="env" label="Environment" hint="NAME=value, one in a line.">
              {(tied) => <textarea {...tied} rows={2} />}
            </Field>
          </>
        )}
        <FormError form={form} />
        <div class="actions">
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" disabled={form.isBusy}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function serverOf(data: FormData, way: keyof typeof WAYS): Record<string, unknown> {
  const shared = { name: textOf(data, "name"), approval: textOf(data, "approval") };
  if (way === "url") {
    const headers = pairsOf(textOf(data, "headers"), ":");
    return { ...shared, url: textOf(data, "url"), headers };
  }
  const args = textOf(data, "args").split("\n").filter(Boolean);
  return {
    ...shared,
    command: textOf(data, "command"),
    args,
    env: pairsOf(textOf(data, "env"), "="),
  };
}
