/** The runs of a session as a tree: which of them are shown, and what stands beside each. */

/** One run, and the run that it goes on from. */
export interface Node {
  id: string;
  parent: string | null;
}

/**
 * The runs from the first to `leaf`, and on behind it by the newest ones. Without a leaf that is
 * known it is the way to the newest run of all. `nodes` are oldest first; what goes on from a run
 * that is not among them begins the way.
 */
export function path(nodes: readonly Node[], leaf: string | null): string[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const last = leaf !== null && known.has(leaf) ? newestBelow(nodes, leaf) : nodes.at(-1)?.id;
  const way: string[] = [];
  for (let at = last === undefined ? undefined : known.get(last); at !== undefined; ) {
    way.unshift(at.id);
    at = at.parent === null || way.includes(at.parent) ? undefined : known.get(at.parent);
  }
  return way;
}

/** All that goes on from the same run, oldest first; the run itself is among them. */
export function siblings(nodes: readonly Node[], id: string): string[] {
  const own = nodes.find((node) => node.id === id);
  if (own === undefined) return [];
  return nodes.filter(({ parent }) => parent === own.parent).map((node) => node.id);
}

/** The newest run that goes on from this one, however far; the run itself where none does. */
export function newestBelow(nodes: readonly Node[], id: string): string {
  const below = new Set([id]);
  let newest = id;
  for (const node of nodes) {
    if (node.parent === null || !below.has(node.parent)) continue;
    below.add(node.id);
    newest = node.id;
  }
  return newest;
}
