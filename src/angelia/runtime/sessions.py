"""Where a conversation goes on: by what its client resends, by the session or run it names."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.chain import agrees, chain, chains, prefixes, shown
from angelia.core.events import Entry
from angelia.core.legs import Leg, leg_after, legs, said_by, state_at
from angelia.core.messages import Assistant, Image, Message, Refusal, Text, User
from angelia.errors import NotFound
from angelia.ports import History, RunFilter, RunRecord
from angelia.runtime.library import CUT_SHORT
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs

# A conversation whose fingerprints take longer than a thread costs.
LARGE = 256 * 1024
MESSAGE_SIZE = 64
# Whoever edits a conversation edits it near its end.
MOST_PREFIXES = 400

Result = TypeVar("Result")


class Continuation(Struct, frozen=True):
    """What is new in a request, and what it goes on from; see `Order` for the rest."""

    messages: tuple[Message, ...]
    history: tuple[Message, ...] = ()
    parent: str | None = None
    session_id: str | None = None
    follows: bool = False
    yields: bool = False

    def applied(self, order: Order) -> Order:
        return replace(
            order,
            messages=self.messages,
            history=self.history,
            parent=self.parent,
            session_id=self.session_id,
            follows=self.follows,
            yields=self.yields,
        )


class Sessions:
    def __init__(self, runs: Runs, history: History) -> None:
        self._runs = runs
        self._history = history

    async def resent(
        self,
        tenant: str,
        user: str | None,
        messages: tuple[Message, ...],
        *,
        named: str | None = None,
        usual: str | None = None,
    ) -> Continuation:
        """A conversation as a frontend resends it, with what was really said in its place.

        `named` is the session that the client insists on; `usual` is the one it has for this
        chat, if that is not busy with another branch of it.
        """
        found = await self._recognised(tenant, messages, user or "", named)
        if found is not None:
            run = await self._runs.get(tenant, found.run_id)
            session_id = named or usual or run.session_id
            return Continuation(
                found.new, found.known, found.run_id, session_id, yields=named is None
            )
        if named is not None and await self._has_runs(tenant, named):
            return Continuation(_unanswered(messages), session_id=named, follows=True)
        return Continuation(messages, session_id=named or usual, yields=named is None)

    async def behind(
        self, tenant: str, run_id: str, after: int
    ) -> tuple[RunRecord, tuple[Message, ...]]:
        """A run, and all that was said up to the end of its leg behind `after`.

        Raises NotFound for a leg that does not exist.
        """
        run = await self._runs.get(tenant, run_id)
        whole = run.status in CUT_SHORT
        entries = await (self._runs.read(run_id) if whole else self._runs.facts(run_id))
        leg = leg_after(entries, after)
        if leg is None:
            raise NotFound(f"The run {run_id!r} has no leg behind {after}.", code="run_not_found")
        return run, said_by(entries, leg)

    async def _recognised(
        self, tenant: str, messages: tuple[Message, ...], seed: str, session_id: str | None
    ) -> "Recognised | None":
        """As much of a conversation as was served.

        What was shown may differ from what was said, and later turns go on from what was said: so
        the one takes the place of the other before the rest is looked up.
        """
        found: Recognised | None = None
        known = 0
        large = _is_large(messages)
        while True:
            longer = await _aside(partial(_longest, messages, seed, known), large=large)
            match = await self._history.match(tenant, tuple(longer), session_id) if longer else None
            if match is None:
                return found
            fingerprint, run_id = match
            said = await self._as_served(run_id, fingerprint, seed, large=large)
            if not agrees(messages[: longer[fingerprint]], said):
                return found
            found = Recognised(run_id, said, messages[longer[fingerprint] :])
            if await _aside(partial(chain, said, seed), large=large) == fingerprint:
                return found
            messages, known = said + found.new, len(said)

    async def _as_served(
        self, run_id: str, fingerprint: str, seed: str, *, large: bool
    ) -> tuple[Message, ...]:
        """What a run knew when it served that; one with a client's turn in it served several."""
        facts = await self._runs.facts(run_id)
        said = await _aside(partial(_said_as, facts, fingerprint, seed), large=large)
        if said is not None:
            return said
        entries = await self._runs.read(run_id)
        return await _aside(partial(_passed_by_as, entries, fingerprint, seed), large=large)

    async def _has_runs(self, tenant: str, session_id: str) -> bool:
        return bool(await self._runs.find(RunFilter(tenant, session_id=session_id, limit=1)))


class Recognised(Struct, frozen=True):
    """What the run `run_id` knows to have been said, and what is new behind it."""

    run_id: str
    known: tuple[Message, ...]
    new: tuple[Message, ...]


async def _aside(work: Callable[[], Result], *, large: bool) -> Result:
    """What takes long happens in a thread, so that the loop goes on."""
    return await asyncio.to_thread(work) if large else work()


def _is_large(messages: Iterable[Message]) -> bool:
    size = 0
    for message in messages:
        size += MESSAGE_SIZE + _text_size(message)
        if size > LARGE:
            return True
    return False


def _text_size(message: Message) -> int:
    """Of what a fingerprint is made of."""
    if not isinstance(message, User | Assistant):
        return 0
    texts = sum(len(part.text) for part in message.parts if isinstance(part, Text | Refusal))
    return texts + sum(len(part.url) for part in message.parts if isinstance(part, Image))


def _longest(messages: Sequence[Message], seed: str, known: int) -> dict[str, int]:
    """How many messages the longest beginnings have that are longer than `known`, by chain."""
    found = [prefix for prefix in prefixes(messages, seed) if prefix.count > known]
    return {prefix.chain: prefix.count for prefix in found[:MOST_PREFIXES]}


def _said_as(facts: Sequence[Entry], fingerprint: str, seed: str) -> tuple[Message, ...] | None:
    for leg in legs(facts):
        said = said_by(facts, leg)
        if chain(said, seed) == fingerprint:
            return said
    return None


def _passed_by_as(entries: Sequence[Entry], fingerprint: str, seed: str) -> tuple[Message, ...]:
    passed_by = [leg for leg in legs(entries) if fingerprint in _shown(entries, leg, seed)]
    return said_by(entries, passed_by[0] if passed_by else legs(entries)[-1])


def _shown(entries: Sequence[Entry], leg: Leg, seed: str) -> tuple[str, ...]:
    """The fingerprints of the conversation for whoever was shown its text."""
    state = state_at(entries, leg)
    events = [entry.event for entry in entries if leg.end is None or entry.seq <= leg.end]
    return chains(state.messages, state.opening, shown(events), seed)


def _unanswered(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """What stands behind the last answer; everything if there is none."""
    answers = [place for place, said in enumerate(messages) if isinstance(said, Assistant)]
    return messages[answers[-1] + 1 :] if answers else messages
