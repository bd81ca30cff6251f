"""Which addresses are of the open internet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.addresses import is_metadata, is_public, is_surely_private

METADATA = ("169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "168.63.129.16")
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
    "fec0::1",
    "fd00:ec2::254",
    "168.63.129.16",
    "192.0.0.192",
    "192.88.99.1",
    "198.18.0.1",
    "203.0.113.1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "2001::ffff:ffff",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "64:ff9b:1::8.8.8.8",
    "::ffff:169.254.169.254",
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


@pytest.mark.parametrize("address", METADATA)
def test_where_clouds_keep_secrets_is_known(address: str) -> None:
    assert is_metadata(address)
    assert not is_metadata("10.0.0.1")
