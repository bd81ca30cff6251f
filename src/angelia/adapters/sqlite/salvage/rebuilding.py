"""The new database: rows as they were, logs as far as they hold, and what follows from both."""

from collections.abc import Sequence
from sqlite3 import Connection

from msgspec import Struct, json

from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.salvage.deltas import add_spooled
from angelia.adapters.sqlite.salvage.prefix import Prefix, prefixes
from angelia.adapters.sqlite.salvage.readable import readable, tables
from angelia.adapters.sqlite.salvage.records import Restored, known_of, restore
from angelia.adapters.sqlite.schema import MIGRATIONS, make_known, migrate
from angelia.adapters.sqlite.spool import Spooled
from angelia.core.events import Fact, Failed, RunEnded, ToolFinished
from angelia.core.run import evolve
from angelia.core.state import RunState
from angelia.ports.storage import CutRun

LOST = Failed("The rest of this run was lost with a damaged database.", "log_damaged")
IN_DOUBT = (
    "Whether this call was carried out is unknown: the rest of the run was lost with a damaged "
    "database. It may have had its effect. Check before repeating it."
)

_TRIGGERS = "select name, sql from sqlite_schema where type = 'trigger'"
_INSERT = "insert into events (run, last_seq, first_seq, fact, at, body) values (?, ?, ?, 1, ?, ?)"
# The key of a run that is gone is given to another one some day.
_OF_NOBODY = (
    ("chains", "run not in (select key from runs)"),
    ("claims", "run_id not in (select id from runs)"),
    ("deliveries", "run_id not in (select id from runs)"),
)
_SESSIONS = """
insert or ignore into sessions (
    tenant, id, created_at, updated_at, changed_at, user, session_key, question
)
select tenant, session_id, min(created_at), max(updated_at), min(created_at), user, session_key,
    question
from runs where stored = 1 and session_id <> '' group by tenant, session_id;

update sessions set
    runs = (
        select count(*) from runs
        where runs.tenant = sessions.tenant and session_id = sessions.id and stored = 1
    ),
    last_run = (
        select runs.id from runs
        where runs.tenant = sessions.tenant and session_id = sessions.id and stored = 1
        order by key desc limit 1
    );
"""


class Rebuilt(Struct, frozen=True):
    whole: int
    cut: tuple[CutRun, ...]
    lost: tuple[str, ...]


def make_empty(connection: Connection, version: int) -> None:
    """All tables of that format, and nothing in them."""
    make_known(connection)
    migrate(connection, sorted(MIGRATIONS.glob("*.sql"))[:version])


def rebuild(
    source: Connection, target: Connection, spool: Sequence[Spooled], *, doubtful: bool
) -> Rebuilt:
    """Fills an empty database. `doubtful` is whether the last transactions are known to be lost."""
    triggers = target.execute(_TRIGGERS).fetchall()
    target.execute("begin")
    for name, _sql in triggers:
        target.execute(f"drop trigger {name}")
    for table in tables(target):
        marks = ", ".join("?" * len(table.columns))
        insert = f"insert or ignore into {table.name} ({table.listed}) values ({marks})"  # noqa: S608
        target.executemany(insert, readable(source, table))
    restored = restore(source, target)
    add_spooled(target, spool)
    rebuilt = _settle(target, restored, doubtful=doubtful)
    for _name, sql in triggers:
        target.execute(sql)
    target.execute("commit")
    _derive(target)
    return rebuilt


def _settle(target: Connection, restored: Restored, *, doubtful: bool) -> Rebuilt:
    whole, cut = 0, list[CutRun]()
    found = list(prefixes(target))
    for prefix in found:
        told = prefix.complete and prefix.key not in restored.keys
        if prefix.state is None:
            target.execute("delete from events where run = ?", (prefix.key,))
            target.execute("delete from runs where key = ?", (prefix.key,))
        elif told and (prefix.ended or not doubtful):
            whole += 1
        else:
            _end(target, prefix, prefix.state)
            if prefix.ended:
                whole += 1
            else:
                cut.append(CutRun(prefix.run_id, prefix.last_seq))
    return Rebuilt(whole, tuple(cut), _lost(found, restored))


def _lost(found: Sequence[Prefix], restored: Restored) -> tuple[str, ...]:
    """Runs that are known to have been there; None twice."""
    names = restored.names | {prefix.key: prefix.run_id for prefix in found}
    kept = {prefix.key for prefix in found if prefix.state is not None}
    lost = (name for key, name in sorted(names.items()) if key not in kept)
    return (*lost, *restored.nameless)


def _end(target: Connection, prefix: Prefix, state: RunState) -> None:
    """Nobody can say what came behind the cut, so nobody goes on from it."""
    behind = (prefix.key, prefix.last_seq)
    target.execute("delete from events where run = ? and last_seq > ?", behind)
    facts = [] if prefix.ended else _last_words(state)
    last = prefix.last_seq + len(facts)
    if facts:
        body = encode_lines(facts)
        target.execute(_INSERT, (prefix.key, last, prefix.last_seq + 1, prefix.at, body))
    for fact in facts:
        state = evolve(state, fact)
    _close(target, prefix.key, last, state)


def _close(target: Connection, key: int, last: int, state: RunState) -> None:
    """The record, as the end of the log has it."""
    failed = isinstance(state.ending, Failed)
    values = {
        "last_seq": last,
        "ended": 1,
        "status": state.status,
        "error": json.encode(state.ending).decode() if failed else None,
        "output": state.output,
        "usage": json.encode(state.usage).decode(),
        "cost": state.cost,
    }
    given = known_of(target, values)
    changes = ", ".join(f"{name} = ?" for name in given)
    target.execute(f"update runs set {changes} where key = ?", (*given.values(), key))  # noqa: S608


def _last_words(state: RunState) -> list[Fact]:
    begun = [each.call for each in state.calls if each.status in ("running", "orphaned")]
    doubts = [ToolFinished(call.id, call.name, "in_doubt", IN_DOUBT) for call in begun]
    return [*doubts, RunEnded(LOST, state.output, state.usage, state.cost)]


def _derive(target: Connection) -> None:
    """What follows from the runs: who else may stay, their sessions, and the words to search."""
    for table, gone in _OF_NOBODY:
        if _exists(target, table):
            target.execute(f"delete from {table} where {gone}")  # noqa: S608
    if _exists(target, "sessions"):
        target.executescript(_SESSIONS)
    if _exists(target, "said"):
        target.execute("insert into said (said) values ('rebuild')")


def _exists(target: Connection, table: str) -> bool:
    query = "select 1 from sqlite_schema where type = 'table' and name = ?"
    return target.execute(query, (table,)).fetchone() is not None


def known_version(source: Connection) -> int:
    """The format of the file, as far as it can be believed."""
    (version,) = source.execute("pragma user_version").fetchone()
    formats = newest_version()
    return version if 0 < version <= formats else formats


def newest_version() -> int:
    return len(list(MIGRATIONS.glob("*.sql")))
