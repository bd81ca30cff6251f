"""Strict reading of what clients send: every error names the path of the bad field."""

import re
from typing import TypeVar

from msgspec import UNSET, DecodeError, Raw, UnsetType, ValidationError, json

from angelia.errors import BadRequest

T = TypeVar("T")

# A union of Raw and null does not decode, so an empty Raw stands for a field that is absent.
ABSENT = Raw(b"")

# A session's id is the value of a header in every answer.
_NAME = re.compile(r"[\x21-\x7e]{1,256}")
# A path of the session API that ends so means something else than the session.
_ROUTE = re.compile(r"search|.*/(messages|turns|fork|export)")
_WHERE = re.compile(r"(?P<what>.*) - at `\$(?P<path>.*)`")
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_LONGEST = 300
_object = json.Decoder(dict[str, object])
_JSON_NAMES = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


def decode(body: bytes, decoder: json.Decoder[T]) -> T:
    """Raises BadRequest for whatever is not the JSON object that `decoder` expects."""
    try:
        # Strings inside Raw values are not checked by the decoder.
        body.decode()
        return decoder.decode(body)
    except ValidationError as error:
        raise invalid(error) from error
    except UnicodeDecodeError as error:
        raise BadRequest(
            f"The request body is not valid UTF-8 (byte {error.start}).", code="invalid_json"
        ) from error
    except DecodeError as error:
        raise BadRequest(
            f"The request body is not valid JSON: {error}.", code="invalid_json"
        ) from error
    except RecursionError as error:
        raise BadRequest("The request body is nested too deeply.", code="invalid_json") from error


def decode_at(data: bytes, decoder: json.Decoder[T], path: str) -> T:
    """For a value inside a body, whose kind is known only when its neighbours are read."""
    try:
        return decoder.decode(data)
    except ValidationError as error:
        raise invalid(error, path) from error
    except RecursionError as error:
        raise BadRequest(f"'{path}' is nested too deeply.", param=path) from error


def invalid(error: ValidationError, root: str = "") -> BadRequest:
    """What the decoder found wrong, in the words of the API. `root` is the path it began at."""
    found = _WHERE.fullmatch(str(error))
    what, path = (found["what"], found["path"]) if found else (str(error), "")
    path = (root + path).removeprefix(".")
    if absent := _MISSING.fullmatch(what):
        return missing(f"{path}.{absent['name']}".removeprefix("."))
    if not path:
        return BadRequest(
            f"The request body must be a JSON object: {_plain(what)}.", code="invalid_type"
        )
    code = "invalid_type" if ", got " in what else "invalid_value"
    return refused(path, _plain(what), code=code)


def missing(param: str) -> BadRequest:
    return BadRequest(
        f"Missing required parameter: '{param}'.", param=param, code="missing_required_parameter"
    )


def refused(param: str, why: str, *, code: str = "invalid_value") -> BadRequest:
    """For a value that the field cannot have."""
    return BadRequest(f"Invalid value for '{param}': {why}.", param=param, code=code)


def unsupported(param: str, what: str) -> BadRequest:
    """For what is documented elsewhere and cannot be honoured here."""
    return BadRequest(
        f"'{param}': {what} not supported.", param=param, code="unsupported_parameter"
    )


def is_absent(value: Raw) -> bool:
    return value is ABSENT or bytes(value) == b"null"


def json_object(value: Raw, param: str) -> Raw:
    """A copy of `value`, which must be a JSON object and is kept verbatim."""
    raw = bytes(value)
    decode_at(raw, _object, param)
    return Raw(raw)


def optional_object(value: Raw, param: str) -> Raw | UnsetType:
    return UNSET if is_absent(value) else json_object(value, param)


def session_id(text: str, param: str) -> str:
    """A name that can be asked for again at /api/sessions."""
    if _ROUTE.fullmatch(text):
        routes = "'/messages', '/turns', '/fork' or '/export'"
        why = f"not 'search', and no {routes} at the end, which are routes"
        raise refused(param, why)
    return name(text, param)


def name(text: str, param: str) -> str:
    if _NAME.fullmatch(text):
        return text
    raise refused(param, "1 to 256 visible ASCII characters, without spaces")


def image_url(url: str, param: str) -> str:
    if url[:11].lower() == "data:image/" or url[:8].lower().startswith(("http://", "https://")):
        return url
    why = "an image is an http(s) URL or a data:image/… URL"
    raise refused(param, why, code="invalid_image_url")


def _plain(what: str) -> str:
    """The decoder's finding in words: `str | null` is a string or null."""
    what = re.sub(r"`([^`]*)`", lambda found: _words(found[1]), what)
    what = re.sub(r"^Invalid (?:enum )?value (.*)$", r"\1 is not an accepted value", what)
    return what.replace("Expected ", "expected ", 1)[:_LONGEST]


def _words(types: str) -> str:
    return " or ".join(_JSON_NAMES.get(name, f"'{name}'") for name in types.split(" | "))
