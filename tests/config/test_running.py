"""Where the server of a home folder is found."""

from pathlib import Path

import pytest

from angelia.adapters import home_address
from angelia.config import load
from angelia.config.running import running_at
from angelia.errors import AngeliaError
from tests.support.server import AngeliaServer


def test_the_key_is_the_one_of_the_home_folder(demo_server: AngeliaServer) -> None:
    assert running_at(load(demo_server.env)) == (demo_server.url, demo_server.key)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8642"),
        ("::", "http://[::1]:8642"),
        ("::1", "http://[::1]:8642"),
        ("10.0.0.7", "http://10.0.0.7:8642"),
    ],
)
def test_a_server_that_listens_everywhere_is_asked_here(
    tmp_path: Path, host: str, url: str
) -> None:
    (tmp_path / "key").write_text("the-key\n")
    assert running_at(load({"ANGELIA_HOST": host}, home=tmp_path)) == (url, "the-key")


def test_a_home_without_a_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(AngeliaError, match=str(tmp_path)):
        running_at(load({}, home=tmp_path))


def test_a_server_is_found_where_it_says_that_it_is(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("the-key\n")
    with home_address.left(tmp_path, "http://127.0.0.1:4711"):
        assert running_at(load({}, home=tmp_path)) == ("http://127.0.0.1:4711", "the-key")
    assert running_at(load({}, home=tmp_path)) == ("http://127.0.0.1:8642", "the-key")


def test_an_address_that_a_crash_has_left_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("the-key\n")
    (tmp_path / "address").write_text("http://127.0.0.1:4711\n")
    assert running_at(load({}, home=tmp_path))[0] == "http://127.0.0.1:8642"
