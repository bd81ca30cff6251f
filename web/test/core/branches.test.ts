import fc from "fast-check";
import { expect, test } from "vitest";
import { type Node, newestBelow, path, siblings } from "../../src/core/branches";

/** Oldest first; each goes on from an earlier one, from none, or from one that is not there. */
const trees = fc
  .array(fc.record({ way: fc.constantFrom("on", "root", "away"), back: fc.nat() }), {
    maxLength: 30,
  })
  .map((picks): Node[] =>
    picks.map(({ way, back }, index) => ({
      id: `run_${index}`,
      parent:
        way === "root" || (way === "on" && index === 0)
          ? null
          : way === "away"
            ? "run_of_an_earlier_page"
            : `run_${back % index}`,
    })),
  );
const nonEmpty = trees.filter((tree) => tree.length > 0);

test("each run of the way goes on from the one before it, and nothing stands behind the last", () => {
  fc.assert(
    fc.property(trees, fc.nat(), (tree, pick) => {
      const leaf = tree[pick % (tree.length || 1)]?.id ?? null;
      const way = path(tree, leaf);
      const parentOf = new Map(tree.map(({ id, parent }) => [id, parent]));
      way.slice(1).forEach((id, index) => {
        expect(parentOf.get(id)).toBe(way[index]);
      });
      expect(tree.some(({ parent }) => parent === way.at(-1) && parent !== undefined)).toBe(false);
      if (leaf !== null) expect(way).toContain(leaf);
    }),
  );
});

test("the way begins where nothing known comes before", () => {
  fc.assert(
    fc.property(nonEmpty, (tree) => {
      const first = tree.find(({ id }) => id === path(tree, null)[0]);
      expect(tree.some(({ id }) => id === first?.parent)).toBe(false);
    }),
  );
});

test("without a choice the newest run is shown", () => {
  fc.assert(
    fc.property(nonEmpty, (tree) => {
      expect(path(tree, null).at(-1)).toBe(tree.at(-1)?.id);
      expect(path(tree, "run_unknown")).toEqual(path(tree, null));
    }),
  );
});

test("whichever of its siblings is chosen, the way leads through it and no other", () => {
  fc.assert(
    fc.property(nonEmpty, fc.nat(), (tree, pick) => {
      const id = tree[pick % tree.length]?.id ?? "";
      const beside = siblings(tree, id);
      expect(beside).toContain(id);
      for (const other of beside) {
        const way = path(tree, newestBelow(tree, other));
        expect(way.filter((each) => beside.includes(each))).toEqual([other]);
      }
    }),
  );
});

test("a turn that comes behind the last one shown is shown too", () => {
  fc.assert(
    fc.property(nonEmpty, fc.nat(), (tree, pick) => {
      const way = path(tree, tree[pick % tree.length]?.id ?? null);
      const last = way.at(-1) ?? "";
      const grown = [...tree, { id: "run_new", parent: last }];
      expect(path(grown, last)).toEqual([...way, "run_new"]);
    }),
  );
});
