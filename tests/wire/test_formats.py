"""A `response_format` is read, or named as what is wrong."""

import pytest
from msgspec import UNSET, Raw

from angelia.errors import BadRequest
from angelia.wire.formats import NULL, Format, Schema, read


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        (UNSET, None),
        (Raw(b'{"type":"text"}'), Format("text")),
        (
            Raw(
                b'{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},"strict":true}}'
            ),
            Format("json_schema", Schema("n", None, Raw(b'{"a":1}'), True)),
        ),
        (
            Raw(b'{"type":"json_schema","json_schema":{"schema":null}}'),
            Format("json_schema", Schema(schema=NULL)),
        ),
    ],
)
def test_a_format_is_read(given, read_as) -> None:
    assert read(given) == read_as


@pytest.mark.parametrize("given", [b"[]", b"{}", b'"json"', b'{"type":1}', b'{"type":"\xff"}'])
def test_what_is_no_format_is_named(given: bytes) -> None:
    with pytest.raises(BadRequest) as wrong:
        read(Raw(given))
    assert wrong.value.param == "response_format"
