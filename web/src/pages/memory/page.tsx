/** Memory: the notes that agents keep of people, by whom they are about. */

import { useState } from "preact/hooks";
import type { Note } from "../../api/admin-shapes";
import { get } from "../../api/client";
import type { Page } from "../../api/shapes";
import { useAsked } from "../../core/asked";
import { found, ownersOf } from "../../core/notes";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/shown";
import { NoteForm } from "./form";
import { OwnerNotes } from "./owner";

const PAGE = 100;
const MOST_PAGES = 50;

export default function MemoryPage() {
  const asked = useAsked<Note[]>("/api/memory", everyNote);
  const [words, setWords] = useState("");
  const [isAdding, setAdding] = useState(false);
  return (
    <div class="page">
      <header>
        <h1>Memory</h1>
        <div class="actions">
          <input
            type="search"
            placeholder="Search notes"
            aria-label="Search notes"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="button" onClick={() => setAdding(true)}>
            <Icon name="plus" /> New note
          </button>
        </div>
      </header>
      <Shown asked={asked} what="the notes">
        {(notes) => <Notes notes={notes} words={words} onChange={asked.again} />}
      </Shown>
      {isAdding && <NoteForm onClose={() => setAdding(false)} onSaved={asked.again} />}
    </div>
  );
}

interface Listed {
  notes: Note[];
  words: string;
  onChange: () => Promise<void>;
}

function Notes({ notes, words, onChange }: Listed) {
  if (notes.length === 0) {
    return (
      <p class="empty">
        Nothing is noted. Agents write down here what will still matter in later conversations.
      </p>
    );
  }
  const fitting = found(notes, words);
  if (fitting.length === 0) return <p class="empty">No note has these words.</p>;
  return (
    <>
      {ownersOf(fitting).map((owner) => (
        <OwnerNotes key={`${owner.user}\n${owner.sessionKey}`} owner={owner} onChange={onChange} />
      ))}
    </>
  );
}

async function everyNote(path: string): Promise<Note[]> {
  const notes: Note[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data, has_more } = await get<Page<Note>>(path, {
      limit: PAGE,
      after: notes.at(-1)?.id,
    });
    notes.push(...data);
    if (!has_more) break;
  }
  return notes;
}
