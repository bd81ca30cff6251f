"""Which addresses are of the open internet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.addresses import is_public, is_surely_private

PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:4700::6810:84e5")
PRIVATE = (
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(address)


WRAPPINGS = ("::ffff:{}", "64:ff9b::{}", "2002:{hex}::1")


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@given(address=st.ip_addresses(v=4))
def test_a_wrapped_address_is_what_it_wraps(wrapping: str, address: object) -> None:
    number = int(address)  # pyright: ignore[reportArgumentType]
    spelled = f"{number >> 16:x}:{number & 0xFFFF:x}"
    assert is_public(wrapping.format(address, hex=spelled)) == is_public(str(address))


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "[::1]", "[fd00::1]"],
)
def test_some_hosts_need_no_look_up(host: str) -> None:
    assert is_surely_private(host)


@pytest.mark.parametrize("host", ["example.com", "8.8.8.8", "[2606:4700::1]", "mylocalhost", "x"])
def test_other_hosts_may_be_public(host: str) -> None:
    assert not is_surely_private(host)
