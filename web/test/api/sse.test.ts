import fc from "fast-check";
import { expect, test } from "vitest";
import { Decoder, type Sent } from "../../src/api/sse";

const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n\ud800-\udfff]/g, "x"));
const ids = fc.integer({ min: 1, max: 1e9 }).map(String);
const frames = fc.oneof(
  fc.record({
    id: ids,
    name: fc.constantFrom("", "server.stopping"),
    data: fc.array(line, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ comment: line }),
);
const streams = fc.record({
  frames: fc.array(frames, { maxLength: 6 }),
  end: fc.constantFrom("\n", "\r\n"),
  gap: fc.constantFrom("", " "),
});
type Stream = typeof streams extends fc.Arbitrary<infer T> ? T : never;

function written({ frames: all, end, gap }: Stream): Uint8Array {
  const lines = all.map((frame) =>
    "comment" in frame
      ? [`:${frame.comment}`]
      : [
          `id:${gap}${frame.id}`,
          ...(frame.name === "" ? [] : [`event:${gap}${frame.name}`]),
          ...frame.data.map((each) => `data: ${each}`),
        ],
  );
  return new TextEncoder().encode(lines.map((each) => each.join(end) + end + end).join(""));
}

function meant({ frames: all }: Stream): Sent[] {
  return all.flatMap((frame) =>
    "comment" in frame ? [] : [{ id: frame.id, name: frame.name, data: frame.data.join("\n") }],
  );
}

/** As it comes from a connection: bytes cut anywhere, in the middle of characters too. */
function heard(bytes: Uint8Array, cuts: readonly number[]): Sent[] {
  const text = new TextDecoder();
  const decoder = new Decoder();
  const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].flatMap((from, index) =>
    decoder.feed(text.decode(bytes.slice(from, places[index] ?? bytes.length), { stream: true })),
  );
}

test("however the bytes are cut, the events are the same", () => {
  fc.assert(
    fc.property(streams, fc.array(fc.nat()), (stream, cuts) => {
      expect(heard(written(stream), cuts)).toEqual(meant(stream));
    }),
  );
});

test("byte by byte the events are the same", () => {
  fc.assert(
    fc.property(streams, (stream) => {
      const bytes = written(stream);
      expect(heard(bytes, [...bytes.keys()])).toEqual(meant(stream));
    }),
  );
});

test("an event comes with the piece that completes it, and only once", () => {
  const decoder = new Decoder();
  expect(decoder.feed("id: 1\r\ndata: a\r")).toEqual([]);
  expect(decoder.feed("\n\r")).toEqual([]);
  expect(decoder.feed("\nid: 2\ndata: b\n\n: ping\n")).toEqual([
    { id: "1", name: "", data: "a" },
    { id: "2", name: "", data: "b" },
  ]);
  expect(decoder.feed("\n")).toEqual([]);
});

test("a space behind the colon is no part of the data, others are", () => {
  expect(new Decoder().feed("data:  a\ndata:b\ndata:\n\n")).toEqual([
    { id: "", name: "", data: " a\nb\n" },
  ]);
});
