"""The command: starts everything, measures in interleaved rounds, prints tables and targets."""

import argparse
import contextlib
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from bench import measure, report, search, servers

SCENARIOS = ("tool", "burst-1", "burst-32", "health", "paced")
FAULTY, INCOMPLETE = 1, 2


class Outcome(msgspec.Struct):
    """Everything that a run of the benchmark found."""

    medians: dict[str, dict[str, measure.Figures]] = {}
    verdicts: list[report.Verdict] = []
    samples: list[measure.Sample] = []
    absent: list[str] = []

    @property
    def exit_code(self) -> int:
        if any(sample.faults for sample in self.samples):
            return FAULTY
        return INCOMPLETE if self.absent else 0


class Bench:
    """One run of the benchmark."""

    def __init__(self, console: Console, home: Path, targets: Sequence[str], rounds: int) -> None:
        self._console = console
        self._home = home
        self._targets = targets
        self._rounds = rounds
        self.outcome = Outcome()

    def run(self, scenarios: Sequence[measure.Scenario]) -> None:
        with servers.upstream(self._home) as upstream:
            for scenario in scenarios:
                self._play(scenario, upstream)
        self._conclude(scenarios)

    def _play(self, scenario: measure.Scenario, upstream: servers.Server) -> None:
        with contextlib.ExitStack() as stack:
            targets = list(self._start(stack, scenario, upstream))
            samples = list(self._watched(measure.rounds(scenario, upstream, targets, self._rounds)))
        rounds = _by_target(samples)
        medians = {name: measure.median(figures) for name, figures in rounds.items()}
        self.outcome.samples += samples
        self.outcome.medians[scenario.name] = medians
        self.outcome.verdicts += report.verdicts(scenario, medians, rounds)
        report.print_scenario(self._console, scenario, medians, self._rounds)

    def _start(
        self, stack: contextlib.ExitStack, scenario: measure.Scenario, upstream: servers.Server
    ) -> Iterator[servers.Server]:
        for name in self._targets:
            home = self._home / scenario.name / name
            try:
                yield stack.enter_context(servers.target(name, scenario.base_url(upstream), home))
            except servers.NotReady as error:
                self.outcome.absent.append(f"{scenario.name}: {name}")
                self._shout(f"{name} IS NOT IN THIS MEASUREMENT: {error}")

    def _watched(self, samples: Iterator[measure.Sample]) -> Iterator[measure.Sample]:
        for sample in samples:
            for fault in sample.faults[:3]:
                self._shout(f"FAULT in {sample.scenario} at {sample.target}: {fault}")
            yield sample

    def _conclude(self, scenarios: Sequence[measure.Scenario]) -> None:
        medians = self.outcome.medians
        self._console.print()
        if "tool" in medians and "burst-1" in medians:
            burst = next(s for s in scenarios if s.name == "burst-1")
            report.print_split(self._console, medians["tool"], medians["burst-1"], burst.deltas)
            self._console.print()
        report.print_verdicts(self._console, self.outcome.verdicts)

    def _shout(self, text: str) -> None:
        self._console.print(f"!!! {text}", style="bold red", markup=False)


def _by_target(samples: Sequence[measure.Sample]) -> dict[str, list[measure.Figures]]:
    found: dict[str, list[measure.Figures]] = {}
    for sample in samples:
        if sample.figures is not None:
            found.setdefault(sample.target, []).append(sample.figures)
    return found


def scenarios(runs: int, streams: int) -> list[measure.Scenario]:
    side_by_side = 32
    each = max(1, runs // side_by_side)
    return [
        measure.Scenario("tool", "burst", streams=1, runs=runs, deltas=1),
        measure.Scenario("burst-1", "burst", streams=1, runs=runs),
        measure.Scenario("burst-32", "burst", streams=side_by_side, runs=each),
        measure.Scenario("health", "paced", streams=50, runs=1, ramp=1.0),
        measure.Scenario("paced", "paced", streams=streams, runs=1, ramp=2.0),
    ]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds per scenario")
    parser.add_argument("--runs", type=int, default=96, help="runs per round of a burst")
    parser.add_argument("--streams", type=int, default=200, help="paced streams side by side")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        choices=SCENARIOS + servers.TARGETS,
        metavar="NAME",
        help=f"scenarios or servers to keep, of: {', '.join(SCENARIOS + servers.TARGETS)}",
    )
    parser.add_argument(
        "--quick", action="store_true", help="one short round, to see that it works"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured there")
    args = parser.parse_args(arguments)
    if args.quick:
        args.rounds, args.runs, args.streams = 1, 32, min(args.streams, 50)
    return args


def keep(names: Sequence[str], only: Sequence[str]) -> list[str]:
    """Those of the names that were asked for; all of them when none was."""
    return [name for name in names if name in only] or list(names)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["search"]:
        return search.main(arguments[1:])
    args = parse(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = Console(width=None if sys.stdout.isatty() else 120)
    names = keep(SCENARIOS, args.only)
    chosen = [s for s in scenarios(args.runs, args.streams) if s.name in names]
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        bench = Bench(console, Path(home), keep(servers.TARGETS, args.only), args.rounds)
        bench.run(chosen)
    if args.json:
        args.json.write_bytes(msgspec.json.format(msgspec.json.encode(bench.outcome)))
    return bench.outcome.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
