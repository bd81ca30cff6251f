"""One model step as a transaction: asked along a chain of routes until there is a reply.

Above: the driver, which records what comes of it. Below: one attempt at one endpoint each. What to
do about a failed attempt is `judge`'s to say; how often, and who is next, is settled here. Before
anything was shown, all of it is invisible but for notices.
"""

from collections.abc import Sequence

from msgspec import Struct

from angelia.core.events import Notice
from angelia.core.messages import Prompt, Reply, ToolResult
from angelia.core.providers import backoff
from angelia.core.providers.remains import remains
from angelia.core.providers.verdict import (
    AskAgain,
    AskWhole,
    FallBack,
    GiveUp,
    RotateKey,
    Shorten,
    Verdict,
    judge,
)
from angelia.errors import UpstreamEmpty, UpstreamError, UpstreamOverflow, UpstreamStalled
from angelia.ports import Clock
from angelia.runtime.hedging import Race
from angelia.runtime.meters import Meters
from angelia.runtime.routes import Chain, Route
from angelia.runtime.step import Attempt, Step

# A provider that wants to be left alone for longer is not waited for.
LONGEST_WISH = 60.0
# Where somebody else can answer, nobody is kept waiting for longer than this.
SHORT_WAIT = 5.0


class Answer(Struct, frozen=True):
    """A reply and the attempt that gave it. What is left of one that was `cut` is not whole."""

    reply: Reply
    attempt: Attempt
    cut: bool = False


class Refusal(Struct, frozen=True):
    """A route that has no answer; `hopeless` if nobody else has one either."""

    route: Route
    error: UpstreamError
    verdict: Verdict

    @property
    def hopeless(self) -> bool:
        return isinstance(self.verdict, GiveUp)


class _Pause(Struct, frozen=True):
    """With another key, an attempt is not one more of the same."""

    seconds: float
    other_key: bool = False


class _Tries:
    """How often a route was asked in this step, and how many other keys it has for it."""

    def __init__(self, route: Route) -> None:
        self.route = route
        self.made = 1
        self.other_keys = len(route.provider.pool) - 1

    def count(self, pause: _Pause) -> None:
        self.made += not pause.other_key
        self.other_keys -= pause.other_key


