"""Tools that people switch off and on while the server runs."""

from angelia.core.toolsets import admits
from angelia.errors import NotFound
from angelia.ports import SwitchStore, Tool
from angelia.runtime.toolbox import Toolbox


class Switchboard:
    def __init__(self, toolbox: Toolbox, store: SwitchStore) -> None:
        self._toolbox = toolbox
        self._store = store

    async def switch(self, name: str, *, on: bool, allowed: tuple[str, ...] | None = None) -> Tool:
        """Durable once this returns, and in force for runs that start from then on.

        A tool that is not `allowed` does not exist.
        """
        await self._toolbox.refresh()
        tool = next((tool for tool in self._toolbox.every if tool.spec.name == name), None)
        if tool is None or not admits(allowed, name, tool.toolset):
            raise NotFound(
                f"There is no tool {name!r}. GET /v1/tools lists those that there are.",
                param="tool_name",
                code="tool_not_found",
            )
        await self._store.switch("tool", name, on=on)
        self._toolbox.switch(name, on=on)
        return tool
