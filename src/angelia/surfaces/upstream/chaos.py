"""Faults by chance: which request fails, and how, is settled by a seed and the request itself."""

from random import Random

from angelia.surfaces.upstream.script import Chaos, ErrorEvent, Fault, Place

_PLACES: tuple[Place, ...] = ("open", "reasoning", "text", "arguments")
_STATUSES = (500, 502, 503, 529)


def strike(chaos: Chaos, body: bytes, nth: int) -> Fault | None:
    """What goes wrong with a request that comes for the `nth` time.

    It does not depend on what else is asked meanwhile. Whatever strikes may pass, so it is worth
    asking again.
    """
    chance = Random(b"%d %d %b" % (chaos.seed, nth, body))  # noqa: S311 -- chance is no secret
    if chance.random() >= chaos.rate:
        return None
    place = chance.choice(_PLACES)
    return chance.choice(
        (
            Fault(status=chance.choice(_STATUSES), times=1),
            Fault(status=429, retry_after=round(chance.random() / 5, 3), times=1),
            Fault(reset=True, times=1),
            Fault(cut="start", times=1),
            Fault(empty=True, times=1),
            Fault(cut=place, times=1),
            Fault(stall=place, times=1),
            Fault(error_event=ErrorEvent(), after=place, times=1),
            Fault(error_event="lost", after=place, times=1),
            Fault(malformed=place, times=1),
            Fault(no_finish=place, times=1),
        )
    )
