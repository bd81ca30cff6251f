import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/api/shapes";
import { answer, EMPTY, fold, pending, tools, type View, wasRead } from "../../src/core/turn";
import { batched, factsOf, logs } from "../support/run-logs";

/** What a person takes away from a run that is over. */
function gist(view: View) {
  return {
    status: view.status,
    answer: answer(view),
    tools: tools(view).map(({ id, name, outcome, output, state, approval }) => ({
      id,
      name,
      outcome,
      output,
      state,
      choice: approval?.answer?.choice,
    })),
    steered: view.blocks.flatMap((block) => (block.kind === "steered" ? [block.text] : [])),
    notices: view.blocks.filter((block) => block.kind === "notice").length,
    usage: view.usage,
    cost: view.cost,
    error: view.error,
    remark: view.remark,
    endedAt: view.endedAt,
  };
}

function event(seq: number, told: object): RunEvent {
  return { run_id: "run_1", seq, timestamp: 100 + seq, ...told } as RunEvent;
}

test("however the events are batched, the view is the same", () => {
  fc.assert(
    fc.property(logs, fc.array(fc.nat(), { maxLength: 12 }), (events, cuts) => {
      expect(batched(events, cuts).reduce(fold, EMPTY)).toEqual(fold(EMPTY, events));
    }),
  );
});

test("an event that is seen again changes nothing", () => {
  fc.assert(
    fc.property(logs, fc.nat(), fc.nat(), (events, one, other) => {
      const from = Math.min(one, other) % (events.length + 1);
      const to = Math.max(one, other) % (events.length + 1);
      const again = [...events.slice(0, to), ...events.slice(from, to), ...events.slice(to)];
      expect(fold(EMPTY, again)).toEqual(fold(EMPTY, events));
      const whole = fold(EMPTY, events);
      expect(fold(whole, events)).toBe(whole);
    }),
  );
});

test("who heard the facts alone knows the same in the end as who heard all", () => {
  fc.assert(
    fc.property(logs, (events) => {
      expect(gist(fold(EMPTY, factsOf(events)))).toEqual(gist(fold(EMPTY, events)));
    }),
  );
});

test("at every moment each text, call and thought has a key of its own", () => {
  fc.assert(
    fc.property(logs, (events) => {
      for (const heard of [events, factsOf(events)]) {
        let view = EMPTY;
        for (const each of heard) {
          view = fold(view, [each]);
          const keys = view.blocks.map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
        }
      }
    }),
  );
});

test("when a run is over nothing of it is under way, wherever it was cut off", () => {
  fc.assert(
    fc.property(logs, fc.nat(), (events, cut) => {
      const end = events.at(-1);
      if (end === undefined) return;
      const view = fold(EMPTY, [...events.slice(0, cut % events.length), end]);
      expect(pending(view)).toEqual([]);
      expect(view.endedAt).toBe(end.timestamp);
      for (const block of view.blocks) {
        if (block.kind === "text") expect(block.done).toBe(true);
        if (block.kind === "reasoning") expect([block.done, block.endedAt]).not.toContain(null);
        if (block.kind !== "tool") continue;
        expect(block.tool.state).toBe("done");
        expect(block.tool.outcome).not.toBeNull();
        expect(block.tool.endedAt).not.toBeNull();
        for (const child of block.tool.children) {
          expect(child.status).not.toBe("running");
          expect(child.endedAt).not.toBeNull();
        }
      }
    }),
  );
});

test("what was streamed before a reset is void, and nothing else is", () => {
  fc.assert(
    fc.property(logs, (events) => {
      let view = EMPTY;
      let settled = EMPTY;
      for (const each of events) {
        view = fold(view, [each]);
        if (each.event === "step.reset") {
          const isLasting = ({ kind }: { kind: string }) => kind === "notice" || kind === "steered";
          const lasting = view.blocks.slice(settled.blocks.length);
          expect(view.blocks.slice(0, settled.blocks.length)).toEqual(settled.blocks);
          expect(lasting.every(isLasting)).toBe(true);
        }
        if (!["message.delta", "tool.arguments"].includes(each.event)) settled = view;
      }
    }),
  );
});

