"""The forms in which models write calls as text, each read from behind its marker.

A form appends its calls to the `Writing` as it reads them. It raises Short if the text ends
first, Other if this is no call.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import MsgspecError, Raw, Struct, json

from angelia.core.messages import ToolSpec
from angelia.wire.written.cursor import Cursor, Other

_ABSENT = Raw(b"")
_UNREADABLE = (MsgspecError, UnicodeError, RecursionError)
# Whatever else an object begins with, it is no call.
_FIRST_KEYS = frozenset({"name", "arguments", "parameters", "function", "type", "id"})
_FIRST_KEY = re.compile(r'[\[{\s]*"([^"]*)"')
_BEFORE_FIRST_KEY = re.compile(r'[\[{\s]*("[^"]*)?')
_LANGUAGE = re.compile(r"[a-z_]*")
_LANGUAGES = frozenset({"", "json", "tool_call", "tool_calls", "tool_code"})


class Written(Struct, frozen=True):
    """A call. `arguments` is the model's own JSON, if it wrote JSON."""

    name: str
    arguments: str
    id: str | None = None


class _Call(Struct):
    name: str = ""
    arguments: Raw = _ABSENT
    parameters: Raw = _ABSENT
    function: Raw = _ABSENT
    description: Raw = _ABSENT
    id: str | int | None = None


class _Property(Struct):
    type: str | list[str] = ""


class _Schema(Struct):
    properties: dict[str, _Property] = {}


class Tools:
    """What the model was told of."""

    def __init__(self, specs: tuple[ToolSpec, ...]) -> None:
        self._specs = specs

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(spec.name for spec in self._specs)

    def is_text(self, tool: str, parameter: str) -> bool:
        """Whether a value of the parameter is taken as it stands."""
        known = self._properties.get(tool, {}).get(parameter)
        return known is None or "string" in known.type

    @cached_property
    def _properties(self) -> dict[str, dict[str, _Property]]:
        return {spec.name: _properties(spec.parameters) for spec in self._specs}


class Writing(Cursor):
    """Where a call is being read. `name` and `given` are of the call under way."""

    def __init__(self, text: str, at: int, tools: Tools, *, ended: bool, clean: bool) -> None:
        super().__init__(text, at, ended=ended)
        self.tools = tools
        self.clean = clean
        self.calls: list[Written] = []
        self.name: str | None = None
        self.given = at
        # Behind the last call that is whole.
        self.whole = 0

    def add(self, *calls: Written) -> None:
        self.calls += calls
        self.name, self.whole = None, self.at

    def add_objects(self, *, bare: bool = False) -> None:
        """One call, or a list of them. A `bare` one must be of a tool that the model knows."""
        self.given = self.at
        found = list(_read(self.json()))
        if not found or (bare and not all(_convinces(call, self.tools) for call in found)):
            raise Other
        self.add(*map(_written, found))

    def add_arguments(self, id_: str | None = None) -> None:
        self.given = self.at
        arguments = self.json()
        if not is_json(arguments):
            raise Other
        self.add(Written(self.name or "", arguments, id_))


def is_json(text: str) -> bool:
    try:
        json.decode(text, type=Raw)
    except _UNREADABLE:
        return False
    return True


# ── forms ───────────────────────────────────────────────────────────────────────────────────


def tool_call(writing: Writing) -> None:
    """Hermes and Qwen; Qwen3-Coder writes a function in it."""
    writing.skip_blank()
    if writing.sees("{", "["):
        writing.add_objects()
    else:
        writing.expect("<function=")
        _function(writing)
    writing.close("</tool_call>")


def function(writing: Writing) -> None:
    """Llama, and Qwen3-Coder when it forgets what should stand around."""
    _function(writing)
    writing.close("</tool_call>")


def python_tag(writing: Writing) -> None:
    """Llama; what it writes behind this tag may as well be Python."""
    _objects(writing)
    writing.close("<|eom_id|>")


def mistral(writing: Writing) -> None:
    """A list of calls, or one call with its name in front."""
    writing.skip_blank()
    if writing.sees("{", "["):
        writing.add_objects()
        return
    writing.name = writing.word()
    given_id = writing.word() if writing.take("[CALL_ID]") else None
    writing.take("[ARGS]")
    writing.skip_blank()
    writing.add_arguments(given_id)


