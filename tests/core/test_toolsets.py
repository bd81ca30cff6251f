"""Tools by their names, their set, or with a star."""

import pytest

from angelia.core.toolsets import admits


@pytest.mark.parametrize(
    ("wanted", "admitted"),
    [
        (None, True),
        ((), False),
        (("read_file",), True),
        (("files",), True),
        (("read_*",), True),
        (("*",), True),
        (("web", "read_file"), True),
        (("write_file",), False),
        # A star stands for names of tools, not of sets.
        (("fil*",), False),
    ],
)
def test_a_tool_is_meant_by_its_name_or_its_set(wanted, admitted) -> None:
    assert admits(wanted, "read_file", "files") is admitted
