"""What everybody promises who knows names of hosts."""

import ipaddress

import pytest

from angelia.adapters.memory.names import ScriptedNames
from angelia.adapters.system_names import SystemNames
from angelia.ports.names import Names


@pytest.fixture(params=["memory", "system"])
def names(request: pytest.FixtureRequest) -> Names:
    if request.param == "memory":
        return ScriptedNames({"localhost": [["127.0.0.1"]]})
    return SystemNames()


async def test_a_name_means_addresses(names: Names) -> None:
    found = await names.find("localhost")
    assert found
    assert all(ipaddress.ip_address(address).is_loopback for address in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", ["no-such-host.invalid", "a..b", "x" * 300, "\0"])
async def test_a_name_that_nobody_knows_means_nothing(names: Names, name: str) -> None:
    assert await names.find(name) == ()
