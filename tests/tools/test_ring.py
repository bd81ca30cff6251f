from hypothesis import given
from hypothesis import strategies as st

from angelia.tools.ring import Ring


@given(st.lists(st.binary(max_size=30)), st.integers(1, 20), st.integers(0, 400))
def test_what_is_kept_is_the_end_of_all_there_was(pieces: list[bytes], kept: int, offset: int):
    ring, whole = Ring(kept), b"".join(pieces)
    for piece in pieces:
        ring.add(piece)
    gone, data = ring.since(offset)
    assert ring.end == len(whole)
    assert data == whole[max(offset, ring.start) :]
    assert gone == max(ring.start - offset, 0)
    assert min(kept, len(whole)) <= ring.end - ring.start <= 2 * kept


def test_nothing_lies_behind_the_end():
    ring = Ring()
    ring.add(b"abc")
    assert ring.since(3) == (0, b"")
    assert ring.since(99) == (0, b"")
