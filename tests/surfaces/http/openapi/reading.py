"""The document as a client reads it: parts looked up, values checked against it."""

from functools import cache
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from angelia.surfaces.http.openapi.document import build


@cache
def document() -> dict[str, Any]:
    return msgspec.json.decode(build())


@cache
def _validator(name: str) -> Draft202012Validator:
    components = document()["components"]
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})


def faults(name: str, value: Any) -> list[str]:
    """What the schema of that name has against a value."""
    return [error.message for error in _validator(name).iter_errors(value)]


def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """Every operation by its method and path."""
    return {
        (method.upper(), path): operation
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [found for each in part for found in references(each)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    mapped = list(part.get("discriminator", {}).get("mapping", {}).values())
    return [*own, *mapped, *(found for each in part.values() for found in references(each))]
