import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai._streaming import SSEDecoder

from angelia.surfaces.cli.doctor.clients.sdk import Raised, events, frames
from tests.surfaces.cli.doctor.streams import DONE, delta, frame

LINES = st.sampled_from(
    [": comment", "data: {}", "data:x", "event: e", "id: 7", "id:", "retry: 5", "retry: x", "", ""]
)


@given(st.lists(LINES))
def test_events_are_those_of_the_package_itself(lines: list[str]):
    stream = "".join(f"{line}\n" for line in [*lines, "", ""]).encode()
    theirs = [event.data for event in SSEDecoder().iter_bytes(iter([stream]))]
    ours = [event.decode() for event in events(stream)]
    # A line that has no end is not a line to the package.
    assert ours[: len(theirs)] == theirs
    assert set(ours[len(theirs) :]) <= {""}


def test_nothing_behind_the_end_is_read():
    assert len(list(frames(delta(content="a") + DONE + delta(content="b")))) == 1


def test_a_comment_behind_an_id_is_an_empty_event_and_no_json():
    with pytest.raises(Raised, match="not JSON"):
        list(frames(b"id: 7\n" + delta(content="a") + b": ping\n\n"))


def test_an_error_of_the_server_is_raised_with_its_message():
    with pytest.raises(Raised, match="out of luck"):
        list(frames(frame(error={"message": "out of luck"})))


def test_a_chunk_of_another_shape_has_nothing_to_show():
    ((chunk, data),) = frames(frame(choices="none"))
    assert chunk.choices is None
    assert b'"none"' in data
