/** What was asked for, or why it is not there. */

import type { ComponentChildren } from "preact";
import type { Refused } from "../api/client";
import type { Asked } from "../core/asked";

interface Showing<T> {
  asked: Asked<T>;
  /** What it is, in a sentence such as "The jobs cannot be shown". */
  what: string;
  children: (value: T) => ComponentChildren;
}

export function Shown<T>({ asked, what, children }: Showing<T>) {
  const { value, refusal, again } = asked;
  if (refusal !== null && value === null) {
    return <Refusal refusal={refusal} what={what} again={again} />;
  }
  if (value === null) {
    return (
      <p class="empty" aria-busy="true">
        Loading …
      </p>
    );
  }
  return (
    <>
      {refusal !== null && <Stale refusal={refusal} again={again} />}
      {children(value)}
    </>
  );
}

interface Refusing {
  refusal: Refused;
  what: string;
  again: () => Promise<void>;
}

function Refusal({ refusal, what, again }: Refusing) {
  if (refusal.status === 403) {
    return (
      <div class="callout warn" role="alert">
        <strong>Your key may not see {what}.</strong>
        <p>{refusal.message} Somebody whose key has the scope “admin” can give it to yours.</p>
      </div>
    );
  }
  return (
    <div class="callout bad" role="alert">
      <strong>There is no way to show {what} now.</strong>
      <p>{refusal.message}</p>
      <button type="button" class="plain small" onClick={() => void again()}>
        Try again
      </button>
    </div>
  );
}

function Stale({ refusal, again }: Omit<Refusing, "what">) {
  return (
    <div class="callout warn" role="alert">
      <p>What you see is not the latest: {refusal.message}</p>
      <button type="button" class="plain small" onClick={() => void again()}>
        Try again
      </button>
    </div>
  );
}
