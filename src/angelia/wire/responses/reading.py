"""A value inside a request whose kind is known only when its neighbours are read."""

from typing import TypeVar

from msgspec import UNSET, Raw, UnsetType, ValidationError, json

from angelia.errors import BadRequest
from angelia.wire import fields
from angelia.wire.responses.request_shapes import ABSENT

LONGEST_METADATA_KEY = 64

T = TypeVar("T")


def decode(data: bytes, decoder: json.Decoder[T], path: str) -> T:
    """Raises BadRequest, which names the path of the field that is wrong, below `path`."""
    try:
        return decoder.decode(data)
    except ValidationError as error:
        raise fields.invalid(error, path) from error
    except RecursionError as error:
        raise BadRequest(f"'{path}' is nested too deeply.", param=path) from error


def is_absent(value: Raw) -> bool:
    return value is ABSENT or bytes(value) == b"null"


def optional_object(value: Raw, param: str) -> Raw | UnsetType:
    return UNSET if is_absent(value) else fields.json_object(value, param)


def missing(param: str) -> BadRequest:
    return BadRequest(
        f"Missing required parameter: '{param}'.", param=param, code="missing_required_parameter"
    )


def checked_metadata(given: dict[str, str]) -> dict[str, str]:
    for key in given:
        if len(key) > LONGEST_METADATA_KEY:
            raise BadRequest(
                f"Invalid value for 'metadata': the key {key[:16]!r}… is longer than "
                f"{LONGEST_METADATA_KEY} characters.",
                param="metadata",
                code="invalid_value",
            )
    return given
