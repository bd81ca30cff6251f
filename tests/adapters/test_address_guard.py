"""Which addresses may be asked: the table of tricks, and what holds for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.address_guard import AddressGuard, NotAdmitted
from angelia.adapters.memory.names import ScriptedNames
from angelia.core.places import places
from angelia.wire.addresses import is_public

NAMES = {
    "public.example": [["93.184.216.34", "2606:4700::1"]],
    "private.example": [["10.0.0.1"]],
    "mixed.example": [["10.0.0.1", "93.184.216.34", "::1"]],
    "loopback.example": [["127.0.0.1", "::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "nat.example": [["64:ff9b::7f00:1"]],
    "zone.example": [["fe80::1%eth0"]],
    "metadata.google.internal": [["169.254.169.254"]],
}

TRICKS = [
    "localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0177.0.0.1",
    "0x7f.0.0.1", "0x7f000001", "0", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.0.1",
    "169.254.169.254", "2852039166", "100.64.0.1", "100.100.100.200", "168.63.129.16",
    "192.0.0.192", "224.0.0.1", "240.0.0.1", "255.255.255.255", "198.18.0.1", "::", "::1",
    "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::127.0.0.1",
    "64:ff9b:1::127.0.0.1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "fe80::1",
    "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "１２７.０.０.１",
    "127。0。0。1", "private.example", "loopback.example", "mapped.example", "nat.example",
    "zone.example", "metadata.google.internal", "unknown.example", "user@public.example",
    "public.example/", "", ".", "a..b", "%31%32%37.0.0.1",
]  # fmt: skip


def guard(private: bool | list[str] = False) -> AddressGuard:
    allowed = private if isinstance(private, bool) else places(private)
    return AddressGuard(ScriptedNames(NAMES), allowed)


@pytest.mark.parametrize("host", TRICKS)
async def test_no_trick_gets_past_the_guard(host: str) -> None:
    with pytest.raises(NotAdmitted):
        await guard().admit(host, 443)


async def test_public_addresses_are_admitted() -> None:
    assert await guard().admit("public.example", 443) == ("93.184.216.34", "2606:4700::1")
    assert await guard().admit("8.8.8.8", 80) == ("8.8.8.8",)
    assert await guard().admit("2606:4700::1", 80) == ("2606:4700::1",)


async def test_of_many_addresses_only_the_public_ones_are_left() -> None:
    assert await guard().admit("mixed.example", 443) == ("93.184.216.34",)


async def test_what_is_surely_private_is_not_even_looked_up() -> None:
    names = ScriptedNames(NAMES)
    for host in ("localhost", "127.0.0.1", "2130706433"):
        with pytest.raises(NotAdmitted):
            await AddressGuard(names).admit(host, 80)
    assert names.asked == []


@given(st.ip_addresses())
async def test_whatever_a_name_means_only_public_addresses_come_back(address: object) -> None:
    names = ScriptedNames({"x.example": [[str(address)]]})
    try:
        found = await AddressGuard(names).admit("x.example", 443)
    except NotAdmitted:
        found = ()
    assert found == ((str(address),) if is_public(str(address)) else ())


@pytest.mark.parametrize(
    ("allowed", "host", "port"),
    [
        (["private.example"], "private.example", 80),
        (["*.example"], "private.example", 80),
        (["10.0.0.0/8"], "private.example", 80),
        (["10.0.0.1"], "10.0.0.1", 80),
        (["private.example:8080"], "private.example", 8080),
    ],
)
async def test_an_operator_can_open_places(allowed: list[str], host: str, port: int) -> None:
    assert await guard(allowed).admit(host, port) == ("10.0.0.1",)


async def test_opening_one_place_opens_no_other() -> None:
    only = guard(["private.example:8080", "127.0.0.1:9000"])
    for host, port in (("private.example", 80), ("127.0.0.1", 9001), ("10.0.0.1", 8080)):
        with pytest.raises(NotAdmitted):
            await only.admit(host, port)


async def test_opening_everything_leaves_the_secrets_of_clouds_closed() -> None:
    assert await guard(True).admit("private.example", 80) == ("10.0.0.1",)
    for host in ("169.254.169.254", "metadata.google.internal", "fd00:ec2::254"):
        with pytest.raises(NotAdmitted):
            await guard(True).admit(host, 80)
    assert await guard(["169.254.169.254"]).admit("169.254.169.254", 80)


async def test_ports_of_other_services_are_barred_unless_they_are_named() -> None:
    with pytest.raises(NotAdmitted, match="Port 25 "):
        await guard().admit("public.example", 25)
    assert await guard(["public.example:25"]).admit("public.example", 25)
    assert await guard().admit("public.example", 22, places(["public.example:22"]))
    with pytest.raises(NotAdmitted):
        await guard().admit("public.example", 22, places(["*"]))


async def test_a_refusal_names_the_way_out() -> None:
    with pytest.raises(NotAdmitted, match=r"allow_private in the section \[web\]"):
        await guard().admit("private.example", 80)
    with pytest.raises(NotAdmitted, match="Nobody knows a host named 'unknown"):
        await guard().admit("unknown.example", 80)
