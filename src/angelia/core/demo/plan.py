"""What a message to the demo model asks for, by a few plain rules.

    `COMMAND`            terminal, for every command in backticks
    read FILE            read_file
    write FILE: TEXT     write_file; TEXT goes to the end of the line
    list, list FOLDER    list_files
    sleep N              terminal, a command that takes N seconds
    fail                 terminal, a command that fails
    call NAME {JSON}     any tool by its name; the JSON may be left out
    think                reasoning before the answer
    long N               an answer of N words
    image                how many images were seen

A word counts where a clause begins: at the start, behind punctuation, behind "and" or "then".
"""

import json
import re
from collections.abc import Callable

import msgspec
from msgspec import Struct

LONGEST = 100_000


class Wanted(Struct, frozen=True):
    """A call the message asks for. `arguments` is JSON text."""

    tool: str
    arguments: str


class Plan(Struct, frozen=True):
    calls: tuple[Wanted, ...] = ()
    think: bool = False
    words: int = 0
    images: bool = False


_FILE = r"(?!(?:and|then)\b)[\"']?([^\s\"'`,;:]*[^\s\"'`,;:.!?]|\.)[\"']?"
_END = r"(?=\s*(?:$|[\n,;.!?]|and\b|then\b))"


def _terminal(command: str) -> Wanted:
    return _wanted("terminal", command=command.strip())


def _wanted(tool: str, **arguments: str) -> Wanted:
    return Wanted(tool, msgspec.json.encode(arguments).decode())


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], Wanted]]


def _rule(pattern: str, make: Callable[[re.Match[str]], Wanted]) -> _Rule:
    return re.compile(pattern, re.IGNORECASE), make


_RULES: tuple[_Rule, ...] = (
    _rule(r"```(?:\w*\n)?([^`]*[^`\s][^`]*)```", lambda m: _terminal(m[1])),
    _rule(r"`([^`]*[^`\s][^`]*)`", lambda m: _terminal(m[1])),
    _rule(
        rf"write\s+(?:to\s+)?{_FILE}\s*:[ \t]*(.*)",
        lambda m: _wanted("write_file", path=m[1], content=m[2]),
    ),
    _rule(
        rf"read\s+(?:(?:the\s+)?file\s+)?{_FILE}{_END}",
        lambda m: _wanted("read_file", path=m[1]),
    ),
    _rule(
        rf"list(?:\s+(?:the\s+)?files)?(?:\s+in)?(?:\s+{_FILE})?{_END}",
        lambda m: _wanted("list_files", path=m[1] or "."),
    ),
    _rule(
        rf"sleep\s+(?:for\s+)?(\d+(?:\.\d+)?)(?:\s*s(?:ec(?:ond)?s?)?)?{_END}",
        lambda m: _terminal(f"sleep {m[1]}"),
    ),
    _rule(rf"fail{_END}", lambda _: _terminal("echo 'failing on purpose' >&2; exit 1")),
)

_CALL = re.compile(rf"call\s+([a-z_](?:[\w.\-]*\w)?)(?:\s*(?=\{{)|{_END})", re.IGNORECASE)
_FILLER = re.compile(r"(?:[\s,;:.!?]|(?:and|then|please|now|also|first|finally)\b)+", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(r"[\n,;:.!?]+|\b(?:and|then|please)\b|(?=`)", re.IGNORECASE)

_THINK = re.compile(r"think\b", re.IGNORECASE)
_LONG = re.compile(r"long\s+(\d+)\b", re.IGNORECASE)
_IMAGE = re.compile(r"\bimages?\b", re.IGNORECASE)


def plan(text: str) -> Plan:
    calls: list[Wanted] = []
    think, words, at = False, 0, 0
    while at < len(text):
        at = filler.end() if (filler := _FILLER.match(text, at)) else at
        think = think or _THINK.match(text, at) is not None
        words = int(long[1]) if (long := _LONG.match(text, at)) else words
        found = _call_at(text, at)
        if found is None:
            at = _next_clause(text, at)
        else:
            wanted, at = found
            calls.append(wanted)
    return Plan(tuple(calls), think, min(words, LONGEST), _IMAGE.search(text) is not None)


def _next_clause(text: str, at: int) -> int:
    boundary = _NEXT_CLAUSE.search(text, at + 1)
    return boundary.end() if boundary else len(text)


def _call_at(text: str, at: int) -> tuple[Wanted, int] | None:
    """The call that is asked for here, and where the text goes on."""
    if match := _CALL.match(text, at):
        return _with_json(match[1], text, match.end())
    for pattern, make in _RULES:
        if match := pattern.match(text, at):
            return make(match), match.end()
    return None


def _with_json(tool: str, text: str, at: int) -> tuple[Wanted, int]:
    """The JSON is kept as it was written; what is none is not part of the call."""
    if not text.startswith("{", at):
        return Wanted(tool, "{}"), at
    try:
        _, end = json.JSONDecoder().raw_decode(text, at)
    except json.JSONDecodeError:
        return Wanted(tool, "{}"), at
    return Wanted(tool, text[at:end]), end
