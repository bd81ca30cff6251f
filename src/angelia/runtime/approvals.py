"""What people say to runs that ask: on any surface, once, and kept where they agree for longer."""

from collections.abc import Sequence

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from angelia.core.approval_words import Given, read
from angelia.core.events import (
    ApprovalGiven,
    ApprovalRequested,
    Asked,
    Choice,
    ClientReplied,
    Entry,
    Fact,
    Steered,
)
from angelia.core.messages import Message, Text, User
from angelia.core.state import RunState, pending
from angelia.errors import Conflict, NotFound
from angelia.ports import Claim, Clock, Grant, GrantStore, RunRecord
from angelia.runtime.ids import fresh
from angelia.runtime.runs import Runs, Started
from angelia.runtime.sessions import Continuation

SAID_OTHERWISE = "they said something else instead, which follows."


class Decision(Struct, frozen=True):
    """An answer to the approval of that id, or to the only one that is pending."""

    choice: Choice
    approval_id: str | None = None
    code: str | None = None
    reason: str = ""


class Said(Struct, frozen=True):
    """What a client says to a run that asks: `decisions`, and `messages` in a person's words.

    Where there are no decisions, the words may hold them. `request` as in `ClientReplied`.
    """

    messages: tuple[Message, ...] = ()
    decisions: tuple[Decision, ...] = ()
    request: Raw | UnsetType = UNSET
    claim: Claim | None = None


class Approvals:
    def __init__(self, runs: Runs, grants: GrantStore, clock: Clock) -> None:
        self._runs = runs
        self._grants = grants
        self._clock = clock

    async def answer(self, run: RunRecord, decision: Decision) -> None:
        """The first answer counts. Raises Conflict when nothing like it is pending."""
        facts = await self._runs.facts(run.id)
        told: list[tuple[Asked, ApprovalGiven]] = []

        def words(state: RunState) -> Sequence[Fact]:
            asked = _meant(decision, pending(state.calls), facts)
            told.append((asked, _fact(asked, decision.choice, decision.reason)))
            return (told[0][1],)

        try:
            await self._runs.tell(run.id, words)
        except Conflict as refusal:
            if refusal.code != "run_ended":
                raise
            raise _not_pending(decision, (), await self._runs.facts(run.id)) from None
        await self._keep(run, told)

    async def go_on(self, run: RunRecord, said: Said) -> Started | None:
        """The run that asks, going on with what is said to it; None if it asks no more.

        Raises Conflict for decisions about what is not pending.
        """
        told: list[tuple[Asked, ApprovalGiven]] = []
        facts = await self._runs.facts(run.id)

        def words(state: RunState) -> Sequence[Fact]:
            asked = pending(state.calls)
            if state.status != "waiting_for_approval":
                raise Conflict(f"Run {run.id!r} asks for nothing.", code="run_not_waiting")
            told.extend(_decided(said, asked, facts))
            heard = ClientReplied((), said.messages, request=said.request)
            return (heard, *(fact for _, fact in told), *_rest(said, told))

        try:
            after = await self._runs.tell(run.id, words, said.claim)
        except Conflict as refusal:
            if refusal.code == "claim_held" and said.claim is not None:
                return await self._runs.claimed(run.tenant, said.claim)
            if refusal.code in ("run_not_waiting", "run_ended"):
                return None
            raise
        await self._keep(run, told)
        return Started(run, after)

    async def heard(self, found: Continuation, said: Said) -> Started | None:
        """The run whose question is answered by what is new; None if there is none."""
        if found.joined is not None:
            return found.joined
        if found.asks is None:
            return None
        return await self.go_on(found.asks, replace(said, messages=found.messages))

    async def find(self, tenant: str) -> Sequence[Grant]:
        return await self._grants.find(tenant)

    async def revoke(self, tenant: str, grant_id: str) -> None:
        """It does not hold from the next run on."""
        if not await self._grants.delete(tenant, grant_id):
            raise NotFound(
                f"There is no grant {grant_id!r}.", param="grant_id", code="grant_not_found"
            )

    async def _keep(self, run: RunRecord, told: Sequence[tuple[Asked, ApprovalGiven]]) -> None:
        now = self._clock.now()
        grants = [
            Grant(
                id=fresh("grant", now),
                tenant=run.tenant,
                what=what,
                created_at=now,
                run_id=run.id,
                user=run.user,
                session_id=run.session_id if fact.choice == "session" else None,
            )
            for asked, fact in told
            if fact.choice == "always" or (fact.choice == "session" and run.session_id)
            for what in asked.covers
        ]
        if grants:
            await self._grants.put(grants)


