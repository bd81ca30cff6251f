import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.errors import ToolError
from angelia.tools.reading import LineWindow, Transcoder, marked, shown


def excerpt(
    data: bytes, offset: int, limit: int, piece: int = 7, *, to_the_end: bool = True
) -> str:
    window = LineWindow(offset, limit, to_the_end=to_the_end)
    for start in range(0, len(data), piece):
        window.feed(data[start : start + piece])
        if window.satisfied:
            break
    window.finish()
    return shown(window, offset, numbered=False, whole=not window.satisfied, encoding="")


@pytest.mark.parametrize("piece", [1, 2, 7, 1000])
@pytest.mark.parametrize(
    ("data", "offset", "limit", "text"),
    [
        (b"a\nb\nc\n", 1, 2000, "a\nb\nc\n"),
        (b"a\nb\nc", 2, 2000, "b\nc"),
        (b"a\nb\nc\n", 1, 3, "a\nb\nc\n"),
        (b"a\nb\nc\n", 1, 2, "a\nb\n[lines 1 to 2 of 3; read on with offset=3]"),
        (b"a\nb\nc\n", 2, 1, "b\n[lines 2 to 2 of 3; read on with offset=3]"),
        (b"a\r\nb\x0cc\r\n", 1, 9, "a\r\nb\x0cc\r\n"),
        (b"", 1, 1, "[the file is empty]"),
        (b"\n", 1, 1, "\n"),
        (b"bad \xff", 1, 1, "bad \u00ff\n[not UTF-8: read as Latin-1]"),
        (b"a", 1, 10**30, "a"),
        (b"x" * 2001, 1, 1, "x" * 2000 + "…\n[a line is cut at 2,000 characters]"),
        ("é".encode() * 1500, 1, 1, "é" * 1500),
        (b"x" * 9000 + b"\nb\n", 2, 1, "b\n"),
        (
            (b"x" * 9000 + b"\n") * 2,
            1,
            2,
            ("x" * 2000 + "…\n") * 2 + "[2 lines are cut at 2,000 characters]",
        ),
    ],
)
def test_the_lines_asked_for(data: bytes, offset: int, limit: int, text: str, piece: int) -> None:
    assert excerpt(data, offset, limit, piece) == text


def test_a_window_holds_no_more_than_fits() -> None:
    text = excerpt((b"y" * 999 + b"\n") * 100, 1, 2000)
    assert text.endswith("\n[lines 1 to 30 of 100; read on with offset=31]")
    assert len(text) < 31_000


def test_an_end_that_was_not_looked_for_is_not_told() -> None:
    text = excerpt(b"a\nb\nc\n", 1, 2, to_the_end=False)
    assert text == "a\nb\n[lines 1 to 2; more follow: read on with offset=3]"


@pytest.mark.parametrize("data", [b"a\nb\nc\n", b"a\nb\nc"])
def test_an_offset_behind_the_end_says_where_the_end_is(data: bytes) -> None:
    with pytest.raises(ToolError, match=r"'offset' is 4, but the file ends at line 3\."):
        excerpt(data, 4, 1)


@given(st.text(min_size=1), st.integers(1, 5), st.integers(1, 9))
def test_reading_on_as_told_reads_the_whole_file(content: str, limit: int, piece: int) -> None:
    data, offset, read = content.encode(), 1, ""
    while True:
        text = excerpt(data, offset, limit, piece)
        body, note, _ = text.rpartition(f"[lines {offset} to ")
        if not note:
            break
        read += body
        offset += limit
    assert read + text == content


@given(st.text(), st.sampled_from(["utf-16", "utf-16-be", "utf-8-sig"]), st.integers(1, 5))
def test_marked_encodings_become_utf8_however_they_are_cut(
    text: str, encoding: str, piece: int
) -> None:
    data = text.encode(encoding)
    if encoding == "utf-16-be":
        data = b"\xfe\xff" + data
    transcode = Transcoder(data[:8])
    pieces = [data[:3], *(data[at : at + piece] for at in range(3, len(data), piece))]
    assert b"".join(map(transcode, pieces)).decode() == text


def test_a_mark_is_told_from_text() -> None:
    assert marked(b"plain") is None
    assert marked(b"\xff\xfea\0") == (b"\xff\xfe", "utf-16-le")
