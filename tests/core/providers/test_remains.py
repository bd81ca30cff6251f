"""What is left of an answer that was cut off."""

from angelia.core.events import TextDelta
from angelia.core.messages import Assistant, Reasoning, Text
from angelia.core.providers.remains import remains


def said(*parts) -> Assistant:
    return Assistant(parts)


def test_text_is_delivered_as_it_is() -> None:
    left = remains(said(Text("Half an ans")), ())
    assert left.reply.message == said(Text("Half an ans"))
    assert left.reply.finish == "length"
    assert left.warning is None


def test_a_call_that_was_cut_off_is_named_behind_the_text() -> None:
    left = remains(said(Text("I look.")), ("terminal",))
    assert left.warning.text.startswith("\n\n⚠")
    assert "terminal" in left.warning.text
    assert left.reply.message.text == "I look." + left.warning.text
    assert left.reply.message.calls == ()


def test_without_text_the_warning_is_all_there_is() -> None:
    left = remains(said(), ("terminal", "read_file", "terminal"))
    assert left.warning.text.startswith("⚠")
    assert left.warning.text.endswith("terminal, read_file.")
    assert left.reply.message.text == left.warning.text
    assert isinstance(left.warning, TextDelta)


def test_thoughts_alone_are_no_answer() -> None:
    assert remains(said(Reasoning("hm")), ()) is None
    assert remains(said(Text(" \n")), ()) is None
    assert remains(said(), ()) is None
