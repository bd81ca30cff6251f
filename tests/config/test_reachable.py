import pytest

from angelia.config import is_loopback


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.0.1", False),
        ("localhost.example", False),
    ],
)
def test_what_only_this_machine_can_reach(host: str, loopback: bool):
    assert is_loopback(host) is loopback
