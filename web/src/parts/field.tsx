/** A field of a form with its label, a hint and what is wrong with it, tied together. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Form } from "../core/form";

/** What the input itself has to have. */
export interface Tied {
  id: string;
  name: string;
  "aria-describedby"?: string;
  "aria-invalid"?: "true";
}

interface Described {
  form: Form;
  name: string;
  label: string;
  hint?: ComponentChildren;
  class?: string;
  children: (tied: Tied) => ComponentChildren;
}

export function Field({ form, name, label, hint, class: look = "", children }: Described) {
  const id = useId();
  const error = form.errorOf(name);
  const tied: Tied = { id, name };
  const about = [error !== null && `${id}-error`, hint !== undefined && `${id}-hint`].filter(
    Boolean,
  );
  if (about.length > 0) tied["aria-describedby"] = about.join(" ");
  if (error !== null) tied["aria-invalid"] = "true";
  return (
    <div class={`field ${look}`}>
      <label for={id}>{label}</label>
      {children(tied)}
      {error !== null && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** What the server says that belongs to no field. */
export function FormError({ form }: { form: Form }) {
  return (
    <div role="alert" class="form-error">
      {form.rest}
    </div>
  );
}

/** What a form holds under a name, as text; empty where there is nothing. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The same, null where it is empty. */
export function textOrNull(data: FormData, name: string): string | null {
  return textOf(data, name) || null;
}

export function numberOrNull(data: FormData, name: string): number | null {
  const text = textOf(data, name);
  return text === "" ? null : Number(text);
}

/** Names with commas or line ends between them; null where there are none. */
export function namesOrNull(data: FormData, name: string): string[] | null {
  const names = textOf(data, name)
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  return names.length === 0 ? null : names;
}
