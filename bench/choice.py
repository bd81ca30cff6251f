"""Which of all there is to measure somebody wants measured, and on whom."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import msgspec

from bench import scenarios
from bench.scenarios import OURS, PEERS, Scenario

BESIDES = ("length", "turns", "replay", "start")
"""What is measured besides the scenarios."""


class Choice(msgspec.Struct, frozen=True):
    scenarios: tuple[Scenario, ...]
    besides: tuple[str, ...]
    servers: tuple[str, ...]


def every() -> dict[str, Scenario]:
    return {scenario.name: scenario for scenario in (*scenarios.matrix(), *scenarios.peers())}


def names() -> tuple[str, ...]:
    return (*every(), *BESIDES, *OURS, *PEERS)


def choose(only: Sequence[str], *, whole: bool = False) -> Choice:
    """Names with `*` and `?`; without one of a thing the usual ones, of a server all of them."""
    known = every()
    usual = [scenario.name for scenario in (*scenarios.CHOSEN, *scenarios.peers())]
    things = matching((*known, *BESIDES), only) or (*(known if whole else usual), *BESIDES)
    return Choice(
        tuple(known[name] for name in things if name in known),
        tuple(name for name in things if name in BESIDES),
        matching((*OURS, *PEERS), only) or (*OURS, *PEERS),
    )


def matching(names: Iterable[str], patterns: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if any(fnmatchcase(name, one) for one in patterns))
