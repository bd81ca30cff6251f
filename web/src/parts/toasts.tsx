/** Short words about what went wrong or was done, for a while at the edge of the page. */

import { signal } from "@preact/signals";

interface Toast {
  id: number;
  words: string;
  isBad: boolean;
}

const SECONDS = 6;
const toasts = signal<readonly Toast[]>([]);
let made = 0;

export function say(words: string, isBad = false): void {
  made += 1;
  const toast = { id: made, words, isBad };
  toasts.value = [...toasts.value, toast];
  setTimeout(() => dismiss(toast.id), SECONDS * 1000);
}

/** Does something and says what went wrong, if anything does. True if it went well. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return false;
  }
  if (done !== undefined) say(done);
  return true;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <p key={toast.id} class={toast.isBad ? "toast bad" : "toast"}>
          {toast.words}
          <button type="button" class="quiet small" onClick={() => dismiss(toast.id)}>
            Close
          </button>
        </p>
      ))}
    </div>
  );
}
