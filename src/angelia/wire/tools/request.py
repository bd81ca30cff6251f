"""What clients send to switch and to add, read strictly into values."""

from msgspec import Struct, json

from angelia.wire import fields
from angelia.wire.tools.shapes import AddServerIn, SwitchIn

_switch = json.Decoder(SwitchIn)
_add = json.Decoder(AddServerIn)
_keys = json.Decoder(dict[str, object])


class AddServer(Struct, frozen=True):
    """`section` is the JSON of all that was sent but the name."""

    name: str
    section: str
    enabled: bool


def parse_switch(body: bytes) -> bool:
    """Whether it is to be on. Raises BadRequest, which names the path of the field."""
    return fields.decode(body, _switch).enabled


def parse_add(body: bytes) -> AddServer:
    """Which settings belong together is for the configuration to say."""
    given = fields.decode(body, _add)
    section = _keys.decode(body)
    for key in ("name", "disabled"):
        section.pop(key, None)
    return AddServer(given.name, json.encode(section).decode(), not given.disabled)
