"""Questions to providers outside a run."""

from collections.abc import Sequence

from msgspec.structs import replace

from angelia.adapters.upstream import Upstream
from angelia.adapters.upstream.offers import ask_for_offers
from angelia.assembly.agents import endpoint_of
from angelia.config import ModelSettings, ProviderSettings
from angelia.core.events import Delta
from angelia.core.messages import Prompt, Sampling, Text, User
from angelia.errors import UpstreamEmpty
from angelia.wire.offers import Offered

# Enough for a word of an answer, and for a model on this machine to be loaded.
_PROBE_TOKENS = 32
_PROBE_SECONDS = 120.0


async def ask_once(model: ModelSettings) -> str | None:
    """One cheap question; the name that the provider gives the model. Raises UpstreamError."""
    endpoint = endpoint_of(model)
    waits = replace(endpoint.timeouts, first_token=_PROBE_SECONDS, whole=_PROBE_SECONDS)
    upstream = Upstream()
    words = User((Text("Answer with the word ok."),))
    prompt = Prompt(model.model, "", (words,), sampling=Sampling(max_tokens=_PROBE_TOKENS))
    try:
        client = upstream.model(replace(endpoint, timeouts=waits))
        return (await client.ask(prompt, _unseen)).model
    except UpstreamEmpty:
        # A model that thinks first may use up the few tokens before it says a word.
        return None
    finally:
        await upstream.close()


async def _unseen(deltas: Sequence[Delta]) -> None:
    """Nobody follows a question outside a run."""


async def offers(provider: ProviderSettings, seconds: float) -> Offered:
    """The models that a provider says it has."""
    unnamed = ModelSettings(provider.name, provider, "", provider.source)
    return await ask_for_offers(endpoint_of(unnamed), seconds)
