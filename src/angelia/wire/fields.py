"""Strict reading of what clients send: every error names the path of the bad field."""

import re
from typing import TypeVar

from msgspec import DecodeError, Raw, ValidationError, json

from angelia.errors import BadRequest

T = TypeVar("T")

_WHERE = re.compile(r"(?P<what>.*) - at `\$(?P<path>.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_LONGEST = 300
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


def invalid(error: ValidationError, root: str = "") -> BadRequest:
    """What the decoder found wrong, in the words of the API. `root` is the path it began at."""
    found = _WHERE.fullmatch(str(error))
    what, path = (found["what"], found["path"]) if found else (str(error), "")
    path = (root + path).removeprefix(".")
    if missing := _MISSING.fullmatch(what):
        param = f"{path}.{missing['name']}".removeprefix(".")
        return BadRequest(
            f"Missing required parameter: '{param}'.",
            param=param,
            code="missing_required_parameter",
        )
    if not path:
        return BadRequest(
            f"The request body must be a JSON object: {_plain(what)}.", code="invalid_type"
        )
    code = "invalid_type" if ", got " in what else "invalid_value"
    return BadRequest(f"Invalid value for '{path}': {_plain(what)}.", param=path, code=code)


def json_object(value: Raw, param: str) -> Raw:
    """A copy of `value`, which must be a JSON object and is kept verbatim."""
    raw = bytes(value)
    try:
        json.decode(raw, type=dict[str, object])
    except ValidationError as error:
        raise invalid(error, param) from error
    except RecursionError as error:
        raise BadRequest(f"'{param}' is nested too deeply.", param=param) from error
    return Raw(raw)


def image_url(url: str, param: str) -> str:
    if url[:11].lower() == "data:image/" or url[:8].lower().startswith(("http://", "https://")):
        return url
    raise BadRequest(
        f"Invalid value for '{param}': an image is an http(s) URL or a data:image/… URL.",
        param=param,
        code="invalid_image_url",
    )


def unsupported(param: str, what: str) -> BadRequest:
    """For what is documented elsewhere and cannot be honoured here."""
    return BadRequest(
        f"'{param}': {what} not supported.", param=param, code="unsupported_parameter"
    )


def _plain(what: str) -> str:
    """The decoder's finding in words: `str | null` is a string or null."""
    what = re.sub(r"`([^`]*)`", lambda found: _words(found[1]), what)
    what = re.sub(r"^Invalid (?:enum )?value (.*)$", r"\1 is not an accepted value", what)
    return what.replace("Expected ", "expected ", 1)[:_LONGEST]


def _words(types: str) -> str:
    return " or ".join(_JSON_NAMES.get(name, f"'{name}'") for name in types.split(" | "))
