"""A token stands for its key until it ends; nothing else stands for anything."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angelia.wire.signin.token import LIFETIME, Signer, signer

NOW = 1_790_000_000.5
OURS = signer("ang-first")
ids = st.text(st.characters(codec="ascii", categories=("L", "N", "P")), min_size=1)
moments = st.floats(0, 1e11)
# Whatever bytes a cookie is made of, some of which no text is.
anything = st.text(st.characters(exclude_categories=())) | st.binary().map(
    lambda raw: raw.decode("ascii", "surrogateescape")
)


@given(key_id=ids, now=moments, later=st.floats(0, LIFETIME - 2))
def test_a_token_is_its_key_until_it_ends(key_id: str, now: float, later: float) -> None:
    token = OURS.sign(key_id, now)
    assert OURS.key_of(token, now + later) == key_id


@given(key_id=ids, now=moments, later=st.floats(0, 1e9))
def test_a_token_that_is_over_is_nobody(key_id: str, now: float, later: float) -> None:
    assert OURS.key_of(OURS.sign(key_id, now), now + LIFETIME + later) is None


@given(key_id=ids, secret=st.text())
def test_a_token_of_another_server_is_nobody(key_id: str, secret: str) -> None:
    assume(secret != "ang-first" and not any("\ud800" <= each <= "\udfff" for each in secret))
    theirs = signer(secret)
    assert OURS.key_of(theirs.sign(key_id, NOW), NOW) is None
    assert theirs.cookie != OURS.cookie


@given(key_id=ids, data=st.data())
def test_one_character_that_is_not_as_it_was_makes_it_nobody(key_id: str, data) -> None:
    token = OURS.sign(key_id, NOW)
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters(exclude_categories=()).filter(lambda each: each != token[at]))
    assert OURS.key_of(token[:at] + other + token[at + 1 :], NOW) is None


@given(key_id=ids, cut=st.integers(1, 200), more=anything)
def test_pieces_of_a_token_are_nobody(key_id: str, cut: int, more: str) -> None:
    token = OURS.sign(key_id, NOW)
    assert OURS.key_of(token[:-cut], NOW) is None
    assume(more)
    assert OURS.key_of(token + more, NOW) is None
    assert OURS.key_of(more + token, NOW) is None


@given(token=anything, now=st.floats())
def test_whatever_a_cookie_holds_is_nobody_and_nothing_breaks(token: str, now: float) -> None:
    assert OURS.key_of(token, now) is None


@pytest.mark.parametrize(
    "token", ["", ".", "..", "...", "a.b.c", "key_first.1e400.00", "\ud800", "\udcff.1.é", "é"]
)
def test_odd_cookies_are_nobody(token: str) -> None:
    assert OURS.key_of(token, NOW) is None


def test_the_token_does_not_hold_the_secret() -> None:
    assert "ang-first" not in OURS.sign("key_1", NOW)
    assert isinstance(OURS, Signer)
