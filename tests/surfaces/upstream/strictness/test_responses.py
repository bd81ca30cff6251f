import json
from typing import Any

import pytest

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.responses import SEALED, complaints

MINT = Mint()
ASKED = {"role": "user", "content": "look"}
SAID = {"role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
CALL = {"type": "function_call", "call_id": "c", "name": "terminal", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "nothing"}
THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [],
    "encrypted_content": SEALED + MINT.seal("rs_1"),
}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def found(*items: Any, **more: Any) -> list[str]:
    return list(complaints(json.dumps({"input": items, **more}).encode(), MINT))


def test_a_conversation_with_all_there_is_is_taken():
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}
    tools = [{"type": "function", "name": "terminal"}, {"type": "web_search"}]
    asked = user({"type": "input_text", "text": "look"}, image)
    assert not found(asked, THOUGHT, CALL, OUTPUT, THOUGHT, SAID, ASKED, tools=tools)


def test_input_may_be_a_text():
    assert list(complaints(b'{"input": "hello"}', MINT)) == []


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ([{"role": "model", "content": "x"}], "'model' is no role"),
        ([{"role": "user", "content": []}], "content: is empty"),
        ([{"type": "thought"}], "'thought' is no kind of item"),
        ([user({"type": "output_text"})], "'output_text' is not one of"),
        ([{**SAID, "content": [{"type": "input_text"}]}], "'input_text' is not one of"),
        ([user({"type": "input_image", "image_url": "x"})], "no address of an image"),
        ([THOUGHT], "without its required following item"),
        ([THOUGHT, ASKED], "without its required following item"),
        ([THOUGHT, OUTPUT], "without its required following item"),
        ([{**THOUGHT, "encrypted_content": None}, SAID], "'rs_1' not found"),
        ([{**THOUGHT, "encrypted_content": "x"}, SAID], "could not be verified"),
        ([{**THOUGHT, "id": "rs_2"}, SAID], "could not be verified"),
        ([{**CALL, "call_id": ""}], "1 to 64"),
        ([{**CALL, "call_id": "x" * 65}], "1 to 64"),
        ([{**OUTPUT, "call_id": ""}], "1 to 64"),
        ([{**CALL, "name": "a.b"}], "'a.b' does not match"),
    ],
)
def test_what_the_real_server_refuses_is_refused(items: list[Any], reason: str):
    assert reason in " ".join(found(*items))


def test_tools_have_names_that_can_be_called():
    assert "'a b'" in " ".join(found(ASKED, tools=[{"type": "function", "name": "a b"}]))
