import fc from "fast-check";
import { expect, test } from "vitest";
import { safeLink } from "../../src/markdown/links";

const SCHEMES = ["javascript", "data", "vbscript", "file", "blob", "about", "ws", "ftp", "chrome"];
const spaces = fc.string({
  unit: fc.constantFrom(" ", "\t", "\n", "\r", "\0", "\x01", "\x1f", "\u00a0", "\u200b", "\ufeff"),
  maxLength: 4,
});

test.each(SCHEMES)("%s: leads nowhere, however it is written", (scheme) => {
  const spelled = fc
    .array(fc.tuple(fc.boolean(), spaces), { minLength: scheme.length, maxLength: scheme.length })
    .map((tricks) =>
      tricks
        .map(([isLarge, space], at) => {
          const letter = scheme[at] ?? "";
          return (isLarge ? letter.toUpperCase() : letter) + space;
        })
        .join(""),
    );
  fc.assert(
    fc.property(spaces, spelled, fc.string(), (before, name, rest) => {
      expect(safeLink(`${before}${name}:${rest}`)).toBeNull();
      expect(safeLink(`${before}${name}://${rest}`)).toBeNull();
    }),
  );
});

test.each([
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "javascript%3Aalert(1)",
  "java\u0000script:alert(1)",
  "ｊavascript:alert(1)",
  "view-source:https://example.org",
  "//evil.example",
  "/v1/runs",
  "#/keys",
  "?x=1",
  "\\\\evil.example",
  "",
  " ",
  "http://",
  "https://[",
])("%j leads nowhere", (href) => {
  expect(safeLink(href)).toBeNull();
});

test.each([
  ["https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["HTTP://EXAMPLE.org", "http://example.org/"],
  ["mailto:a@example.org", "mailto:a@example.org"],
])("%s leads to %s", (href, target) => {
  expect(safeLink(href)).toBe(target);
});

test("whatever is written, a link is one of three kinds or none", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()), (href) => {
      expect(safeLink(href) ?? "https://x").toMatch(/^(https?:\/\/|mailto:)/);
    }),
  );
});
