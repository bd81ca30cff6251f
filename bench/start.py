"""How long a server takes to be ready, and what it holds before anybody asks it anything."""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import proc, servers
from bench.goals import Verdict
from bench.outcome import Start

TIMES = 5
# What a server still does behind its first answered health check.
SETTLE = 0.5
READY_WITHIN, IDLE_MB = 0.8, 60.0


def measure(names: Sequence[str], base_url: str, home: Path, times: int) -> dict[str, Start]:
    """Medians, in rounds; each start finds an empty folder."""
    found: dict[str, list[Start]] = {name: [] for name in names}
    for number in range(times):
        for name in names:
            found[name].append(_once(name, base_url, home / f"{name}-{number}"))
    return {name: _median(starts) for name, starts in found.items()}


def verdicts(starts: dict[str, Start]) -> Iterator[Verdict]:
    own = starts.get("angelia")
    ready, idle = (own.ready_s, own.idle_mb) if own else (None, None)
    yield Verdict("server start to ready", "at most", READY_WITHIN, ready, "s")
    yield Verdict("idle RSS", "at most", IDLE_MB, idle, "MB")


def _once(name: str, base_url: str, home: Path) -> Start:
    with servers.target(name, base_url, home) as server:
        time.sleep(SETTLE)
        return Start(server.ready_s, proc.rss_mb(server.pid))


def _median(starts: Sequence[Start]) -> Start:
    return Start(
        statistics.median(start.ready_s for start in starts),
        statistics.median(start.idle_mb for start in starts),
    )
