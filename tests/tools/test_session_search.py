import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    System,
    Text,
    ToolCall,
    ToolResult,
    user,
)
from angelia.core.messages import User as Said
from angelia.errors import BadRequest, NotFound, ToolError
from angelia.ports import Caller, Found, Hit, Session
from angelia.tools.session_search import session_search
from tests.tools.watching import Watcher

SESSION = Session("s", "key_1", 0.0, 0.0, question="Where is\nthe heron?")
OTHER = Session("t", "key_1", 0.0, 0.0, title="Birds")


class Anns(Watcher):
    caller = Caller("key_1", user="ann")


class Past:
    """What was said, as a test makes it up."""

    def __init__(self, *found: Found, said: Sequence[Message] = ()) -> None:
        self.found = found
        self.said = tuple(said)

    async def search(self, caller: Caller, text: str, limit: int) -> Sequence[Found]:
        assert caller == Anns.caller
        if text == "the":
            raise BadRequest("Too much was said with these words.")
        return self.found[:limit]

    async def read(self, caller: Caller, session_id: str) -> tuple[Session, tuple[Message, ...]]:
        assert caller == Anns.caller
        if session_id != SESSION.id:
            raise NotFound(f"There is no session {session_id!r}.")
        return SESSION, self.said


def found(session: Session, run_id: str, snippet: str = "the «heron»") -> Found:
    return Found(Hit(session.id, run_id, 86_400.0, "assistant", snippet), session)


async def ask(past: Past, **arguments: object) -> str:
    output = await session_search(past).call(json.dumps(arguments), Anns())
    assert output.outcome == "ok"
    return output.text


async def test_hits_come_with_title_time_and_words_once_for_each_session() -> None:
    past = Past(found(SESSION, "run_2"), found(OTHER, "run_3"), found(SESSION, "run_4", "worse"))
    assert await ask(past, query="heron") == (
        "session_id: s\nWhere is the heron? (1970-01-02 00:00 UTC)\nassistant: the «heron»\n\n"
        "session_id: t\nBirds (1970-01-02 00:00 UTC)\nassistant: the «heron»"
    )
    assert "session_id: t" not in await ask(past, query="heron", limit=1)


async def test_the_run_that_asks_is_not_what_it_finds() -> None:
    assert "Nothing was said" in await ask(Past(found(SESSION, "run_1")), query="heron")


async def test_what_cannot_be_searched_is_said() -> None:
    with pytest.raises(ToolError, match="'query' is missing"):
        await ask(Past(), query=" ")
    with pytest.raises(ToolError, match="Too much was said"):
        await ask(Past(), query="the")
    with pytest.raises(ToolError, match="no session 'x'"):
        await ask(Past(), session_id="x")


TALK: tuple[Message, ...] = (
    System("Be kind."),
    Said((Text("Look"), Image("http://x/y.png"))),
    Assistant((Text("I see."), ToolCall("c", "look", "{}"))),
    ToolResult("c", "x" * 500),
    *(user(f"word {n}") for n in range(20)),
    user("a heron at last"),
    Assistant((Text("y" * 3000),)),
)


async def test_a_session_is_read_page_by_page() -> None:
    first = await ask(Past(said=TALK), session_id="s")
    assert first.startswith(
        "Where is the heron? (1970-01-01 00:00 UTC)\n\n0 system: Be kind.\n\n1 user: Look"
    )
    assert "2 assistant: I see.\n[called look]\n\n3 tool: " + "x" * 300 + "… [200 char" in first
    assert first.endswith("[messages 0 to 11 of 26; read on with start=12]")
    last = await ask(Past(said=TALK), session_id="s", start=24)
    assert last.endswith("y… [1,000 characters more]\n\n[messages 24 to 25 of 26]")
    with pytest.raises(ToolError, match="'start' is 26, but the last message is 25"):
        await ask(Past(said=TALK), session_id="s", start=26)


async def test_a_session_is_read_around_the_words() -> None:
    page = await ask(Past(said=TALK), session_id="s", query="heron last")
    assert "22 user: word 18" in page
    assert "24 user: a heron at last" in page
    assert "0 system" in await ask(Past(said=TALK), session_id="s", query="nowhere")


async def test_an_empty_session_says_so() -> None:
    assert await ask(Past(), session_id="s") == "Nothing was said in this session."


def test_searching_touches_nothing() -> None:
    tool = session_search(Past())
    assert (tool.spec.effect, tool.toolset) == ("pure", "memory")


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "query": st.text(max_size=8) | st.just("the"),
            "session_id": st.sampled_from(["", "s", "x", "\ud800"]),
            "start": st.integers(-1, 30),
            "limit": st.integers(0, 21),
        },
    )
)
async def test_whatever_it_is_called_with_there_is_a_result(arguments: dict[str, object]) -> None:
    past = Past(found(SESSION, "run_2"), said=TALK)
    try:
        said = (await session_search(past).call(json.dumps(arguments), Anns())).text
    except ToolError as error:
        said = str(error)
    assert said
