"""Scenarios, and the interleaved rounds that measure every server in each of them."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import msgspec

from bench import load, proc, servers

# Work that a server leaves for after the last byte belongs to its runs.
SETTLE = 0.25


class Scenario(msgspec.Struct, frozen=True):
    """`streams` side by side, each `runs` runs of one tool round and `deltas` deltas."""

    name: str
    mode: str
    streams: int
    runs: int
    deltas: int = 200
    ramp: float = 0.0

    def base_url(self, upstream: servers.Server) -> str:
        return f"{upstream.address}/{self.mode}/{self.deltas}/v1"


class Figures(msgspec.Struct, frozen=True):
    """One server in one scenario."""

    cpu_ms_per_run: float
    cpu_us_per_delta: float
    first_ms: float
    lag_p50_ms: float
    lag_p99_ms: float
    health_p99_ms: float
    rss_mb: float
    runs_per_s: float
    upstream_ms_per_run: float
    client_ms_per_run: float


class Sample(msgspec.Struct, frozen=True):
    """One round of one server; no figures when no run came through."""

    scenario: str
    target: str
    figures: Figures | None
    faults: tuple[str, ...]


def median(samples: Sequence[Figures]) -> Figures:
    """Field by field."""
    rows = zip(*map(msgspec.structs.astuple, samples), strict=True)
    return Figures(*map(statistics.median, rows))


def rounds(
    scenario: Scenario, upstream: servers.Server, targets: Sequence[servers.Server], count: int
) -> Iterator[Sample]:
    """Warms every server up, then measures them in turn, `count` times over."""
    warm_up = msgspec.structs.replace(scenario, runs=1, ramp=0.0)
    for server in targets:
        if (sample := measure(warm_up, upstream, server)).faults:
            yield sample
    for _ in range(count):
        for server in targets:
            yield measure(scenario, upstream, server)


def measure(scenario: Scenario, upstream: servers.Server, server: servers.Server) -> Sample:
    before = proc.cpu_ms(server.pid), proc.cpu_ms(upstream.pid)
    try:
        result = _send(_order(scenario, server))
    except subprocess.SubprocessError as error:
        return Sample(scenario.name, server.name, None, (f"the load client failed: {error}",))
    time.sleep(SETTLE)
    after = proc.cpu_ms(server.pid), proc.cpu_ms(upstream.pid)
    figures = None
    if result.runs:
        figures = _figures(scenario, result, after[0] - before[0], after[1] - before[1], server.pid)
    return Sample(scenario.name, server.name, figures, result.faults)


def _order(scenario: Scenario, server: servers.Server) -> load.Order:
    return load.Order(
        url=server.chat_url,
        streams=scenario.streams,
        runs=scenario.runs,
        deltas=scenario.deltas,
        ramp=scenario.ramp,
        key=servers.KEY,
    )


def _send(order: load.Order) -> load.Result:
    """In a process of its own, so that it shares no interpreter with what it measures."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", msgspec.json.encode(order)],
        cwd=servers.ROOT,
        stdout=subprocess.PIPE,
        timeout=order.timeout + 10,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=load.Result)


def _figures(
    scenario: Scenario, result: load.Result, server_ms: float, upstream_ms: float, pid: int
) -> Figures:
    return Figures(
        cpu_ms_per_run=server_ms / result.runs,
        cpu_us_per_delta=server_ms * 1e3 / (result.runs * scenario.deltas),
        first_ms=result.first_p50,
        lag_p50_ms=result.lag_p50,
        lag_p99_ms=result.lag_p99,
        health_p99_ms=result.health_p99,
        rss_mb=proc.peak_rss_mb(pid),
        runs_per_s=result.runs / result.wall_s,
        upstream_ms_per_run=upstream_ms / result.runs,
        client_ms_per_run=result.cpu_ms / result.runs,
    )
