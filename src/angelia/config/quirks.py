"""What endpoints may differ in, by protocol: the settings that `quirks` of a model may hold.

Each is the twin of what its protocol takes, since settings know no protocol; a test compares them.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import ValidationError, field

from angelia.config.faults import ConfigError, said_of
from angelia.config.scalars import Protocol, Section


class ChatQuirks(Section, frozen=True):
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    include_usage: bool = True
    reasoning_field: Literal["reasoning_content", "reasoning"] | None = None


class ResponsesQuirks(Section, frozen=True):
    encrypted_reasoning: bool = True
    sampling: bool = True
    summary: Literal["auto", "concise", "detailed"] | None = None


class AnthropicQuirks(Section, frozen=True):
    max_tokens: int = 8192
    thinking: Literal["none", "budget", "adaptive"] = "none"
    budgets: dict[str, int] = field(default_factory=dict[str, int])
    sampling: bool = True
    cache: bool = True
    json_schema: bool = False


QUIRKS: dict[Protocol, type[Section]] = {
    "chat": ChatQuirks,
    "responses": ResponsesQuirks,
    "anthropic": AnthropicQuirks,
}


def checked(given: Mapping[str, object], protocol: Protocol, where: str) -> dict[str, object]:
    """The same, when an endpoint of that protocol knows them all. Raises ConfigError."""
    kind = QUIRKS[protocol]
    try:
        msgspec.convert(given, kind)
    except ValidationError as error:
        name = next((name for name in given if name not in kind.__struct_fields__), None)
        if name is None:
            raise ConfigError(f"{where}.{said_of(error, kind)}") from error
        known = ", ".join(kind.__struct_fields__)
        raise ConfigError(
            f"{where}.{name}: is no quirk of the {protocol} protocol; there are: {known}."
        ) from error
    return dict(given)
