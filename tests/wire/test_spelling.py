"""Names and ids as providers take them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.spelling import function_name, plain, short_id


@pytest.mark.parametrize(
    ("name", "spelled"),
    [("read_file", "read_file"), ("mcp.find it", "mcp_find_it"), ("", "unnamed"), ("é", "_")],
)
def test_what_no_provider_takes_is_written_otherwise(name: str, spelled: str) -> None:
    assert function_name(name) == spelled


@given(st.text(max_size=200))
def test_every_name_is_one_that_providers_take(name: str) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function_name(name))
    assert len(plain(name)) == len(name)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=100), st.integers(30, 64))
def test_an_id_that_fits_stays_and_any_other_becomes_short(call_id: str, most: int) -> None:
    spelled = short_id(call_id, most)
    assert 0 < len(spelled) <= most
    if 0 < len(call_id) <= most:
        assert spelled == call_id
