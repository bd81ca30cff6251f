import re
from hashlib import sha256

from hypothesis import given

from angelia.core.history import (
    NO_RESULT,
    closed,
    told_apart,
)
from angelia.core.messages import (
    Assistant,
    Text,
    ToolCall,
    ToolResult,
    user,
)
from tests.core.transcripts import transcripts


def calling(*ids: str) -> Assistant:
    return Assistant(tuple(ToolCall(call_id, "read", "{}") for call_id in ids))


def shout(call_id: str) -> str:
    """A spelling that makes one id of many."""
    return (
        re.sub(r"[^A-Z0-9_]", "_", call_id.upper()) or sha256(call_id.encode()).hexdigest().upper()
    )


def test_a_call_without_a_result_is_answered_as_failed():
    assert closed([calling("a"), user("hi")]) == (
        calling("a"),
        ToolResult("a", NO_RESULT, failed=True),
        user("hi"),
    )


def test_results_move_behind_their_message_in_call_order():
    late, early = ToolResult("a", "1"), ToolResult("b", "2")
    assert closed([calling("a", "b"), user("hi"), early, late]) == (
        calling("a", "b"),
        late,
        early,
        user("hi"),
    )


def test_results_without_a_call_and_second_results_are_dropped():
    first = ToolResult("a", "1")
    again = ToolResult("a", "2")
    assert closed([first, calling("a"), first, again, ToolResult("z", "3")]) == (
        calling("a"),
        first,
    )


def test_an_id_that_comes_back_in_a_later_turn_has_its_own_result():
    one, two = ToolResult("call_0", "1"), ToolResult("call_0", "2")
    transcript = (calling("call_0"), one, calling("call_0"), two)
    assert closed(transcript) == transcript


def test_an_id_used_twice_in_one_message_takes_both_results_in_order():
    one, two = ToolResult("a", "1"), ToolResult("a", "2")
    assert closed([calling("a", "a"), one, two]) == (calling("a", "a"), one, two)


@given(transcripts)
def test_every_call_is_answered_exactly_once_right_behind_its_message(transcript):
    rest = list(closed(transcript))
    while rest:
        message = rest.pop(0)
        assert not isinstance(message, ToolResult)
        if isinstance(message, Assistant):
            for call in message.calls:
                result = rest.pop(0)
                assert isinstance(result, ToolResult)
                assert result.call_id == call.id


@given(transcripts)
def test_closing_keeps_all_but_results_and_is_done_once(transcript):
    once = closed(transcript)
    kept = [message for message in once if not isinstance(message, ToolResult)]
    assert kept == [message for message in transcript if not isinstance(message, ToolResult)]
    assert closed(once) == once
    invented = [m for m in once if isinstance(m, ToolResult) and m not in transcript]
    assert all(result.output == NO_RESULT for result in invented)


@given(transcripts)
def test_ids_are_told_apart_and_results_keep_their_call(transcript):
    before = closed(transcript)
    after = told_apart(before, shout)
    ids = [call.id for m in after if isinstance(m, Assistant) for call in m.calls]
    assert len(set(ids)) == len(ids)
    assert all(shout(call_id) == call_id for call_id in ids)
    assert [m.call_id for m in after if isinstance(m, ToolResult)] == ids
    assert len(after) == len(before)


@given(transcripts, transcripts)
def test_a_longer_transcript_keeps_the_spelling_of_a_shorter_one(start, more):
    shorter = told_apart(closed(start), shout)
    longer = told_apart((*closed(start), *closed(more)), shout)
    assert longer[: len(shorter)] == shorter


def test_ids_that_are_fine_stay_as_they_are():
    transcript = closed([Assistant((Text("x"), ToolCall("A_1", "read", "{}")))])
    assert told_apart(transcript, shout) == transcript


def test_ids_that_would_be_spelled_alike_are_told_apart():
    transcript = closed([calling("a", "A"), calling("a_2", "a")])
    spelled = told_apart(transcript, shout)
    assert [m.call_id for m in spelled if isinstance(m, ToolResult)] == ["A", "A_2", "A_2_2", "A_3"]
