"""Frontends resend only visible text; the model behind still knows all that really happened."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from msgspec import json

from tests.support.following import ended
from tests.support.frontend import CHAT, Frontend, assistant, user, visible
from tests.support.http import Client
from tests.support.scripted import FINAL_AFTER_TEXT, Message, Scripted, scripted
from tests.support.server import AngeliaServer


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("history")) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


def without_system(body: dict[str, Any]) -> list[Message]:
    return [message for message in body["messages"] if message["role"] != "system"]


def prompt(pair: Scripted, words: str, call: int = 0) -> list[Message]:
    """The messages of the model call that answers the turn with these words."""
    return without_system(pair.asked_about(words)[call])


def calls(messages: list[Message]) -> list[Message]:
    return [call for message in messages for call in message.get("tool_calls") or ()]


def results(messages: list[Message]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "tool"]


def as_streamed(text: str) -> str:
    return text


def trimmed(text: str) -> str:
    return text.strip().replace("\n\n", "\n").replace("\n", " \n ")


def drawn(text: str) -> str:
    """As Open WebUI keeps it: what it showed in boxes stands in the text."""
    thought = '<details type="reasoning" done="true" duration="2">\n<summary>Thought</summary>\n'
    called = '<details type="tool_calls" done="true" name="terminal" arguments="{&quot;a&quot;}">'
    return f"{thought}> hm\n</details>\n{called}\n<summary>Done</summary>\n</details>\n{text}"


@pytest.mark.parametrize("kept", [as_streamed, trimmed, drawn])
async def test_the_results_of_three_turns_ago_are_known_word_for_word(client, pair, kept) -> None:
    frontend = Frontend(client)
    name = kept.__name__
    for number in (1, 2, 3, 4):
        await frontend.say(f"think, `echo {name} {number}`")
        frontend.said[-1] = assistant(kept(frontend.said[-1]["content"]))
    first = prompt(pair, f"{name} 1`", call=1)
    assert results(first) == [f"{name} 1\n"]
    fourth = prompt(pair, f"{name} 4`")
    assert fourth[: len(first)] == first
    assert results(fourth) == [f"{name} {number}\n" for number in (1, 2, 3)]
    assert [call["function"]["arguments"] for call in calls(fourth)] == [
        f'{{"command":"echo {name} {number}"}}' for number in (1, 2, 3)
    ]
    assert len({call["id"] for call in calls(fourth)}) == 3


async def test_a_conversation_stays_one_session(client) -> None:
    frontend = Frontend(client)
    sessions = set()
    for number in (1, 2, 3):
        await frontend.say(f"`echo one session {number}`", stream=number % 2 == 0)
        sessions.add(frontend.session_id)
    assert len(sessions) == 1
    said = (await client.get(f"/api/sessions/{frontend.session_id}/messages")).json["data"]
    assert [message["role"] for message in said].count("tool") == 3


async def test_an_edited_turn_branches_at_the_edit(client, pair) -> None:
    frontend = Frontend(client)
    for text in ("`echo kept`", "`echo dropped`", "`echo dropped too`"):
        await frontend.say(text)
    del frontend.said[2:]
    await frontend.say("`echo edited`")
    edited = prompt(pair, "echo edited")
    assert results(edited) == ["kept\n"]
    assert edited[-1]["content"] == "`echo edited`"
    assert "dropped" not in str(edited)


async def test_a_regenerated_answer_goes_on_from_the_turn_before(client, pair) -> None:
    frontend = Frontend(client)
    await frontend.say("`echo before`")
    first = await frontend.say("`echo regenerated; date +%N`")
    assert await frontend.again() != first
    one, _, two, _ = pair.asked_about("echo regenerated")
    assert without_system(one) == without_system(two)
    assert results(without_system(two)) == ["before\n"]
    await frontend.say("and after")
    after = results(prompt(pair, "and after"))
    assert len(after) == 2
    assert after[1].split()[-1] in frontend.said[3]["content"]


async def test_an_edited_first_message_is_a_new_conversation(client, pair) -> None:
    frontend = Frontend(client)
    await frontend.say("`echo first words`")
    session = frontend.session_id
    frontend.said[0] = user("`echo other words`")
    await frontend.say("go on with what was said")
    assert results(prompt(pair, "go on with what was said")) == []
    assert frontend.session_id != session


async def test_an_edited_answer_is_what_the_model_is_told(client, pair) -> None:
    frontend = Frontend(client)
    await frontend.say("`echo the truth`")
    frontend.said[1] = assistant("It said something else.")
    await frontend.say("what did it say?")
    assert prompt(pair, "what did it say?") == frontend.said[:3]


async def test_neither_another_user_nor_another_key_is_taken_for_the_same(client, pair) -> None:
    mine = Frontend(client, user="ann")
    await mine.say("`echo secret of ann`")
    made = await client.post("/api/keys", {"name": "other", "scopes": ["chat"]})
    async with pair.client(made.json["secret"]) as stranger:
        others = [
            Frontend(client, user="bob"),
            Frontend(client),
            Frontend(stranger, user="ann"),
        ]
        for number, other in enumerate(others):
            other.said = list(mine.said)
            await other.say(f"stranger {number}")
            assert results(prompt(pair, f"stranger {number}")) == []
            assert other.session_id != mine.session_id
    await mine.say("ann again")
    assert results(prompt(pair, "ann again")) == ["secret of ann\n"]


def failing_after_text(pair: Scripted) -> None:
    pair.script(
        {
            "when": "do and fail",
            "text": "I look first.",
            "calls": [{"name": "terminal", "arguments": {"command": "echo found it"}}],
        },
        {
            "when": "do and fail",
            "text": "Now I know that it is not whole.",
            "fault": FINAL_AFTER_TEXT,
        },
    )


async def test_an_answer_cut_off_by_a_fault_is_gone_on_from_for_good(client, pair) -> None:
    failing_after_text(pair)
    frontend = Frontend(client)
    shown = await frontend.say("do and fail")
    assert shown.startswith("I look first.\n\nNow I")
    assert not shown.endswith("whole.")
    await frontend.say("`echo second turn`")
    second = prompt(pair, "echo second turn")
    assert results(second) == ["found it\n"]
    # What was shown of it is part of the conversation.
    assert second[-2] == assistant(shown.removeprefix("I look first.\n\n"))
    await frontend.say("third turn")
    assert results(prompt(pair, "third turn")) == ["found it\n", "second turn\n"]


async def test_a_stopped_answer_is_gone_on_from_for_good(client, pair) -> None:
    pair.script(
        {
            "when": "long story",
            "calls": [{"name": "terminal", "arguments": {"command": "echo plot"}}],
        },
        {
            "when": "long story",
            "text": "Once upon a time there was",
            "pace": 0.02,
            "fault": {"stall": "text"},
        },
    )
    said = [user("long story")]
    body = {"model": "angelia", "messages": said, "stream": True}
    shown = ""
    async with client.open("POST", CHAT, body) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        async for text in visible(reader.frames()):
            if not shown:
                await client.post(f"/v1/runs/{run_id}/stop")
            shown += text
    assert shown.startswith("Once")
    frontend = Frontend(client)
    frontend.said = [*said, assistant(shown)]
    await frontend.say("`echo told`")
    second = prompt(pair, "echo told")
    assert results(second) == ["plot\n"]
    assert second[-2]["content"].strip() == shown.strip()
    await frontend.say("and then?")
    assert results(prompt(pair, "and then?")) == ["plot\n", "told\n"]


WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


async def handed_over(client: Client, said: list[Message]) -> tuple[dict[str, Any], str]:
    """The client's message with the calls that are its own to run, and the run that waits."""
    answer = await client.post(CHAT, {"messages": said, "tools": [WEATHER]})
    assert answer.json["choices"][0]["finish_reason"] == "tool_calls", answer.body
    return answer.json["choices"][0]["message"], answer.headers["X-Angelia-Run-Id"]


