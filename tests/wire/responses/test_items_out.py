"""Transcripts as items, and items as transcripts."""

from hypothesis import given, settings
from msgspec import json
from msgspec.structs import replace

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
from angelia.wire.responses.ids import owner_of
from angelia.wire.responses.items_out import id_of, input_items, items, known
from tests.core.transcripts import transcripts
from tests.wire.responses import spec

SEAL = Seal("anthropic", '{"type":"thinking","thinking":"hm","signature":"x"}')
TRANSCRIPT = (
    System("Be brief."),
    User((Text("Look:"), Image("https://example.org/a.png"))),
    Assistant(
        (Reasoning("hm", SEAL), Text("Wait."), Refusal("No."), ToolCall("c", "look", '{"a": 1}'))
    ),
    ToolResult("c", "found", failed=True),
    Assistant((Text("There."),)),
)


def decoded(messages: tuple[Message, ...], **options) -> list[dict]:
    return [json.decode(item) for item in input_items(messages, "resp_1_4", **options)]


def test_every_part_of_a_transcript_is_listed_in_order() -> None:
    shown = decoded(TRANSCRIPT)
    assert [(item["id"], item["type"]) for item in shown] == [
        ("msg_1_4_i0", "message"),
        ("msg_1_4_i1", "message"),
        ("rs_1_4_i2", "reasoning"),
        ("msg_1_4_i3", "message"),
        ("fc_1_4_i4", "function_call"),
        ("fco_1_4_i5", "function_call_output"),
        ("msg_1_4_i6", "message"),
    ]
    assert [item.get("role") for item in shown] == [
        *("system", "user", None, "assistant", None, None, "assistant")
    ]
    assert shown[1]["content"][1] == {
        "type": "input_image",
        "image_url": "https://example.org/a.png",
        "detail": "auto",
    }


def test_a_seal_is_listed_only_where_it_is_asked_for() -> None:
    assert "encrypted_content" not in decoded(TRANSCRIPT)[2]
    assert decoded(TRANSCRIPT, sealed=True)[2]["encrypted_content"]


def test_items_take_the_names_they_are_given() -> None:
    named = items((user("a"), user("b")), lambda kind, number: f"{kind}-{number}")
    assert [id_of(item) for item in named] == ["msg-0", "msg-1"]


@given(transcripts)
@settings(max_examples=50, deadline=None)
def test_every_transcript_is_valid_items_with_ids_that_lead_back(
    transcript: tuple[Message, ...],
) -> None:
    shown = decoded(transcript)
    for item in shown:
        if item["type"] != "function_call":
            spec.check_item(item)
    assert len({item["id"] for item in shown}) == len(shown)
    assert {owner_of(item["id"]) for item in shown} <= {"resp_1_4"}


def test_items_stand_for_the_messages_they_came_from() -> None:
    found = known(input_items(TRANSCRIPT, "resp_1", sealed=True))
    said = [message for messages in found.values() for message in messages]
    *_, looked, wait, call, result, there = said
    assert said[0] == TRANSCRIPT[0]
    assert said[1] == User((Text("Look:"), Image("https://example.org/a.png", "auto")))
    assert looked.parts + wait.parts + call.parts == TRANSCRIPT[2].parts
    assert result == replace(TRANSCRIPT[3], failed=False)
    assert there == TRANSCRIPT[4]
