"""Where a conversation goes on: by what its client resends, by the session or run it names."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.chain import agrees, chain, chains, prefixes, shown, spoken
from angelia.core.events import ClientReplied, Entry
from angelia.core.legs import Leg, leg_after, legs, said_by, state_at, words
from angelia.core.messages import Assistant, Image, Message, Refusal, Text, User
from angelia.core.state import Ended, RunState, pending
from angelia.errors import NotFound
from angelia.ports import History, RunFilter, RunRecord
from angelia.runtime.library import CUT_SHORT
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs, Started

# A conversation whose fingerprints take longer than a thread costs.
LARGE = 256 * 1024
MESSAGE_SIZE = 64
# Whoever edits a conversation edits it near its end.
MOST_PREFIXES = 400

Result = TypeVar("Result")


class Continuation(Struct, frozen=True):
    """What is new in a request, and what it goes on from; see `Order` for the rest.

    A run that `asks` may be what the new words are for. One that has been told the very same words
    a moment ago is `joined` behind that seq.
    """

    messages: tuple[Message, ...]
    history: tuple[Message, ...] = ()
    parent: str | None = None
    session_id: str | None = None
    follows: bool = False
    yields: bool = False
    asks: RunRecord | None = None
    joined: Started | None = None

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
        asking = await self._asking(tenant, user, named or usual)
        if asking is not None and await self._is_meant(asking, found, messages, named):
            new = _unanswered(messages)
            return Continuation(new, session_id=asking.session_id, follows=True, asks=asking)
        if found is not None:
            run = await self._runs.get(tenant, found.run_id)
            going_on = await self._after_question(run, found)
            session_id = named or usual or run.session_id
            return going_on or Continuation(
                found.new, found.known, found.run_id, session_id, yields=named is None
            )
        if named is not None and await self._has_runs(tenant, named):
            return Continuation(_unanswered(messages), session_id=named, follows=True)
        return Continuation(messages, session_id=named or usual, yields=named is None)

    async def asked_in(
        self, tenant: str, user: str | None, session_id: str, messages: tuple[Message, ...]
    ) -> Continuation | None:
        """What is said in a session whose last word was a question to a person."""
        asking = await self._asking(tenant, user, session_id)
        if asking is None:
            return None
        return Continuation(messages, session_id=session_id, follows=True, asks=asking)

    async def asked_behind(
        self, run: RunRecord, after: int, messages: tuple[Message, ...]
    ) -> Continuation | None:
        """The same behind a leg of a run; None if it ended otherwise, or was answered there."""
        leg = leg_after(await self._runs.facts(run.id), after)
        if leg is None:
            return None
        return await self._after_question(run, Recognised(run.id, (), messages, leg))

    async def _asking(
        self, tenant: str, user: str | None, session_id: str | None
    ) -> RunRecord | None:
        """The run of this user that asks a person in the session."""
        if session_id is None:
            return None
        wanted = RunFilter(
            tenant, session_id=session_id, statuses=("waiting_for_approval",), limit=5
        )
        return next((run for run in await self._runs.find(wanted) if run.user == user), None)

    async def _is_meant(
        self,
        asking: RunRecord,
        found: "Recognised | None",
        messages: tuple[Message, ...],
        named: str | None,
    ) -> bool:
        """Whether what cannot be recognised is said to the run that asks in its session."""
        if named is not None:
            return found is None or found.run_id != asking.id
        return found is None and await self._is_quoted(asking, messages)

    async def _is_quoted(self, run: RunRecord, messages: tuple[Message, ...]) -> bool:
        """Whether the last answer that a client resends holds the question of the run."""
        answers = [said for said in messages if isinstance(said, Assistant)]
        if not answers or not isinstance(messages[-1], User):
            return False
        asked = pending((await self._runs.state(run.id)).calls)
        return all(one.code and one.code in spoken(answers[-1]) for one in asked)

    async def _after_question(self, run: RunRecord, found: "Recognised") -> Continuation | None:
        """Where words go that follow a question; None where they branch off, as others do."""
        if found.leg is None or not found.leg.asks or not _is_said_by_people(found.new):
            return None
        facts = await self._runs.facts(run.id)
        later = [leg for leg in legs(facts) if leg.after > found.leg.after]
        state = await self._runs.state(run.id)
        if any(leg.answers for leg in later):
            return self._joined(run, state, found, later, facts)
        if state.status == "waiting_for_approval":
            session_id = run.session_id or None
            return Continuation(found.new, session_id=session_id, follows=True, asks=run)
        if isinstance(state.phase, Ended):
            known = said_by(await self._runs.read(run.id), Leg(0, None))
            return Continuation(found.new, known, run.id, run.session_id or None, yields=True)
        return Continuation(found.new, session_id=run.session_id, follows=True)

    def _joined(
        self,
        run: RunRecord,
        state: RunState,
        found: "Recognised",
        later: Sequence[Leg],
        facts: Sequence[Entry],
    ) -> Continuation | None:
        """A request that comes again while the run works on it means the same leg."""
        began = words(facts, later[0].after).event
        same = isinstance(began, ClientReplied) and began.messages == found.new
        if not same or len(later) > 1 or isinstance(state.phase, Ended):
            return None
        return Continuation(found.new, joined=Started(run, later[0].after, replayed=True))

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
            said, leg = await self._as_served(run_id, fingerprint, seed, large=large)
            if not agrees(messages[: longer[fingerprint]], said):
                return found
            found = Recognised(run_id, said, messages[longer[fingerprint] :], leg)
            if await _aside(partial(chain, said, seed), large=large) == fingerprint:
                return found
            messages, known = said + found.new, len(said)

    async def _as_served(
        self, run_id: str, fingerprint: str, seed: str, *, large: bool
    ) -> "Served":
        """What a run knew when it served that; one with a client's turn in it served several."""
        facts = await self._runs.facts(run_id)
        said = await _aside(partial(_said_as, facts, fingerprint, seed), large=large)
        if said is not None:
            return said
        entries = await self._runs.read(run_id)
        return await _aside(partial(_passed_by_as, entries, fingerprint, seed), large=large)

    async def _has_runs(self, tenant: str, session_id: str) -> bool:
        return bool(await self._runs.find(RunFilter(tenant, session_id=session_id, limit=1)))


