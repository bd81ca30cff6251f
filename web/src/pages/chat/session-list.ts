/** The sessions of the key, newest first, as the server tells of them. */

import { signal } from "@preact/signals";
import { ask, asSegment, get } from "../../api/client";
import type { Page, Session } from "../../api/shapes";

const PAGE = 40;

export interface Hit {
  session: { id: string; title: string };
  run_id: string;
  role: string;
  snippet: string;
  at: number;
}

export const sessions = signal<readonly Session[]>([]);
export const hasMore = signal(false);
/** The one that is open, where it is too old to be listed. */
const unlisted = signal<Session | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** The newest again; those that were listed behind them stay. */
export async function loadSessions(): Promise<void> {
  const page = await get<Page<Session>>("/api/sessions", { limit: PAGE });
  const oldest = page.data.at(-1)?.updated_at ?? 0;
  const fresh = new Set(page.data.map(({ id }) => id));
  const behind = sessions.peek().filter((one) => !fresh.has(one.id) && one.updated_at < oldest);
  sessions.value = page.has_more ? [...page.data, ...behind] : page.data;
  if (behind.length === 0 || !page.has_more) hasMore.value = page.has_more;
}

export async function loadMore(): Promise<void> {
  const after = sessions.peek().at(-1)?.id;
  const page = await get<Page<Session>>("/api/sessions", { limit: PAGE, after });
  sessions.value = [...sessions.peek(), ...page.data];
  hasMore.value = page.has_more;
}

export function known(id: string | null): Session | undefined {
  const apart = unlisted.value?.id === id ? unlisted.value : null;
  return sessions.value.find((session) => session.id === id) ?? apart ?? undefined;
}

/** Asks for a session that the list does not reach, until it is told that nobody waits for it. */
export async function loadUnlisted(id: string, { signal }: AbortController): Promise<void> {
  if (sessions.peek().length === 0 || sessions.peek().some((one) => one.id === id)) return;
  const session = await get<Session>(`/api/sessions/${asSegment(id)}`);
  if (!signal.aborted) unlisted.value = session;
}

/** Many hints that come together are one question. */
export function refreshSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void loadSessions().catch(() => {}), 150);
}

export async function search(words: string): Promise<Hit[]> {
  const found = await get<{ data: Hit[] }>("/api/sessions/search", { q: words, limit: 30 });
  return found.data;
}

export async function rename(id: string, title: string): Promise<void> {
  await ask("PATCH", `/api/sessions/${asSegment(id)}`, { title });
  await loadSessions();
}

export async function remove(id: string): Promise<void> {
  await ask("DELETE", `/api/sessions/${asSegment(id)}`);
  localStorage.removeItem(`angelia-branch:${id}`);
  await loadSessions();
}

/** A copy up to the end of a run, or up to now. */
export async function fork(id: string, runId: string | null): Promise<string> {
  const body = runId === null ? {} : { run_id: runId };
  const made = await ask<Session>("POST", `/api/sessions/${asSegment(id)}/fork`, body);
  await loadSessions();
  return made.id;
}

export function exportLink(id: string, format: "markdown" | "jsonl"): string {
  return `/api/sessions/${asSegment(id)}/export?format=${format}`;
}
