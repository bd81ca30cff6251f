import { afterEach, expect, test } from "vitest";
import { followFeed, followRun } from "../../src/api/follow";

const STOPPING = 'event: server.stopping\ndata: {"event":"server.stopping","after":2}\n\n';
const plainFetch = globalThis.fetch;

function event(seq: number, name: string): string {
  return `id: ${seq}\ndata: ${JSON.stringify({ event: name, seq })}\n\n`;
}

/** Answers that stay open, one for each connection; the paths that were asked for. */
function answering(...answers: string[]): string[] {
  const asked: string[] = [];
  globalThis.fetch = (path) => {
    const body = new TextEncoder().encode(answers[asked.length]);
    asked.push(String(path));
    return Promise.resolve(new Response(new ReadableStream({ start: (out) => out.enqueue(body) })));
  };
  return asked;
}

afterEach(() => {
  globalThis.fetch = plainFetch;
});

test("a run whose server stops is followed on behind the last event", async () => {
  const asked = answering(
    event(1, "run.started") + event(2, "message.delta") + STOPPING,
    event(3, "message.delta") + STOPPING,
    "",
  );
  const leaving = new AbortController();
  const seen: number[] = [];
  const states: string[] = [];
  await followRun("run_1", 0, (events) => seen.push(...events.map(({ seq }) => seq)), {
    signal: leaving.signal,
    onConnection: (state) => {
      states.push(state);
      if (states.length === 4) leaving.abort();
    },
  });
  expect(seen).toEqual([1, 2, 3]);
  expect(asked).toEqual(["/v1/runs/run_1/events?after=0", "/v1/runs/run_1/events?after=2"]);
  expect(states).toEqual(["open", "lost", "open", "lost"]);
});

test("the last word of a feed is no change of a run", async () => {
  const change = 'data: {"event":"run.changed","run_id":"run_1"}\n\n';
  answering(STOPPING, change + STOPPING);
  const leaving = new AbortController();
  const seen: string[] = [];
  let opened = 0;
  const onChange = (changes: { run_id: string }[]) => {
    seen.push(...changes.map(({ run_id }) => run_id));
    leaving.abort();
  };
  const onOpen = () => {
    opened += 1;
  };
  await followFeed(onChange, onOpen, leaving);
  expect([seen, opened]).toEqual([["run_1"], 2]);
});
