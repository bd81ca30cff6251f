/** The status of a run as a word with a colour. */

import { statusWords } from "../core/words";

const LOOKS: Record<string, string> = {
  completed: "good",
  ok: "good",
  failed: "bad",
  error: "bad",
  timeout: "bad",
  denied: "warn",
  in_doubt: "warn",
  waiting_for_approval: "warn",
  cancelled: "dim",
  queued: "dim",
  active: "good",
  connected: "good",
  paused: "warn",
  finished: "dim",
  skipped: "dim",
  due: "live",
  expired: "warn",
  revoked: "dim",
  failing: "bad",
  resting: "warn",
  idle: "dim",
  off: "dim",
};

export function Badge({ status }: { status: string }) {
  return (
    <span class={`badge ${LOOKS[status] ?? "live"}`} data-status={status}>
      {statusWords(status)}
    </span>
  );
}
