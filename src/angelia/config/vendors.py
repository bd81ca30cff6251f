"""The vendors that are known by name, by address and by the variable that holds their key."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from angelia.config.scalars import Protocol
from angelia.config.secret import Secret


class Vendor(Struct, frozen=True):
    """Where a key in the environment leads; the first protocol is the usual one."""

    name: str
    variable: str
    base_url: str
    protocols: tuple[Protocol, ...]
    model: str
    # Only where its address is spoken to by the chat protocol.
    chat_quirks: Mapping[str, object] = {}

    def keys(self, environ: Mapping[str, str]) -> tuple[Secret, ...]:
        return in_variable(self.variable, environ)


VENDORS = (
    Vendor(
        "openai",
        "OPENAI_API_KEY",
        "https://api.openai.com/v1",
        ("chat", "responses"),
        "gpt-5.4",
        # Its newer models refuse the older word.
        {"max_tokens_field": "max_completion_tokens"},
    ),
    Vendor(
        "anthropic",
        "ANTHROPIC_API_KEY",
        "https://api.anthropic.com",
        ("anthropic",),
        "claude-sonnet-4-5",
    ),
    Vendor(
        "openrouter",
        "OPENROUTER_API_KEY",
        "https://openrouter.ai/api/v1",
        ("chat",),
        "openrouter/auto",
    ),
)
BY_NAME = {vendor.name: vendor for vendor in VENDORS}


def vendor_at(base_url: str) -> Vendor | None:
    """The vendor whose address this is."""
    host = urlsplit(base_url).hostname
    return next((v for v in VENDORS if urlsplit(v.base_url).hostname == host), None)


def usual_quirks(base_url: str, protocol: Protocol) -> Mapping[str, object]:
    """What is known of the vendor at an address."""
    vendor = vendor_at(base_url) if protocol == "chat" else None
    return vendor.chat_quirks if vendor else {}


def speaking(protocol: Protocol | None) -> list[Vendor]:
    return [vendor for vendor in VENDORS if protocol is None or protocol in vendor.protocols]


def in_variable(variable: str, environ: Mapping[str, str]) -> tuple[Secret, ...]:
    """The keys that a variable holds: one, or several with commas between them."""
    words = (word.strip() for word in environ.get(variable, "").split(","))
    return tuple(Secret(word) for word in dict.fromkeys(words) if word)
