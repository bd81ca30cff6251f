"""What is wrong with a setting, in words that name it and the way out."""

import difflib
import re
from collections.abc import Iterable
from typing import Any, get_args

import msgspec
from msgspec import ValidationError
from msgspec.structs import fields

from angelia.config.scalars import Section
from angelia.config.secret import as_secret
from angelia.config.sections import File
from angelia.errors import AngeliaError

_AT = re.compile(r" - at `\$\.?(.*)`$")
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(.*)`$")
# The decoder does not say which entry of a table it means.
_ENTRY = "[...]"


class ConfigError(AngeliaError):
    """A setting that cannot be used; the message names it, where it is, and the way out."""


def near(name: str, known: Iterable[str]) -> str:
    """The way out for a name that does not exist."""
    names = tuple(known)
    close: list[str] = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names)}"


def fault(error: ValidationError, document: object) -> str:
    """What the decoder says of a document, with the path of the key and what may stand there."""
    path, said = _parts(error)
    shown = _shown(path, document)
    if unknown := _UNKNOWN.match(said):
        return _unknown(path, shown, unknown[1])
    if missing := _MISSING.match(said):
        return f"{shown}.{missing[1]} is missing"
    return _said(shown, said, _kind_at(path))


def said_of(error: ValidationError, kind: type[Section]) -> str:
    """What the decoder says of a value of one section, with the key inside it."""
    path, said = _parts(error)
    return _said(path, said, _kind_at(path, kind))


def _parts(error: ValidationError) -> tuple[str, str]:
    """The path, and what is wrong there."""
    message = str(error)
    at = _AT.search(message)
    return (at[1], message[: at.start()]) if at else ("", message)


def _said(shown: str, said: str, kind: Any) -> str:
    if choices := tuple(_words(kind)):
        return f"{shown} must be one of {', '.join(choices)}"
    return f"{shown}: {said.replace('`', '').replace('Expected', 'expected', 1)}"


def _unknown(path: str, shown: str, name: str) -> str:
    hint = near(name, _kind_at(path).__struct_fields__)
    if _ENTRY in path:
        hint += "; a name with a dot in it stands in quotes"
    full = f"{shown}.{name}" if shown else name
    return f"{full!r} is not a setting; {hint}"


def _shown(path: str, document: object) -> str:
    """The path with the name of every entry of a table."""
    table, entry, rest = path.partition(_ENTRY)
    if not entry:
        return path
    return f'{table}."{_culprit(table, document)}"{rest.replace(_ENTRY, "")}'


def _culprit(path: str, document: Any) -> str:
    """The first entry of a table that the decoder does not take."""
    kind = _kind_at(path + _ENTRY)
    for name in path.split("."):
        document = document[name]
    return next(name for name, entry in document.items() if not _fits(entry, kind))


def _fits(entry: object, kind: Any) -> bool:
    try:
        msgspec.convert(entry, kind, dec_hook=as_secret)
    except ValidationError:
        return False
    return True


def _kind_at(path: str, kind: Any = File) -> Any:
    for name in re.findall(r"\w+|\[\.\.\.\]", re.sub(r"\[\d+\].*", "", path)):
        if name == _ENTRY:
            kind = get_args(kind)[1]
        else:
            kind = next(field.type for field in fields(_struct(kind)) if field.name == name)
    return _struct(kind)


def _struct(kind: Any) -> Any:
    """The section in a union of a section and nothing."""
    return next((part for part in get_args(kind) if isinstance(part, type(Section))), kind)


def _words(kind: Any) -> Iterable[str]:
    """The words that a key allows, if only some words are allowed."""
    for part in get_args(kind):
        if isinstance(part, str):
            yield repr(part)
        else:
            yield from _words(part)
