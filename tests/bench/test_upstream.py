"""The address of the scripted model is its script."""

import pytest

from bench.upstream import FASTEST, Pacers, Script, read_script


@pytest.mark.parametrize(
    ("path", "script"),
    [
        ("/0/200/tool/v1/chat/completions", Script(0, 200, tool=True)),
        ("/50/7/plain/v1/chat/completions", Script(50, 7, tool=False)),
    ],
)
def test_a_script_is_read_from_the_path(path: str, script: Script) -> None:
    assert read_script(path) == script


@pytest.mark.parametrize(
    "path",
    ["/v1/chat/completions", "/0/x/tool/v1/chat/completions", "/0/1/maybe/v1/chat/completions"],
)
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_script(path)


async def test_streams_of_one_pace_share_a_pacer() -> None:
    pacers = Pacers()
    assert pacers.at(50) is pacers.at(50)
    assert pacers.at(50) is not pacers.at(10)
    with pytest.raises(ValueError, match=str(FASTEST + 1)):
        pacers.at(FASTEST + 1)
