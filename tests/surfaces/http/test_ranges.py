"""Ranges of a document as HTTP has them."""

import pytest

from angelia.surfaces.http.ranges import ranged

DATA = b"0123456789"


@pytest.mark.parametrize(
    ("wanted", "status", "body", "where"),
    [
        (None, 200, DATA, None),
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=4-", 206, b"456789", "bytes 4-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=-99", 206, DATA, "bytes 0-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=-", 200, DATA, None),
        ("lines=1-2", 200, DATA, None),
        ("bytes=1-2,4-5", 200, DATA, None),
    ],
)
def test_a_range_gives_that_part(wanted, status, body, where) -> None:
    answer = ranged(DATA, wanted, "text/plain")
    assert (answer.status_code, answer.body) == (status, body)
    assert answer.headers.get("content-range") == where


@pytest.mark.parametrize("wanted", ["bytes=10-", "bytes=5-2", "bytes=-0"])
def test_a_range_outside_the_document_is_refused_with_its_size(wanted) -> None:
    answer = ranged(DATA, wanted, "text/plain")
    assert answer.status_code == 416
    assert answer.headers["content-range"] == "bytes */10"
