"""What a model says and thinks, as items and their parts."""

from angelia.core.events import Cancelled, Completed, ModelReplied, RunEnded, StepReset, TextDelta
from angelia.core.messages import Assistant, Refusal, Reply, Text
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses.legs import ENDED, output, stream, types


def test_a_message_is_announced_part_by_part() -> None:
    _, frames = stream(STARTED, *step(["Hel", "lo"], ["hm"]), ENDED)
    assert types(frames) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]


def test_text_that_became_void_stays_as_an_incomplete_item() -> None:
    items = output(STARTED, TextDelta("Once up"), StepReset("stall"), *step(["Once more."]), ENDED)
    assert [(i["status"], i["content"][0]["text"]) for i in items] == [
        ("incomplete", "Once up"),
        ("completed", "Once more."),
    ]


def test_a_refusal_is_a_part_of_its_own() -> None:
    reply = ModelReplied(Reply(Assistant((Refusal("I won't."),)), "stop"))
    (item,) = output(STARTED, reply, ENDED)
    assert item["content"] == [{"type": "refusal", "refusal": "I won't."}]
    response, frames = stream(STARTED, TextDelta("I won't."), reply, ENDED)
    assert [part["type"] for part in response["output"][0]["content"]] == ["output_text", "refusal"]
    assert types(frames)[6:10] == [
        "content_part.done",
        "content_part.added",
        "refusal.delta",
        "refusal.done",
    ]


def test_a_run_that_ends_in_the_middle_of_a_message_leaves_it_incomplete() -> None:
    (item,) = output(STARTED, TextDelta("Once up"), RunEnded(Cancelled()))
    assert (item["status"], item["content"][0]["text"]) == ("incomplete", "Once up")


def test_a_reply_cut_off_by_its_length_is_incomplete() -> None:
    reply = ModelReplied(Reply(Assistant((Text("Once"),)), "length"))
    (item,) = output(STARTED, TextDelta("Once"), reply, RunEnded(Completed("length")))
    assert item["status"] == "incomplete"
