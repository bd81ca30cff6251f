"""The terminal of a chat: finished lines above, what is unfinished below them, the prompt last.

Finished lines belong to the terminal: they scroll, are copied and stay when the chat is over.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition, has_focus, is_searching
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VerticalAlign,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth
from prompt_toolkit.widgets import SearchToolbar

from angelia.surfaces.cli.chat.blocks import Block, Live, Remark, Thought
from angelia.surfaces.cli.chat.paint import Painter

# Terminals that know it show what lies between the two at once; the others ignore it.
_HOLD, _RELEASE = "\x1b[?2026h", "\x1b[?2026l"
_TICK = 0.1
# Whoever types a word is faster between its letters.
_ALONE = 0.5
_STYLE = Style.from_dict(
    {
        "prompt": "bold ansicyan",
        "rule": "ansibrightblack",
        "bar": "ansibrightblack",
        "completion-menu": "bg:default fg:default noreverse",
        "completion-menu.completion": "bg:default fg:default",
        "completion-menu.completion.current": "reverse",
        "completion-menu.meta.completion": "bg:default fg:ansibrightblack",
        "completion-menu.meta.completion.current": "bg:default reverse",
        "scrollbar.background": "bg:default",
        "scrollbar.button": "bg:ansibrightblack",
    }
)


class Owner:
    """Who is on the stage; what a stage without a person needs is here."""

    def live(self) -> Live:
        """What is unfinished."""
        return Live()

    def busy(self) -> bool:
        return False

    def bar(self) -> tuple[str, str]:
        """What stands below the prompt: on the left, and on the right where there is room."""
        return "", ""

    def said(self, text: str) -> None:
        """A line was entered."""

    def answers(self, text: str) -> bool:
        """Whether the text is entered without Enter, once nothing follows it."""
        return False

    def interrupted(self) -> None:
        """Ctrl-C."""

    def left(self) -> None:
        """Ctrl-D at an empty prompt."""

    def unfolded(self) -> None:
        """Ctrl-T."""


class _Output(Vt100_Output):
    """What is erased comes back in the same write: in between, a terminal would show the gap."""

    _held = False

    @contextmanager
    def at_once(self) -> Generator[None]:
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self.flush()

    def flush(self) -> None:
        if not self._held:
            super().flush()


class Stage:
    """`prompt` is whether a person can type."""

    def __init__(
        self,
        owner: Owner,
        painter: Painter,
        *,
        prompt: bool,
        history: History | None = None,
        completer: Completer | None = None,
    ) -> None:
        self._owner = owner
        self._painter = painter
        self._output = cast("_Output", _Output.from_pty(sys.stdout, term=os.environ.get("TERM")))
        # Rows below the cursor are not asked for: an answer that comes late is taken for typing.
        self._output.enable_cpr = False
        self.buffer = Buffer(
            multiline=True,
            history=history or InMemoryHistory(),
            completer=completer,
            complete_while_typing=Condition(self._completes),
            accept_handler=self._accept,
            on_text_changed=self._changed,
        )
        self._entering: asyncio.TimerHandle | None = None
        self._app: Application[int] = Application(
            layout=self._layout(prompt=prompt),
            key_bindings=self._keys(),
            style=_STYLE,
            output=self._output,
            color_depth=None if colourful(os.environ) else ColorDepth.DEPTH_1_BIT,
        )
        self._over = False
        self._painted: tuple[object, ...] = ()
        self._lines = ANSI("")

    @property
    def is_over(self) -> bool:
        return self._over

    @property
    def width(self) -> int:
        return self._output.get_size().columns

    def show(self, blocks: Sequence[Block]) -> None:
        """For good, above what is unfinished."""
        if blocks:
            self.write(self._painter.paint(blocks, self.width))

    def write(self, text: str) -> None:
        """Lines as they are, with the looks they have."""
        lines = text.replace("\n", "\r\n")
        with self._output.at_once():
            if not self._app.is_running or self._over:
                self._output.write_raw(lines)
                return
            self._output.write_raw(_HOLD)
            self._app.renderer.erase()
            self._output.write_raw(lines)
            # Controls keep what they have shown until it counts on.
            self._app.render_counter += 1
            with set_app(self._app):
                self._app.renderer.render(self._app, self._app.layout)
            self._output.write_raw(_RELEASE)

    def unfold(self, last: Thought | None) -> None:
        """Thoughts are shown in full from here on, or folded again; the last one is told now."""
        self._painter.unfold = not self._painter.unfold
        if self._painter.unfold and last is not None:
            self.show([last])
        elif not self._painter.unfold:
            self.show([Remark("thoughts are folded")])

    def clear(self) -> None:
        if self._app.is_running:
            self._app.renderer.clear()
            self._app.invalidate()

    def refresh(self) -> None:
        self._app.invalidate()

    async def run(self) -> int:
        ticking = asyncio.create_task(self._tick())
        try:
            return await self._app.run_async(set_exception_handler=False)
        finally:
            self._over = True
            ticking.cancel()

    def leave(self, code: int) -> None:
        if self._app.is_running and not self._over:
            self._over = True
            self._app.erase_when_done = True
            self._app.exit(result=code)

    async def _tick(self) -> None:
        """What turns and counts is drawn again, as long as something is going on."""
        while True:
            await asyncio.sleep(_TICK)
            if self._owner.busy():
                self._app.invalidate()

    # ── layout ──────────────────────────────────────────────────────────────────────────────

    def _layout(self, *, prompt: bool) -> Layout:
        live = Window(FormattedTextControl(self._live), dont_extend_height=True, wrap_lines=False)
        if not prompt:
            # What is typed without a prompt goes nowhere.
            return Layout(HSplit([live], align=VerticalAlign.TOP))
        search = SearchToolbar(forward_search_prompt="search: ", backward_search_prompt="search: ")
        control = BufferControl(
            self.buffer, search_buffer_control=search.control, preview_search=True
        )
        field = Window(
            control,
            height=Dimension(min=1, max=12),
            dont_extend_height=True,
            wrap_lines=True,
            get_line_prefix=_prefix,
        )
        rule = Window(char="─", height=1, style="class:rule")
        bar = Window(FormattedTextControl(self._bar), height=1, dont_extend_height=True)
        has_live = Condition(lambda: bool(self._live_text()))
        parts = [
            ConditionalContainer(live, has_live),
            rule,
            field,
            CompletionsMenu(max_height=8),
            search,
            bar,
        ]
        return Layout(HSplit(parts, align=VerticalAlign.TOP), focused_element=field)

    def _live(self) -> ANSI:
        text = self._live_text()
        if self._lines.value != text:
            self._lines = ANSI(text)
        return self._lines

    def _live_text(self) -> str:
        size, now = self._output.get_size(), time.time()
        live = self._owner.live()
        # Half of the screen is enough to see that something goes on, and leaves room to type.
        rows = max(3, min(size.rows // 2, size.rows - 6))
        key = (live, size.columns, rows, int(now / _TICK) if self._owner.busy() else 0)
        if self._painted[:1] != (key,):
            self._painted = (key, self._painter.live(live, size.columns, rows, now))
        return str(self._painted[1])

    def _bar(self) -> StyleAndTextTuples:
        left, right = self._owner.bar()
        room = self.width - get_cwidth(left) - 1
        gap = room - get_cwidth(right)
        text = f"{left}{' ' * gap}{right}" if gap >= 2 else left
        return [("class:bar", _cropped(text, self.width - 1))]

    # ── keys ────────────────────────────────────────────────────────────────────────────────

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        typing = has_focus(self.buffer)
        empty = Condition(lambda: not self.buffer.text)
        keys.add("enter", filter=typing)(self._enter)
        for newline in (("escape", "enter"), ("c-j",)):
            keys.add(*newline, filter=typing)(_does(lambda: self.buffer.insert_text("\n")))
        keys.add("c-t")(_does(self._owner.unfolded))
        # It would be typed as a letter that nobody sees.
        keys.add("c-z")(_does(lambda: self._app.suspend_to_background()))
        keys.add("c-d", filter=typing & empty)(_does(self._owner.left))
        for interrupt in ("c-c", "<sigint>"):
            # In a search it ends the search.
            keys.add(interrupt, filter=~is_searching)(_does(self._owner.interrupted))
        return keys

    def _enter(self, _: KeyPressEvent) -> None:
        state = self.buffer.complete_state
        if state is not None and state.current_completion is not None:
            self.buffer.complete_state = None
        else:
            self.buffer.validate_and_handle()

    def _accept(self, buffer: Buffer) -> bool:
        """Whether the text stays in the prompt."""
        self._owner.said(buffer.text)
        return False

    def _changed(self, buffer: Buffer) -> None:
        if self._entering is not None:
            self._entering.cancel()
            self._entering = None
        if self._owner.answers(buffer.text):
            loop = asyncio.get_running_loop()
            self._entering = loop.call_later(_ALONE, self._entered, buffer.text)

    def _entered(self, text: str) -> None:
        """The question may have gone away meanwhile."""
        if self.buffer.text == text and self._owner.answers(text):
            self.buffer.reset()
            self._owner.said(text)
            self.refresh()

    def _completes(self) -> bool:
        """A menu beside ordinary words would be in the way."""
        before = self.buffer.document.text_before_cursor
        return before.startswith("/") or "@" in before.rpartition(" ")[2]


def colourful(env: Mapping[str, str]) -> bool:
    return not env.get("NO_COLOR")


def history_in(home: Path) -> History:
    """What was typed before, readable by its owner alone; in memory where no file can be."""
    path = home / "chat_history"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        path.chmod(0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


def _does(act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
    return lambda _: act()


def _prefix(line: int, wrapped: int) -> StyleAndTextTuples:
    return [("class:prompt", "› " if line == wrapped == 0 else "  ")]


def _cropped(text: str, width: int) -> str:
    while text and get_cwidth(text) > width:
        text = text[:-1]
    return text
