/** One entry of the log with what each client got for it. */

import { useState } from "preact/hooks";
import { Copy } from "../../../parts/copy";
import { type Column, type Entry, pretty } from "./views";

interface Shown {
  entry: Entry;
  columns: readonly Column[];
  isOpen: boolean;
  onToggle: () => void;
}

export function EntryRow({ entry, columns, isOpen, onToggle }: Shown) {
  const [isPretty, setPretty] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list scrolls a window of its rows
    <div
      class={isOpen ? "entry open" : "entry"}
      role="listitem"
      data-seq={entry.seq}
      data-columns={columns.length}
    >
      <div class="entry-head">
        <button type="button" class="quiet small" aria-expanded={isOpen} onClick={onToggle}>
          <b>{entry.seq}</b> {entry.event}
        </button>
        {isOpen && (
          <button
            type="button"
            class="quiet small"
            aria-pressed={isPretty}
            onClick={() => setPretty(!isPretty)}
          >
            Pretty
          </button>
        )}
      </div>
      {columns.map((column) => (
        <Frame key={column} {...{ column, isOpen, isPretty }} text={entry[column]} />
      ))}
    </div>
  );
}

interface Got {
  column: Column;
  text: string;
  isOpen: boolean;
  isPretty: boolean;
}

function Frame({ column, text, isOpen, isPretty }: Got) {
  if (text === "")
    return (
      <div class="frame-text none" data-client={column}>
        —
      </div>
    );
  return (
    <div class="frame-text" data-client={column}>
      <pre>{isOpen && isPretty ? pretty(text) : text}</pre>
      {isOpen && <Copy text={text} words={`Copy for ${column}`} />}
    </div>
  );
}
