"""What is kept beside the log for a run, and goes with it."""

from angelia.ports import Checkpoints, OutputStore


class KeptWithRun:
    """A store of outputs that lets go of a run's checkpoints together with them."""

    def __init__(self, outputs: OutputStore, checkpoints: Checkpoints) -> None:
        self._outputs = outputs
        self._checkpoints = checkpoints

    async def put(self, run_id: str, call_id: str, data: bytes) -> None:
        await self._outputs.put(run_id, call_id, data)

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        return await self._outputs.get(run_id, call_id, start, length)

    async def delete(self, run_id: str) -> None:
        await self._outputs.delete(run_id)
        await self._checkpoints.delete(run_id)
