"""Where the commands of sessions go on, in memory."""


class MemoryFolders:
    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str] = {}

    async def get(self, tenant: str, session_id: str) -> str:
        return self._kept.get((tenant, session_id), ".")

    async def put(self, tenant: str, session_id: str, folder: str) -> None:
        self._kept[tenant, session_id] = folder
