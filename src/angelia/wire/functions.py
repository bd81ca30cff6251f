"""The functions that clients declare, each under a name of its own."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Raw, Struct

from angelia.core.messages import EMPTY_OBJECT, ToolSpec
from angelia.wire import fields

Name = Annotated[str, Meta(min_length=1, max_length=128)]


class FunctionIn(Struct):
    name: Name
    description: str | None = None
    parameters: Raw = fields.ABSENT
    strict: bool | None = None


def declared(listed: Iterable[tuple[str, FunctionIn]]) -> tuple[ToolSpec, ...]:
    """Each comes with its path. Raises BadRequest, which names the path of what is wrong."""
    specs: dict[str, ToolSpec] = {}
    for path, function in listed:
        if function.name in specs:
            raise fields.refused(f"{path}.name", f"{function.name!r} is declared twice")
        specs[function.name] = _spec(function, path)
    return tuple(specs.values())


def _spec(function: FunctionIn, path: str) -> ToolSpec:
    parameters = fields.optional_object(function.parameters, f"{path}.parameters")
    return ToolSpec(
        name=function.name,
        description=function.description or "",
        parameters=parameters or EMPTY_OBJECT,
        owner="client",
        strict=function.strict,
    )
