"""Webhooks on the wire: what is accepted, and a signature that others can check."""

import base64
import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import (
    AnyEvent,
    Cancelled,
    Completed,
    Exhausted,
    Failed,
    RunEnded,
    RunWaited,
    TextDelta,
)
from angelia.errors import BadRequest
from angelia.wire.runs import webhooks
from angelia.wire.runs.request import parse_create
from angelia.wire.runs.webhooks import EVENTS, Wish

HOOK = "https://example.com/hook?token=1"


def wish(webhook: object) -> Wish | None:
    return parse_create(json.encode({"input": "go", "webhook": webhook})).webhook


def refused(webhook: object) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        wish(webhook)
    return caught.value


def test_an_address_alone_is_told_of_everything() -> None:
    assert wish(HOOK) == wish({"url": HOOK}) == Wish(HOOK, EVENTS)


def test_no_webhook_is_none() -> None:
    assert wish(None) is None
    assert parse_create(b'{"input": "go"}').webhook is None


def test_a_client_chooses_what_it_is_told_of() -> None:
    chosen = wish({"url": HOOK, "events": ["run.failed", "run.waiting", "run.failed"]})
    assert chosen == Wish(HOOK, ("run.failed", "run.waiting"))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9000/",
        "HTTPS://Example.COM",
        "https://a_b.example:65535?x=1",
        "http://[::1]:80/x",
        "https://example.com/a%20b;c='d'",
    ],
)
def test_http_addresses_are_accepted(url: str) -> None:
    assert wish(url) == Wish(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "https://user@example.com",
        "https://user:word@example.com",
        "https://example.com\\@127.0.0.1/",
        "https://127.0.0.1#@example.com/",
        "https://example.com/#there",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://exa mple.com/",
        "https://example.com/ä",
        "https://１２７.0.0.1/",
        "https://example.com/\r\nX-Other: 1",
        "https://.example.com/",
        "https://" + "a" * 2048,
    ],
)
def test_other_addresses_are_refused_by_the_path_of_the_field(url: str) -> None:
    assert refused(url).param == "webhook"
    assert refused({"url": url}).param == "webhook.url"


@pytest.mark.parametrize(
    ("webhook", "param"),
    [
        (7, "webhook"),
        ([], "webhook"),
        ({}, "webhook.url"),
        ({"url": 7}, "webhook.url"),
        ({"url": HOOK, "events": []}, "webhook.events"),
        ({"url": HOOK, "events": ["run.started"]}, "webhook.events[0]"),
    ],
)
def test_a_webhook_of_the_wrong_shape_is_refused_by_name(webhook: object, param: str) -> None:
    error = refused(webhook)
    assert (error.status, error.param) == (400, param)


@pytest.mark.parametrize("url", ["http://localhost/x", "http://10.0.0.1", "http://[::1]:8000/"])
def test_a_private_address_is_refused_where_those_are_not_allowed(url: str) -> None:
    with pytest.raises(BadRequest, match="allow_private") as caught:
        webhooks.refuse_private(Wish(url))
    assert caught.value.param == "webhook.url"


def test_a_public_address_is_not() -> None:
    webhooks.refuse_private(Wish(HOOK))


@given(st.lists(st.sampled_from(EVENTS), min_size=1).map(tuple))
def test_the_log_gives_back_the_wish_it_was_given(events: tuple[webhooks.WebhookEvent]) -> None:
    assert webhooks.from_raw(webhooks.to_raw(Wish(HOOK, events))) == Wish(HOOK, events)


def test_people_see_the_host_of_an_address_and_no_more() -> None:
    assert Wish("https://example.com:1/secret?token=1").host == "example.com"


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (RunWaited("approval", ("c",)), "run.waiting"),
        (RunEnded(Completed()), "run.completed"),
        (RunEnded(Failed("m", "c")), "run.failed"),
        (RunEnded(Exhausted("max_steps")), "run.failed"),
        (RunEnded(Cancelled()), "run.cancelled"),
        (TextDelta("x"), None),
    ],
)
def test_what_webhooks_are_told_of(event: AnyEvent, name: str | None) -> None:
    assert webhooks.told_by(event) == name


def test_the_message_holds_the_run() -> None:
    content = webhooks.body("run.completed", 1.5, b'{"run_id":"run_1"}')
    assert json.decode(content) == {
        "type": "run.completed",
        "timestamp": 1.5,
        "data": {"run_id": "run_1"},
    }


def test_a_receiver_can_check_the_signature_with_nothing_but_its_key() -> None:
    key = "ang-secret"
    digest = hashlib.sha256(key.encode()).hexdigest()
    sent = webhooks.headers("run_1_7", 1_700_000_000, b'{"a":1}', digest)
    wanted = hmac.new(digest.encode(), b'run_1_7.1700000000.{"a":1}', hashlib.sha256).digest()
    assert sent["webhook-id"] == "run_1_7"
    assert sent["webhook-timestamp"] == "1700000000"
    assert sent["webhook-signature"] == f"v1,{base64.b64encode(wanted).decode()}"


@given(st.binary(), st.binary())
def test_another_body_has_another_signature(one: bytes, two: bytes) -> None:
    signed = [webhooks.signature("id", 1, content, "digest") for content in (one, two)]
    assert (signed[0] == signed[1]) == (one == two)
