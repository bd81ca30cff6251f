"""Tool calls as providers stream them: pieces told apart, unknown fields kept."""

from typing import TypeVar

from msgspec import DecodeError, Raw, json

from angelia.core.events import CallDelta
from angelia.core.messages import Seal
from angelia.errors import UpstreamGarbled
from angelia.wire.chat.shapes import FunctionPiece
from angelia.wire.draft import Draft

DIALECT = "chat"

Fields = dict[str, Raw]
T = TypeVar("T")

_pieces: json.Decoder[list[Fields] | None] = json.Decoder(list[Fields] | None)
_fields: json.Decoder[Fields | None] = json.Decoder(Fields | None)
_scalar: json.Decoder[str | int | float | None] = json.Decoder(str | int | float | None)

_NULL = Raw(b"null")


class Calls:
    """The calls of one reply. With `by_position`, entry n of the list is call n."""

    def __init__(self, draft: Draft) -> None:
        self.by_position = False
        self._draft = draft
        self._key_of_id: dict[str, int | str] = {}
        self._extras: dict[int | str, dict[str, Raw]] = {}
        self._last: int | str | None = None

    def take(self, pieces: Raw) -> list[CallDelta]:
        """Raises UpstreamGarbled if it is no list of calls."""
        listed = _decode(_pieces, pieces) or []
        return [self._piece(position, fields) for position, fields in enumerate(listed)]

    def take_legacy(self, piece: FunctionPiece) -> CallDelta:
        """The one call of the `function_call` field that came before `tool_calls`."""
        name = piece.name if isinstance(piece.name, str) else None
        return self._draft.call("function_call", name=name, arguments=_arguments(piece.arguments))

    def _piece(self, position: int, fields: Fields) -> CallDelta:
        index = _decode(_scalar, fields.pop("index", _NULL))
        given = _decode(_scalar, fields.pop("id", _NULL))
        fields.pop("type", None)
        function = _decode(_fields, fields.pop("function", _NULL)) or {}
        name = _decode(_scalar, function.pop("name", _NULL))
        arguments = _arguments(function.pop("arguments", _NULL))
        id_, name = "" if given is None else str(given), "" if name is None else str(name)
        key = position if self.by_position else self._key(index, id_, name)
        delta = self._draft.call(key, id=id_, name=name, arguments=arguments)
        self._remember(key, id_, opened=delta.id is not None)
        self._keep_extras(key, fields, function)
        return delta

    def _key(self, index: str | int | float | None, id_: str, name: str) -> int | str:
        """How the call is known; some providers leave out the index, the id, or both."""
        if index is not None:
            return index if isinstance(index, str) else int(index)
        if id_:
            return self._key_of_id.get(id_, f"id {id_}")
        if self._last is None or (name and self._last_is_complete(name)):
            return f"call {len(self._draft.slots)}"
        return self._last

    def _last_is_complete(self, next_name: str) -> bool:
        last = self._draft.slots[-1]
        return last.name != next_name or _is_json("".join(last.pieces))

    def _remember(self, key: int | str, id_: str, *, opened: bool) -> None:
        self._last = key
        if id_:
            self._key_of_id[id_] = key
        if opened:
            self._extras.pop(key, None)

    def _keep_extras(self, key: int | str, fields: Fields, function: Fields) -> None:
        fields, function = _told(fields), _told(function)
        if not fields and not function:
            return
        extras = self._extras.setdefault(key, {})
        extras |= fields
        if function:
            known = _decode(_fields, extras.get("function", _NULL)) or {}
            extras["function"] = Raw(json.encode(known | function))
        self._draft.extras(key, Seal(DIALECT, json.encode(extras).decode()))


def merge_extras(call: dict[str, object], function: dict[str, object], extras: str) -> None:
    """Puts the provider's own fields back where they were found."""
    fields = _fields.decode(extras) or {}
    function |= _fields.decode(fields.pop("function", _NULL)) or {}
    call |= fields


def _told(fields: Fields) -> Fields:
    """Without nulls, which a later piece uses where an earlier one had the value."""
    return {name: value for name, value in fields.items() if bytes(value) != b"null"}


def _arguments(value: Raw) -> str:
    """The model's own JSON text; some providers send the object itself instead of a string."""
    text = bytes(value)
    if text.startswith(b'"'):
        return str(_decode(_scalar, value))
    return "" if text in (b"", b"null") else text.decode(errors="replace")


def _decode(decoder: json.Decoder[T], value: Raw) -> T:
    try:
        return decoder.decode(value)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UpstreamGarbled(
            f"The provider sent a tool call that cannot be read: {error}"
        ) from error


def _is_json(text: str) -> bool:
    try:
        json.decode(text, type=Raw)
    except (DecodeError, RecursionError):
        return False
    return True
