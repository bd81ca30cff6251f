import pytest
from msgspec.structs import FieldInfo, fields

from angelia.config.quirks import QUIRKS, checked
from angelia.wire.anthropic import prompt as anthropic
from angelia.wire.chat import prompt as chat
from angelia.wire.responses import prompt as responses
from tests.config.settling import AT, MODEL, NAMED, OPENAI, fault, settled

WIRE = {"chat": chat.Quirks, "responses": responses.Quirks, "anthropic": anthropic.Quirks}


def known(kind: type) -> list[tuple[str, object, object]]:
    def default(field: FieldInfo) -> object:
        # What stands in a table is the protocol's own affair.
        return dict if "dict" in str(field.type) else field.default

    return [(field.name, field.type, default(field)) for field in fields(kind)]


@pytest.mark.parametrize("protocol", WIRE)
def test_settings_know_the_quirks_that_the_protocol_knows(protocol) -> None:
    assert known(QUIRKS[protocol]) == known(WIRE[protocol])


@pytest.mark.parametrize(
    ("protocol", "given"),
    [
        ("chat", {"max_tokens_field": "max_completion_tokens", "include_usage": False}),
        ("responses", {"summary": "concise"}),
        ("anthropic", {"thinking": "budget", "budgets": {"low": 1024}}),
        ("chat", {}),
    ],
)
def test_quirks_that_are_known_can_be_handed_to_the_protocol(protocol, given) -> None:
    quirks = checked(given, protocol, "here")
    assert quirks == given
    assert WIRE[protocol](**quirks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            NAMED + "[models.fast.quirks]\nthinking = 'none'",
            'models."fast".quirks.thinking: is no quirk of the chat protocol; there are: '
            "max_tokens_field, include_usage, reasoning_field.",
        ),
        (
            NAMED + "[models.fast.quirks]\nmax_tokens_field = 'most'",
            'models."fast".quirks.max_tokens_field must be one of '
            "'max_tokens', 'max_completion_tokens'",
        ),
        (
            MODEL + "protocol = 'responses'\nquirks = { sampling = 1 }",
            "model.quirks.sampling: expected bool, got int",
        ),
    ],
)
def test_a_quirk_that_the_protocol_does_not_know_is_refused(text: str, message: str) -> None:
    assert fault(text, OPENAI) == AT + message


def test_quirks_are_those_of_the_address_in_the_file() -> None:
    text = MODEL + "quirks = { include_usage = false }\nheaders = { X-A = 'b' }\nstream = false"
    (in_file,) = settled(text).chain
    assert (in_file.quirks, in_file.provider.headers) == ({"include_usage": False}, {"X-A": "b"})
    assert not in_file.provider.stream
    (elsewhere,) = settled(text, {"ANGELIA_BASE_URL": "http://other"}).chain
    assert (elsewhere.quirks, elsewhere.provider.headers) == ({}, {})
    assert elsewhere.provider.stream