test("a call that has begun stays when the step behind it is asked again", () => {
  const view = fold(EMPTY, [
    event(1, { event: "step.completed", tool_calls: [{ id: "a", name: "terminal" }] }),
    event(2, { event: "tool.started", tool_call_id: "a", tool: "terminal", args: {} }),
    event(3, { event: "message.delta", delta: "half" }),
    event(4, { event: "step.reset", reason: "crash", dropped_tools: [] }),
  ]);
  expect(view.blocks.map(({ key }) => key)).toEqual(["tool-a"]);
  expect(tools(view)[0]?.state).toBe("running");
});

test("calls stand in the order of the reply, whichever begins first", () => {
  const calls = ["a", "b", "c"].map((id) => ({ id, name: "terminal" }));
  const view = fold(EMPTY, [
    event(1, { event: "message.completed", text: "So:", tool_calls: calls }),
    event(2, { event: "tool.started", tool_call_id: "c", tool: "terminal", args: {} }),
    event(3, { event: "tool.started", tool_call_id: "a", tool: "terminal", args: {} }),
  ]);
  expect(view.blocks.map(({ key }) => key)).toEqual(["text-1", "tool-a", "tool-b", "tool-c"]);
  expect(tools(view).map(({ state }) => state)).toEqual(["running", "writing", "running"]);
});

test("a call that the client runs waits for it, and was answered by it", () => {
  const events = [
    event(1, { event: "step.completed", tool_calls: [{ id: "a", name: "weather" }] }),
    event(2, { event: "run.waiting", for: "client_tools", tool_calls: ["a"] }),
    event(3, { event: "run.resumed", tool_calls: ["a"] }),
  ];
  const waiting = fold(EMPTY, events.slice(0, 2));
  expect([waiting.status, tools(waiting)[0]?.state]).toEqual(["waiting_for_client", "client"]);
  const answered = fold(waiting, events);
  expect([answered.status, tools(answered)[0]?.outcome]).toEqual(["running", "answered"]);
});

test("a person is asked until there is an answer", () => {
  const asked = { approval_id: "x", tool_call_id: "a", tool: "terminal", choices: ["once"] };
  const view = fold(EMPTY, [event(1, { event: "approval.requested", ...asked, preview: "rm" })]);
  expect(pending(view).map(({ id, label }) => [id, label])).toEqual([["a", "rm"]]);
  const said = { event: "approval.resolved", approval_id: "x", choice: "once", by: "user" };
  const answered = fold(view, [event(2, said)]);
  expect(pending(answered)).toEqual([]);
  const approval = tools(answered)[0]?.approval;
  expect([approval?.askedAt, approval?.answer?.at]).toEqual([101, 102]);
});

test("a reply that a thought cut in two is one text of the answer", () => {
  const view = fold(EMPTY, [
    event(1, { event: "message.delta", delta: "one " }),
    event(2, { event: "reasoning.delta", delta: "hm" }),
    event(3, { event: "reasoning.available", text: "hm" }),
    event(4, { event: "message.delta", delta: "two" }),
    event(5, { event: "message.completed", text: "one two" }),
    event(6, { event: "message.completed", text: "three" }),
  ]);
  expect(answer(view)).toBe("one two\n\nthree");
});

test("what was streamed and is not what was said is put right", () => {
  const view = fold(EMPTY, [
    event(1, { event: "message.delta", delta: "wrong" }),
    event(2, { event: "message.completed", text: "right" }),
    event(3, { event: "message.delta", delta: "stray" }),
    event(4, { event: "step.completed" }),
  ]);
  expect(answer(view)).toBe("right");
});

test("what a person says meanwhile counts as read with the next that the model says", () => {
  const steered = fold(EMPTY, [
    event(1, { event: "message.delta", delta: "a" }),
    event(2, { event: "run.steered", text: "also this" }),
    event(3, { event: "message.delta", delta: "b" }),
  ]);
  const words = steered.blocks.find(({ kind }) => kind === "steered");
  if (words === undefined) throw new Error("it is shown");
  expect(wasRead(steered, words)).toBe(false);
  const later = [
    event(4, { event: "message.completed", text: "ab" }),
    event(5, { event: "message.delta", delta: "c" }),
  ];
  expect(wasRead(fold(steered, later), words)).toBe(true);
});

test("an event of a newer server is passed over", () => {
  const view = fold(EMPTY, [event(1, { event: "run.sung", song: "la" })]);
  expect(view).toEqual({ ...EMPTY, lastSeq: 1, lastAt: 101 });
});
