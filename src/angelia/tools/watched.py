"""Tools that may change any file, with a look at the workspace before and behind each call."""

from angelia.core.messages import ToolSpec
from angelia.core.policy import Touched
from angelia.ports import ChangeJournal, Tool, ToolContext, ToolOutput


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
        await self._journal.before_command(context.run_id)
        try:
            return await self._tool.call(arguments, context)
        finally:
            await self._journal.after_command(context.run_id)
