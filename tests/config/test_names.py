import pytest

from angelia.config import ConfigError
from angelia.config.names import checked_name


@pytest.mark.parametrize("name", ["a", "gpt-5.4", "with blank", "ä"])
def test_most_names_can_be_used(name: str) -> None:
    assert checked_name(name, "here") == name


@pytest.mark.parametrize("name", ["", " ", "a:b", "a:bare"])
def test_a_name_that_nobody_can_ask_for_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^here: a name must not "):
        checked_name(name, "here")
