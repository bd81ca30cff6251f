import fc from "fast-check";
import { type ContainerNode, render } from "preact";
import { beforeAll, expect, test } from "vitest";
import { highlight } from "../../src/markdown/languages";
import { Markdown } from "../../src/markdown/markdown";
import { lay, Sheet } from "../support/paper";

beforeAll(lay);

const MAY = new Set(
  "a blockquote br button code del div em figcaption figure h3 h4 h5 h6 hr img input li ol p path pre section span strong svg table tbody td th thead tr ul".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "aria-hidden aria-label aria-live alt checked class d disabled fill href rel src start stroke stroke-width stroke-linecap stroke-linejoin tabindex tabIndex target title type viewBox width height role".split(
    " ",
  ),
);

function shown(text: string): Sheet {
  const sheet = new Sheet("main");
  render(<Markdown text={text} />, sheet as unknown as ContainerNode);
  return sheet;
}

/** Whatever the text, no more than these elements, and no address but those that may be. */
function check(text: string): void {
  for (const element of shown(text).every()) {
    expect(MAY).toContain(element.localName);
    for (const name of Object.keys(element.attributes)) {
      expect(name).not.toMatch(/^on|^style$|^srcdoc$|^innerHTML$/i);
      expect(ATTRIBUTES).toContain(name);
    }
    const { href, src } = element.attributes;
    if (href !== undefined) {
      expect(element.localName).toBe("a");
      expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      expect(element.attributes.rel).toContain("noopener");
    }
    if (src !== undefined) expect(src).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,/);
  }
}

const bits = fc.constantFrom(
  "[a](javascript:alert(1))",
  "[a]( java\nscript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a][x]\n\n[x]: vbscript:x",
  "<javascript:alert(1)>",
  "<https://example.org>",
  "https://example.org",
  "![x](data:image/svg+xml;base64,PHN2Zz4=)",
  "![x](data:image/png;base64,iVBORw0KGgo=)",
  "![x](https://example.org/x.png)",
  '<img src=x onerror="alert(1)">',
  "<script>alert(1)</script>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='x'>",
  "<a href='javascript:alert(1)'>x</a>",
  "<style>*{}</style>",
  "<math><mi//xlink:href='data:x'>",
  "# ",
  "> ",
  "- [x] ",
  "1. ",
  "```python\n",
  "```\n",
  "`",
  "**",
  "_",
  "~~",
  "| a | b |\n|---|:-:|\n| 1 | 2 |\n",
  "\n",
  "\n\n",
  "&lt;script&gt;",
  "&#106;avascript:",
  "\\",
  "    ",
  "---\n",
);

test("any text becomes elements of the list alone", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), check));
});

test("hostile pieces, however they are put together, become elements of the list alone", () => {
  const texts = fc.array(fc.oneof(bits, bits, fc.string()), { maxLength: 12 });
  fc.assert(
    fc.property(
      texts.map((parts) => parts.join("")),
      check,
    ),
    { numRuns: 300 },
  );
});

test("HTML is shown as it was written", () => {
  const text = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
  expect(shown(text).text).toContain("<script>alert(1)</script>");
  expect(shown(`so ${text}`).text).toContain('onerror="alert(1)"');
});

test("a character that is named is shown as itself, but not in code", () => {
  const sheet = shown("a &lt;b&gt; `&lt;` \\&lt;");
  expect(sheet.text).toBe("a <b> &lt; &lt;");
  expect([...sheet.every()].map((each) => each.localName)).not.toContain("b");
});

test("a line ends in a cell where the text says so", () => {
  const sheet = shown("| a |\n|---|\n| one<br>two<br/>three<b> |");
  expect([...sheet.every()].filter((each) => each.localName === "br")).toHaveLength(2);
  expect(sheet.text).toContain("three<b>");
});

test("a link that leads nowhere leaves its words", () => {
  const sheet = shown("see [the page](javascript:alert(1)) now");
  expect(sheet.text).toBe("see the page now");
  expect([...sheet.every()].map(({ localName }) => localName)).not.toContain("a");
});

test("an image of another host is a link, so that nobody hears of it unasked", () => {
  const names = [...shown("![cat](https://example.org/c.png)").every()].map(
    (each) => each.localName,
  );
  expect(names).toContain("a");
  expect(names).not.toContain("img");
});

test.each([
  ["quotes in quotes", "> ".repeat(3000)],
  ["lists in lists", Array.from({ length: 500 }, (_, at) => `${"  ".repeat(at)}- x`).join("\n")],
  ["brackets", "[".repeat(5000)],
  ["stars", "*a ".repeat(3000)],
  ["one long line", "a".repeat(200_000)],
])("%s do not break the page", (_, text) => {
  check(text);
});

test("coloured code says what the plain code says", () => {
  const textOf = (node: ReturnType<typeof JSON.parse>): string =>
    node.value ?? (node.children ?? []).map(textOf).join("");
  const languages = fc.constantFrom("python", "javascript", "bash", "xml", "diff", "json", "css");
  fc.assert(
    fc.property(languages, fc.string(), (language, text) => {
      expect((highlight(text, language) ?? []).map(textOf).join("")).toBe(text);
    }),
  );
  expect(highlight("x", "klingon")).toBeNull();
});
