import fc from "fast-check";
import { expect, test } from "vitest";
import { isDiff, parseDiff, proposed } from "../../src/core/file-diff";

test("a unified diff is read file by file", () => {
  const text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n--- a/y\n+++ /dev/null\n-gone\n";
  expect(isDiff(text)).toBe(true);
  const [x, y] = parseDiff(text);
  expect(x?.lines.map(({ sign }) => sign).join("")).toBe(" -+ ");
  expect(y).toEqual({ path: "y", lines: [{ sign: "-", text: "gone" }] });
});

test("what a call proposes holds every line of it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (content) => {
      const shown = proposed("write_file", { path: "a", content });
      const text = shown?.[0]?.lines.map((line) => line.text).join("\n");
      expect(`${text}${content.endsWith("\n") ? "\n" : ""}`).toBe(content);
    }),
  );
});

test("whatever the arguments are, nothing breaks", () => {
  fc.assert(
    fc.property(fc.constantFrom("patch", "write_file", "terminal"), fc.json(), (tool, json) => {
      proposed(tool, JSON.parse(json));
      proposed(tool, { edits: JSON.parse(json) });
      proposed(tool, { edits: [JSON.parse(json)] });
    }),
  );
});
