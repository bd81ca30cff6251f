import json
from typing import Any

import pytest

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.chat import complaints

MINT = Mint()
ASKED = {"role": "user", "content": "look"}
FUNCTION = {"name": "terminal", "arguments": "{}"}
CALL = {"id": "call_1", "type": "function", "function": FUNCTION}
DETAIL = {"type": "reasoning.encrypted", "id": "rd_1", "data": MINT.seal("rd_1")}


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def found(*messages: Any, **more: Any) -> list[str]:
    return list(complaints(json.dumps({"messages": messages, **more}).encode(), MINT))


def test_a_conversation_with_all_there_is_is_taken():
    parts = [{"type": "text", "text": "look"}, image("data:image/png;base64,AAAA")]
    called = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert not found(
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": parts},
        {**called, "reasoning_details": [DETAIL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "nothing"},
        {"role": "assistant", "content": "Nothing."},
        tools=[{"type": "function", "function": {"name": "terminal"}}],
    )


def called(**fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{**CALL, **fields}]}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"role": "model", "content": "x"}, "'model' is no role"),
        ({"role": "user"}, "content: is missing"),
        ({"role": "tool", "content": "x"}, "tool_call_id: is missing"),
        ({"role": "user", "content": [{"type": "image"}]}, "'image' is no kind of content"),
        ({"role": "user", "content": [image("no")]}, "no address of an image"),
        ({"role": "assistant", "content": [image("https://x/y")]}, "for assistant"),
        ({"role": "assistant", "tool_calls": []}, "too short"),
        ({**ASKED, "tool_calls": [CALL]}, "are for assistants"),
        (called(type="custom"), "no kind of call"),
        (called(id=""), "1 to 40"),
        (called(id="x" * 41), "1 to 40"),
        (called(function={**FUNCTION, "name": "a.b"}), "'a.b' does not match"),
        ({**ASKED, "reasoning_details": [{**DETAIL, "id": "rd_2"}]}, "could not be verified"),
        ({**ASKED, "reasoning_details": [{**DETAIL, "data": "x"}]}, "could not be verified"),
        ({**ASKED, "reasoning_details": [{"type": "reasoning.text"}]}, "could not be verified"),
    ],
)
def test_what_the_real_server_refuses_is_refused(message: Any, reason: str):
    assert reason in " ".join(found(ASKED, message))


def test_there_is_a_message_and_tools_have_names():
    assert found() == ["messages: is empty"]
    tools = [{"type": "function", "function": {"name": "a.b"}}]
    assert "'a.b'" in " ".join(found(ASKED, tools=tools))
