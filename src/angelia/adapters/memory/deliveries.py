"""Webhooks that are still to be told, in memory, and a receiver that answers as it is told to."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from angelia.ports.deliveries import Answered, Delivery, Posted


class MemoryDeliveries:
    def __init__(self) -> None:
        self._kept: dict[str, Delivery] = {}

    async def put(self, delivery: Delivery) -> None:
        self._kept[delivery.run_id] = delivery

    async def list(self) -> Sequence[Delivery]:
        return tuple(self._kept.values())

    async def delete(self, run_id: str) -> None:
        self._kept.pop(run_id, None)


class Post(Struct, frozen=True):
    url: str
    headers: Mapping[str, str]
    body: bytes


class ScriptedPoster:
    """Gives the scripted answers one after another, then 200 to everything."""

    def __init__(self, *answers: Posted) -> None:
        self._answers = list(answers)
        self.posts: list[Post] = []

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        self.posts.append(Post(url, headers, body))
        return self._answers.pop(0) if self._answers else Answered(200)
