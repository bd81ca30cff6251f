"""Full-text search in SQLite. What people type is words, never the syntax of a query.

In the index every word stands behind the mark of its tenant, so that a search walks the words of
its own tenant and takes the same time whatever others have said.
"""

import sqlite3
import time
from hashlib import blake2b
from sqlite3 import Connection

from angelia.adapters.refusals import search_too_broad
from angelia.adapters.snippets import READ_CHARACTERS, Said, hit
from angelia.adapters.words import may_be_cut_off, words
from angelia.ports import Hit, Search

WORKING_SECONDS = 0.5
WAITING_SECONDS = 5.0
STEPS_BETWEEN_LOOKS = 1_000

# Texts may be long, so only those of the best runs are read, as bytes: as text they would end at
# their first NUL. The best are picked from all that match: to look each of them up would be a
# search of its own.
_BEST = (
    "select said.rowid as key, said.rank as place from said(?1) "
    "join runs on runs.key = said.rowid "
    "join sessions on sessions.tenant = runs.tenant and sessions.id = runs.session_id "
    "where runs.tenant = ?2 and (case when ?5 then sessions.user is ?3 "
    "and sessions.session_key is ?6 else ?3 is null or sessions.user = ?3 end) "
    "order by said.rank, said.rowid desc limit ?4"
)
_SEARCH = (
    "select runs.session_id, runs.id, runs.created_at, "  # noqa: S608
    f"substr(cast(runs.question as blob), 1, {READ_CHARACTERS}), "
    f"substr(cast(runs.output as blob), 1, {READ_CHARACTERS}) "
    f"from ({_BEST}) as best join runs on runs.key = best.key order by best.place, best.key desc"
)


def mark(tenant: str) -> str:
    """Of one length, so that no mark is the beginning of another."""
    return blake2b(tenant.encode(), digest_size=5).hexdigest()


def marked(tenant: str, text: str) -> str:
    """A text as the index is given it. SQLite knows this as the function `marked`."""
    before = mark(tenant)
    # As one join: every run that ends passes here.
    return f" {before}".join(("", *words(text)))


def phrase(tenant: str, wanted: list[str]) -> str:
    """Every word, the last one perhaps cut off, as the index is asked for them."""
    before = mark(tenant)
    query = " ".join(f'"{before}{word}"' for word in wanted)
    return query + "*" if may_be_cut_off(wanted[-1]) else query


class Deadline:
    """How long the thread that made it may work; a disk that is slow has longer."""

    def __init__(self, seconds: float) -> None:
        self._work_ends = time.thread_time() + seconds
        self._end = time.monotonic() + WAITING_SECONDS

    def over(self) -> bool:
        return time.thread_time() > self._work_ends or time.monotonic() > self._end


def search(
    connection: Connection, wanted: Search, seconds: float = WORKING_SECONDS
) -> tuple[Hit, ...]:
    """Raises BadRequest when it takes too long."""
    looked_for = list(words(wanted.text))
    if not looked_for:
        return ()
    deadline = Deadline(seconds)
    hits: list[Hit] = []
    for said in _best(connection, wanted, phrase(wanted.tenant, looked_for), deadline):
        if deadline.over():
            raise search_too_broad()
        hits.append(hit(looked_for, said))
    return tuple(hits)


def _best(connection: Connection, wanted: Search, query: str, deadline: Deadline) -> list[Said]:
    values = (query, wanted.tenant, wanted.user, wanted.limit, wanted.strict, wanted.key)
    connection.set_progress_handler(deadline.over, STEPS_BETWEEN_LOOKS)
    try:
        return [_said(*row) for row in connection.execute(_SEARCH, values).fetchall()]
    except sqlite3.OperationalError:
        if deadline.over():
            raise search_too_broad() from None
        raise
    finally:
        connection.set_progress_handler(None, 0)


def _said(
    session_id: str, run_id: str, at: float, question: bytes | None, output: bytes | None
) -> Said:
    return Said(session_id, run_id, at, _text(question), _text(output))


def _text(cut: bytes | None) -> str:
    """Without the character in which it was cut. A piece of no bytes is null in SQLite."""
    return cut.decode(errors="ignore") if cut else ""
