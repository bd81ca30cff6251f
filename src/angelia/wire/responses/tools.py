"""The functions that a client brings along, and which of them the model may call."""

from msgspec import Raw, json

from angelia.core.messages import ToolChoice, ToolSpec
from angelia.wire import fields, functions
from angelia.wire.fields import decode_at
from angelia.wire.functions import FunctionIn
from angelia.wire.responses.request_shapes import (
    AllowedToolsIn,
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
    return functions.declared(
        _declared(bytes(tool), f"tools[{index}]") for index, tool in enumerate(given)
    )


def _declared(tool: bytes, path: str) -> tuple[str, FunctionIn]:
    kind = decode_at(tool, _typed, path).type
    if kind != "function":
        what = f"only functions can be declared here, a tool of type {kind[:64]!r} is"
        raise fields.unsupported(f"{path}.type", what)
    return path, decode_at(tool, _function, path)


def read_choice(given: Raw) -> Choice:
    if fields.is_absent(given):
        return "auto"
    raw = bytes(given)
    if raw[:1] != b"{":
        return decode_at(raw, _mode, "tool_choice")
    kind = decode_at(raw, _typed, "tool_choice").type
    match kind:
        case "function":
            return decode_at(raw, _named, "tool_choice")
        case "allowed_tools":
            return decode_at(raw, _allowed, "tool_choice")
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
