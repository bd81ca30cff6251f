"""Everything that one run of the benchmark found, as it is kept in a file."""

import msgspec

from bench.goals import Verdict
from bench.measure import Figures, Sample
from bench.scenarios import Scenario

FAULTY, INCOMPLETE = 1, 2


class Machine(msgspec.Struct, frozen=True):
    """Where it was measured, as far as ratios depend on it."""

    cores: int = 0
    python: str = ""
    sqlite: str = ""


class Point(msgspec.Struct, frozen=True):
    """CPU per unit at a size: of a delta in a run so long, of a turn behind so many."""

    size: int
    cpu: float
    sent: float = 0.0


class Start(msgspec.Struct, frozen=True):
    """From the command to the first health check that is answered, and the memory then."""

    ready_s: float
    idle_mb: float


class Outcome(msgspec.Struct):
    scenarios: dict[str, Scenario] = {}
    medians: dict[str, dict[str, Figures]] = {}
    first_of_upstream: dict[str, float] = {}
    lengths: list[Point] = []
    turns: list[Point] = []
    replay_per_s: float | None = None
    starts: dict[str, Start] = {}
    verdicts: list[Verdict] = []
    samples: list[Sample] = []
    absent: dict[str, str] = {}
    machine: Machine = Machine()

    @property
    def exit_code(self) -> int:
        """A peer that is missing or fails is told, and is no failure of ours."""
        if any(sample.faults for sample in self.samples if sample.ours):
            return FAULTY
        return INCOMPLETE if self.absent.keys() & {"relay", "floor", "angelia"} else 0
