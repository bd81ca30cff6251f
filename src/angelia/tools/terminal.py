"""The `terminal` tool: a shell command in the workspace, its output live and within bounds."""

import asyncio
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from angelia.core.commands import is_harmless
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Command, Sandbox, Stream, Tool, ToolContext, ToolOutput
from angelia.tools.define import Arguments, tool
from angelia.tools.transcript import Transcript, split_whole

DEFAULT_TIMEOUT = 120.0
MAX_TIMEOUT = 600.0
LIVE_LIMIT = 256 * 1024
LIVE_END = "\n[live output stops here; the command goes on]\n"


class Terminal(Arguments, frozen=True):
    command: Annotated[str, Meta(min_length=1, description="The shell command (bash).")]
    timeout: (
        Annotated[
            float,
            Meta(gt=0, le=MAX_TIMEOUT, description="Seconds after which the command is killed."),
        ]
        | UnsetType
    ) = UNSET


def terminal(sandbox: Sandbox, timeout: float = DEFAULT_TIMEOUT) -> Tool:
    """`timeout` holds where the model names none."""

    @tool(
        Terminal,
        name="terminal",
        description=(
            "Run a shell command in the workspace and read what it prints. Every call is a shell "
            "of its own without input; what it leaves in the background is ended with it. "
            f"Stops after {timeout:g} s unless `timeout` says otherwise (at most {MAX_TIMEOUT:g})."
        ),
        effect="irreversible",
        emoji="💻",
        label=lambda arguments: arguments.command,
        touched=lambda arguments: Touched(
            command=arguments.command, harmless=is_harmless(arguments.command)
        ),
        toolset="terminal",
    )
    async def run(arguments: Terminal, context: ToolContext) -> ToolOutput:
        seconds = timeout if arguments.timeout is UNSET else arguments.timeout
        return await _run(sandbox, arguments.command, seconds, _Screen(context))

    return run


class _Screen:
    """Takes what a command prints: all of it for the transcript, the beginning of it live."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._transcript = Transcript()
        self._cut: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self._room = LIVE_LIMIT

    async def print(self, data: bytes, stream: Stream) -> None:
        whole, self._cut[stream] = split_whole(self._cut[stream] + data)
        self._transcript.add(whole)
        await self._show(whole, stream)

    def finish(self, last_line: str = "") -> str:
        """The whole text; `last_line` stands on a line of its own."""
        for rest in self._cut.values():
            self._transcript.add(rest)
        text = self._transcript.text()
        if last_line and text and not text.endswith("\n"):
            text += "\n"
        return text + last_line

    async def _show(self, whole: bytes, stream: Stream) -> None:
        if self._room <= 0 or not whole:
            return
        shown, rest = (whole, b"") if len(whole) <= self._room else split_whole(whole[: self._room])
        over = len(shown) < len(whole) or bool(rest)
        self._room = 0 if over else self._room - len(shown)
        text = shown.decode(errors="replace")
        await self._context.show(text + LIVE_END if over else text, stream)


async def _watched(sandbox: Sandbox, command: str, screen: _Screen) -> int:
    process = await sandbox.start(Command(command))
    try:
        while (piece := await process.next()) is not None:
            await screen.print(*piece)
        return (await process.wait()).code
    finally:
        await process.kill()


async def _run(sandbox: Sandbox, command: str, seconds: float, screen: _Screen) -> ToolOutput:
    if "\0" in command:
        raise ToolError("'command' contains a NUL character, which no shell can take.")
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            code = await _watched(sandbox, command, screen)
    except TimeoutError:
        if not deadline.expired():
            raise
        return ToolOutput(screen.finish(f"[timed out after {seconds:g} s]"), "timeout")
    if code:
        return ToolOutput(screen.finish(f"[exit code {code}]"), "error")
    return ToolOutput(screen.finish() or "[no output]")
