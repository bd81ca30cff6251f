from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import CallDelta, ReasoningDelta, TextDelta
from angelia.core.messages import Assistant, Reasoning, Refusal, Reply, Text, ToolCall
from angelia.core.unfold import pieces, unfold, words

_parts = st.lists(
    st.builds(Text, st.text(min_size=1))
    | st.builds(Reasoning, st.text(min_size=1))
    | st.builds(Refusal, st.text(min_size=1))
    | st.builds(ToolCall, st.text(min_size=1), st.text(min_size=1), st.text(min_size=1)),
    min_size=1,
)


@given(st.text())
def test_words_together_are_the_text(text: str):
    assert "".join(words(text)) == text


def test_a_word_carries_the_blanks_before_it():
    assert words("one two\n\nthree ") == ["one", " two", "\n\nthree "]


@given(st.text(), st.integers(1, 9))
def test_pieces_together_are_the_text(text: str, size: int):
    assert "".join(pieces(text, size)) == text


@given(_parts)
def test_the_deltas_together_are_the_reply(parts: list[Text | Reasoning | Refusal | ToolCall]):
    reply = Reply(Assistant(tuple(parts)), "stop")
    deltas = unfold(reply)
    shown = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    thought = "".join(delta.text for delta in deltas if isinstance(delta, ReasoningDelta))
    said = "".join(part.text for part in parts if isinstance(part, Text | Refusal))
    assert shown == said
    assert thought == "".join(part.text for part in parts if isinstance(part, Reasoning))
    assert _calls(deltas) == [(call.id, call.name, call.arguments) for call in reply.message.calls]


def _calls(deltas: list[object]) -> list[tuple[str, str, str]]:
    calls: dict[int, tuple[str, str, str]] = {}
    for delta in deltas:
        if isinstance(delta, CallDelta):
            at, name, arguments = calls.get(delta.index, ("", "", ""))
            calls[delta.index] = (
                delta.id or at,
                delta.name or name,
                arguments + delta.arguments,
            )
    return [calls[index] for index in sorted(calls)]
