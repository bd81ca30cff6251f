"""Full-text search in SQLite. What people type is words, never the syntax of a query."""

from sqlite3 import Connection

from angelia.adapters.words import WORD
from angelia.ports import Hit, Search

HIT, END = "\x02", "\x03"
SNIPPET_WORDS = 12

# A snippet reads the whole text, so it is taken of the best runs alone. They are picked from all
# that match: to look each of them up would be a search of its own.
_BEST = (
    "select said.rowid as key, said.rank as place from said(?1) "
    "join runs on runs.key = said.rowid "
    "join sessions on sessions.tenant = runs.tenant and sessions.id = runs.session_id "
    "where runs.tenant = ?2 and (?3 is null or sessions.user = ?3) "
    "order by said.rank, said.rowid desc limit ?4"
)
_SNIPPET = f"snippet(said, %d, '{HIT}', '{END}', '…', {SNIPPET_WORDS})"
_SEARCH = (
    "select runs.session_id, runs.id, runs.created_at, "  # noqa: S608
    f"{_SNIPPET % 0}, {_SNIPPET % 1} "
    f"from said(?1) cross join ({_BEST}) as best on best.key = said.rowid "
    "join runs on runs.key = best.key order by best.place, best.key desc"
)


def search(connection: Connection, wanted: Search) -> tuple[Hit, ...]:
    query = phrase(wanted.text)
    if not query:
        return ()
    values = (query, wanted.tenant, wanted.user, wanted.limit)
    return tuple(_hit(*row) for row in connection.execute(_SEARCH, values).fetchall())


def phrase(text: str) -> str:
    """Every word, the last one perhaps cut off, as the index is asked for them."""
    words = WORD.findall(text)
    return " ".join(f'"{word}"' for word in words) + "*" if words else ""


def _hit(session_id: str, run_id: str, at: float, question: str, output: str) -> Hit:
    if output.count(HIT) > question.count(HIT):
        return Hit(session_id, run_id, at, "assistant", _shown(output))
    return Hit(session_id, run_id, at, "user", _shown(question))


def _shown(snippet: str) -> str:
    return snippet.replace(HIT, "«").replace(END, "»")