async def test_a_client_tool_in_between_does_not_hide_what_the_server_did(client, pair) -> None:
    said = [user('call weather {"city": "Argos"} and `echo beside it`')]
    message, _ = await handed_over(client, said)
    call = message["tool_calls"][0]["id"]
    result = {"role": "tool", "tool_call_id": call, "content": "windy in Argos"}
    answer = await client.post(CHAT, {"messages": [*said, message, result], "tools": [WEATHER]})
    frontend = Frontend(client)
    frontend.said = [*said, assistant(answer.json["choices"][0]["message"]["content"])]
    await frontend.say("without the calls")
    asked = prompt(pair, "without the calls")
    assert sorted(results(asked)) == ["beside it\n", "windy in Argos"]
    assert call in [made["id"] for made in calls(asked)]
    # The same with all that this client knows besides the text.
    full = [*said, message, result, frontend.said[1], user("with the calls")]
    await client.post(CHAT, {"messages": full})
    assert prompt(pair, "with the calls")[:-1] == asked[:-1]


async def test_other_results_of_a_clients_tool_branch_where_the_calls_were_made(
    client, pair
) -> None:
    said = [user('call weather {"city": "Pylos"} and `echo of the server`')]
    message, run_id = await handed_over(client, said)
    call = message["tool_calls"][0]["id"]
    for weather in ("sunny in Pylos", "foggy in Pylos"):
        result = {"role": "tool", "tool_call_id": call, "content": weather}
        answer = await client.post(CHAT, {"messages": [*said, message, result], "tools": [WEATHER]})
        assert weather in answer.json["choices"][0]["message"]["content"]
    assert answer.headers["X-Angelia-Run-Id"] != run_id
    last = without_system(pair.asked_about('"Pylos"')[-1])
    assert sorted(results(last)) == ["foggy in Pylos", "of the server\n"]


