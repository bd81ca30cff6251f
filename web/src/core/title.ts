/** What a tab is called: the page, or what is open in it. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const subject = signal("");

/** For a page with something of its own open; empty while it has no name. */
export function useSubject(words: string): void {
  useEffect(() => {
    subject.value = words;
    return () => {
      subject.value = "";
    };
  }, [words]);
}

export function useTitle(page: string): void {
  const words = subject.value || page;
  useEffect(() => {
    document.title = words === "" ? "Angelia" : `${words} · Angelia`;
  }, [words]);
}
