"""The `process` tool: what goes on in the background, asked about, written to and ended."""

from typing import Annotated, Literal, assert_never

from msgspec import UNSET, Meta, UnsetType

from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Tool, ToolContext, ToolOutput
from angelia.tools.background import Background, Child, place_of
from angelia.tools.define import Arguments, tool
from angelia.tools.plain import plain

Action = Literal["list", "poll", "wait", "write", "kill"]

DEFAULT_WAIT = 30.0
MAX_WAIT = 600.0
MAX_DATA = 32 * 1024


class ProcessCall(Arguments, frozen=True):
    action: Annotated[
        Action,
        Meta(
            description="list: all of this session. poll: what it has printed since the last "
            "call. wait: until it ends. write: to its input. kill: with all it has started."
        ),
    ]
    id: Annotated[str, Meta(description="Which one, such as p1; for all actions but list.")] = ""
    data: Annotated[
        str,
        Meta(
            max_length=MAX_DATA,
            description="For write: the text. Control characters work for processes with a "
            "screen, such as \\u0003 for Ctrl-C and \\u0004 for the end of input.",
        ),
    ] = ""
    enter: Annotated[bool, Meta(description="For write: end the text with a newline.")] = False
    timeout: Annotated[
        float, Meta(gt=0, le=MAX_WAIT, description="For wait: how many seconds at most.")
    ] = DEFAULT_WAIT
    offset: (
        Annotated[int, Meta(ge=0, description="For poll: read from this byte of its output again.")]
        | UnsetType
    ) = UNSET


def process(background: Background) -> Tool:
    # Idempotent, so that a poll or a wait that a crash cut off is made again and never in doubt. A
    # write that is made again reaches nobody: every process it could mean has died with the server.
    # That a write may do anything is said by the command that it touches.
    @tool(
        ProcessCall,
        name="process",
        description=(
            "See and steer the background processes of this session, which `terminal` starts with "
            "`background`. They go on until they end, are killed, or the run that started them "
            "is stopped."
        ),
        effect="idempotent",
        emoji="⚙️",
        label=_label,
        touched=_touched,
        toolset="terminal",
    )
    async def run(arguments: ProcessCall, context: ToolContext) -> ToolOutput:
        return ToolOutput(await _act(background, arguments, context), sandbox=background.level)

    return run


async def _act(background: Background, arguments: ProcessCall, context: ToolContext) -> str:
    place = place_of(context)
    if arguments.action == "list":
        lines = (line(child, background.now()) for child in background.all(place))
        return "\n".join(lines) or "[no background processes]"
    if not arguments.id:
        raise ToolError(f"'id' is missing: which process is {arguments.action} meant for?")
    child = background.find(place, arguments.id)
    match arguments.action:
        case "poll":
            offset = None if arguments.offset is UNSET else arguments.offset
            return news(child, background.now(), offset)
        case "wait":
            await background.watch(child, context, arguments.timeout)
        case "write":
            data = arguments.data + ("\n" if arguments.enter else "")
            if not data:
                raise ToolError("'data' is missing: what is to be written?")
            await background.write(child, data.encode())
            await background.watch(child, context)
        case "kill":
            await background.end(child, "it was killed")
        case _:
            assert_never(arguments.action)
    return news(child, background.now())


def news(child: Child, now: float, offset: int | None = None) -> str:
    """What was printed since it was last asked for, or behind `offset`, and how it stands."""
    gone, data = child.output.since(child.read if offset is None else offset)
    child.read = child.output.end
    text = data.decode(errors="replace")
    text = plain(text) if child.command.screen is not None else text
    before = f"[{gone:,} bytes before this are no longer kept]\n" if gone else ""
    if text and not text.endswith("\n"):
        text += "\n"
    return f"{before}{text}[{child.id} {standing(child, now)}; next offset {child.output.end}]"


def line(child: Child, now: float) -> str:
    return f"{child.id} {standing(child, now)}: {_one_line(child.command.line)}"


def standing(child: Child, now: float) -> str:
    if child.exit is None:
        return f"has been running for {max(now - child.begun_at, 0):.0f} s"
    code = f"exit code {child.exit.code}"
    if why := child.exit.limit or child.why:
        return f"was ended: {why}; {code}"
    return f"has ended with {code}"


def _one_line(text: str) -> str:
    first, _, more = text.strip().partition("\n")
    return f"{first} …" if more else first


def _label(arguments: ProcessCall) -> str:
    words = f"{arguments.action} {arguments.id}".rstrip()
    return f"{words}: {arguments.data!r}" if arguments.action == "write" else words


def _touched(arguments: ProcessCall) -> Touched:
    """Whoever writes to a process may make it do anything; the others only look, or end it."""
    if arguments.action == "write":
        return Touched(command=arguments.data or "\n")
    return Touched(harmless=True)
