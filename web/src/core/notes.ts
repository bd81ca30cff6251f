/** Notes by whose they are, and by their words. */

import type { Note } from "../api/admin-shapes";

export interface NoteOwner {
  user: string | null;
  sessionKey: string | null;
  notes: Note[];
}

/** In the order of their names; those without a user first. */
export function ownersOf(notes: readonly Note[]): NoteOwner[] {
  const owners = new Map<string, NoteOwner>();
  for (const note of notes) {
    const name = JSON.stringify([note.user ?? "", note.session_key ?? ""]);
    const owner = owners.get(name);
    if (owner === undefined) {
      owners.set(name, { user: note.user, sessionKey: note.session_key, notes: [note] });
    } else owner.notes.push(note);
  }
  return [...owners].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, owner]) => owner);
}

/** Notes that hold all of the words, in whatever order and case. */
export function found(notes: readonly Note[], words: string): Note[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ text, user, session_key }: Note) =>
    `${text} ${user ?? ""} ${session_key ?? ""}`.toLowerCase();
  return notes.filter((note) => wanted.every((word) => textOf(note).includes(word)));
}
