"""Places as people write them in lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.places import place, places


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("wheels.example", "wheels.example", 443),
        ("Wheels.example.", "wheels.EXAMPLE.", 8080),
        ("*.files.example", "files.files.example", 443),
        ("*.files.example", "a.b.files.example", 443),
        ("registry.example:443", "registry.example", 443),
        ("*", "anything.example", 1),
        ("*:443", "anything.example", 443),
        ("10.1.2.3", "10.1.2.3", 80),
        ("10.0.0.0/8", "10.1.2.3", 80),
        ("10.0.0.0/8:8080", "10.1.2.3", 8080),
        ("[::1]:8080", "::1", 8080),
        ("fd00::/8", "fd12::1", 443),
        ("localhost:9000", "localhost", 9000),
    ],
)
def test_a_place_names_what_it_means(entry: str, host: str, port: int) -> None:
    assert places([entry]).names(host, port)


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("wheels.example", "evil-wheels.example", 443),
        ("wheels.example", "wheels.example.evil.example", 443),
        ("wheels.example", "sub.wheels.example", 443),
        ("*.files.example", "files.example", 443),
        ("*.files.example", "evilfiles.example", 443),
        ("registry.example:443", "registry.example", 80),
        ("*:443", "anything.example", 80),
        ("10.0.0.0/8", "11.1.2.3", 80),
        ("10.0.0.0/8", "10.example.com", 80),
        ("[::1]:8080", "::1", 8081),
    ],
)
def test_and_nothing_else(entry: str, host: str, port: int) -> None:
    assert not places([entry]).names(host, port)


def test_only_a_range_holds_the_addresses_that_a_name_leads_to() -> None:
    assert places(["10.0.0.0/8"]).hold("10.1.2.3", 80)
    assert places(["127.0.0.1:81"]).hold("127.0.0.1", 81)
    assert not places(["127.0.0.1:81"]).hold("127.0.0.1", 80)
    assert not places(["*", "*.example.com"]).hold("10.1.2.3", 80)


def test_a_port_is_singled_out_only_by_an_entry_that_names_it() -> None:
    assert places(["github.com:22"]).single_out("github.com", 22)
    assert not places(["github.com", "*"]).single_out("github.com", 22)


@pytest.mark.parametrize(
    "entry",
    ["", " ", "http://example.com", "example.com/path", "a b", "example.com:0", "example.com:65536",
     "exa*mple.com", "*.*.com", "user@example.com", "[::1", "example.com:x", "10.0.0.0/33"],
)  # fmt: skip
def test_what_is_no_place_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match="is not a place") as caught:
        places(["fine.example", entry])
    assert repr(entry) in str(caught.value)


@given(st.text())
def test_any_text_is_a_place_or_a_fault(entry: str) -> None:
    try:
        found = place(entry)
    except ValueError:
        return
    assert bool(found.name) != bool(found.network)
