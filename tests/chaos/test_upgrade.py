"""An upgrade: homes that earlier versions have written open, fold and go on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.chaos.ledger import Ledger
from tests.chaos.readers import ENDS, Event, check, outcomes
from tests.support.following import ended, run_of, started
from tests.support.http import Client
from tests.support.scripted import Scripted
from tests.support.server import AngeliaServer, UpstreamProcess

pytestmark = pytest.mark.timeout(120)

ROOT = Path(__file__).resolve().parents[2]
HOMES = sorted((ROOT / "tests" / "golden" / "homes").glob("*.sql"))
NEWEST = len(list((ROOT / "src/angelia/adapters/sqlite/migrations").glob("*.sql")))
KEY = "a-key-of-an-old-home-0123456789"
KEPT = {"/api/keys": "api_keys", "/api/memory": "memories", "/api/jobs": "jobs"}


class Old(Struct, frozen=True):
    """A run as the earlier version has left it."""

    id: str
    session_id: str
    last_seq: int
    is_over: bool


class Home:
    """The database of an earlier version, in a home where this version works."""

    def __init__(self, server: AngeliaServer, dump: Path) -> None:
        self._path = server.home / "angelia.db"
        with closing(sqlite3.connect(self._path)) as database:
            database.executescript(dump.read_text())

    def ask(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self._path)) as database:
            return database.execute(query).fetchall()

    @property
    def runs(self) -> list[Old]:
        rows = self.ask("select id, session_id, last_seq, ended from runs order by key")
        return [Old(name, session, last, bool(over)) for name, session, last, over in rows]

    def ids(self, table: str) -> list[str]:
        """Nothing for a table that the earlier version did not have."""
        known = self.ask(f"select 1 from sqlite_master where name = '{table}'")
        return [name for (name,) in self.ask(f"select id from {table}")] if known else []


@pytest.fixture(params=HOMES, ids=lambda path: path.stem)
def dump(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scripted]:
    """Not started yet: a home has to be put in its place before."""
    (tmp_path / "upstream").mkdir()
    upstream = UpstreamProcess(tmp_path / "upstream")
    upstream.start()
    env = {"ANGELIA_API_KEY": KEY, "ANGELIA_BASE_URL": upstream.url, "ANGELIA_MODEL": "scripted"}
    server = AngeliaServer(tmp_path / "server", env)
    yield Scripted(server, upstream)
    server.kill()
    upstream.kill()


async def test_a_home_of_an_earlier_version_opens_folds_and_goes_on(
    stage: Scripted, dump: Path, ledger: Ledger
) -> None:
    home = Home(stage.server, dump)
    runs = home.runs
    kept = {path: home.ids(table) for path, table in KEPT.items()}
    assert sum(not run.is_over for run in runs) >= 2
    stage.server.start()
    async with stage.client() as client:
        await check_list(client, runs)
        for run in runs:
            events = await replayed(client, run)
            ledger.count("events replayed", len(events))
            ledger.count("runs that went on", int(not run.is_over))
        ledger.count("runs", len(runs))
        await check_kept(client, kept)
        await check_session(stage, client)
    check_file(stage, home)


async def check_list(client: Client, runs: list[Old]) -> None:
    listed = (await client.get("/v1/runs?limit=100")).json
    assert not listed["has_more"]
    assert [run["run_id"] for run in reversed(listed["data"])] == [run.id for run in runs]


async def replayed(client: Client, run: Old) -> list[Event]:
    """All events of a run. What was cut off is in doubt; it is taken over or brought to an end."""
    if not run.is_over:
        await answered(client, run.id)
    path = f"/v1/runs/{run.id}/events"
    events = [frame.json async for frame in client.stream(path) if frame.comment is None]
    check(events)
    if run.is_over:
        assert len(events) == run.last_seq
        assert events[-1]["event"] == "run.completed"
    else:
        assert len(events) > run.last_seq
        assert events[run.last_seq - 1]["event"] not in ENDS
        assert "ok" not in outcomes(events).values()
    return events


async def answered(client: Client, run_id: str) -> None:
    """Says no to what waits for a person, unless its time is over already."""
    if (await run_of(client, run_id))["status"] == "waiting_for_approval":
        answer = await client.post(f"/v1/runs/{run_id}/approval", {"choice": "deny"})
        assert answer.status in (200, 409), answer.body


async def check_kept(client: Client, kept: dict[str, list[str]]) -> None:
    """Keys, notes and jobs are there; of what the earlier version did not know there is nothing."""
    for path, ids in kept.items():
        answer = await client.get(path)
        assert answer.status == 200, answer.body
        assert sorted(one["id"] for one in answer.json["data"]) == sorted(ids), path


async def check_session(stage: Scripted, client: Client) -> None:
    """The next turn of a conversation goes on from all that was said in it."""
    run_id = await started(client, {"input": "hello from later", "session_id": "tale"})
    assert (await ended(client, run_id))["status"] == "completed"
    (asked,) = stage.asked_about("hello from later")
    roles = [message["role"] for message in asked["messages"] if message["role"] != "system"]
    assert roles.count("user") == 3
    # Two calls and a file, with what came of them.
    assert roles.count("tool") == 3


def check_file(stage: Scripted, home: Home) -> None:
    assert stage.server.stop() == 0
    assert "Traceback" not in stage.server.stderr
    assert home.ask("pragma integrity_check") == [("ok",)]
    assert home.ask("pragma user_version") == [(NEWEST,)]
    # What a crash had cut off was not done again.
    assert not (stage.server.home / "workspace" / "deeds").exists()


def test_a_home_says_which_schema_it_has(dump: Path) -> None:
    number = int(dump.stem.removeprefix("schema-"))
    assert dump.read_text().endswith(f"pragma user_version = {number};\ncommit;\n")
