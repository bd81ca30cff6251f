"""Whole tool outputs, kept in a dictionary."""


class MemoryOutputs:
    def __init__(self) -> None:
        self._outputs: dict[str, dict[str, bytes]] = {}

    async def put(self, run_id: str, call_id: str, data: bytes) -> None:
        self._outputs.setdefault(run_id, {})[call_id] = data

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        data = self._outputs.get(run_id, {}).get(call_id)
        return None if data is None else data[start : start + length]

    async def delete(self, run_id: str) -> None:
        self._outputs.pop(run_id, None)
