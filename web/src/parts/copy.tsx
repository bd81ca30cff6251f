/** A button that puts a text on the clipboard and says so. */

import { useState } from "preact/hooks";

export function Copy({ text, words = "Copy" }: { text: string; words?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const worked = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    setSaid(worked ? "Copied" : "Not copied");
    setTimeout(() => setSaid(""), 1500);
  };
  return (
    <button type="button" class="quiet small" onClick={copy} aria-live="polite">
      {said || words}
    </button>
  );
}
