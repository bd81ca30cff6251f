"""Tools that may change any file, with a look at the workspace before and behind each call."""

from msgspec.structs import replace

from angelia.core.messages import ToolSpec
from angelia.core.policy import Touched
from angelia.errors import StorageError, ToolError
from angelia.ports import ChangeJournal, Tool, ToolContext, ToolOutput

NOT_SEEN = "[what this call changed could not be noted; undo may not take all of it back]"


class Watched:
    """The same tool; what its calls change can be undone. Harmless calls are not looked at."""

    def __init__(self, tool: Tool, journal: ChangeJournal) -> None:
        self._tool = tool
        self._journal = journal

    @property
    def spec(self) -> ToolSpec:
        return self._tool.spec

    @property
    def emoji(self) -> str:
        return self._tool.emoji

    @property
    def toolset(self) -> str:
        return self._tool.toolset

    def label(self, arguments: str) -> str:
        return self._tool.label(arguments)

    def lane(self, arguments: str) -> str | None:
        return self._tool.lane(arguments)

    def touched(self, arguments: str) -> Touched:
        return self._tool.touched(arguments)

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        if self._tool.touched(arguments).harmless:
            return await self._tool.call(arguments, context)
        try:
            await self._journal.before_command(context.run_id)
        except StorageError as error:
            raise ToolError(f"Nothing was run, since it could not be undone: {error}") from error
        try:
            output = await self._tool.call(arguments, context)
        finally:
            seen = await self._looked_behind(context.run_id)
        return output if seen else replace(output, text=f"{output.text.rstrip()}\n{NOT_SEEN}")

    async def _looked_behind(self, run_id: str) -> bool:
        """What was done is told as it ended, whether or not it can be undone."""
        try:
            await self._journal.after_command(run_id)
        except StorageError:
            return False
        return True
