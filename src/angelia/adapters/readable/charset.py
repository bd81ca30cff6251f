"""Bytes to text, in the encoding that their sender names, or the likeliest."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_META = re.compile(
    rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE
)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})")
_LOOKED_AT = 4_096
# What browsers take these names for.
_WIDER = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp\d+|iso8859-\d+|koi8-[rut]|mac-\w+|big5(hkscs)?|euc_\w+|shift_jis(x?_?\w*)"
    r"|gb18030|hz|iso2022_\w+|johab|tis-620|ptcp154"
)


def decode(data: bytes, named: str | None, *, is_markup: bool) -> str:
    """`named` is what the header says. Nothing makes this fail."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    inside = _inside(data[:_LOOKED_AT]) if is_markup else None
    for name in (named, inside):
        if name and (encoding := _known(name)):
            return data.decode(encoding, "replace")
    return _guessed(data)


def _guessed(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A cut in the middle of a character is no sign of another encoding.
        if error.reason == "unexpected end of data":
            return data.decode("utf-8", "replace")
        return data.decode("cp1252", "replace")


def _inside(head: bytes) -> str | None:
    found = _XML.search(head) or _META.search(head)
    return found[1].decode("ascii") if found else None


def _known(name: str) -> str | None:
    """Only encodings of text: Python knows others, which unpack or run things."""
    try:
        known = codecs.lookup(name.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    known = _WIDER.get(known, known)
    return known if _ENCODINGS.fullmatch(known) else None
