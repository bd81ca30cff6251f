"""Blocks as lines of a terminal, with the colours it has; what is unfinished, cut to its size."""

import io
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, assert_never

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, TableElement
from rich.padding import Padding
from rich.segment import Segment
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from angelia.core.approval_text import visible
from angelia.surfaces.cli.chat.blocks import (
    Block,
    Live,
    Prose,
    Question,
    Remark,
    Running,
    Spoken,
    SubagentEnded,
    Thought,
    ToolEnded,
)
from angelia.surfaces.cli.chat.diffs import coloured, diff_in
from angelia.surfaces.cli.chat.harmless import harmless
from angelia.surfaces.cli.chat.markdown import shortened
from angelia.wire.runs.shapes import ApprovalRequestedOut

_LOOK = re.compile(r"\x1b\[[0-9;]*m")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_MARKS = {"ok": ("✓", "green"), "completed": ("✓", "green"), "in_doubt": ("?", "yellow")}
_LOOKS = {"plain": "", "dim": "dim", "bad": "red", "good": "green"}
# How much of a block under way is looked at, and how many lines of a thought are shown.
_UNFINISHED = 80
_CHOICES = (
    *(("y", "bold"), "es · ", ("n", "bold"), "o · ", ("s", "bold"), "ession · "),
    *(("a", "bold"), "lways", (" · or say why not", "dim")),
)
_THINKING = 3


class _Harmless:
    """Nothing reaches the terminal but letters and the looks that we give them.

    Markdown can spell a control character in a way that is none before it is read.
    """

    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._inner, options):
            if not segment.control:
                yield Segment(harmless(segment.text), segment.style)