async def test_text_that_became_void_in_a_crash_does_not_break_the_conversation(
    client, pair
) -> None:
    fault = {"stall": "text", "times": 1}
    pair.script({"when": "tell me", "text": "Half of an answer.", "fault": fault})
    said = [user("tell me")]
    body = {"model": "angelia", "messages": said, "stream": True}
    async with client.open("POST", CHAT, body) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        await anext(visible(reader.frames()))
        pair.server.restart()
    await ended(client, run_id)
    path = f"{CHAT}/{run_id.replace('run_', 'chatcmpl-')}?stream=true"
    async with client.open("GET", path) as reader:
        shown = "".join([text async for text in visible(reader.frames())])
    assert shown == "Half of\n\nHalf of an answer."
    frontend = Frontend(client)
    frontend.said = [*said, assistant(shown)]
    await frontend.say("`echo after the crash`")
    # The model is told what was said, without what became void.
    assert prompt(pair, "after the crash")[1] == assistant("Half of an answer.")
    await frontend.say("and the turn after that")
    asked = prompt(pair, "the turn after that")
    assert results(asked) == ["after the crash\n"]
    assert asked[1] == assistant("Half of an answer.")


@pytest.mark.parametrize(
    ("protocol", "seal"), [("anthropic", "signature"), ("responses", "encrypted_content")]
)
async def test_seals_of_reasoning_go_back_to_their_own_dialect_only(
    tmp_path, protocol, seal
) -> None:
    with scripted(tmp_path, ANGELIA_PROTOCOL=protocol) as pair:
        async with pair.client() as client:
            frontend = Frontend(client)
            await frontend.say("think, `echo sealed`")
            await frontend.say("same dialect")
        home = pair.asked_about("same dialect")[0]
        assert f'"{seal}":' in json.encode(home).decode()
        pair.server.stop()
        env = {"ANGELIA_BASE_URL": pair.upstream.url, "ANGELIA_MODEL": "scripted"}
        pair.server = AngeliaServer(pair.server.home.parent, env)
        pair.server.start()
        async with pair.client() as client:
            later = Frontend(client)
            later.said = frontend.said
            await later.say("another dialect")
        abroad = pair.asked_about("another dialect")[0]
        assert results(abroad["messages"]) == ["sealed\n"]
        assert seal not in json.encode(abroad).decode()


