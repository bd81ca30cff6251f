"""One run of the benchmark, from the first server to the last verdict."""

import contextlib
import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from bench import goals, growth, measure, replay, report, servers, start
from bench.choice import Choice
from bench.outcome import Machine, Outcome, Point
from bench.peers.environments import absence
from bench.scenarios import OURS, PEERS, Scenario


class Course:
    """Measures what was chosen; what cannot be measured is named with the reason."""

    def __init__(self, console: Console, home: Path, *, quick: bool = False) -> None:
        self._console = console
        self._home = home
        self._quick = quick
        self._present: tuple[str, ...] = ()
        self.outcome = Outcome(machine=_machine())

    def run(self, choice: Choice) -> Outcome:
        self._present = tuple(self._able(choice))
        with servers.upstream(self._home) as upstream:
            for scenario in choice.scenarios:
                self._play(scenario, upstream)
            for name in choice.besides:
                self._besides(name, upstream)
        self._compare()
        return self.outcome

    def _able(self, choice: Choice) -> Iterator[str]:
        needed = {name for scenario in choice.scenarios for name in scenario.servers}
        for name in choice.servers:
            reason = absence(name) if name in PEERS and name in needed else ""
            if reason:
                self._miss(name, reason)
            else:
                yield name

    # ── scenarios ───────────────────────────────────────────────────────────────────────────

    def _play(self, scenario: Scenario, upstream: servers.Server) -> None:
        if not set(scenario.servers) & set(self._present) - _beside(scenario):
            return
        with contextlib.ExitStack() as stack:
            targets = list(self._start(stack, scenario, upstream))
            own = measure.first_of_upstream(scenario, upstream)
            samples = list(self._watched(measure.rounds(scenario, upstream, targets)))
        medians = _medians(samples)
        self.outcome.scenarios[scenario.name] = scenario
        self.outcome.first_of_upstream[scenario.name] = own
        self.outcome.samples += samples
        self.outcome.medians[scenario.name] = medians
        self.outcome.verdicts += goals.verdicts(scenario.name, medians, samples)
        report.print_scenario(self._console, scenario, medians)

    def _start(
        self, stack: contextlib.ExitStack, scenario: Scenario, upstream: servers.Server
    ) -> Iterator[servers.Server]:
        for name in scenario.servers:
            if name not in self._present:
                continue
            address = measure.base_url(scenario, upstream)
            home = self._home / scenario.name / name
            try:
                yield stack.enter_context(servers.target(name, address, home))
            except servers.NotReady as error:
                self._miss(name, str(error))

    def _watched(self, samples: Iterator[measure.Sample]) -> Iterator[measure.Sample]:
        for sample in samples:
            for fault in sample.faults[:3]:
                self._shout(f"FAULT in {sample.scenario} at {sample.target}: {fault}")
            yield sample

    # ── besides ─────────────────────────────────────────────────────────────────────────────

    def _besides(self, name: str, upstream: servers.Server) -> None:
        match name:
            case "length":
                self._lengths(upstream)
            case "turns":
                self._turns(upstream)
            case "replay":
                self._replay(upstream)
            case "start":
                times = 1 if self._quick else start.TIMES
                names = [name for name in OURS if name in self._present]
                self.outcome.starts = start.measure(
                    names, "http://127.0.0.1:1/v1", self._home, times
                )
                self.outcome.verdicts += start.verdicts(self.outcome.starts)
            case _:
                raise ValueError(name)

    def _lengths(self, upstream: servers.Server) -> None:
        sizes = growth.QUICK_LENGTHS if self._quick else growth.LENGTHS
        for deltas, runs in sizes.items() if "angelia" in self._present else ():
            scenario = growth.run_of(deltas, runs)
            with self._angelia(scenario, upstream) as server:
                measure.warm(growth.run_of(min(sizes)), upstream, server)
                (sample,) = self._watched(iter([measure.measure(scenario, upstream, server)]))
            self.outcome.samples.append(sample)
            if sample.figures is not None:
                self.outcome.lengths.append(Point(deltas, sample.figures.cpu_us_per_delta))
        self.outcome.verdicts += growth.length_verdicts(self.outcome.lengths)

    def _turns(self, upstream: servers.Server) -> None:
        count = growth.QUICK_TURNS if self._quick else growth.TURNS
        if "angelia" in self._present:
            with self._angelia(growth.run_of(growth.DELTAS_PER_TURN), upstream) as server:
                self.outcome.turns = growth.turns(server, count)
        self.outcome.verdicts += growth.turn_verdicts(self.outcome.turns)

    def _replay(self, upstream: servers.Server) -> None:
        deltas = replay.QUICK_DELTAS if self._quick else replay.DELTAS
        if "angelia" in self._present:
            with self._angelia(growth.run_of(deltas), upstream) as server:
                self.outcome.replay_per_s = replay.measure(server)
        self.outcome.verdicts += replay.verdicts(self.outcome.replay_per_s)

    @contextlib.contextmanager
    def _angelia(self, scenario: Scenario, upstream: servers.Server) -> Iterator[servers.Server]:
        home = self._home / f"{scenario.name}-alone"
        with servers.target("angelia", measure.base_url(scenario, upstream), home) as server:
            yield server

    # ── the end ─────────────────────────────────────────────────────────────────────────────

    def _compare(self) -> None:
        medians = self.outcome.medians
        self._console.print()
        if "tool" in medians and "chat-burst-1" in medians:
            deltas = self.outcome.scenarios["chat-burst-1"].deltas
            report.print_split(self._console, medians["tool"], medians["chat-burst-1"], deltas)
            self._console.print()

    def _miss(self, name: str, reason: str) -> None:
        self.outcome.absent[name] = reason
        self._shout(f"{name} IS NOT IN THIS MEASUREMENT: {reason}")

    def _shout(self, text: str) -> None:
        self._console.print(f"!!! {text}", style="bold red", markup=False)


def _beside(scenario: Scenario) -> set[str]:
    """Those who take part so that others are compared with them."""
    return set(OURS) if set(scenario.servers) & set(PEERS) else set()


def _medians(samples: Sequence[measure.Sample]) -> dict[str, measure.Figures]:
    found: dict[str, list[measure.Figures]] = {}
    for sample in samples:
        if sample.figures is not None:
            found.setdefault(sample.target, []).append(sample.figures)
    return {name: measure.median(figures) for name, figures in found.items()}


def _machine() -> Machine:
    cores = len(os.sched_getaffinity(0))
    return Machine(cores, platform.python_version(), sqlite3.sqlite_version)
