import fc from "fast-check";
import { expect, test } from "vitest";
import { withCharacters } from "../../src/markdown/characters";

test.each([
  ["a &lt;b&gt; &amp; c", "a <b> & c"],
  ["1&nbsp;m", "1\u00a0m"],
  ["&#60;&#x3E;", "<>"],
  ["&amp;lt;", "&lt;"],
  [
    "&unknown; &constructor; &#0; &#9999999; a&b;c",
    "&unknown; &constructor; &#0; &#9999999; a&b;c",
  ],
])("%j is read as %j", (text, read) => {
  expect(withCharacters(text)).toBe(read);
});

test("a text without names stays as it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("&", "")),
      (text) => {
        expect(withCharacters(text)).toBe(text);
      },
    ),
  );
});
