"""The metadata that clients give responses and conversations: a few short strings by name."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, UnsetType, json

from angelia.wire import fields

LONGEST_KEY = 64

Metadata = Annotated[dict[str, Annotated[str, Meta(max_length=512)]], Meta(max_length=16)]


def read(given: Metadata | None) -> Raw | UnsetType:
    """As it is kept; UNSET is none. Raises BadRequest for a key that is too long."""
    if given is None:
        return UNSET
    for key in given:
        if len(key) > LONGEST_KEY:
            why = f"the key {key[:16]!r}… is longer than {LONGEST_KEY} characters"
            raise fields.refused("metadata", why)
    return Raw(json.encode(given))
