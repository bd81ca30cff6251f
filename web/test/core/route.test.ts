import fc from "fast-check";
import { expect, test } from "vitest";
import { address, parse } from "../../src/core/route";

const pages = fc.constantFrom("chat", "runs", "usage", "keys");
const queries = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { noNullPrototype: true });

test("an address leads back to where it was made for", () => {
  fc.assert(
    fc.property(pages, fc.string(), queries, (page, rest, query) => {
      const place = parse(address(page, rest, query));
      expect([place.page, place.rest]).toEqual([page, rest]);
      expect(Object.fromEntries(place.query)).toEqual(query);
    }),
  );
});

test("whatever stands in the address line, there is a page", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (hash) => {
      expect(parse(`#${hash}`).page).not.toBe("");
    }),
  );
});

test.each([
  ["", "chat", ""],
  ["#", "chat", ""],
  ["#/", "chat", ""],
  ["#/runs", "runs", ""],
  ["#/runs/run_1?tab=events", "runs", "run_1"],
  ["#/chat/a%2Fb", "chat", "a/b"],
  ["#/chat/a/b", "chat", "a/b"],
  ["#/chat/%zz", "chat", "%zz"],
])("%s is %s, %s", (hash, page, rest) => {
  const place = parse(hash);
  expect([place.page, place.rest]).toEqual([page, rest]);
});

test("a question mark in what is looked for belongs to it", () => {
  expect(parse("#/runs?q=why?&time=1h").query.get("q")).toBe("why?");
});
