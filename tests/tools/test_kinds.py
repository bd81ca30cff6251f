import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.tools.kinds import is_binary, kind_of

JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + b"\x01\xe0\x02\x80"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"GIF89a\x02\0\x01\0", "GIF image, 2 × 1"),
        (JPEG, "JPEG image, 640 × 480"),
        (b"RIFF....WEBP", "WebP image"),
        (b"%PDF-1.7", "PDF document"),
        (b"\0\0\0\x18ftypmp42", "MP4 video"),
        (b"SQLite format 3\0", "SQLite database"),
        (b"hello", None),
    ],
)
def test_the_first_bytes_tell(head: bytes, kind: str | None) -> None:
    assert kind_of(head) == kind


@pytest.mark.parametrize(
    ("head", "binary"),
    [(b"text", False), (b"a\0b", True), (b"%PDF-1.7 no nul", True), ("x".encode("utf-16"), False)],
)
def test_what_is_no_text(head: bytes, binary: bool) -> None:
    assert is_binary(head) is binary


@given(
    st.binary(max_size=64), st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b""])
)
def test_no_head_is_too_odd(rest: bytes, magic: bytes) -> None:
    kind_of(magic + rest)
    is_binary(magic + rest)
