"""The interleaved rounds that measure every server in a scenario."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from bench import load, proc, servers
from bench.scenarios import OURS, Scenario

# Work that a server leaves for after the last byte belongs to its runs.
SETTLE = 0.25
WARM_STREAMS = 100


class Figures(msgspec.Struct, frozen=True):
    """One server in one scenario.

    `late` is how far the upstream itself was behind, and `busy` how many cores server, upstream and
    client took together: where either is high, lag says more of the machine than of the server.
    """

    cpu_ms_per_run: float
    cpu_us_per_delta: float
    first_ms: float
    lag_p50_ms: float
    lag_p99_ms: float
    late_p99_ms: float
    health_p99_ms: float
    rss_mb: float
    runs_per_s: float
    busy: float
    upstream_ms_per_run: float
    client_ms_per_run: float


class Sample(msgspec.Struct, frozen=True):
    """One round of one server; no figures when no run came through, or in a warm-up."""

    scenario: str
    target: str
    figures: Figures | None
    faults: tuple[str, ...]

    @property
    def ours(self) -> bool:
        return self.target in OURS


def median(samples: Sequence[Figures]) -> Figures:
    """Field by field."""
    rows = zip(*map(msgspec.structs.astuple, samples), strict=True)
    return Figures(*map(statistics.median, rows))


def base_url(scenario: Scenario, upstream: servers.Server) -> str:
    return f"{upstream.address}/{scenario.script}/v1"


def rounds(
    scenario: Scenario, upstream: servers.Server, targets: Sequence[servers.Server]
) -> Iterator[Sample]:
    """Warms all servers up at once, then measures them in turn, as often as the scenario says."""
    with ThreadPoolExecutor() as pool:
        warmed = pool.map(lambda server: warm(scenario, upstream, server), targets)
        yield from (sample for sample in warmed if sample.faults)
    for _ in range(scenario.rounds):
        for server in targets:
            yield measure(scenario, upstream, server)


def warm(scenario: Scenario, upstream: servers.Server, server: servers.Server) -> Sample:
    """What a server does the first time does not count."""
    few = min(scenario.streams, WARM_STREAMS)
    once = msgspec.structs.replace(scenario, runs=1, ramp=0.0, streams=few)
    return msgspec.structs.replace(measure(once, upstream, server), figures=None)


def first_of_upstream(scenario: Scenario, upstream: servers.Server) -> float:
    """Time to the first delta with nothing between client and model, in ms."""
    direct = msgspec.structs.replace(scenario, runs=1, deltas=2, tools=False, surface="chat")
    server = msgspec.structs.replace(upstream, address=f"{upstream.address}/{direct.script}")
    return _send(_order(direct, server)).first_p50


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
        url=server.address,
        streams=scenario.streams,
        runs=scenario.runs,
        deltas=scenario.deltas,
        dialect=server.dialect(scenario.surface),
        health=server.health if scenario.probed else "",
        period=1 / scenario.pace if scenario.pace else 0.0,
        ramp=scenario.ramp,
        timeout=scenario.timeout,
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
        late_p99_ms=result.late_p99,
        health_p99_ms=result.health_p99,
        rss_mb=proc.peak_rss_mb(pid),
        runs_per_s=result.runs / result.wall_s,
        busy=(server_ms + upstream_ms + result.cpu_ms) / 1e3 / result.wall_s,
        upstream_ms_per_run=upstream_ms / result.runs,
        client_ms_per_run=result.cpu_ms / result.runs,
    )
