import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.offers import NoOffers, Offer, Offers, read


@pytest.mark.parametrize(
    ("body", "models"),
    [
        (b'{"object": "list", "data": []}', ()),
        (b'{"data": [{"id": "a", "object": "model"}, {"id": "b"}]}', (Offer("a"), Offer("b"))),
        (b'{"data": [{"id": "vllm", "max_model_len": 4096}]}', (Offer("vllm", 4096),)),
        (b'{"data": [{"id": "router", "context_length": 8}]}', (Offer("router", 8),)),
        (b'{"data": [{"id": "x", "context_length": null}], "has_more": true}', (Offer("x"),)),
    ],
)
def test_a_list_of_any_provider_is_read(body: bytes, models: tuple[Offer, ...]) -> None:
    assert read(200, body) == Offers(models)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"data": [{}]}', b'{"models": []}'])
def test_what_is_no_list_is_called_so(body: bytes) -> None:
    assert read(200, body) == NoOffers("What answers there is no list of models.", 200)


def test_a_refusal_keeps_its_words_and_its_status() -> None:
    body = b'{"error": {"message": "Incorrect API key provided.", "type": "x"}}'
    assert read(401, body) == NoOffers("Incorrect API key provided.", 401)


@given(st.integers(100, 599), st.binary())
def test_whatever_comes_is_read(status: int, body: bytes) -> None:
    assert isinstance(read(status, body), Offers | NoOffers)
