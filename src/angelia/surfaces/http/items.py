"""What runs and conversations are made of, as items."""

from collections.abc import Iterable, Sequence

from msgspec import Raw, Struct, UnsetType, json

from angelia.core.events import ClientReplied, Entry, RunStarted, TurnBegun
from angelia.core.legs import legs, words
from angelia.core.messages import Message
from angelia.errors import NotFound
from angelia.ports import RunRecord
from angelia.runtime.runs import Started
from angelia.runtime.services import Services
from angelia.wire.responses.ids import response_id
from angelia.wire.responses.items_out import input_items
from angelia.wire.responses.server import Subject, Writer

# Runs that nobody worked on: they hold what was said elsewhere.
SEEDS = ("fork", "session", "conversation")


class Stored(Struct, frozen=True):
    """What a conversation's own run keeps beside its messages: the items they came from."""

    items: tuple[Raw, ...]


def subject_of(facts: Iterable[Entry], leg: Started) -> Subject:
    """Told by the log alone, so that it is the same for whoever reads it when."""
    began = words(facts, leg.after)
    return Subject(
        response_id=response_id(leg.run.id, leg.after),
        model=leg.run.model,
        created_at=int(began.at),
        request=began.event.request,
    )


def asked_items(facts: Sequence[Entry], leg: Started) -> list[Raw]:
    """What came in to begin a leg."""
    return input_items(_brought(words(facts, leg.after).event), _name(leg))


async def items_of(given: Services, run: RunRecord, *, as_asked: bool = False) -> list[Raw]:
    """All that a run was told and has said, but for what was said before it.

    Calls of the server's tools are pairs, or `as_asked` in the dialect they were served in.
    """
    entries = await given.runs.read(run.id)
    found: list[Raw] = []
    for leg in legs(entries):
        part = [entry for entry in entries if _within(entry, leg.after, leg.end)]
        seen = Started(run, leg.after)
        writer = Writer(subject_of(part, seen), dialect=None if as_asked else "pair")
        writer.write(part)
        found += [*asked_items(part, seen), *writer.output]
    return found


async def conversation_items(given: Services, tenant: str, run_id: str | None) -> list[Raw]:
    """Everything up to the end of a run, oldest first, from run to run."""
    stretches: list[list[Raw]] = []
    while run_id is not None:
        try:
            run = await given.runs.get(tenant, run_id)
        except NotFound:
            break
        facts = await given.runs.facts(run.id)
        first = facts[0].event
        assert isinstance(first, RunStarted)  # noqa: S101 -- what every log begins with
        if run.surface in SEEDS:
            stretches.append(_seeded(run, first))
            break
        stretches.append(await items_of(given, run))
        before, run_id = _before(facts, first)
        if before and not await _is_known(given, tenant, run_id):
            stretches.append(input_items(before, f"{response_id(run.id)}_1"))
            break
    return [item for stretch in reversed(stretches) for item in stretch]


async def _is_known(given: Services, tenant: str, run_id: str | None) -> bool:
    if run_id is None:
        return False
    try:
        await given.runs.get(tenant, run_id)
    except NotFound:
        return False
    return True


def _before(facts: Sequence[Entry], first: RunStarted) -> tuple[tuple[Message, ...], str | None]:
    """What was said before a run, and in which run."""
    for entry in facts:
        if isinstance(entry.event, TurnBegun) and entry.event.history:
            return entry.event.history, entry.event.parent
    return first.messages[: first.history], first.parent


def _seeded(run: RunRecord, first: RunStarted) -> list[Raw]:
    if not isinstance(first.request, UnsetType):
        return list(json.decode(first.request, type=Stored).items)
    return input_items(first.messages, response_id(run.id))


def _brought(event: RunStarted | ClientReplied) -> tuple[Message, ...]:
    if isinstance(event, RunStarted):
        return event.messages[event.history :]
    return event.results + event.messages


def _within(entry: Entry, after: int, end: int | None) -> bool:
    return after < entry.seq and (end is None or entry.seq <= end)


def _name(leg: Started) -> str:
    return response_id(leg.run.id, leg.after)
