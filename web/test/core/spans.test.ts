import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/api/shapes";
import {
  childrenOf,
  everySpan,
  NO_USAGE,
  plus,
  rows,
  type Span,
  trace,
} from "../../src/core/spans";
import { factsOf, logs } from "../support/run-logs";

/** Each subagent that a log tells of has a log of its own, by a clock that is a little off. */
function withChildren(events: readonly RunEvent[], child: readonly RunEvent[], off: number) {
  const start = child[0]?.timestamp ?? 0;
  // A run is delegated by one call alone.
  const alone = child.filter(({ event }) => !event.startsWith("subagent."));
  return new Map(
    childrenOf(events).map((id) => {
      const begun = events.find((each) => "child_run_id" in each && each.child_run_id === id);
      const shift = (begun?.timestamp ?? 0) - start + off;
      const own = alone.map((each) => ({ ...each, run_id: id, timestamp: each.timestamp + shift }));
      return [id, own as RunEvent[]];
    }),
  );
}

function checkInside(spans: readonly Span[], from: number, to: number): void {
  for (const span of spans) {
    expect(span.start).toBeGreaterThanOrEqual(from);
    expect(span.end).not.toBeNull();
    expect(span.end ?? 0).toBeGreaterThanOrEqual(span.start);
    expect(span.end ?? 0).toBeLessThanOrEqual(to);
    if (span.firstAt !== null) {
      expect(span.firstAt).toBeGreaterThanOrEqual(span.start);
      expect(span.firstAt).toBeLessThanOrEqual(span.end ?? 0);
    }
    checkInside(span.children, span.start, span.end ?? 0);
  }
}

const offsets = fc.double({ min: -3, max: 3, noNaN: true });

test("in a run that is over each span lies within the one around it, and all are over", () => {
  fc.assert(
    fc.property(logs, logs, offsets, (events, child, off) => {
      const traced = trace(events, withChildren(events, child, off));
      checkInside(traced.spans, traced.start, traced.end ?? 0);
    }),
  );
});

test("each span has an id of its own, at every moment of the run", () => {
  fc.assert(
    fc.property(logs, logs, fc.nat(), (events, child, cut) => {
      const some = events.slice(0, cut % (events.length + 1));
      const ids = [...everySpan(trace(some, withChildren(some, child, 0)).spans)].map(
        ({ id }) => id,
      );
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test("what the models used and the rest are all that was used", () => {
  fc.assert(
    fc.property(logs, (events) => {
      const { spans, usage, rest } = trace(events);
      const models = spans.flatMap((span) => (span.usage === null ? [] : [span.usage]));
      expect(models.reduce(plus, rest)).toEqual(usage ?? NO_USAGE);
    }),
  );
});

test("each call has one span with its outcome, also where only facts are known", () => {
  fc.assert(
    fc.property(logs, (events) => {
      const ended = events.flatMap((each) =>
        each.event === "tool.completed" ? [[each.tool_call_id, each.outcome]] : [],
      );
      for (const heard of [events, factsOf(events)]) {
        const calls = trace(heard).spans.filter(({ kind }) => kind === "tool");
        expect(calls.map(({ callId, outcome }) => [callId, outcome])).toEqual(ended);
      }
    }),
  );
});

test("runs that delegate in a circle end somewhere", () => {
  const events = [
    { event: "run.started", model: "m", session_id: "s", queued: false },
    { event: "tool.started", tool_call_id: "a", tool: "delegate", args: {} },
    { event: "subagent.started", child_run_id: "run_1", tool_call_id: "a", goal: "again" },
  ].map((each, index) => ({ ...each, run_id: "run_1", seq: index + 1, timestamp: index }));
  const traced = trace(events as RunEvent[], new Map([["run_1", events as RunEvent[]]]));
  expect([...everySpan(traced.spans)].length).toBeLessThan(10);
});

test("a tree shows what is not folded, each before what is inside of it", () => {
  fc.assert(
    fc.property(logs, logs, fc.array(fc.nat()), (events, child, picks) => {
      const { spans } = trace(events, withChildren(events, child, 0));
      const all = [...everySpan(spans)];
      expect(rows(spans, new Set()).map(({ span }) => span)).toEqual(all);
      const folded = new Set(picks.flatMap((pick) => all[pick % (all.length || 1)]?.id ?? []));
      const hidden = new Set(
        all.filter(({ id }) => folded.has(id)).flatMap((span) => [...everySpan(span.children)]),
      );
      const shown = rows(spans, folded).map(({ span }) => span);
      expect(shown).toEqual(all.filter((span) => !hidden.has(span)));
    }),
  );
});
