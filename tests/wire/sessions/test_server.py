"""Sessions as clients see them: titles, status, messages."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.history import closed
from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Reasoning,
    Refusal,
    Seal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.core.state import Status
from angelia.wire.sessions.request import parse_create
from angelia.wire.sessions.server import first_question, session_status, shown, shown_title
from angelia.wire.sessions.shapes import SessionStatus
from tests.core.transcripts import transcripts

PNG = "data:image/png;base64,AA=="


@pytest.mark.parametrize(
    ("title", "question", "expected"),
    [
        ("Mine", "what?", "Mine"),
        ("", "what?", "what?"),
        ("", " two\n\n lines ", "two lines"),
        ("", "x" * 80, "x" * 80),
        ("", "x" * 81, "x" * 79 + "…"),
        ("", "x" * 78 + " yz", "x" * 78 + "…"),
        ("", "\n" * 9_000 + "late", ""),
        ("", "", ""),
    ],
)
def test_titles(title: str, question: str, expected: str) -> None:
    assert shown_title(title, question) == expected


@given(st.text())
def test_a_title_made_of_a_question_is_short_and_one_line(question: str) -> None:
    title = shown_title("", question)
    assert len(title) <= 80
    assert len(title.splitlines()) <= 1


def test_the_first_question_is_the_first_text_of_a_user() -> None:
    messages = (System("s"), User((Image(PNG),)), User((Text("a"), Image(PNG), Text("b"))))
    assert first_question(messages) == "a\nb"
    assert first_question((System("s"),)) == ""


def test_every_status_of_a_run_is_one_of_its_session() -> None:
    seen = {session_status(status) for status in (None, *get_args(Status))}
    assert seen == set(get_args(SessionStatus))
    assert session_status("failed") == "idle"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (System("s"), {"role": "system", "content": "s"}),
        (user("q"), {"role": "user", "content": "q"}),
        (User((), "ann"), {"role": "user", "content": [], "name": "ann"}),
        (
            User((Text("a"), Image(PNG, "low"), Image("https://a/b"))),
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "a"},
                    {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}},
                    {"type": "image_url", "image_url": {"url": "https://a/b"}},
                ],
            },
        ),
        (Assistant((Text("a"), Text("b"))), {"role": "assistant", "content": "ab"}),
        (
            Assistant(
                (
                    Reasoning("one", Seal("chat", "{}")),
                    Reasoning("", Seal("chat", "{}")),
                    ToolCall("c", "f", "{", Seal("chat", "{}")),
                    Reasoning("two"),
                )
            ),
            {
                "role": "assistant",
                "content": None,
                "reasoning": "one\n\ntwo",
                "tool_calls": [{"id": "c", "name": "f", "arguments": "{"}],
            },
        ),
        (
            Assistant((Refusal("no"),)),
            {"role": "assistant", "content": None, "refusal": "no"},
        ),
        (
            ToolResult("c", "out"),
            {"role": "tool", "tool_call_id": "c", "content": "out", "failed": False},
        ),
    ],
)
def test_messages(message: Message, expected: dict) -> None:
    assert json.decode(json.encode(shown(message))) == expected
    assert json.decode(json.encode(shown(message, 0))) == expected | {"index": 0}


def _importable(message: Message) -> bool:
    """Images that no client can bring in the first place are not brought back."""
    return not isinstance(message, User) or all(
        part.url.startswith(("http", "data:image/"))
        for part in message.parts
        if isinstance(part, Image)
    )


@given(transcripts.map(closed))
def test_what_is_shown_can_be_brought_back_and_looks_the_same(messages: tuple) -> None:
    lines = [shown(message) for message in messages if _importable(message)]
    again = parse_create(json.encode({"messages": lines})).messages
    assert [shown(message) for message in again] == lines
