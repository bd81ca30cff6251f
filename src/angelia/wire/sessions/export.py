"""A conversation as a file: JSON lines for programs, Markdown for people.

Whatever was said stays inside its place in the Markdown: a text that would open a block of its
own and leave it open is quoted, and outputs of tools stand in fences longer than any in them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Image,
    Message,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    UserPart,
)
from angelia.wire.sessions.server import shown
from angelia.wire.sessions.shapes import SessionOut

_encode = json.Encoder().encode
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)")
_URL_BREAKERS = re.compile(r"[\s<>\\]")


def jsonl(session: SessionOut, messages: Iterable[Message]) -> bytes:
    """The session, then its messages, one a line."""
    return b"".join(_encode(line) + b"\n" for line in (session, *map(shown, messages)))


def markdown(title: str, about: Sequence[tuple[str, str]], messages: Iterable[Message]) -> str:
    """`about` is what stands below the title, by name."""
    heading = f"# {_plain(title) or 'Session'}"
    facts = "\n".join(f"- {name}: {_code(value)}" for name, value in about)
    page = _Page()
    for message in messages:
        page.add(message)
    blocks = (heading, facts, *page.blocks, page.images)
    return "\n\n".join(block for block in blocks if block) + "\n"


class _Page:
    """One heading for each turn: all that an assistant says and does on end is one."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._speaker = ""
        self._tools: dict[str, str] = {}
        self._embedded: list[str] = []

    @property
    def images(self) -> str:
        """Images that are part of the conversation itself, which would drown its text."""
        return "\n".join(f"[image-{n}]: <{url}>" for n, url in enumerate(self._embedded, 1))

    def add(self, message: Message) -> None:
        match message:
            case System(text=text):
                self._turn("System", again=True)
                self._say(_quoted(text))
            case User(parts=parts, name=name):
                self._turn(f"User ({_plain(name)})" if name else "User", again=True)
                for part in parts:
                    self._say(self._asked(part))
            case Assistant(parts=parts):
                self._turn("Assistant")
                for part in parts:
                    self._say(self._answered(part))
            case ToolResult():
                self._turn("Assistant")
                self._say(self._result(message))
            case _:
                assert_never(message)

    def _turn(self, speaker: str, *, again: bool = False) -> None:
        if again or speaker != self._speaker:
            self.blocks.append(f"## {speaker}")
        self._speaker = speaker

    def _say(self, block: str) -> None:
        if block:
            self.blocks.append(block)

    def _asked(self, part: UserPart) -> str:
        match part:
            case Text(text=text):
                return _quoted(text)
            case Image(url=url):
                return self._image(_URL_BREAKERS.sub(_percent, url))
            case _:
                assert_never(part)

    def _image(self, url: str) -> str:
        if not url.lower().startswith("data:"):
            return f"[image](<{url}>)"
        self._embedded.append(url)
        number = len(self._embedded)
        return f"[image {number}][image-{number}]"

    def _answered(self, part: AssistantPart) -> str:
        match part:
            case Text(text=text) | Refusal(text=text):
                return _quoted(text) if _stays_open(text) else text.strip("\r\n")
            case Reasoning(text=text):
                return _folded("💭 Reasoning", _quoted(text)) if text else ""
            case ToolCall(id=call_id, name=name, arguments=arguments):
                self._tools[call_id] = name
                return _folded(f"🔧 {name}", _fenced(arguments, "json"))
            case _:
                assert_never(part)

    def _result(self, result: ToolResult) -> str:
        mark = "❌" if result.failed else "✅"
        tool = self._tools.get(result.call_id, result.call_id)
        return _folded(f"{mark} {tool}", _fenced(result.output, "text"))


def _folded(summary: str, block: str) -> str:
    return f"<details>\n<summary>{_plain(summary)}</summary>\n\n{block}\n\n</details>"


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _code(text: str) -> str:
    ticks = "`" * (_longest_run(text) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)


def _quoted(text: str) -> str:
    """A block of its own, which ends where the text ends, whatever that has begun."""
    return "\n".join(f"> {line}" if line else ">" for line in _lines(text.strip("\r\n")))


def _stays_open(text: str) -> bool:
    """Whether a text might swallow what follows it: by HTML, or by a fence without an end."""
    fence = ""
    for line in _lines(text):
        found = _FENCE.fullmatch(line)
        if fence:
            ends = found is not None and found[1].startswith(fence) and not found[2].strip()
            fence = "" if ends else fence
        elif found is not None:
            fence = found[1]
        # A fence inside a list or a line is not worth following.
        elif line.lstrip().startswith("<") or "```" in line or "~~~" in line:
            return True
    return bool(fence)


def _lines(text: str) -> list[str]:
    """Lines as Markdown has them, which are fewer than Python's."""
    return re.split(r"\r\n|\r|\n", text) if text else []


def _plain(text: str) -> str:
    """One line without HTML."""
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
