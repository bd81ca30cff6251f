"""Metadata of responses and conversations."""

import pytest
from msgspec import UNSET, Raw

from angelia.errors import BadRequest
from angelia.wire.responses.metadata import read


def test_what_is_given_is_kept_and_nothing_is_not_an_empty_object() -> None:
    assert read({"k": "v"}) == Raw(b'{"k":"v"}')
    assert read({}) == Raw(b"{}")
    assert read(None) is UNSET


def test_the_longest_key_is_accepted_and_a_longer_one_is_not() -> None:
    assert read({"k" * 64: "v"}) == Raw(b'{"%b":"v"}' % (b"k" * 64))
    with pytest.raises(BadRequest, match="64 characters") as caught:
        read({"k" * 65: "v"})
    assert caught.value.param == "metadata"
