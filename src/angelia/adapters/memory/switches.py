"""What is switched off, in memory."""

from angelia.ports.switches import Switched


class MemorySwitches:
    def __init__(self) -> None:
        self._off: set[tuple[Switched, str]] = set()

    async def off(self, kind: Switched) -> frozenset[str]:
        return frozenset(name for of, name in self._off if of == kind)

    async def switch(self, kind: Switched, name: str, *, on: bool) -> None:
        if on:
            self._off.discard((kind, name))
        else:
            self._off.add((kind, name))
