"""What settings amount to."""

from pathlib import Path

import pytest

from angelia.config import settle


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ('[server]\nhost = "::1"', True),
        ('[server]\nhost = "0.0.0.0"', False),
        ('[server]\nhost = "0.0.0.0"\n[webhooks]\nallow_private = true', True),
        ("[webhooks]\nallow_private = false", False),
    ],
)
def test_webhooks_go_to_private_addresses_while_only_this_machine_can_ask(
    text: str, *, allowed: bool
) -> None:
    assert settle(text, {}, Path("/home")).private_webhooks is allowed