def deepseek(writing: Writing) -> None:
    """V3 and R1 write `function`, the name and a fence; V3.1 the name and the arguments."""
    while True:
        writing.skip_blank()
        if writing.calls and (writing.at_end or writing.take("<｜tool▁calls▁end｜>")):
            return
        writing.expect("<｜tool▁call▁begin｜>")
        before = writing.until("<｜tool▁sep｜>").strip()
        writing.name = writing.word() if before == "function" else before
        writing.given = writing.at
        writing.skip_blank()
        fenced = writing.take("```") is not None
        if fenced:
            _language(writing)
            writing.skip_blank()
        writing.add_arguments()
        if fenced:
            writing.close("```")
        writing.close("<｜tool▁call▁end｜>")
        writing.whole = writing.at


def fence(writing: Writing) -> None:
    if _language(writing) not in _LANGUAGES:
        raise Other
    writing.skip_blank()
    _look_at_key(writing)
    writing.add_objects(bare=True)
    if not writing.close("```"):
        raise Other


def bare(writing: Writing) -> None:
    """The answer is nothing but calls."""
    _look_at_key(writing)
    _objects(writing, bare=True)
    if not writing.at_end:
        raise Other


FORMS: dict[str, Callable[[Writing], None]] = {
    "<tool_call>": tool_call,
    "<function=": function,
    "<|python_tag|>": python_tag,
    "[TOOL_CALLS]": mistral,
    "<｜tool▁calls▁begin｜>": deepseek,
    "```": fence,
}


def _function(writing: Writing) -> None:
    writing.name = writing.word()
    writing.expect(">")
    writing.given = writing.at
    writing.skip_blank()
    if writing.sees("{"):
        writing.add_arguments()
        writing.close("</function>")
    else:
        _add_parameters(writing)


def _objects(writing: Writing, *, bare: bool = False) -> None:
    """Several stand behind each other, or behind semicolons."""
    more = True
    while more:
        writing.skip_blank()
        writing.add_objects(bare=bare)
        writing.skip_blank()
        more = not writing.at_end and (writing.take(";") is not None or writing.sees("{"))


def _add_parameters(writing: Writing) -> None:
    tool, values = writing.name or "", dict[str, str | Raw]()
    while not (writing.clean and writing.at == len(writing.text)):
        if writing.expect("<parameter=", "</function>") == "</function>":
            break
        key = writing.word()
        writing.expect(">")
        value = writing.until("</parameter>").removeprefix("\n").removesuffix("\n")
        values[key] = value if writing.tools.is_text(tool, key) else _typed(value)
        writing.skip_blank()
    writing.add(Written(tool, json.encode(values).decode()))


def _language(writing: Writing) -> str:
    match = _LANGUAGE.match(writing.text, writing.at)
    language = match[0] if match else ""
    writing.at += len(language)
    # The word may go on as long as nothing stands behind it.
    return "" if writing.at_end else language


def _look_at_key(writing: Writing) -> None:
    """An object that cannot be a call need not be read to its end."""
    if key := _FIRST_KEY.match(writing.text, writing.at):
        if key[1] not in _FIRST_KEYS:
            raise Other
    elif not _BEFORE_FIRST_KEY.fullmatch(writing.text, writing.at):
        raise Other


# ── values ──────────────────────────────────────────────────────────────────────────────────


def _read(text: str) -> Iterator[_Call]:
    try:
        for item in json.decode(text, type=list[Raw]) if text.startswith("[") else (text,):
            call = json.decode(item, type=_Call)
            yield _unwrapped(call) if call.function is not _ABSENT else call
    except _UNREADABLE as error:
        raise Other from error


def _unwrapped(call: _Call) -> _Call:
    """`function` is the call, or its name."""
    inner = json.decode(call.function, type=_Call | str)
    if isinstance(inner, str):
        call.name = call.name or inner
        return call
    inner.id = call.id
    return inner


def _convinces(call: _Call, tools: Tools) -> bool:
    """A tool's own description looks much like a call of it."""
    given = call.arguments is not _ABSENT or call.parameters is not _ABSENT
    return given and call.name in tools.names and call.description is _ABSENT


def _written(call: _Call) -> Written:
    if not call.name:
        raise Other
    given = call.arguments if call.arguments is not _ABSENT else call.parameters
    text = bytes(given).decode()
    if text.startswith('"'):
        text = json.decode(text, type=str)
    id_ = None if call.id is None else str(call.id)
    return Written(call.name, "{}" if text in ("", "null") else text, id_)


def _typed(value: str) -> str | Raw:
    """Some models write Python's words for true, false and nothing."""
    text = value.strip()
    for spelling in (text, {"True": "true", "False": "false", "None": "null"}.get(text, "")):
        if is_json(spelling):
            return Raw(spelling.encode())
    return value


def _properties(parameters: Raw) -> dict[str, _Property]:
    try:
        return json.decode(parameters, type=_Schema).properties
    except _UNREADABLE:
        return {}
