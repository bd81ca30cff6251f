/** Who is signed in. The cookie that says so cannot be read here; the server is asked. */

import { computed, effect, signal } from "@preact/signals";
import { ask, get, keyHolds } from "../api/client";
import type { SignIn } from "../api/shapes";

const latest = signal<SignIn | null>(null);

/** Set where the key that was signed in with does not hold any more. */
export const wasRevoked = signal(false);

export const who = computed<"unknown" | "nobody" | SignIn>(() => {
  if (latest.value === null) return "unknown";
  return latest.value.signed_in ? latest.value : "nobody";
});

export const isAdmin = computed(() => latest.value?.key?.scopes.includes("admin") ?? false);

export const version = computed(() => latest.value?.version ?? "");

/** Why nobody knows yet who is signed in. */
export const trouble = signal("");

const PAUSE = 2000;

/** Asks until there is an answer. */
export async function look(): Promise<void> {
  try {
    latest.value = await get<SignIn>("/api/signin");
    trouble.value = "";
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
    setTimeout(() => void look(), PAUSE);
  }
}

export async function signIn(key: string): Promise<void> {
  latest.value = await ask<SignIn>("POST", "/api/signin", { key });
  wasRevoked.value = false;
  keyHolds.value = true;
}

export async function signOut(): Promise<void> {
  latest.value = await ask<SignIn>("DELETE", "/api/signin");
}

// Any request may be the first to hear that the key is over.
effect(() => {
  if (keyHolds.value || latest.peek()?.signed_in !== true) return;
  wasRevoked.value = true;
  latest.value = { signed_in: false, key: null, version: latest.peek()?.version ?? "" };
});