# ── sessions by name ────────────────────────────────────────────────────────────────────────


def named(session_id: str) -> dict[str, str]:
    return {"X-Hermes-Session-Id": session_id}


async def test_in_a_named_session_the_newest_message_is_enough(client, pair) -> None:
    for number in (1, 2, 3):
        frontend = Frontend(client, headers=named("by-name"))
        await frontend.say(f"`echo by name {number}`")
        assert frontend.session_id == "by-name"
    asked = prompt(pair, "by name 3`")
    assert results(asked) == ["by name 1\n", "by name 2\n"]


async def test_a_named_session_with_the_whole_history_tells_nothing_twice(client, pair) -> None:
    frontend = Frontend(client, headers=named("whole"))
    for number in (1, 2, 3):
        await frontend.say(f"`echo whole {number}`")
    asked = prompt(pair, "whole 3`")
    assert [message["role"] for message in asked].count("user") == 3
    assert results(asked) == ["whole 1\n", "whole 2\n"]


async def test_a_history_that_the_named_session_does_not_know_is_not_told_twice(
    client, pair
) -> None:
    await Frontend(client, headers=named("own-memory")).say("`echo remembered`")
    frontend = Frontend(client, headers=named("own-memory"))
    frontend.said = [user("something else"), assistant("as somebody retold it")]
    await frontend.say("and now the news")
    asked = prompt(pair, "and now the news")
    assert results(asked) == ["remembered\n"]
    assert "retold" not in str(asked)


async def test_an_unknown_name_begins_afresh_with_all_that_was_sent(client, pair) -> None:
    frontend = Frontend(client, headers=named("never-seen"))
    frontend.said = [user("long ago"), assistant("so it was")]
    await frontend.say("with an unknown name")
    assert prompt(pair, "with an unknown name") == frontend.said[:3]
    assert frontend.session_id == "never-seen"


async def test_a_stopped_answer_is_known_in_a_named_session(client, pair) -> None:
    pair.script(
        {"when": "named story", "text": "It begins with a word", "fault": {"stall": "text"}}
    )
    body = {"model": "angelia", "messages": [user("named story")], "stream": True}
    async with client.open("POST", CHAT, body, named("story")) as reader:
        texts = visible(reader.frames())
        shown = await anext(texts)
        await client.post(f"/v1/runs/{reader.headers['X-Angelia-Run-Id']}/stop")
        shown += "".join([text async for text in texts])
    await Frontend(client, headers=named("story")).say("tell me the rest")
    asked = prompt(pair, "tell me the rest")
    assert asked == [user("named story"), assistant(shown), user("tell me the rest")]


async def test_the_key_of_a_session_is_repeated_and_kept(client) -> None:
    headers = {"X-Hermes-Session-Key": "garden"}
    body = {"model": "angelia", "messages": [user("hello")]}
    answer = await client.send("POST", CHAT, body, headers)
    assert answer.headers["X-Hermes-Session-Key"] == "garden"
    (session,) = (await client.get("/api/sessions?key=garden")).json["data"]
    assert session["id"] == answer.headers["X-Hermes-Session-Id"]
    assert session["key"] == "garden"


async def test_a_conversation_goes_on_after_a_restart(client, pair) -> None:
    frontend = Frontend(client)
    await frontend.say("`echo before the restart`")
    session = frontend.session_id
    pair.server.restart()
    async with pair.client() as client:
        later = Frontend(client)
        later.said = frontend.said
        await later.say("still there?")
    assert later.session_id == session
    assert results(prompt(pair, "still there?")) == ["before the restart\n"]
