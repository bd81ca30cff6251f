/** A form that is sent to the server, and what the server says of its fields. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/client";

export interface Form {
  isBusy: boolean;
  /** What the server says of this field. */
  errorOf: (name: string) => string | null;
  /** What it says of no field that is in the form. */
  rest: string | null;
  send: (work: () => Promise<unknown>) => Promise<boolean>;
  ref: { current: HTMLFormElement | null };
}

/** `names` are those that the server's errors give to the fields of the form. */
export function useForm(names: readonly string[]): Form {
  const [refusal, setRefusal] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement | null>(null);
  useEffect(() => {
    if (refusal === null) return;
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // Nobody sees, and nothing focuses, what is folded up.
    const folded = wrong?.closest("details");
    if (folded != null) folded.open = true;
    wrong?.focus();
  }, [refusal]);
  const send = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      setRefusal(null);
      return true;
    } catch (error) {
      setRefusal(error instanceof Refused ? error : new Refused(0, String(error)));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const field = fieldOf(refusal?.param ?? null, names);
  return {
    isBusy,
    errorOf: (name) => (refusal !== null && name === field ? refusal.message : null),
    rest: refusal !== null && field === null ? refusal.message : null,
    send,
    ref,
  };
}

/** The field that a path such as `rules.models.0` is in; null if it is in none of them. */
export function fieldOf(path: string | null, names: readonly string[]): string | null {
  if (path === null) return null;
  const dotted = path.replaceAll("[", ".").replaceAll("]", "");
  const holding = names.filter((name) => dotted === name || dotted.startsWith(`${name}.`));
  return holding.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
