"""Items are named after the entries that open them."""

from msgspec import Raw, json

from angelia.core.events import ModelReplied
from angelia.core.messages import Assistant, Reasoning, Reply, Seal, Text, ToolCall
from angelia.wire.responses.output.frames import Tape
from angelia.wire.responses.output.items import Closed, Output
from angelia.wire.responses.response_shapes import FunctionCallOut
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses.legs import ENDED, entries, writer

SEAL = Seal("anthropic", '{"type":"thinking","thinking":"hm","signature":"x"}')


def ids(response: bytes) -> list[str]:
    return [item["id"] for item in json.decode(response)["output"]]


def test_an_id_says_which_entry_opened_the_item() -> None:
    made = writer(after=12)
    made.write(entries(STARTED, *step(["a"], ["b"]), ENDED))
    assert ids(made.response()) == ["rs_1_12_o2", "msg_1_12_o4"]


def test_items_of_one_entry_are_told_apart() -> None:
    output = Output("resp_1", Tape())
    output.at(3)
    first, second = output.place("fc"), output.place("fc")
    output.at(4)
    third = output.place("msg")
    assert [first.id, second.id, third.id] == ["fc_1_o3", "fc_1_o3x1", "msg_1_o4"]


def test_ids_are_the_same_whatever_else_is_shown() -> None:
    parts = (Reasoning("hm", SEAL), Text("a"), ToolCall("c", "f", "{}"))
    log = entries(STARTED, ModelReplied(Reply(Assistant(parts), "tool_calls")), *step(["b"]), ENDED)
    plain, sealed = writer(), writer(request=Raw(b'{"include":["reasoning.encrypted_content"]}'))
    plain.write(log)
    sealed.write(log)
    assert set(ids(plain.response())) < set(ids(sealed.response()))


def test_a_place_is_dense_and_an_item_stays_as_it_was_closed() -> None:
    output = Output("resp_1", Tape())
    for number in range(3):
        place = output.place("fc")
        item = FunctionCallOut(place.id, "c", "f", "{}", "completed")
        output.added(place, Closed(Raw(json.encode(item))), item)
        assert place.index == number
        assert output.done(place, item) == output.shown()[number]
