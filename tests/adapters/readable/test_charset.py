"""Bytes to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.readable.charset import decode


@pytest.mark.parametrize(
    ("data", "named", "text"),
    [
        ("grün".encode(), None, "grün"),
        ("grün".encode("latin-1"), "ISO-8859-1", "grün"),
        ("grün".encode("latin-1"), None, "grün"),
        ("“x”".encode("cp1252"), "iso-8859-1", "“x”"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        ("中".encode("gb18030"), "gb2312", "中"),
        ("привет".encode("koi8-r"), "koi8-r", "привет"),
        ("grün".encode("utf-8-sig"), "latin-1", "grün"),
        ("grün".encode("utf-16"), None, "grün"),
        ("grün".encode(), "no-such-thing", "grün"),
        ("grün".encode(), "", "grün"),
        (b"abc", "unicode_escape", "abc"),
        (b"+AGE-", "utf-7", "+AGE-"),
        (b"616263", "hex", "616263"),
        ("grün".encode()[:3], None, "gr�"),
    ],
)
def test_the_encoding_is_the_one_that_is_named_or_likely(
    data: bytes, named: str | None, text: str
) -> None:
    assert decode(data, named, is_markup=False) == text


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="koi8-r">',
        "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        '<?xml version="1.0" encoding="koi8-r"?>',
    ],
)
def test_a_page_may_name_its_own_encoding(head: str) -> None:
    data = f"{head}привет".encode("koi8-r")
    assert decode(data, None, is_markup=True).endswith("привет")
    assert not decode(data, None, is_markup=False).endswith("привет")


@given(st.binary(), st.none() | st.text())
def test_nothing_makes_it_fail(data: bytes, named: str | None) -> None:
    assert isinstance(decode(data, named, is_markup=True), str)
