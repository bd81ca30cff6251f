"""A client's `response_format`, which comes to every protocol in the form of chat completions."""

from msgspec import MsgspecError, Raw, Struct, UnsetType, json

from angelia.errors import BadRequest

NULL = Raw(b"null")


class Schema(Struct, frozen=True):
    """`schema` is NULL where the client gave none."""

    name: str = "response"
    description: str | None = None
    schema: Raw = NULL
    strict: bool | None = None


class Format(Struct, frozen=True):
    type: str
    json_schema: Schema | None = None


def read(given: Raw | UnsetType) -> Format | None:
    """Raises BadRequest if it is not one."""
    if isinstance(given, UnsetType):
        return None
    try:
        return json.decode(given, type=Format)
    except (MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadRequest(f"response_format: {fault}", param="response_format") from fault
