"""The functions that a client brings along, and which of them the model may call."""

from msgspec import Raw, json

from angelia.core.messages import ToolChoice, ToolSpec
from angelia.errors import BadRequest
from angelia.wire import fields
from angelia.wire.responses.reading import decode, is_absent, optional_object
from angelia.wire.responses.request_shapes import (
    AllowedToolsIn,
    FunctionIn,
    NamedToolIn,
    ToolMode,
    TypedIn,
)

Choice = ToolMode | NamedToolIn | AllowedToolsIn

_typed = json.Decoder(TypedIn)
_function = json.Decoder(FunctionIn)
_mode: json.Decoder[ToolMode] = json.Decoder(ToolMode)
_named = json.Decoder(NamedToolIn)
_allowed = json.Decoder(AllowedToolsIn)


def read_tools(given: list[Raw]) -> tuple[ToolSpec, ...]:
    """Raises BadRequest for tools that a provider would have to host, and for a name used twice."""
    specs = tuple(_tool(bytes(tool), f"tools[{index}]") for index, tool in enumerate(given))
    names: set[str] = set()
    for index, spec in enumerate(specs):
        if spec.name in names:
            raise BadRequest(
                f"Invalid value for 'tools[{index}].name': {spec.name!r} is declared twice.",
                param=f"tools[{index}].name",
                code="invalid_value",
            )
        names.add(spec.name)
    return specs


def _tool(tool: bytes, path: str) -> ToolSpec:
    kind = decode(tool, _typed, path).type
    if kind != "function":
        what = f"only functions can be declared here, a tool of type {kind[:64]!r} is"
        raise fields.unsupported(f"{path}.type", what)
    given = decode(tool, _function, path)
    return ToolSpec(
        name=given.name,
        description=given.description or "",
        parameters=optional_object(given.parameters, f"{path}.parameters") or Raw(b"{}"),
        owner="client",
        strict=given.strict,
    )


def read_choice(given: Raw) -> Choice:
    if is_absent(given):
        return "auto"
    raw = bytes(given)
    if raw[:1] != b"{":
        return decode(raw, _mode, "tool_choice")
    kind = decode(raw, _typed, "tool_choice").type
    match kind:
        case "function":
            return decode(raw, _named, "tool_choice")
        case "allowed_tools":
            return decode(raw, _allowed, "tool_choice")
        case _:
            raise fields.unsupported("tool_choice.type", f"choices of type {kind[:64]!r} are")


def tool_choice(choice: Choice) -> ToolChoice:
    match choice:
        case NamedToolIn(name=name):
            return ToolChoice("named", name)
        case AllowedToolsIn(mode=mode):
            return ToolChoice(mode)
        case mode:
            return ToolChoice(mode)


def allowed_names(choice: Choice) -> tuple[str, ...] | None:
    """The only tools that may be called; None where all may."""
    if not isinstance(choice, AllowedToolsIn):
        return None
    return tuple(tool.name for tool in choice.tools)


def permitted(
    tools: tuple[ToolSpec, ...] | None, allowed: tuple[str, ...] | None
) -> tuple[ToolSpec, ...] | None:
    if tools is None or allowed is None:
        return tools
    return tuple(tool for tool in tools if tool.name in allowed)
