"""The models that a provider says it has, whatever protocol it speaks."""

from typing import Annotated

from msgspec import DecodeError, Meta, Struct, ValidationError, json

from angelia.wire import faults

_Size = Annotated[int, Meta(ge=1)]


class Offer(Struct, frozen=True):
    """`context_tokens` is known of those that tell."""

    name: str
    context_tokens: int | None = None


class Offers(Struct, frozen=True):
    """`seconds` is how long it took to get them."""

    models: tuple[Offer, ...]
    seconds: float = 0.0


class NoOffers(Struct, frozen=True):
    """Why there is no list. `status` of None means that nobody answered."""

    message: str
    status: int | None = None


Offered = Offers | NoOffers


class _Entry(Struct):
    """What vLLM and OpenRouter call the size of the context differs; others do not tell."""

    id: str
    max_model_len: _Size | None = None
    context_length: _Size | None = None


class _Page(Struct):
    data: tuple[_Entry, ...]


_decoder = json.Decoder(_Page)


def read(status: int, body: bytes) -> Offered:
    """The answer to a GET of the list."""
    if not 200 <= status < 300:
        return NoOffers(faults.refused(status, body, None).message, status)
    try:
        page = _decoder.decode(body)
    except (DecodeError, ValidationError, UnicodeDecodeError):
        return NoOffers("What answers there is no list of models.", status)
    return Offers(tuple(Offer(e.id, e.max_model_len or e.context_length) for e in page.data))
