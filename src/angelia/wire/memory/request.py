"""What clients of the memory API send, read strictly into values."""

from msgspec import json

from angelia.wire import fields
from angelia.wire.memory.shapes import AddNoteIn, ChangeNoteIn

_add = json.Decoder(AddNoteIn)
_change = json.Decoder(ChangeNoteIn)


def parse_add(body: bytes) -> AddNoteIn:
    """Raises BadRequest, which names the path of the field that is wrong."""
    return fields.decode(body, _add)


def parse_change(body: bytes) -> ChangeNoteIn:
    return fields.decode(body, _change)
