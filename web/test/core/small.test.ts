import fc from "fast-check";
import { expect, test } from "vitest";
import type { Note } from "../../src/api/admin-shapes";
import { asQuery } from "../../src/api/client";
import { bytes } from "../../src/core/advice";
import {
  type Attached,
  asText,
  imagesOf,
  objection,
  question,
  textOf,
} from "../../src/core/attachments";
import { diffLines, tally } from "../../src/core/diff";
import { fieldOf } from "../../src/core/form";
import { found, ownersOf } from "../../src/core/notes";
import { pairsOf } from "../../src/core/pairs";
import { ANY, fromQuery, toQuery, toRequest } from "../../src/core/run-filters";

test("filters come back out of an address as they went in", () => {
  const filters = fc.record({
    status: fc.constantFrom("", "open", "failed"),
    model: fc.string(),
    surface: fc.string(),
    words: fc.string(),
    time: fc.constantFrom("", "1h", "7d"),
    subagents: fc.boolean(),
  });
  fc.assert(
    fc.property(filters, (all) => {
      expect(fromQuery(new URLSearchParams(toQuery(all)))).toEqual(all);
    }),
  );
  expect(toQuery(ANY)).toEqual({});
  expect(toRequest({ ...ANY, time: "1h" }, 10_000.5).since).toBe(6400);
});

test("a query has what has a value", () => {
  expect(asQuery({ a: 1, b: null, c: undefined, d: "", e: "x&y", f: false })).toBe(
    "?a=1&e=x%26y&f=false",
  );
  expect(asQuery({})).toBe("");
});

test("no file can end the fence it is put into", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("`", "\n", "a") }), (text) => {
      const whole = textOf(question("see", [{ name: "a.md", image: null, text }]));
      const fence = /^(`+)md$/m.exec(whole)?.[1] ?? "";
      expect(text).not.toContain(fence);
      expect(whole.startsWith("see\n\na.md:\n")).toBe(true);
    }),
  );
});

test("images go with the words, and alone where there are none", () => {
  const image: Attached = { name: "x", image: "data:image/png;base64,AA==", text: "" };
  expect(imagesOf(question("look", [image]))).toEqual([image.image]);
  expect(question("", [image])).toHaveLength(1);
  expect(objection("x.svg", "image/svg+xml", 1)).toContain("no PNG");
  expect(objection("x.png", "image/png", 7 * 1024 * 1024)).toContain("6 MiB");
  expect(objection("x.txt", "text/plain", 10)).toBeNull();
});

test("a file is text where all of its bytes are", () => {
  const bytes = (...given: number[]) => new Uint8Array(given).buffer;
  expect(asText(new TextEncoder().encode("½ ✓\n").buffer)).toBe("½ ✓\n");
  expect(asText(bytes(0x50, 0x4b, 0x00))).toBe(null);
  expect(asText(bytes(0xff, 0xfe))).toBe(null);
});

test("a diff keeps its lines and counts what came and went", () => {
  const lines = diffLines("--- a\n+++ b\n@@ -1,2 +1,2 @@\n-x\n+y\n+z\n same\n");
  expect(lines.map(({ kind }) => kind).join(" ")).toBe("file file place removed added added same");
  expect(tally(lines)).toEqual({ added: 2, removed: 1 });
});

test("a refusal is shown at the field that it names, or at the one around it", () => {
  const names = ["rules", "rules.models", "name"];
  expect(fieldOf("rules.models[0]", names)).toBe("rules.models");
  expect(fieldOf("rules.other", names)).toBe("rules");
  expect(fieldOf("names", names)).toBeNull();
  expect(fieldOf(null, names)).toBeNull();
});

test("pairs keep what stands behind the first mark", () => {
  expect(pairsOf("A=1=2\n\n B \nC:x=", "=")).toEqual({ A: "1=2", B: "", "C:x": "" });
});

test("notes are found by all of their words, and stay with their owners", () => {
  const note = (text: string, user: string | null) =>
    ({ text, user, session_key: null }) as unknown as Note;
  const all = [note("likes tea", "ann"), note("Likes coffee", null), note("tea time", "ann")];
  expect(found(all, "LIKES tea")).toEqual([all[0]]);
  expect(found(all, "")).toEqual(all);
  expect(ownersOf(all).map(({ user, notes }) => [user, notes.length])).toEqual([
    [null, 1],
    ["ann", 2],
  ]);
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [150 * 1024 ** 3, "150 GiB"],
])("%d bytes are %s", (size, words) => {
  expect(bytes(size)).toBe(words);
});
