"""Functions that clients declare."""

import pytest
from msgspec import Raw

from angelia.core.messages import ToolSpec
from angelia.errors import BadRequest
from angelia.wire.functions import FunctionIn, declared


def test_functions_belong_to_the_client_and_keep_their_order() -> None:
    schema = Raw(b'{"type": "object"}')
    listed = [
        ("tools[0]", FunctionIn("b", "What b does.", schema, strict=True)),
        ("tools[1]", FunctionIn("a")),
    ]
    assert declared(listed) == (
        ToolSpec("b", "What b does.", schema, owner="client", strict=True),
        ToolSpec("a", "", Raw(b"{}"), owner="client"),
    )


def test_null_parameters_are_none() -> None:
    assert declared([("tools[0]", FunctionIn("a", parameters=Raw(b"null")))]) == (
        ToolSpec("a", "", Raw(b"{}"), owner="client"),
    )


def test_a_name_that_is_declared_twice_is_refused_where_it_stands_again() -> None:
    with pytest.raises(BadRequest, match="'a' is declared twice") as caught:
        declared([("tools[0].function", FunctionIn("a")), ("functions[0]", FunctionIn("a"))])
    assert (caught.value.param, caught.value.code) == ("functions[0].name", "invalid_value")


def test_parameters_that_are_no_object_are_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        declared([("tools[3]", FunctionIn("a", parameters=Raw(b"[]")))])
    assert (caught.value.param, caught.value.code) == ("tools[3].parameters", "invalid_type")
