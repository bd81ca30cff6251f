"""What two requests must have in common to mean the same work."""

from types import SimpleNamespace

import pytest
from starlette.requests import Request

from angelia.adapters.memory.clock import ManualClock
from angelia.config import Users
from angelia.errors import BadRequest
from angelia.surfaces.http.claims import CLAIM_SECONDS, chat_session, claim

BODY = b'{"messages": []}'


def request(path: str = "/v1/chat/completions", **headers: str) -> Request:
    settings = SimpleNamespace(users=Users(trusted_headers=("X-Person",)))
    given = SimpleNamespace(settings=settings, clock=ManualClock())
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    app = SimpleNamespace(state=SimpleNamespace(services=given))
    return Request({"type": "http", "path": path, "headers": raw, "app": app, "server": ("a", 1)})


def test_the_same_key_with_the_same_body_is_the_same_claim_for_a_day() -> None:
    first = claim(request(idempotency_key="a"), BODY, 10.0)
    assert first is not None
    assert first == claim(request(idempotency_key="a"), BODY, 10.0)
    assert first.expires_at == 10.0 + CLAIM_SECONDS
    other = claim(request(idempotency_key="a"), BODY + b" ", 10.0)
    assert other is not None
    assert (other.key, other.fingerprint == first.fingerprint) == (first.key, False)


def test_users_whom_a_header_names_do_not_share_a_key_or_a_chat() -> None:
    people = ({"x_person": "ann"}, {"x_person": "bob"}, {})
    keys = [claim(request(idempotency_key="a", **person), BODY, 0.0) for person in people]
    assert len({held.key for held in keys if held}) == 3
    chats = [chat_session(request(x_openwebui_chat_id="c", **person)) for person in people]
    assert len(set(chats)) == 3


def test_a_chat_and_its_message_are_a_claim_as_long_as_the_run_lives() -> None:
    named = {"x_openwebui_chat_id": "c", "x_openwebui_message_id": "m"}
    held = claim(request(**named), BODY, 0.0)
    assert held is not None
    assert held.live_only
    assert claim(request(x_openwebui_chat_id="c"), BODY, 0.0) is None
    unfilled = {**named, "x_openwebui_message_id": "{{MESSAGE_ID}}"}
    assert claim(request(**unfilled), BODY, 0.0) is None


def test_a_key_has_a_length() -> None:
    with pytest.raises(BadRequest) as refused:
        claim(request(idempotency_key="a" * 256), BODY, 0.0)
    assert refused.value.param == "Idempotency-Key"