def _fact(asked: Asked, choice: Choice, reason: str) -> ApprovalGiven:
    return ApprovalGiven(asked.approval_id, choice, reason=reason)


# ── which one is meant ──────────────────────────────────────────────────────────────────────


def _meant(decision: Decision, asked: Sequence[Asked], facts: Sequence[Entry]) -> Asked:
    """Raises Conflict, which says what is pending and what was decided before."""
    found = [one for one in asked if _names(decision, one)]
    if len(found) == 1:
        return found[0]
    raise _not_pending(decision, asked, facts)


def _names(decision: Decision, one: Asked) -> bool:
    by_id = decision.approval_id in (None, one.approval_id)
    return by_id and (decision.code is None or decision.code.upper() == one.code)


def _not_pending(decision: Decision, asked: Sequence[Asked], facts: Sequence[Entry]) -> Conflict:
    listed = "; ".join(f"{one.approval_id} (code {one.code}, {one.name})" for one in asked)
    param = "code" if decision.code is not None else "approval_id"
    if decision.approval_id is None and decision.code is None and asked:
        message = f"Several approvals are pending; name one of them: {listed}."
    else:
        message = f"No such approval is pending. {_earlier(decision, facts)}Pending: " + (
            f"{listed}." if listed else "none."
        )
    return Conflict(message, param=param, code="approval_not_pending")


def _earlier(decision: Decision, facts: Sequence[Entry]) -> str:
    """What was decided about the one that is meant, or about the last one."""
    codes = {
        entry.event.approval_id: entry.event.code
        for entry in facts
        if isinstance(entry.event, ApprovalRequested)
    }
    given = [entry.event for entry in facts if isinstance(entry.event, ApprovalGiven)]
    meant = [
        fact
        for fact in given
        if decision.approval_id in (None, fact.approval_id)
        and (decision.code is None or codes.get(fact.approval_id) == decision.code.upper())
    ]
    if not meant:
        return ""
    first = meant[0] if decision.approval_id or decision.code else meant[-1]
    how = "it expired" if first.by == "expired" else f"the answer was {first.choice!r}"
    return f"{first.approval_id} was settled before: {how}. "


# ── what is said ────────────────────────────────────────────────────────────────────────────


def _decided(
    said: Said, asked: Sequence[Asked], facts: Sequence[Entry]
) -> list[tuple[Asked, ApprovalGiven]]:
    if said.decisions:
        chosen = [(_meant(one, asked, facts), one) for one in said.decisions]
        return [(which, _fact(which, one.choice, one.reason)) for which, one in chosen]
    answer = read(_text(said.messages), [one.code for one in asked])
    if answer == "unclear":
        return []
    if answer is None:
        return [(one, _fact(one, "deny", SAID_OTHERWISE)) for one in asked]
    by_code = {one.code: one for one in asked}
    return [(by_code[given.code], _given(by_code[given.code], given)) for given in answer]


def _given(asked: Asked, given: Given) -> ApprovalGiven:
    return _fact(asked, given.choice, given.reason)


def _rest(said: Said, told: Sequence[tuple[Asked, ApprovalGiven]]) -> tuple[Fact, ...]:
    """What the model is to read besides: whatever was no answer."""
    otherwise = any(fact.reason == SAID_OTHERWISE for _, fact in told)
    if said.messages and (said.decisions or otherwise):
        return (Steered(said.messages),)
    return ()


def _text(messages: Sequence[Message]) -> str:
    """The words of an answer, which is one message with nothing but text."""
    users = [message for message in messages if isinstance(message, User)]
    if len(users) != 1 or not all(isinstance(part, Text) for part in users[0].parts):
        return ""
    return " ".join(part.text for part in users[0].parts if isinstance(part, Text))
