/** Puts the events of a run into a file, one to a line. */

import type { RunLog } from "./run-log";

export function saveEvents(log: RunLog): void {
  const lines = log.events.map((event) => `${JSON.stringify(event)}\n`);
  const url = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${log.runId}.jsonl`;
  link.click();
  URL.revokeObjectURL(url);
}
