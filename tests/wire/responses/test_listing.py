"""Items page by page: everything once, in either order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json

from angelia.errors import BadRequest
from angelia.wire.responses.listing import Page, listed, page


def made(count: int) -> list[Raw]:
    return [Raw(b'{"id":"msg_%d"}' % number) for number in range(count)]


@given(st.integers(0, 12), st.integers(1, 5), st.sampled_from(["asc", "desc"]))
def test_pages_together_are_all_items_once(count: int, limit: int, order: str) -> None:
    seen: list[str] = []
    after = None
    for _ in range(count + 1):
        got = json.decode(listed(made(count), Page(limit, order, after)))
        ids = [item["id"] for item in got["data"]]
        assert (got["object"], len(ids) <= limit) == ("list", True)
        assert (got["first_id"], got["last_id"]) == ((ids[0], ids[-1]) if ids else (None, None))
        seen += ids
        assert got["has_more"] == (len(seen) < count)
        if not got["has_more"]:
            break
        after = got["last_id"]
    expected = [f"msg_{number}" for number in range(count)]
    assert seen == (expected if order == "asc" else expected[::-1])


def test_the_words_of_a_query_are_read() -> None:
    assert page(limit=None, order=None, after=None) == Page(20, "desc", None)
    assert page(limit="100", order="asc", after="msg_1") == Page(100, "asc", "msg_1")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x", "", "1.0", "²", "9" * 5000])
def test_a_limit_out_of_bounds_is_refused(limit: str) -> None:
    with pytest.raises(BadRequest, match="1 to 100") as caught:
        page(limit=limit, order=None, after=None)
    assert caught.value.param == "limit"


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        page(limit=None, order="newest", after=None)
    assert caught.value.param == "order"


def test_a_cursor_that_is_not_in_the_list_is_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        listed(made(3), Page(after="msg_9"))
    assert caught.value.param == "after"
