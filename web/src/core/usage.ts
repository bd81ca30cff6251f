/** Usage as the charts and the table show it. */

import type { Amounts, TimedPart, UsageLine } from "../api/admin-shapes";

export const GROUPS = {
  day: "Day",
  "day,model": "Day and model",
  "day,key": "Day and key",
  model: "Model",
  key: "Key",
} as const;

export type Group = keyof typeof GROUPS;

export interface Series {
  name: string;
  /** By place; null where nothing is known. */
  values: (number | null)[];
}

/** Places along the axis, and what stands there. */
export interface Figures {
  places: string[];
  series: Series[];
}

/** More series than this cannot be told apart. */
export const MOST_SERIES = 7;

/** Tokens by kind, without counting any of them twice. */
export const KINDS: Record<string, (used: Amounts) => number> = {
  Input: (used) => Math.max(0, used.input_tokens - used.cached_tokens - used.cache_write_tokens),
  "Read from cache": (used) => used.cached_tokens,
  "Written to cache": (used) => used.cache_write_tokens,
  Output: (used) => Math.max(0, used.output_tokens - used.reasoning_tokens),
  Reasoning: (used) => used.reasoning_tokens,
};

const DAY = 86_400_000;

/** Every day from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  const end = Date.parse(`${last}T00:00:00Z`);
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
  const count = Math.max(0, Math.round((end - start) / DAY) + 1);
  return Array.from({ length: count }, (_, index) => dayOf(start + index * DAY));
}

export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The first day of the last `count` days. */
export function daysBack(count: number, now: number): string {
  return dayOf(now - (count - 1) * DAY);
}

export function keyName(line: UsageLine): string {
  return line.key_name ?? line.key ?? "";
}

/** What a line is about besides its day. */
export function nameOf(line: UsageLine, group: Group): string {
  if (group.includes("model")) return line.model ?? "no model";
  return group.includes("key") ? keyName(line) : "";
}

export function hasDays(group: Group): boolean {
  return group.startsWith("day");
}

function placeOf(line: UsageLine, group: Group): string {
  return hasDays(group) ? (line.day ?? "") : nameOf(line, group);
}

/** Where there is one line for a place, its parts side by side: kinds of tokens, percentiles. */
export function byPart(
  lines: readonly UsageLine[],
  group: Group,
  places: string[],
  parts: Record<string, (line: UsageLine) => number | null>,
): Figures {
  const known = new Map(lines.map((line) => [placeOf(line, group), line]));
  const series = Object.entries(parts).map(([name, part]) => ({
    name,
    values: places.map((place) => {
      const line = known.get(place);
      return line === undefined ? null : part(line);
    }),
  }));
  return { places, series };
}

/** Where there are several lines for a day, one series for each model or key. */
export function byName(
  lines: readonly UsageLine[],
  group: Group,
  places: string[],
  amount: (line: UsageLine) => number | null,
): Figures {
  const index = new Map(places.map((place, at) => [place, at]));
  const found = new Map<string, (number | null)[]>();
  for (const line of lines) {
    const at = index.get(line.day ?? "");
    if (at === undefined) continue;
    const name = nameOf(line, group);
    const values = found.get(name) ?? places.map(() => null);
    const more = amount(line);
    // Two keys may have one name.
    if (more !== null) values[at] = (values[at] ?? 0) + more;
    found.set(name, values);
  }
  return { places, series: [...found].map(([name, values]) => ({ name, values })) };
}

/** The largest series, and all others as one that is their sum. */
export function largest({ places, series }: Figures, most = MOST_SERIES): Figures {
  const ordered = series.toSorted((a, b) => sum(b.values) - sum(a.values));
  if (ordered.length <= most) return { places, series: ordered };
  const rest = ordered.slice(most - 1);
  const values = places.map((_, place) => sum(rest.map((each) => each.values[place] ?? null)));
  const others = { name: `${rest.length} others`, values };
  return { places, series: [...ordered.slice(0, most - 1), others] };
}

export function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((all, value) => all + (value ?? 0), 0);
}

export function placesOf(lines: readonly UsageLine[], group: Group, days: string[]): string[] {
  if (hasDays(group)) return days;
  return [...new Set(lines.map((line) => nameOf(line, group)))];
}

export function timed(part: TimedPart, which: "p50" | "p95") {
  return (line: Amounts): number | null => line.latency?.[part]?.[which] ?? null;
}
