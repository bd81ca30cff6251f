import fc from "fast-check";
import { expect, test } from "vitest";
import type { Run, Turn } from "../../src/api/shapes";
import { told } from "../../src/core/live";
import { answer, EMPTY, fold } from "../../src/core/turn";
import { factsOf, logs } from "../support/run-logs";

function turn(status: string, events: Turn["events"], cutOff = ""): Turn {
  const run = { run_id: "run_1", model: "m", status, updated_at: 9 } as unknown as Run;
  return { run, input: [], events, cut_off: cutOff };
}

test("a turn tells the same answer as the run did while it was followed", () => {
  fc.assert(
    fc.property(logs, (events) => {
      const status = events.at(-1)?.event.replace("run.", "") ?? "";
      const view = told(turn(status, factsOf(events)));
      expect(view.status).toBe(status);
      expect(answer(view)).toBe(answer(fold(EMPTY, events)));
    }),
  );
});

test("a reply that the end cut off is the last of the answer", () => {
  const view = told(turn("cancelled", [], "half of"));
  expect([answer(view), view.status, view.endedAt]).toEqual(["half of", "cancelled", 9]);
});
