"""The `read_output` tool: the rest of a result that was too long to be shown whole."""

from typing import Annotated

from msgspec import Meta

from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import OutputStore, RunStore, Tool, ToolContext
from angelia.tools.define import Arguments, tool
from angelia.tools.transcript import split_whole

NAME = "read_output"
USUAL = 16_000
MOST = 24_000


class ReadOutput(Arguments, frozen=True):
    of: Annotated[str, Meta(description="What the cut result names, such as run_…/call_….")]
    offset: Annotated[int, Meta(ge=0, description="The byte to begin at.")] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST, description="How many bytes to read.")] = USUAL


def read_output(outputs: OutputStore, runs: RunStore) -> Tool:
    @tool(
        ReadOutput,
        name=NAME,
        effect="pure",
        emoji="📜",
        label=lambda arguments: f"{arguments.of} from {arguments.offset}",
        touched=lambda _: Touched(harmless=True),
        toolset="files",
    )
    async def run(arguments: ReadOutput, context: ToolContext) -> str:
        """Read on in a tool's result that was shown only in part."""
        run_id, _, call_id = arguments.of.partition("/")
        record = await runs.get(run_id)
        data = None
        if record is not None and record.tenant == context.caller.tenant:
            data = await outputs.get(run_id, call_id, arguments.offset, arguments.limit)
        if data is None:
            raise ToolError(f"There is no kept result {arguments.of[:200]!r}; it was shown whole.")
        if not data:
            raise ToolError(f"'offset' is {arguments.offset}, which is behind the end.")
        return _page(data, arguments.offset, arguments.limit)

    return run


def _page(data: bytes, offset: int, limit: int) -> str:
    if len(data) < limit:
        return f"{data.decode(errors='replace')}\n[end]"
    whole, _ = split_whole(data)
    text = whole.decode(errors="replace")
    return f"{text}\n[read on with offset={offset + len(whole)}]"
