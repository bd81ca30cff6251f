"""What `angelia models` does: asks every provider once, prints, and says how it went."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Protocol

import msgspec
from rich.console import Console

from angelia.config import ModelSettings, ProviderSettings, Settings
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.local import Found, look
from angelia.surfaces.cli.models.report import Listed, Report, State, print_report
from angelia.wire.offers import NoOffers, Offered, Offers

PATIENCE = 10.0
# A provider that keeps no list can be asked all the same.
_NO_LIST = (404, 405, 501)


class Asking(Protocol):
    def offers(
        self, provider: ProviderSettings, seconds: float
    ) -> Coroutine[None, None, Offered]: ...


async def examine(
    parts: Asking, settings: Settings, ports: Sequence[int], *, ask: bool, as_json: bool
) -> Exit:
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(look(parts.offers, ports))
        asking = {
            place.source: group.create_task(parts.offers(place, PATIENCE))
            for place in (_places(settings) if ask else ())
        }
    answers = {source: task.result() for source, task in asking.items()}
    report = _report(settings, answers, looking.result())
    if as_json:
        print(msgspec.json.encode(report).decode())
    else:
        print_report(Console(highlight=False, emoji=False), report)
    return Exit.COMPLETED if report.ok else Exit.FAILED


def _places(settings: Settings) -> list[ProviderSettings]:
    """Every provider once; what brought it is different for each."""
    return list({model.provider.source: model.provider for model in settings.models}.values())


def _report(settings: Settings, answers: Mapping[str, Offered], found: tuple[Found, ...]) -> Report:
    listed = tuple(_listed(model, settings, answers) for model in settings.models)
    chain = {model.name for model in settings.chain}
    alive = any(one.name in chain and one.state not in ("silent", "refused") for one in listed)
    known = {model.provider.base_url for model in settings.models}
    strangers = tuple(server for server in found if server.base_url not in known)
    return Report(alive or not settings.chain, not settings.chain, listed, strangers)


def _listed(model: ModelSettings, settings: Settings, answers: Mapping[str, Offered]) -> Listed:
    place = model.provider
    answer = answers.get(place.source)
    return Listed(
        name=model.name,
        model=model.model,
        provider=place.name,
        # What stands behind it may be a key.
        address=place.base_url.partition("?")[0],
        protocol=place.protocol,
        agents=tuple(a.name for a in settings.agents if model in a.chain and a.name != model.name),
        context_tokens=model.context_tokens,
        price=model.price,
        state=_state(model, answer) if answer else "unasked",
        seconds=answer.seconds if isinstance(answer, Offers) else None,
        message=answer.message if isinstance(answer, NoOffers) else "",
    )


def _state(model: ModelSettings, offered: Offered) -> State:
    match offered:
        case Offers(models=models):
            return "ready" if _is_among(model.model, [one.name for one in models]) else "unlisted"
        case NoOffers(status=None):
            return "silent"
        case NoOffers(status=status):
            return "unlisted" if status in _NO_LIST else "refused"


def _is_among(name: str, offered: Sequence[str]) -> bool:
    """Ollama lists a model with its tag, and takes it without."""
    return name in offered or f"{name}:latest" in offered