Served = tuple[tuple[Message, ...], Leg]


class Recognised(Struct, frozen=True):
    """What the run `run_id` knew in its `leg` to have been said, and what is new behind it."""

    run_id: str
    known: tuple[Message, ...]
    new: tuple[Message, ...]
    leg: Leg | None = None


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


def _said_as(facts: Sequence[Entry], fingerprint: str, seed: str) -> Served | None:
    for leg in legs(facts):
        said = said_by(facts, leg)
        # What a person was asked was shown as well.
        if not leg.asks and chain(said, seed) == fingerprint:
            return said, leg
    return None


def _passed_by_as(entries: Sequence[Entry], fingerprint: str, seed: str) -> Served:
    passed_by = [leg for leg in legs(entries) if fingerprint in _shown(entries, leg, seed)]
    leg = passed_by[0] if passed_by else legs(entries)[-1]
    return said_by(entries, leg), leg


def _is_said_by_people(messages: Sequence[Message]) -> bool:
    return bool(messages) and all(isinstance(said, User) for said in messages)


def _shown(entries: Sequence[Entry], leg: Leg, seed: str) -> tuple[str, ...]:
    """The fingerprints of the conversation for whoever was shown its text."""
    state = state_at(entries, leg)
    events = [entry.event for entry in entries if leg.end is None or entry.seq <= leg.end]
    return chains(state.messages, state.opening, shown(events), seed)


def _unanswered(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """What stands behind the last answer; everything if there is none."""
    answers = [place for place, said in enumerate(messages) if isinstance(said, Assistant)]
    return messages[answers[-1] + 1 :] if answers else messages
