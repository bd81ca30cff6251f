"""Branches of a session: a turn said again otherwise, and all of them told as a tree."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.support.following import ended, reached, run_of, started
from tests.support.http import Answer, Client
from tests.support.scripted import Scripted, scripted, text_of


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("branches")) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


async def said(client: Client, session_id: str, text: str, **more: Any) -> str:
    """The run of one turn, once it has ended."""
    run_id = await started(client, {"input": text, "session_id": session_id, **more})
    await ended(client, run_id)
    return run_id


def asked(pair: Scripted, words: str) -> list[str]:
    """All that the model was shown when it was first asked about these words, by anybody."""
    body = pair.asked_about(words)[0]
    return [text_of(said) for said in body["messages"] if said["role"] in ("user", "assistant")]


async def turns(client: Client, session_id: str, query: str = "") -> dict[str, Any]:
    answer = await client.get(f"/api/sessions/{session_id}/turns{query}")
    assert answer.status == 200, answer.body
    return answer.json


async def tree(client: Client, session_id: str) -> dict[str, str | None]:
    """Which run each run of the session goes on from."""
    runs = [turn["run"] for turn in (await turns(client, session_id))["data"]]
    return {run["run_id"]: run["parent_run_id"] for run in runs}


async def refused(client: Client, **body: Any) -> tuple[int, str | None, str | None]:
    answer = await client.post("/v1/runs", {"input": "no", **body})
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


# ── going on behind an earlier run ──────────────────────────────────────────────────────────


async def test_a_turn_said_again_branches_off_and_the_next_one_follows_it(client, pair) -> None:
    pair.script(
        {"when": "one of edit", "text": "First."},
        {"when": "two of edit", "text": "Second."},
        {"when": "three of edit", "text": "Third."},
        {"when": "instead of edit", "text": "Other."},
        {"when": "next of edit", "text": "Next."},
    )
    one = await said(client, "edit", "one of edit")
    two = await said(client, "edit", "two of edit")
    three = await said(client, "edit", "three of edit")
    other = await said(client, "edit", "instead of edit", parent_run_id=one)
    assert asked(pair, "instead of edit") == ["one of edit", "First.", "instead of edit"]
    follows = await said(client, "edit", "next of edit")
    assert asked(pair, "next of edit") == [
        *("one of edit", "First.", "instead of edit", "Other.", "next of edit"),
    ]
    assert await tree(client, "edit") == {
        one: None,
        two: one,
        three: two,
        other: one,
        follows: other,
    }
    session = (await client.get("/api/sessions/edit")).json
    assert (session["last_run_id"], session["runs"]) == (follows, 5)
    messages = (await client.get("/api/sessions/edit/messages")).json["data"]
    assert [said["content"] for said in messages] == [*asked(pair, "next of edit"), "Next."]


async def test_null_begins_anew_in_the_session(client, pair) -> None:
    first = await said(client, "root", "one of root")
    anew = await said(client, "root", "anew of root", parent_run_id=None)
    assert asked(pair, "anew of root") == ["anew of root"]
    after = await said(client, "root", "after anew of root")
    assert asked(pair, "after anew of root")[0] == "anew of root"
    assert await tree(client, "root") == {first: None, anew: None, after: anew}


async def test_the_session_may_be_named_in_the_header(client, pair) -> None:
    first = await said(client, "header", "one of header")
    await said(client, "header", "two of header")
    run_id = await started(
        client,
        {"input": "branch of header", "parent_run_id": first},
        X_Hermes_Session_Id="header",
    )
    assert (await ended(client, run_id))["parent_run_id"] == first
    assert len(asked(pair, "branch of header")) == 3


async def test_a_branch_waits_for_its_turn_and_keeps_its_own_history(client, pair) -> None:
    one = await said(client, "busy", "one of busy")
    slow = await started(client, {"input": "slow of busy, `sleep 60`", "session_id": "busy"})
    await reached(client, slow, "tool.started")
    body = {"input": "branch of busy", "session_id": "busy", "parent_run_id": one}
    branch = await started(client, body)
    after = await started(client, {"input": "after of busy", "session_id": "busy"})
    assert [(await run_of(client, run))["status"] for run in (branch, after)] == ["queued"] * 2
    await client.post(f"/v1/runs/{slow}/stop")
    assert (await ended(client, branch))["status"] == "completed"
    await ended(client, after)
    first = asked(pair, "branch of busy")
    assert (first[0], len(first), first[-1]) == ("one of busy", 3, "branch of busy")
    assert asked(pair, "after of busy")[:3] == first
    assert await tree(client, "busy") == {one: None, slow: one, branch: one, after: branch}


async def test_a_branch_that_waits_keeps_its_history_through_a_crash(client, pair) -> None:
    one = await said(client, "crash", "one of crash")
    slow = {"input": "slow of crash, `echo x >> slow.txt; sleep 60`", "session_id": "crash"}
    under_way = await started(client, slow)
    await reached(client, under_way, "tool.started")
    body = {"input": "branch of crash", "session_id": "crash", "parent_run_id": one}
    branch = await started(client, body)
    after = await started(client, {"input": "after of crash", "session_id": "crash"})
    pair.server.restart()
    async with pair.client() as later:
        for run_id in (under_way, branch, after):
            assert (await ended(later, run_id))["status"] == "completed"
        assert asked(pair, "branch of crash")[0::2] == ["one of crash", "branch of crash"]
        assert asked(pair, "after of crash")[:3] == asked(pair, "branch of crash")
        assert (await tree(later, "crash"))[after] == branch


async def test_what_an_end_has_cut_off_was_said_for_whoever_goes_on_behind_it(client, pair) -> None:
    pair.script({"when": "one of cut", "text": "Half an answer", "fault": {"stall": "text"}})
    run_id = await started(client, {"input": "one of cut", "session_id": "cut"})
    await reached(client, run_id, "message.delta")
    await client.post(f"/v1/runs/{run_id}/stop")
    await ended(client, run_id)
    (turn,) = (await turns(client, "cut"))["data"]
    assert turn["cut_off"]
    assert "Half an answer".startswith(turn["cut_off"])
    await said(client, "cut", "on of cut", parent_run_id=run_id)
    assert asked(pair, "on of cut") == ["one of cut", turn["cut_off"], "on of cut"]


async def test_a_run_under_way_cannot_be_gone_on_behind(client) -> None:
    slow = await started(client, {"input": "slow, `sleep 60`", "session_id": "early"})
    await reached(client, slow, "tool.started")
    waits = await started(client, {"input": "waits", "session_id": "early"})
    for parent in (slow, waits):
        wrong = await refused(client, session_id="early", parent_run_id=parent)
        assert wrong == (409, "parent_run_id", "run_not_finished")
    for run_id in (waits, slow):
        await client.post(f"/v1/runs/{run_id}/stop")
        await ended(client, run_id)
    wrong = await refused(client, session_id="early", parent_run_id=waits)
    assert wrong == (409, "parent_run_id", "run_not_started")


async def test_a_branch_belongs_to_a_run_of_its_session(client, pair) -> None:
    one = await said(client, "here", "one of here")
    there = await said(client, "there", "one of there")
    not_found = (404, "parent_run_id", "run_not_found")
    for parent in (there, "run_nothing"):
        assert await refused(client, session_id="here", parent_run_id=parent) == not_found
    wrong = (400, "parent_run_id", None)
    assert await refused(client, parent_run_id=one) == wrong
    assert await refused(client, parent_run_id=None) == wrong
    here = {"session_id": "here", "parent_run_id": one}
    history = [{"role": "user", "content": "hi"}]
    assert await refused(client, **here, conversation_history=history) == wrong
    assert await refused(client, **here, previous_response_id="resp_x") == wrong
    assert await refused(client, **here, model="angelia:bare") == wrong
    key = (await client.post("/api/keys", {"name": "other"})).json["secret"]
    async with pair.client(key) as other:
        assert await refused(other, **here) == not_found
        missing: Answer = await other.get("/api/sessions/here/turns")
        assert (missing.status, missing.json["error"]["code"]) == (404, "session_not_found")


# ── the turns ───────────────────────────────────────────────────────────────────────────────


async def test_a_turn_has_its_run_its_input_and_its_events(client, pair) -> None:
    run_id = await said(client, "told", "Run `echo one`.")
    page = await turns(client, "told")
    assert (page["object"], page["has_more"]) == ("list", False)
    (turn,) = page["data"]
    assert turn["run"] == await run_of(client, run_id)
    assert turn["input"] == [{"role": "user", "content": "Run `echo one`."}]
    path = f"/v1/runs/{run_id}/events?deltas=false"
    frames = [frame async for frame in client.stream(path) if frame.comment is None]
    assert turn["events"] == [frame.json for frame in frames]
    assert [str(event["seq"]) for event in turn["events"]] == [frame.id for frame in frames]
    names = {event["event"] for event in turn["events"]}
    assert {"run.started", "tool.started", "tool.completed", "run.completed", "usage"} <= names
    assert names.isdisjoint({"message.delta", "reasoning.delta", "tool.arguments", "tool.output"})
    assert turn["cut_off"] == ""


async def test_thoughts_are_among_the_events(client, pair) -> None:
    pair.script({"when": "one of thought", "reasoning": "Hm, so.", "text": "So."})
    await said(client, "thought", "one of thought")
    (turn,) = (await turns(client, "thought"))["data"]
    thoughts = [e["text"] for e in turn["events"] if e["event"] == "reasoning.available"]
    assert thoughts == ["Hm, so."]


async def test_pages_go_back_from_the_newest_run(client) -> None:
    runs = [await said(client, "pages", f"{n} of pages") for n in range(5)]
    page = await turns(client, "pages", "?limit=2")
    seen = []
    while True:
        seen.append([turn["run"]["run_id"] for turn in page["data"]])
        if not page["has_more"]:
            break
        page = await turns(client, "pages", f"?limit=2&before={seen[-1][0]}")
    assert seen == [runs[3:], runs[1:3], runs[:1]]
    answer = await client.get("/api/sessions/pages/turns?before=run_nothing")
    assert (answer.status, answer.json["error"]["param"]) == (404, "before")


async def test_what_was_brought_is_all_input(client) -> None:
    talk = [{"role": "user", "content": "Sea?"}, {"role": "assistant", "content": "Salt."}]
    await client.post("/api/sessions", {"id": "brought", "messages": talk})
    await client.post("/api/sessions/brought/fork", {"id": "forked"})
    for session_id in ("brought", "forked"):
        (turn,) = (await turns(client, session_id))["data"]
        assert (turn["input"], turn["events"]) == (talk, [])
    on = await said(client, "brought", "More.")
    first, second = (await turns(client, "brought"))["data"]
    assert second["run"]["parent_run_id"] == first["run"]["run_id"]
    assert (second["run"]["run_id"], second["input"]) == (
        on,
        [{"role": "user", "content": "More."}],
    )
    # One may branch off behind what was brought as well.
    branch = await said(client, "brought", "Else?", parent_run_id=first["run"]["run_id"])
    assert (await tree(client, "brought"))[branch] == first["run"]["run_id"]


async def test_turns_of_every_surface_are_told_with_those_under_way(client) -> None:
    named = {"X_Hermes_Session_Id": "all"}
    chat = {"messages": [{"role": "user", "content": "chat of all"}]}
    await client.post("/v1/chat/completions", chat, **named)
    response = {"model": "angelia", "input": "response of all", "conversation": "all"}
    await client.post("/v1/responses", response)
    slow = await started(client, {"input": "slow of all, `sleep 60`", "session_id": "all"})
    await reached(client, slow, "tool.started")
    waits = await started(client, {"input": "waits of all", "session_id": "all"})
    page = (await turns(client, "all"))["data"]
    assert [turn["run"]["surface"] for turn in page] == ["chat", "responses", "runs", "runs"]
    assert [turn["run"]["status"] for turn in page] == [
        *("completed", "completed", "running", "queued"),
    ]
    assert [turn["run"]["question"] for turn in page] == [
        *("chat of all", "response of all", "slow of all, `sleep 60`", "waits of all"),
    ]
    assert [len(turn["input"]) for turn in page] == [1] * 4
    assert page[2]["events"][-1]["seq"] <= page[2]["run"]["last_seq"]
    assert page[2]["events"][-1]["event"] == "tool.started"
    for run_id in (waits, slow):
        await client.post(f"/v1/runs/{run_id}/stop")
        await ended(client, run_id)
