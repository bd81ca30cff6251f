"""What runs and conversations are made of, as items."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import assert_never

from msgspec import Raw, Struct, UnsetType, json

from angelia.core.events import ApprovalGiven, ClientReplied, Entry, RunStarted, TurnBegun
from angelia.core.legs import legs, words
from angelia.core.messages import Message
from angelia.errors import NotFound
from angelia.ports import SEEDS, RunRecord
from angelia.runtime.runs import Started
from angelia.runtime.services import Services
from angelia.wire.responses.approvals import verdict_items
from angelia.wire.responses.ids import response_id
from angelia.wire.responses.items_out import id_of, input_items
from angelia.wire.responses.listing import Page
from angelia.wire.responses.server import Subject, Writer


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
        request=began.request,
    )


def asked_items(facts: Sequence[Entry], leg: Started) -> list[Raw]:
    """What came in to begin a leg."""
    event = words(facts, leg.after).event
    return [*verdict_items(facts, leg.run.id, leg.after), *input_items(_brought(event), _name(leg))]


async def items_of(given: Services, run: RunRecord, *, as_asked: bool = False) -> list[Raw]:
    """All that a run was told and has said, but for what was said before it.

    Calls of the server's tools are pairs, or `as_asked` in the dialect they were served in.
    """
    return _items(run, await given.runs.read(run.id), as_asked=as_asked)


def _items(run: RunRecord, entries: Sequence[Entry], *, as_asked: bool = False) -> list[Raw]:
    found: list[Raw] = []
    for leg in legs(entries):
        part = [entry for entry in entries if _within(entry, leg.after, leg.end)]
        seen = Started(run, leg.after)
        writer = Writer(subject_of(part, seen), dialect=None if as_asked else "pair")
        writer.write(part)
        found += [*asked_items(entries, seen), *writer.output]
    return found


async def conversation_items(given: Services, tenant: str, run_id: str | None) -> list[Raw]:
    """Everything up to the end of a run, oldest first, from run to run."""
    stretches = [stretch async for stretch in _stretches(given, tenant, run_id)]
    return [item for stretch in reversed(stretches) for item in stretch]


async def page_of_items(
    given: Services, tenant: str, run_id: str | None, wanted: Page
) -> list[Raw]:
    """The same, without older items than a page from behind and what says that there are more."""
    if wanted.order == "asc":
        return await conversation_items(given, tenant, run_id)
    found: list[list[Raw]] = []
    # Unknown until the end of the page before was seen.
    missing = wanted.limit + 1 if wanted.after is None else None
    async with aclosing(_stretches(given, tenant, run_id)) as stretches:
        async for stretch in stretches:
            found.append(stretch)
            for item in reversed(stretch):
                if missing is not None:
                    missing -= 1
                elif id_of(item) == wanted.after:
                    missing = wanted.limit + 1
            if missing is not None and missing <= 0:
                break
    return [item for stretch in reversed(found) for item in stretch]


async def _stretches(given: Services, tenant: str, run_id: str | None) -> AsyncGenerator[list[Raw]]:
    """The items of one run after another, the newest run first."""
    while run_id is not None:
        try:
            run = await given.runs.get(tenant, run_id)
        except NotFound:
            return
        entries = await given.runs.read(run.id)
        if not entries:
            return
        first = entries[0].event
        assert isinstance(first, RunStarted)  # noqa: S101 -- what every log begins with
        if run.surface in SEEDS:
            yield _seeded(run, first)
            return
        yield _items(run, entries)
        before, run_id = _before(entries, first)
        if before and not await _is_known(given, tenant, run_id):
            yield input_items(before, f"{response_id(run.id)}_1")
            return


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


def _brought(event: RunStarted | ClientReplied | ApprovalGiven) -> tuple[Message, ...]:
    match event:
        case RunStarted():
            return event.messages[event.history :]
        case ClientReplied():
            return event.results + event.messages
        case ApprovalGiven():
            return ()
        case _:
            assert_never(event)


def _within(entry: Entry, after: int, end: int | None) -> bool:
    return after < entry.seq and (end is None or entry.seq <= end)


def _name(leg: Started) -> str:
    return response_id(leg.run.id, leg.after)