class Asking:
    """One step. `seconds_left` is how much time the run has."""

    def __init__(
        self,
        chain: Chain,
        prompt: Prompt,
        step: Step,
        clock: Clock,
        *,
        seconds_left: float | None = None,
        meters: Meters | None = None,
    ) -> None:
        self._meters = meters or Meters()
        self._chain = chain
        self._prompt = prompt
        self._step = step
        self._clock = clock
        self._until = None if seconds_left is None else clock.monotonic() + seconds_left
        self._left = list(chain.routes)

    async def answer(self) -> Answer:
        """Raises UpstreamError; UpstreamOverflow if the prompt has to become shorter first."""
        refusals: list[Refusal] = []
        while self._left:
            answer = await self._ask_next(refusals)
            if answer is not None:
                return answer
            await self._heed(refusals)
            if any(refusal.hopeless for refusal in refusals):
                break
        return await self._rest(refusals)

    async def _ask_next(self, refusals: list[Refusal]) -> Answer | None:
        route = self._next_route()
        if refusals:
            await self._tell("fallback", f"{self._so_far(refusals[-1])} Asking {route.name}.")
        elif self._chain.hedge_after is not None and self._left:
            return await self._hedged(route, refusals)
        return _sorted(await self._ask_at(route), refusals)

    async def _hedged(self, route: Route, refusals: list[Refusal]) -> Answer | None:
        """The next route is asked as well if this one takes long to begin."""
        second = self._peek()
        race = Race[Answer | Refusal](self._step, self._clock, _is_answer)
        outcomes = await race.run(
            lambda: self._ask_at(route),
            lambda: self._ask_as_well(second),
            self._chain.hedge_after or 0.0,
        )
        if isinstance(outcomes[1], Refusal):
            self._left.remove(second)
        answers = [_sorted(outcome, refusals) for outcome in outcomes if outcome is not None]
        return next((answer for answer in answers if answer is not None), None)

    async def _ask_as_well(self, route: Route) -> Answer | Refusal:
        await self._tell("hedge", f"Nothing was shown yet. Asking {route.name} as well.")
        return await self._ask_at(route)

    def _next_route(self) -> Route:
        """The first that is fine; if none is, the first."""
        route = self._peek()
        self._left.remove(route)
        return route

    def _peek(self) -> Route:
        now = self._clock.monotonic()
        return next((route for route in self._left if route.is_fine(now)), self._left[0])

    # ── one route ───────────────────────────────────────────────────────────────────────

    async def _ask_at(self, route: Route) -> Answer | Refusal:
        await self._await_key(route)
        tries = _Tries(route)
        while True:
            key = route.provider.pool.pick(self._clock.monotonic())
            attempt = self._step.attempt(route.model)
            try:
                return Answer(await self._ask_once(route, key, attempt), attempt)
            except UpstreamError as error:
                verdict = judge(error, attempt.reached, self._clock.now())
                attempt.end = error.code.removeprefix("upstream_")
                attempt.refused = isinstance(verdict, GiveUp)
                self._meters.attempted(route.provider.name, error.code)
                self._note(route, key, verdict)
                pause = self._pause(tries, verdict)
                if pause is None:
                    return Refusal(route, error, verdict)
                tries.count(pause)
                await self._announce(route, error, attempt, pause)
            await self._clock.sleep(pause.seconds)

    async def _await_key(self, route: Route) -> None:
        """Others may have been told already that this provider wants to be left alone."""
        seconds = route.provider.pool.wait(self._clock.monotonic())
        if 0 < seconds <= self._longest_wait():
            await self._tell("retry", f"{route.name}: All keys rest. Asking in {seconds:.1f} s.")
            await self._clock.sleep(seconds)

    async def _ask_once(self, route: Route, key: int, attempt: Attempt) -> Reply:
        route.provider.breaker.ask(self._clock.monotonic())
        reply = await route.clients[key].ask(self._prompt, attempt.emit)
        route.provider.breaker.answered()
        self._meters.attempted(route.provider.name, "answered")
        return reply

    def _note(self, route: Route, key: int, verdict: Verdict) -> None:
        """What others should know before they ask there too."""
        now = self._clock.monotonic()
        match verdict:
            case RotateKey(rest=rest):
                route.provider.pool.rest(key, now + rest)
            case AskAgain() | FallBack():
                route.provider.breaker.failed(now)
            case AskWhole() | Shorten() | GiveUp():
                route.provider.breaker.answered()

    def _pause(self, tries: "_Tries", verdict: Verdict) -> "_Pause | None":
        """How long this route is left alone; None if it is not asked again."""
        resting = tries.route.provider.pool.wait(self._clock.monotonic())
        match verdict:
            case RotateKey():
                if tries.other_keys and not resting:
                    return _Pause(0.0, other_key=True)
                seconds = resting
            case AskAgain(after=wish):
                seconds = backoff.wait(tries.made, wish, self._chain.chance())
            case AskWhole() | FallBack() | Shorten() | GiveUp():
                return None
        worthwhile = tries.made <= tries.route.retries and seconds <= self._longest_wait()
        return _Pause(seconds) if worthwhile else None

    def _longest_wait(self) -> float:
        now = self._clock.monotonic()
        others = any(route.is_fine(now) for route in self._left)
        longest = SHORT_WAIT if others else LONGEST_WISH
        return longest if self._until is None else min(longest, self._until - now)

    async def _announce(
        self, route: Route, error: UpstreamError, attempt: Attempt, pause: "_Pause"
    ) -> None:
        said = f"{route.name}: {error.message}{_lost(attempt)}"
        if pause.other_key:
            await self._tell("rotate", f"{said} Asking with another key.")
        else:
            kind = "stall" if isinstance(error, UpstreamStalled) else "retry"
            await self._tell(kind, f"{said} Asking again in {pause.seconds:.1f} s.")

    def _so_far(self, refusal: Refusal) -> str:
        standing = self._step.standing
        lost = "" if standing is None else _lost(standing)
        return f"{refusal.route.name}: {refusal.error.message}{lost}"

    async def _tell(self, kind: str, message: str) -> None:
        await self._step.offer((Notice(kind, message),))

    # ── the end ─────────────────────────────────────────────────────────────────────────

    async def _heed(self, refusals: Sequence[Refusal]) -> None:
        """Of two that were asked at once, either may have found the prompt too long."""
        for refusal in refusals:
            if isinstance(refusal.verdict, Shorten):
                await self._step.void()
                raise UpstreamOverflow(refusal.error.message, refusal.verdict.limit)

    def _silence(self, refusal: Refusal) -> Answer | None:
        """A model that has nothing to add to what its tools said has answered after all."""
        error = refusal.error
        if not isinstance(error, UpstreamEmpty) or not isinstance(error.reply, Reply):
            return None
        last = self._prompt.messages[-1] if self._prompt.messages else None
        if error.reply.finish != "stop" or not isinstance(last, ToolResult):
            return None
        return Answer(error.reply, self._step.standing or self._step.attempt(refusal.route.model))

    async def _rest(self, refusals: Sequence[Refusal]) -> Answer:
        """What stands is delivered; if nothing does, the step has failed."""
        standing = self._step.standing
        left = None if standing is None else remains(standing.message(), standing.called)
        # Words that were shown are not taken back by an attempt that had none.
        if left is None and (silence := self._silence(refusals[-1])) is not None:
            return silence
        if standing is None or left is None or standing.refused:
            raise _told(refusals)
        why = refusals[-1].error.message
        await self._tell("cut_off", f"The answer is not whole: {why}{_lost(standing)}")
        if left.warning is not None:
            await standing.emit((left.warning,))
        return Answer(left.reply, standing, cut=True)


def _lost(attempt: Attempt) -> str:
    """Names the calls that were begun and are not made."""
    names = ", ".join(dict.fromkeys(attempt.called))
    return f" A call that was not received whole is not made: {names}." if names else ""


def _told(refusals: Sequence[Refusal]) -> UpstreamError:
    """The last error; with more than one route, in a message that says who said what."""
    error = refusals[-1].error
    if len(refusals) > 1:
        said = "; ".join(f"{refusal.route.name}: {refusal.error.message}" for refusal in refusals)
        error.message, error.args = said, (said,)
    return error


def _is_answer(outcome: Answer | Refusal) -> bool:
    return isinstance(outcome, Answer)


def _sorted(outcome: Answer | Refusal, refusals: list[Refusal]) -> Answer | None:
    if isinstance(outcome, Answer):
        return outcome
    refusals.append(outcome)
    return None
