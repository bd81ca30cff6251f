"""A typed async function becomes a tool: a schema out, checked arguments in."""

import difflib
import inspect
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from angelia.core.messages import Effect, ToolSpec
from angelia.core.policy import NOTHING, Touched
from angelia.errors import ToolError
from angelia.ports import ToolContext, ToolOutput

LABEL_LENGTH = 80

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What a tool is called with. `Meta` annotations are what the model is told of a field."""


A = TypeVar("A", bound=Arguments)
Work = Callable[[A, ToolContext], Awaitable[ToolOutput | str]]


class DefinedTool(Generic[A]):
    """A tool made of a function; made by `tool`."""

    def __init__(
        self,
        spec: ToolSpec,
        emoji: str,
        arguments: type[A],
        work: Work[A],
        label: Callable[[A], str] | None,
        lane: Callable[[A], str | None] | None,
        touched: Callable[[A], Touched] | None = None,
        toolset: str = "",
    ) -> None:
        self._spec = spec
        self._emoji = emoji
        self._toolset = toolset or spec.name
        self._touched = touched
        self._decoder = json.Decoder(arguments)
        self._fields = arguments.__struct_fields__
        self._work = work
        self._label = label
        self._lane = lane

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    @property
    def emoji(self) -> str:
        return self._emoji

    @property
    def toolset(self) -> str:
        return self._toolset

    def label(self, arguments: str) -> str:
        """What cannot be read is shown as it is."""
        try:
            parsed = self._parse(arguments)
        except ToolError:
            return one_line(arguments)
        return one_line(arguments if self._label is None else self._label(parsed))

    def lane(self, arguments: str) -> str | None:
        """Calls that cannot be read touch nothing."""
        try:
            parsed = self._parse(arguments)
        except ToolError:
            return None
        return None if self._lane is None else self._lane(parsed)

    def touched(self, arguments: str) -> Touched:
        """Calls that cannot be read will do nothing."""
        try:
            parsed = self._parse(arguments)
        except ToolError:
            return Touched(harmless=True)
        return NOTHING if self._touched is None else self._touched(parsed)

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        result = await self._work(self._parse(arguments), context)
        return ToolOutput(result) if isinstance(result, str) else result

    def _parse(self, arguments: str) -> A:
        try:
            return self._decoder.decode(arguments if arguments.strip() else "{}")
        except (DecodeError, UnicodeError, RecursionError) as error:
            fault = _fault(error, self._fields)
            raise ToolError(f"Invalid arguments for {self._spec.name}: {fault}") from error


def tool(
    arguments: type[A],
    *,
    effect: Effect,
    emoji: str,
    name: str | None = None,
    description: str | None = None,
    label: Callable[[A], str] | None = None,
    lane: Callable[[A], str | None] | None = None,
    touched: Callable[[A], Touched] | None = None,
    toolset: str = "",
) -> Callable[[Work[A]], DefinedTool[A]]:
    """Decorates an async function of its arguments and a context.

    Its name and docstring are what the model reads, unless others are given. A tool without a
    `toolset` is one of its own.
    """

    def define(work: Work[A]) -> DefinedTool[A]:
        spec = ToolSpec(
            name or work.__name__,
            description or inspect.getdoc(work) or "",
            Raw(json.encode(schema(arguments))),
            effect=effect,
        )
        return DefinedTool(spec, emoji, arguments, work, label, lane, touched, toolset)

    return define


def near_name(name: str, names: Iterable[str]) -> str | None:
    """The one that was probably meant."""
    by_lower = {candidate.lower(): candidate for candidate in names}
    near = difflib.get_close_matches(name[:255].lower(), by_lower, n=1)
    return by_lower[near[0]] if near else None


def one_line(text: str, limit: int = LABEL_LENGTH) -> str:
    """The first line that says something, printable and not too long."""
    head = text.lstrip()[: 4 * limit]
    line = "".join(c if c.isprintable() else " " for c in head.partition("\n")[0])
    line = " ".join(line.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


# ── schema ──────────────────────────────────────────────────────────────────────────────────


def schema(arguments: type[Arguments]) -> Json:
    """One object without references or titles, which some providers reject."""
    (root,), definitions = json.schema_components((arguments,))
    inlined = _inline(root, definitions)
    if isinstance(inlined, dict):
        inlined.setdefault("properties", {})
        inlined.pop("description", None)
    return inlined


def _inline(node: Json, definitions: dict[str, Json]) -> Json:
    match node:
        case {"$ref": str(reference)}:
            return _inline(definitions[reference.rpartition("/")[2]], definitions)
        case {"type": "object", **rest}:
            return {
                "type": "object",
                **{k: _inline(v, definitions) for k, v in rest.items() if k != "title"},
            }
        case dict():
            return {key: _inline(value, definitions) for key, value in node.items()}
        case list():
            return [_inline(item, definitions) for item in node]
        case _:
            return node


# ── faults ──────────────────────────────────────────────────────────────────────────────────

_AT = re.compile(r" - at `\$\.?(.*)`$")
_TYPE = re.compile(r"^Expected (.+?)(?:, got (.+))?$")
_FIELD = re.compile(r"^Object (missing required|contains unknown) field `(.*)`$", re.DOTALL)


def _fault(error: Exception, fields: tuple[str, ...]) -> str:
    if not isinstance(error, ValidationError):
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return f"not valid JSON: {reason}"
    message = str(error)
    at = _AT.search(message)
    where = at[1] if at else ""
    said = message[: at.start()] if at else message
    if field := _FIELD.match(said):
        return _wrong_field(field[1], field[2], where, fields)
    if wrong := _TYPE.match(said):
        return _wrong_type(wrong[1], wrong[2], where)
    return f"{said} for {where!r}" if where else said


def _wrong_field(kind: str, name: str, where: str, fields: tuple[str, ...]) -> str:
    path = f"{where}.{name}" if where else name
    if kind == "missing required":
        return f"{path!r} is missing"
    near = None if where else near_name(name, fields)
    hint = f"; did you mean {near!r}?" if near else ""
    known = "" if where else f" (arguments: {', '.join(fields) or 'none'})"
    return f"{path[:64]!r} is not an argument{known}{hint}"


def _wrong_type(expected: str, got: str | None, where: str) -> str:
    place = f" for {where!r}" if where else ""
    actual = f", got {_plain(got)}" if got else ""
    return f"expected {_plain(expected)}{place}{actual}"


def _plain(words: str) -> str:
    return words.replace("`", "").replace("str", "string")
