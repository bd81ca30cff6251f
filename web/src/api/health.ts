/** How the server is; it says so also where it is not ready. */

import type { Readiness } from "./admin-shapes";
import { getText, Refused } from "./client";

const NOT_READY = 503;

export async function readiness(path: string): Promise<Readiness> {
  const answer = await fetch(path).catch(() => {
    throw new Refused(0, "The server does not answer.");
  });
  if (!answer.ok && answer.status !== NOT_READY) {
    throw new Refused(answer.status, `The server answered ${answer.status}.`);
  }
  return (await answer.json()) as Readiness;
}

/** When the process began, as its metrics tell; null where they are not for this key. */
export async function startedAt(path: string): Promise<number | null> {
  const text = await getText(path).catch(() => "");
  return startIn(text);
}

export function startIn(metrics: string): number | null {
  const found = /^process_start_time_seconds ([0-9.e+]+)$/m.exec(metrics);
  return found === null ? null : Number(found[1]);
}
