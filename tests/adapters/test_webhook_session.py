"""What one attempt comes to, and which addresses a name may lead to before anything is sent."""

import pytest

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.guarded_http import GuardedHttp
from angelia.adapters.memory.names import ScriptedNames
from angelia.adapters.webhook_session import send
from angelia.ports.deliveries import Answered, Barred, Posted
from tests.support.receiver import receiving


async def sent(url: str, names: ScriptedNames, *, allow_private: bool) -> Posted:
    http = GuardedHttp(AddressGuard(names, allow_private), 5)
    try:
        return await send(http, url, {}, b"{}", 0)
    finally:
        await http.close()


async def test_a_connection_goes_to_the_address_that_was_looked_at() -> None:
    """A name that means another address a moment later is not asked for a second time."""
    async with receiving() as receiver:
        names = ScriptedNames({"hook.example": [["127.0.0.1"], ["8.8.8.8"]]})
        url = receiver.url.replace("127.0.0.1", "hook.example")
        assert await sent(url, names, allow_private=True) == Answered(204)
    assert names.asked == ["hook.example"]
    assert receiver.received[0].headers["host"].startswith("hook.example:")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::ffff:127.0.0.1]", "hook.example", "2130706433"])
async def test_nothing_is_sent_to_a_private_address(host: str) -> None:
    async with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", host)
        names = ScriptedNames({"hook.example": [["127.0.0.1"]]})
        assert await sent(url, names, allow_private=False) == Barred()
    assert receiver.received == []
