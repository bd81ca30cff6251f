/** Asking the server: JSON in and out, refusals as errors with the server's own words. */

import { signal } from "@preact/signals";

/** What the server refused, in its words. `status` is 0 where no server answered. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

/** False once a request was answered with 401: the key is revoked, or the sign-in is over. */
export const keyHolds = signal(true);

const HEADERS = { "X-Angelia-Console": "1" };

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export async function ask<T>(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const answer = await sent(method, path, body, headers);
  return (await answer.json()) as T;
}

export function get<T>(path: string, query: Query = {}): Promise<T> {
  return ask<T>("GET", path + asQuery(query));
}

/** What no JSON is: an export, the whole output of a tool. */
export async function getText(path: string): Promise<string> {
  return (await sent("GET", path)).text();
}

type Query = Record<string, string | number | boolean | null | undefined>;

/** `?a=1&b=2` of what has a value, or nothing. */
export function asQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value != null && value !== "");
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** A part of a path that may hold anything, slashes too. */
export function asSegment(text: string): string {
  return encodeURIComponent(text);
}

async function sent(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const asked: RequestInit = { method, headers: { ...HEADERS, ...headers } };
  if (body !== undefined) {
    asked.headers = { ...asked.headers, "Content-Type": "application/json" };
    asked.body = JSON.stringify(body);
  }
  const answer = await fetch(path, asked).catch(() => {
    throw new Refused(0, "The server does not answer.");
  });
  if (answer.ok) return answer;
  throw await refusal(answer);
}

/** Reads what an answer that is no success says, and remembers that a key is over. */
export async function refusal(answer: Response): Promise<Refused> {
  if (answer.status === 401) keyHolds.value = false;
  try {
    const { error } = await answer.json();
    return new Refused(answer.status, error.message, error.code, error.param);
  } catch {
    return new Refused(answer.status, `The server answered ${answer.status}.`);
  }
}
