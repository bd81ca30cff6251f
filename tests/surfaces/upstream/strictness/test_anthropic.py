import json
from typing import Any

import pytest

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.anthropic import SIGNATURE, complaints

MINT = Mint()
TOOLS = [{"name": "terminal", "input_schema": {"type": "object"}}]
ASKED = {"role": "user", "content": "look"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": SIGNATURE + MINT.seal("hm")}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "terminal", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "nothing"}
MARK = {"type": "ephemeral"}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def asked(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def found(messages: list[Any], **more: Any) -> list[str]:
    body = {"messages": messages, "tools": TOOLS, **more}
    return list(complaints(json.dumps(body).encode(), MINT))


def test_a_conversation_with_all_there_is_is_taken():
    messages = [
        asked(IMAGE, text("look")),
        said(THOUGHT, text("I will."), CALL),
        asked(RESULT, text("and hurry", cache_control=MARK)),
        said(text("Nothing.")),
        asked({"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}, text("x")),
    ]
    assert found(messages, system=[text("Be brief.", cache_control=MARK)]) == []


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([], "first message must use the user role"),
        ([said(text("x")), ASKED], "first message must use the user role"),
        ([ASKED, ASKED], "must alternate"),
        ([ASKED, {"role": "system", "content": "x"}], "'system' is none of this API"),
        ([asked()], "non-empty content"),
        ([asked(text(" "))], "non-whitespace"),
        ([asked({"type": "audio"})], "no kind of block"),
        (
            [asked({**IMAGE, "source": {"type": "url", "url": "data:image/png;base64,AAAA"}})],
            "link",
        ),
        ([asked({"type": "image"})], "has a source"),
        ([asked({**IMAGE, "source": {**IMAGE["source"], "data": "*"}})], "not base64"),
        ([ASKED, said(CALL), ASKED], "without `tool_result` blocks immediately after: toolu_1"),
        ([ASKED, said(CALL)], "without `tool_result`"),
        ([ASKED, said(CALL), asked(text("wait"), RESULT)], "without `tool_result`"),
        ([asked(RESULT)], "unexpected `tool_use_id`"),
        ([ASKED, said(CALL), asked(RESULT, RESULT)], "unexpected `tool_use_id`"),
        (
            [ASKED, said({**CALL, "id": "call:1"}), asked({**RESULT, "tool_use_id": "call:1"})],
            "match",
        ),
        ([ASKED, said({**CALL, "name": "a.b"}), asked(RESULT)], "'a.b' does not match"),
        ([ASKED, said({**CALL, "input": "ls"}), asked(RESULT)], "should be an object"),
        ([ASKED, said(CALL), asked(RESULT), said(CALL), asked(RESULT)], "must be unique"),
        ([asked(CALL)], "only an assistant uses"),
        ([ASKED, said(RESULT)], "only a user gives"),
        ([asked(THOUGHT)], "only an assistant thinks"),
        ([ASKED, said({**THOUGHT, "thinking": "ah"}, text("x"))], "invalid `signature`"),
        ([ASKED, said({**THOUGHT, "signature": ""}, text("x"))], "invalid `signature`"),
        ([ASKED, said({"type": "redacted_thinking", "data": "x"}, text("x"))], "invalid `data`"),
        ([ASKED, said({**THOUGHT, "cache_control": MARK}, text("x"))], "cannot be marked"),
        ([ASKED, said(text("x"), THOUGHT)], "cannot be `thinking`"),
        ([asked(*[text("x", cache_control=MARK)] * 5)], "maximum of 4"),
    ],
)
def test_what_the_real_server_refuses_is_refused(messages: list[Any], reason: str):
    assert reason in " ".join(found(messages))


def test_a_transcript_with_calls_declares_tools():
    messages = [ASKED, said(CALL), asked(RESULT)]
    assert found(messages) == []
    assert "must define tools" in " ".join(found(messages, tools=None))


def test_an_empty_system_text_is_refused():
    assert "system" in " ".join(found([ASKED], system=[text("")]))


def test_seals_of_another_mint_are_refused():
    body = json.dumps({"messages": [ASKED, said(THOUGHT, text("x"))]}).encode()
    assert list(complaints(body, Mint("other"))) == [
        "messages.1: invalid `signature` in `thinking` block"
    ]
