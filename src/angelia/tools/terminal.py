"""The `terminal` tool: a shell command in the workspace, its output live and within bounds."""

import asyncio
from math import inf
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from angelia.core.commands import is_harmless
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Command, Exit, Sandbox, Screen, Stream, Tool, ToolContext, ToolOutput
from angelia.tools.background import LIFETIME, Background, place_of, session_of
from angelia.tools.define import Arguments, tool
from angelia.tools.live import Live
from angelia.tools.plain import plain
from angelia.tools.process import news
from angelia.tools.transcript import Transcript, split_whole
from angelia.tools.whereabouts import Whereabouts

DEFAULT_TIMEOUT = 120.0
MAX_TIMEOUT = 600.0
# No timer of a process that runs is as late.
STOOD_STILL = 1.0


class Terminal(Arguments, frozen=True):
    command: Annotated[str, Meta(min_length=1, description="The shell command (bash).")]
    timeout: (
        Annotated[
            float,
            Meta(gt=0, le=MAX_TIMEOUT, description="Seconds after which the command is killed."),
        ]
        | UnsetType
    ) = UNSET
    folder: (
        Annotated[
            str,
            Meta(
                min_length=1,
                description="Where to start, relative to the workspace; else where the last `cd` "
                "of this session led.",
            ),
        ]
        | UnsetType
    ) = UNSET
    background: Annotated[
        bool,
        Meta(description="Let it go on and return at once; the tool `process` does the rest."),
    ] = False
    screen: Annotated[
        bool, Meta(description="Give it a terminal (PTY), for programs that want one.")
    ] = False


def terminal(
    sandbox: Sandbox,
    background: Background,
    whereabouts: Whereabouts,
    timeout: float = DEFAULT_TIMEOUT,
) -> Tool:
    """`timeout` holds where the model names none."""

    @tool(
        Terminal,
        name="terminal",
        description=(
            "Run a shell command in the workspace and read what it prints. Every call is a shell "
            "of its own without input; what it leaves running is ended with it, unless the call "
            "is made with `background`. The folder is kept within the session: a command starts "
            "where the last `cd` led, and a line [folder: …] says where the next one starts. "
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
        if "\0" in arguments.command:
            raise ToolError("'command' contains a NUL character, which no shell can take.")
        wanted = None if arguments.folder is UNSET else arguments.folder
        start = await whereabouts.start(context.caller, wanted)
        command = Command(
            arguments.command,
            start.folder,
            session_of(place_of(context)),
            input=arguments.background,
            screen=Screen() if arguments.screen else None,
        )
        if arguments.background:
            seconds = LIFETIME if arguments.timeout is UNSET else arguments.timeout
            return await _begin(background, command, seconds, start.note, context)
        seconds = timeout if arguments.timeout is UNSET else arguments.timeout
        printed = _Printed(context, on_screen=arguments.screen)
        ended = await _run(sandbox, command, seconds, printed)
        end = None if ended is None else ended.folder
        where = await whereabouts.end(context.caller, start.folder, end)
        return _output(printed.text(), ended, seconds, sandbox.level, start.note, where)

    return run


class _Printed:
    """Takes what a command prints: all of it for the transcript, the beginning of it live."""

    def __init__(self, context: ToolContext, *, on_screen: bool) -> None:
        self._live = Live(context)
        self._on_screen = on_screen
        self._transcript = Transcript()
        self._cut: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}

    async def add(self, data: bytes, stream: Stream) -> None:
        whole, self._cut[stream] = split_whole(self._cut[stream] + data)
        self._transcript.add(whole)
        await self._live.show(whole, stream)

    def text(self) -> str:
        for rest in self._cut.values():
            self._transcript.add(rest)
        text = self._transcript.text()
        return plain(text) if self._on_screen else text


async def _run(
    sandbox: Sandbox, command: Command, seconds: float, printed: _Printed
) -> Exit | None:
    """None when its time was over."""
    working = asyncio.create_task(_watched(sandbox, command, printed))
    try:
        await _in_time(working, seconds)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        await asyncio.wait((working,))


async def _in_time(working: asyncio.Task[Exit], seconds: float) -> None:
    """Returns when the work is done or its time is over.

    A process that stood still itself has not seen what the command did meanwhile, and waits anew.
    """
    loop = asyncio.get_running_loop()
    late = inf
    while late > STOOD_STILL and not working.done():
        due = loop.time() + seconds
        await asyncio.wait((working,), timeout=seconds)
        late = loop.time() - due


async def _watched(sandbox: Sandbox, command: Command, printed: _Printed) -> Exit:
    process = await sandbox.start(command)
    try:
        while (piece := await process.next()) is not None:
            await printed.add(*piece)
        return await process.wait()
    finally:
        await process.kill()


def _output(
    text: str, ended: Exit | None, seconds: float, level: str, before: str, behind: str
) -> ToolOutput:
    if ended is None:
        told = f"[timed out after {seconds:g} s]"
        return ToolOutput(_lines(before, text, told, behind), "timeout", level)
    if ended.limit is not None:
        told = f"[ended: {ended.limit}; exit code {ended.code}]"
    elif ended.code:
        told = f"[exit code {ended.code}]"
    else:
        return ToolOutput(_lines(before, text or "[no output]", behind), sandbox=level)
    return ToolOutput(_lines(before, text, told, behind), "error", level)


def _lines(*pieces: str) -> str:
    """Each on a line of its own; what was printed stays as it is where nothing follows it."""
    text = ""
    for piece in filter(None, pieces):
        text += piece if not text or text.endswith("\n") else f"\n{piece}"
    return text


async def _begin(
    background: Background, command: Command, seconds: float, note: str, context: ToolContext
) -> ToolOutput:
    child = await background.start(context, command, seconds)
    await background.watch(child, context)
    return ToolOutput(_lines(note, news(child, background.now())), sandbox=background.level)
