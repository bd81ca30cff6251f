"""The routes that commands use, at a real server."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from angelia.errors import RequestError
from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import Server
from angelia.wire.keys.shapes import ChangeKeyIn, CreateKeyIn, RulesIn
from angelia.wire.runs.shapes import UndoIn
from tests.support.server import AngeliaServer


@pytest.fixture
async def at(server: AngeliaServer) -> AsyncIterator[Server]:
    async with Remote(server.url, server.key) as remote:
        yield Server(remote)


async def said(at: Server, prompt: str, session: str) -> str:
    run_id = await at.remote.start(Ask(prompt, session=session))
    async for _ in at.remote.events(run_id):
        pass
    return run_id


async def test_sessions_are_read_renamed_forked_exported_and_deleted(at: Server) -> None:
    run_id = await said(at, "long 2", "a/b?c")
    session = await at.session("a/b?c")
    assert (session.runs, session.last_run_id) == (1, run_id)
    assert (await at.rename("a/b?c", "Words")).title == "Words"
    fork = await at.fork("a/b?c", "Fork", run_id)
    assert [one.id for one in (await at.sessions()).data] == [fork.id, "a/b?c"]
    assert (await at.sessions(1)).has_more
    assert [one.id for one in (await at.sessions(1, fork.id)).data] == ["a/b?c"]
    assert (await at.export("a/b?c", "markdown")).startswith(b"# Words")
    assert run_id in [hit.run_id for hit in await at.search("word2")]
    await at.delete_session("a/b?c")
    with pytest.raises(RequestError, match="There is no session"):
        await at.session("a/b?c")


async def test_messages_are_read_page_by_page(at: Server) -> None:
    many = [{"role": "user", "content": f"message {n}"} for n in range(250)]
    await at.remote.ask("POST", "/api/sessions", {"id": "many", "messages": many})
    found = await at.messages("many")
    assert [message.content for message in found] == [f"message {n}" for n in range(250)]
    assert await at.remote.ask("POST", "/api/sessions", {"id": "none"})
    assert await at.messages("none") == ()


async def test_runs_are_listed_read_stopped_and_undone(at: Server) -> None:
    first = await said(at, "write plan.txt: first", "one")
    second = await said(at, "long 2", "two")
    assert [run.run_id for run in (await at.runs()).data] == [second, first]
    assert [run.run_id async for run in at.every_run(session_id="one")] == [first]
    run = await at.run(first)
    assert (run.status, run.session_id, run.error) == ("completed", "one", None)
    assert [change.path for change in (await at.changes(first)).data] == ["plan.txt"]
    assert (await at.undo(first, UndoIn(dry_run=True))).removed == ["plan.txt"]
    assert await at.stop(first) == "completed"
    assert b"chat.completion.chunk" in await at.stream(first, "chat")
    assert b"response.completed" in await at.stream(first, "responses")
    assert b'"event":"run.completed"' in await at.stream(first, "events")


async def test_the_log_of_a_run_under_way_ends_where_it_is(at: Server) -> None:
    run_id = await at.remote.start(Ask("sleep 60"))
    async for data in at.remote.events(run_id):
        if b'"tool.started"' in data:
            break
    run = await at.run(run_id)
    events = [msgspec.json.decode(data) async for data in at.log(run)]
    assert [event["seq"] for event in events] == list(range(1, run.last_seq + 1))
    await at.stop(run_id)


async def test_a_run_that_asks_is_answered(at: Server) -> None:
    with pytest.raises(RequestError):
        await at.consent(await said(at, "long 2", "s"), "appr_none", "once")


async def test_what_a_server_has_is_listed(at: Server) -> None:
    assert "angelia" in [model.id for model in await at.models()]
    assert {"terminal", "read_file"} <= {tool.name for tool in await at.tools()}
    note = await at.note("Likes tea.")
    assert [one.text for one in await at.notes()] == ["Likes tea."]
    await at.forget(note.id)
    assert await at.notes() == ()


async def test_usage_is_counted_by_day(at: Server) -> None:
    await said(at, "long 2", "s")
    report = await at.usage("2020-01-01", "2020-01-02", "day")
    assert (report.first, report.total.runs) == ("2020-01-01", 0)


async def test_keys_are_made_changed_and_revoked(at: Server) -> None:
    made = await at.make_key(CreateKeyIn("laptop", ("chat",), RulesIn(models=("angelia",))))
    assert made.secret.startswith("ang-")
    assert [key.id for key in await at.keys()] == ["key_first", made.id]
    changed = await at.change_key(made.id, ChangeKeyIn(name="old", rules=RulesIn(models=None)))
    assert (changed.name, changed.rules.models) == ("old", None)
    assert (await at.key(made.id)).hint == made.hint
    assert (await at.revoke_key(made.id)).status == "revoked"
