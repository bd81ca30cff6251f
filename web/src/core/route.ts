/** Where in the console one is: `#/runs/run_1?tab=events`. */

import { signal } from "@preact/signals";

export interface Place {
  page: string;
  /** What follows the page's name, decoded: an id that may hold slashes. */
  rest: string;
  query: URLSearchParams;
}

export function parse(hash: string): Place {
  const [path = "", ...query] = hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...rest] = path.split("/");
  return {
    page: page || "chat",
    rest: decoded(rest.join("/")),
    query: new URLSearchParams(query.join("?")),
  };
}

export function address(page: string, rest = "", query: Record<string, string> = {}): string {
  const words = new URLSearchParams(query).toString();
  const tail = rest === "" ? "" : `/${encodeURIComponent(rest)}`;
  return `#/${page}${tail}${words === "" ? "" : `?${words}`}`;
}

export const place = signal<Place>(parse(globalThis.location?.hash ?? ""));

export function go(to: string): void {
  globalThis.location.hash = to;
}

/** Takes the place of the present entry in the history. */
export function goInstead(to: string): void {
  globalThis.history.replaceState(null, "", to);
  place.value = parse(to);
}

globalThis.addEventListener?.("hashchange", () => {
  place.value = parse(globalThis.location.hash);
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