class _Code(CodeBlock):
    """Blocks stand apart already."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        syntax = Syntax(code, self.lexer_name, theme=self.theme, word_wrap=True)
        yield Padding(syntax, (0, 0, 0, 2))


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar = dict.fromkeys(Heading.LEVEL_ALIGN, "left")


class _Table(TableElement):
    """A word that is wider than its column is broken, not cut off."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Markdown(Markdown):
    elements: ClassVar = {
        **Markdown.elements,
        "fence": _Code,
        "code_block": _Code,
        "heading_open": _Heading,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__(text, code_theme="ansi_dark", hyperlinks=False)
        for token in self.parsed:
            # What looks like HTML would be left out; here it is text as any other.
            if token.type == "html_block":
                token.type = "code_block"
            for child in token.children or ():
                if child.type == "html_inline":
                    child.type = "hardbreak" if _BREAK.fullmatch(child.content) else "text"


class Painter:
    """`unfold` shows what the model thought in full."""

    def __init__(self, *, colour: bool = True) -> None:
        self._colour = colour
        self.unfold = False
        self._before: Block | None = None

    def paint(self, blocks: Sequence[Block], width: int) -> str:
        """The blocks behind those that were painted before, each of their lines ended."""
        painted = ""
        for block in blocks:
            # Lines stand together, everything else stands apart.
            apart = self._before is not None and not (_is_line(block) and _is_line(self._before))
            painted += ("\n" if apart else "") + self._text(self._block(block), width)
            self._before = block
        return painted

    def live(self, live: Live, width: int, rows: int, now: float) -> str:
        """At most `rows` lines, the last ones."""
        parts = list(self._unfinished(live, now))
        if not parts:
            return ""
        lines = self._text(Group(*parts), width).rstrip("\n").split("\n")
        return "\n".join(("", *lines[-max(1, rows - 1) :]))

    def _text(self, inner: RenderableType, width: int) -> str:
        console = Console(
            file=io.StringIO(),
            force_terminal=True,
            color_system="standard" if self._colour else None,
            width=max(width, 10),
            legacy_windows=False,
            highlight=False,
        )
        with console.capture() as captured:
            console.print(_Harmless(inner))
        # Blanks behind the text would be copied with it, and wrap when the window gets narrower.
        lines = [line.rstrip(" ") for line in captured.get().split("\n")]
        while lines and not _LOOK.sub("", lines[0]).strip():
            lines.pop(0)
        while lines and not _LOOK.sub("", lines[-1]).strip():
            lines.pop()
        return "".join(f"{line}\n" for line in lines)

    def _block(self, block: Block) -> RenderableType:
        match block:
            case Spoken(text=text):
                return _spoken(text)
            case Prose(text=text):
                return self._markdown(text)
            case Thought():
                return self._thought(block)
            case ToolEnded():
                return self._tool(block)
            case SubagentEnded():
                return _subagent(block)
            case Question():
                return _question(block)
            case Remark(text=text, look=look):
                return Text(text, style=_LOOKS[look])
            case _:
                assert_never(block)

    def _markdown(self, text: str) -> RenderableType:
        return _Markdown(text)

    def _thought(self, thought: Thought) -> RenderableType:
        head = f"💭 thought for {_seconds(thought.seconds)}"
        if not self.unfold:
            return Text(f"{head} — Ctrl-T shows it", style="dim")
        return Group(
            Text(head, style="dim"), Padding(Text(thought.text, style="dim italic"), (0, 0, 0, 3))
        )

    def _tool(self, ended: ToolEnded) -> RenderableType:
        mark, colour = _MARKS.get(ended.outcome, ("✗", "red"))
        line = Text.assemble((f"{mark} ", colour), f"{_labelled(ended.emoji, ended.label)}  ")
        line.append(_seconds(ended.seconds), "dim")
        if ended.outcome == "ok":
            diff = diff_in(ended.tool, ended.output)
            return Group(line, Padding(coloured(diff), (0, 0, 0, 4))) if diff else line
        line.append(f"  {ended.outcome}", colour)
        why = _last_lines(ended.output)
        return Group(line, Padding(Text(why, style="dim"), (0, 0, 0, 4))) if why else line

    # ── what is unfinished ──────────────────────────────────────────────────────────────────

    def _unfinished(self, live: Live, now: float) -> Iterator[RenderableType]:
        frame = SPINNER[int(now * 10) % len(SPINNER)]
        if live.thought:
            yield from _thinking(live, frame, now)
        if live.prose:
            yield self._markdown(shortened(live.prose, _UNFINISHED))
        for running in live.tools:
            yield from _running(running, frame, now)
        for text in live.queued:
            yield Text.assemble(("⧗ queued: ", "yellow"), (text, "dim"))
        if live.asked is not None:
            yield from _asking(live, live.asked, now)
        if live.note:
            yield Text.assemble((f"{frame} ", "cyan"), (f"{live.note} …", "dim"))


def _is_line(block: Block) -> bool:
    return isinstance(block, ToolEnded | SubagentEnded | Remark | Thought)


def _spoken(text: str) -> RenderableType:
    first, *rest = text.split("\n")
    lines = Text.assemble(("› ", "bold cyan"), (first, "bold"))
    for line in rest:
        lines.append(f"\n  {line}", "bold")
    return lines


def _question(block: Question) -> RenderableType:
    head = Text.assemble(
        ("? ", "bold yellow"), (harmless(block.tool), "bold"), " waits for approval"
    )
    preview = Padding(Text(visible(block.preview), style="yellow"), (0, 0, 0, 4))
    reason = Padding(Text(visible(block.reason), style="dim"), (0, 0, 0, 4))
    return Group(head, preview, reason) if block.reason else Group(head, preview)


def _subagent(block: SubagentEnded) -> RenderableType:
    mark, colour = _MARKS.get(block.status, ("✗", "red"))
    line = Text.assemble(("  ↳ ", "dim"), (f"{mark} ", colour), f"{block.goal}  ")
    line.append(_seconds(block.seconds), "dim")
    if block.status != "completed":
        line.append(f"  {block.status}", colour)
    if not block.summary:
        return line
    summary = Text(block.summary, style="dim")
    summary.truncate(200, overflow="ellipsis")
    return Group(line, Padding(summary, (0, 0, 0, 6)))


def _running(running: Running, frame: str, now: float) -> Iterator[RenderableType]:
    label = _labelled(running.emoji, running.label)
    line = Text.assemble(
        (f"{frame} ", "cyan"), f"{label}  ", (_seconds(now - running.since), "dim")
    )
    yield line
    for subagent in running.subagents:
        since = _seconds(now - subagent.since)
        yield Text.assemble(
            ("  ↳ ", "dim"), (f"{frame} ", "cyan"), f"{subagent.goal}  ", (since, "dim")
        )
    for tail in running.tail:
        yield Text(f"  │ {tail}", style="dim", no_wrap=True, overflow="ellipsis")


def _asking(live: Live, asked: ApprovalRequestedOut, now: float) -> Iterator[RenderableType]:
    if live.proposed:
        yield Padding(coloured(live.proposed), (0, 0, 0, 4))
    more = f" ({live.more} more behind it)" if live.more else ""
    yield Text.assemble((f"allow {harmless(asked.tool)}?{more}  ", "bold yellow"), *_CHOICES)
    if live.covers:
        covered = ", ".join(visible(what) for what in live.covers)
        yield Text(f"  session and always cover: {covered}", style="dim")
    if asked.expires_at is not None:
        yield Text(f"  waits for another {_seconds(asked.expires_at - now)}", style="dim")


def _thinking(live: Live, frame: str, now: float) -> Iterator[RenderableType]:
    yield Text(f"{frame} thinking  {_seconds(now - live.thought_since)}", style="dim")
    lines = [line for line in live.thought.splitlines() if line.strip()]
    for line in lines[-_THINKING:]:
        yield Padding(Text(line[-400:], style="dim italic"), (0, 0, 0, 3))


def _labelled(emoji: str, label: str) -> str:
    return f"{emoji or '·'} {label}"


def _seconds(seconds: float) -> str:
    seconds = max(0.0, seconds)
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds) // 60} min {int(seconds) % 60:02} s"
    return f"{int(seconds) // 3600} h {int(seconds) // 60 % 60:02} min"


def _last_lines(text: str) -> str:
    """Where programs say what went wrong, and the exit code behind it."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-3:])
