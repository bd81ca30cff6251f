import pytest

from angelia.core.messages import (
    Assistant,
    Message,
    Prompt,
    System,
    Text,
    ToolCall,
    ToolResult,
    user,
)
from angelia.surfaces.upstream.asked import Asked, inconsistency

A, B = ToolCall("a", "x", "{}"), ToolCall("b", "x", "{}")


def test_the_last_thing_the_user_said_counts():
    messages = (user("one"), Assistant((Text("x"),)), user("two"), ToolResult("a", "y"))
    assert Asked(Prompt("m", "", messages)).text == "two"
    assert Asked(Prompt("m", "", (System("x"),))).text == ""


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ((), None),
        ((user("x"), Assistant((A, B)), ToolResult("b", ""), ToolResult("a", "")), None),
        ((user("x"), Assistant((A,)), ToolResult("a", ""), Assistant((Text("y"),))), None),
        ((user("x"), Assistant((A, B)), ToolResult("a", "")), "'b' has no result"),
        ((user("x"), Assistant((A,)), user("y")), "'a' has no result"),
        ((user("x"), ToolResult("a", "")), "'a', which was not called"),
        ((Assistant((A,)), ToolResult("a", ""), ToolResult("a", "")), "was not called"),
    ],
)
def test_calls_and_results_belong_together(messages: tuple[Message, ...], fault: str | None):
    found = inconsistency(messages)
    assert found is None if fault is None else fault in (found or "")
