/** Which runs a list shows, as it stands in the address, and as the server is asked. */

export interface Filters {
  status: string;
  model: string;
  surface: string;
  words: string;
  /** "1h", "24h", "7d", "30d", or "" for any time. */
  time: string;
  subagents: boolean;
}

export const ANY: Filters = {
  status: "",
  model: "",
  surface: "",
  words: "",
  time: "",
  subagents: false,
};

export const TIMES: Record<string, number> = {
  "1h": 3600,
  "24h": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
};

const UNDER_WAY = "queued,running,waiting_for_approval,waiting_for_client,stopping";

/** What one may choose, beside each status alone. */
export const GROUPS: Record<string, string> = { open: UNDER_WAY };

export function fromQuery(query: URLSearchParams): Filters {
  return {
    status: query.get("status") ?? "",
    model: query.get("model") ?? "",
    surface: query.get("surface") ?? "",
    words: query.get("q") ?? "",
    time: query.get("time") ?? "",
    subagents: query.get("subagents") === "shown",
  };
}

/** Only what narrows the list is in the address. */
export function toQuery(filters: Filters): Record<string, string> {
  const all = {
    status: filters.status,
    model: filters.model,
    surface: filters.surface,
    q: filters.words,
    time: filters.time,
    subagents: filters.subagents ? "shown" : "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

export function isNarrowed(filters: Filters): boolean {
  return Object.keys(toQuery({ ...filters, subagents: false })).length > 0;
}

/** `now` is in seconds since the epoch. */
export function toRequest(filters: Filters, now: number): Record<string, string | number | null> {
  const seconds = TIMES[filters.time];
  return {
    status: GROUPS[filters.status] ?? filters.status,
    model: filters.model,
    surface: filters.surface,
    q: filters.words,
    since: seconds === undefined ? null : Math.floor(now - seconds),
    delegated: filters.subagents ? null : "false",
  };
}
