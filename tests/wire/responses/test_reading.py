"""Values inside requests."""

import pytest
from msgspec import UNSET, Raw, Struct, json

from angelia.errors import BadRequest
from angelia.wire.responses.reading import checked_metadata, decode, is_absent, optional_object
from angelia.wire.responses.request_shapes import ABSENT


class Deep(Struct):
    inner: "Deep | None" = None
    number: int = 0


deep = json.Decoder(Deep)


def test_a_fault_is_named_from_the_root_on() -> None:
    with pytest.raises(BadRequest) as caught:
        decode(b'{"inner":{"number":"x"}}', deep, "items[3]")
    assert caught.value.param == "items[3].inner.number"


def test_what_is_nested_too_deeply_is_refused() -> None:
    depth = 100_000
    with pytest.raises(BadRequest, match="too deeply") as caught:
        decode(b'{"inner":' * depth + b"null" + b"}" * depth, deep, "items[3]")
    assert caught.value.param == "items[3]"


def test_nothing_and_null_are_absent() -> None:
    assert is_absent(ABSENT)
    assert is_absent(Raw(b"null"))
    assert not is_absent(Raw(b"{}"))
    assert optional_object(Raw(b"null"), "p") is UNSET
    assert optional_object(Raw(b'{"a":1}'), "p") == Raw(b'{"a":1}')


def test_the_longest_key_is_accepted() -> None:
    assert checked_metadata({"k" * 64: "v"}) == {"k" * 64: "v"}
    with pytest.raises(BadRequest, match="64 characters"):
        checked_metadata({"k" * 65: "v"})
