"""Which addresses a name may lead to before anything is sent."""

import socket
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from angelia.adapters.webhook_session import PublicOnly, open_session, send
from angelia.ports.deliveries import Answered, Barred
from tests.support.receiver import receiving


class Says(AbstractResolver):
    """Answers with one list of addresses after another, and counts."""

    def __init__(self, *answers: list[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0
            )
            for address in self._answers.pop(0)
        ]

    async def close(self) -> None:
        pass


async def test_only_public_addresses_of_a_name_are_left() -> None:
    resolver = PublicOnly(Says(["10.0.0.1", "8.8.8.8", "127.0.0.1", "2606:4700::1"]))
    found = await resolver.resolve("example.com", 443)
    assert [address["host"] for address in found] == ["8.8.8.8", "2606:4700::1"]


async def test_a_connection_goes_to_the_address_that_was_looked_at() -> None:
    """A name that means another address a moment later is not asked for a second time."""
    async with receiving() as receiver:
        says = Says(["127.0.0.1"])
        url = receiver.url.replace("127.0.0.1", "hook.example")
        async with open_session(5, allow_private=True, resolver=says) as session:
            assert await send(session, url, {}, b"{}", 0, allow_private=True) == Answered(204)
    assert says.asked == ["hook.example"]
    assert receiver.received[0].headers["host"].startswith("hook.example:")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::ffff:127.0.0.1]", "hook.example", "2130706433"])
async def test_nothing_is_sent_to_a_private_address(host: str) -> None:
    async with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", host)
        says: Any = Says(["127.0.0.1"])
        async with open_session(5, allow_private=False, resolver=says) as session:
            assert await send(session, url, {}, b"{}", 0, allow_private=False) == Barred()
    assert receiver.received == []
