"""Contents and records of checkpoints, in one SQLite file of their own.

Contents are stored once, by their digest. Whatever is written in one `with vault.writing()` is
durable together.
"""

import contextlib
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

from msgspec import json

from angelia.adapters.checkpoint_states import Scan, State, Step, digest

_SCHEMA = """
create table if not exists contents (digest text primary key, data blob not null) without rowid;
create table if not exists steps (
    run text not null, seq integer not null, call text not null, place text not null,
    before text not null, after text, before_digest text, after_digest text,
    primary key (run, seq)
) without rowid;
create table if not exists taken (
    run text not null, place text not null, left text not null, state text not null, digest text,
    primary key (run, place)
) without rowid;
create table if not exists open_commands (run text primary key, seen blob not null);
create table if not exists notes (run text not null, note text not null, unique (run, note));
create table if not exists stamps (
    place text primary key, stamp text not null, state text not null, digest text
) without rowid;
"""
_UNUSED = """
delete from contents where digest not in (
    select before_digest from steps where before_digest is not null
    union select after_digest from steps where after_digest is not null
    union select digest from taken where digest is not null
    union select digest from stamps where digest is not null
)
"""

_states = json.Decoder(State)
_seen = json.Decoder(Scan)


class CheckpointVault:
    """Not for two threads at once."""

    def __init__(self, path: Path | None) -> None:
        """Without a path nothing outlives the process."""
        self.folder = None if path is None else path.parent
        if self.folder is not None:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = ":memory:" if path is None else str(path)
        self._db = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        for pragma in ("auto_vacuum=incremental", "journal_mode=wal", "synchronous=full"):
            self._db.execute(f"pragma {pragma}").fetchall()
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        self._db.execute("begin immediate")
        with contextlib.ExitStack() as unless_all_is_well:
            unless_all_is_well.callback(self._db.rollback)
            yield
            self._db.execute("commit")
            unless_all_is_well.pop_all()

    # ── contents ────────────────────────────────────────────────────────────────────────

    def keep(self, data: bytes) -> str:
        name = digest(data)
        self._db.execute("insert or ignore into contents values (?, ?)", (name, data))
        return name

    def load(self, name: str) -> bytes | None:
        row = self._db.execute("select data from contents where digest = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    # ── what runs did ───────────────────────────────────────────────────────────────────

    def add(self, run: str, steps: Sequence[Step]) -> None:
        (last,) = self._db.execute(
            "select coalesce(max(seq), 0) from steps where run = ?", (run,)
        ).fetchone()
        self._db.executemany(
            "insert into steps values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(run, last + n, step.call_id, step.place),
                    *(_text(step.before), None if step.after is None else _text(step.after)),
                    *(_content(step.before), step.after and _content(step.after)),
                )
                for n, step in enumerate(steps, 1)
            ],
        )

    def steps(self, run: str) -> list[Step]:
        rows = self._db.execute(
            "select place, before, after, call from steps where run = ? order by seq", (run,)
        )
        return [
            Step(place, _states.decode(before), None if after is None else _states.decode(after), c)
            for place, before, after, c in rows
        ]

    def note(self, run: str, notes: Sequence[str]) -> None:
        pairs = [(run, note) for note in notes]
        self._db.executemany("insert or ignore into notes values (?, ?)", pairs)

    def notes(self, run: str) -> tuple[str, ...]:
        rows = self._db.execute("select note from notes where run = ?", (run,))
        return tuple(note for (note,) in rows)

    # ── commands under way ──────────────────────────────────────────────────────────────

    def open(self, run: str, seen: Scan) -> None:
        row = (run, json.encode(seen))
        self._db.execute("insert or replace into open_commands values (?, ?)", row)

    def opened(self, run: str) -> Scan | None:
        row = self._db.execute("select seen from open_commands where run = ?", (run,)).fetchone()
        return None if row is None else _seen.decode(row[0])

    def shut(self, run: str) -> None:
        self._db.execute("delete from open_commands where run = ?", (run,))

    # ── what undoing took away ──────────────────────────────────────────────────────────

    def take(self, run: str, place: str, left: State, state: State) -> None:
        row = (run, place, _text(left), _text(state), _content(state))
        self._db.execute("insert or replace into taken values (?, ?, ?, ?, ?)", row)

    def taken(self, run: str) -> dict[str, tuple[State, State]]:
        """By place: what the undo has left there, and what was there before it."""
        rows = self._db.execute("select place, left, state from taken where run = ?", (run,))
        return {place: (_states.decode(a), _states.decode(b)) for place, a, b in rows}

    def give(self, run: str, place: str) -> None:
        self._db.execute("delete from taken where run = ? and place = ?", (run, place))

    # ── what is known of files without reading them ─────────────────────────────────────

    def stamps(self) -> dict[str, tuple[str, State]]:
        rows = self._db.execute("select place, stamp, state from stamps")
        return {place: (stamp, _states.decode(state)) for place, stamp, state in rows}

    def stamp(self, known: Mapping[str, tuple[str, State]], gone: Sequence[str]) -> None:
        rows = [(p, stamp, _text(state), _content(state)) for p, (stamp, state) in known.items()]
        self._db.executemany("insert or replace into stamps values (?, ?, ?, ?)", rows)
        self._db.executemany("delete from stamps where place = ?", [(place,) for place in gone])

    # ── letting go ──────────────────────────────────────────────────────────────────────

    def delete(self, run: str) -> None:
        gone = 0
        for table in ("steps", "taken", "open_commands", "notes"):
            gone += self._db.execute(f"delete from {table} where run = ?", (run,)).rowcount  # noqa: S608
        if gone:
            self.prune()

    def prune(self) -> None:
        """Contents that nothing refers to. Those of a command under way are only in its list."""
        if self._db.execute("select 1 from open_commands limit 1").fetchone() is None:
            self._db.execute(_UNUSED)

    def shrink(self) -> None:
        """Gives room back to the disk; outside of `writing`."""
        # Only a script steps through the pragma to its end.
        self._db.executescript("pragma incremental_vacuum(1000)")


def _text(state: State) -> str:
    return json.encode(state).decode()


def _content(state: State) -> str | None:
    """The digest that must stay loadable for this state."""
    return state.digest if state.kept and state.kind in ("file", "link") else None
