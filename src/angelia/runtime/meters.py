"""What a process has counted since it started, as plain numbers that whoever watches it reads.

Fed where facts are written and requests end, never by a delta. Labels are words of ours, names
from the configuration and names of models, and there is a bound to how many: no tenant, no id and
no text of a user is ever among them.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from angelia.core.events import AnyEvent, Compacted, Failed, ModelReplied, RunEnded, ToolFinished
from angelia.core.messages import Usage
from angelia.core.state import Status
from angelia.ports import RunRecord

Labels = tuple[str, ...]

# Names of models come from providers, who may make up a new one for every answer.
MOST_SERIES = 1_000
OTHER = "other"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

MOMENTS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5)
WAITS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
CALLS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)


class Gauge(Struct, frozen=True):
    """How much there is of something at this moment."""

    name: str
    meaning: str
    value: float


class Counter:
    def __init__(self, name: str, meaning: str, *labels: str) -> None:
        self.name = name
        self.meaning = meaning
        self.labels = labels
        self.values: dict[Labels, float] = {}

    def add(self, *labels: str, amount: float = 1) -> None:
        if labels not in self.values and len(self.values) >= MOST_SERIES:
            labels = (OTHER,) * len(labels)
        self.values[labels] = self.values.get(labels, 0) + amount


class Series:
    """How often a value fell into each bucket, the last one being whatever is greater."""

    __slots__ = ("counts", "total")

    def __init__(self, buckets: int) -> None:
        self.counts = [0] * (buckets + 1)
        self.total = 0.0


class Histogram:
    def __init__(self, name: str, meaning: str, bounds: tuple[float, ...], *labels: str) -> None:
        self.name = name
        self.meaning = meaning
        self.bounds = bounds
        self.labels = labels
        self.values: dict[Labels, Series] = {}

    def observe(self, value: float, *labels: str) -> None:
        series = self.values.get(labels)
        if series is None:
            if len(self.values) >= MOST_SERIES:
                labels = (OTHER,) * len(labels)
            series = self.values.setdefault(labels, Series(len(self.bounds)))
        series.counts[bisect_left(self.bounds, value)] += 1
        series.total += value


class Meters:
    """`tools` are the names of the server's tools: a model may call what does not exist."""

    def __init__(self, tools: Iterable[str] = ()) -> None:
        self._tools = frozenset(tools)
        self.runs_started = Counter(
            "angelia_runs_started", "Runs that were started.", "surface", "model"
        )
        self.runs_ended = Counter(
            "angelia_runs_ended", "Runs that have ended.", "surface", "model", "status"
        )
        self.tokens = Counter(
            "angelia_tokens",
            "Tokens by kind; input holds cached and cache_written, output holds reasoning.",
            "model",
            "kind",
        )
        self.cost = Counter(
            "angelia_cost", "Money spent, in the currency of the configured prices.", "model"
        )
        self.tool_calls = Counter(
            "angelia_tool_calls", "Calls of the server's tools.", "tool", "outcome"
        )
        self.tool_seconds = Histogram(
            "angelia_tool_seconds", "How long calls of tools took.", CALLS, "tool"
        )
        self.model_seconds = Histogram(
            "angelia_model_seconds", "How long calls of the model took.", CALLS, "model"
        )
        self.first_delta_seconds = Histogram(
            "angelia_model_first_delta_seconds",
            "How long calls of the model took to show something.",
            WAITS,
            "model",
        )
        self.upstream_attempts = Counter(
            "angelia_upstream_attempts",
            "Questions to providers, by what became of them.",
            "provider",
            "outcome",
        )
        self.upstream_errors = Counter(
            "angelia_upstream_errors", "Runs that failed by the fault of a provider.", "code"
        )
        self.http_requests = Counter(
            "angelia_http_requests", "Requests that were answered.", "route", "method", "status"
        )
        self.http_seconds = Histogram(
            "angelia_http_request_seconds",
            "How long requests took, streams to their end.",
            WAITS,
            "route",
            "method",
        )
        self.append_seconds = Histogram(
            "angelia_log_append_seconds", "How long it took until facts were durable.", MOMENTS
        )
        self.webhooks = Counter(
            "angelia_webhook_attempts", "Attempts to tell a webhook of something.", "outcome"
        )

    @property
    def counters(self) -> Sequence[Counter]:
        return [meter for meter in vars(self).values() if isinstance(meter, Counter)]

    @property
    def histograms(self) -> Sequence[Histogram]:
        return [meter for meter in vars(self).values() if isinstance(meter, Histogram)]

    # ── what is counted, and where from ─────────────────────────────────────────────────────

    def started(self, run: RunRecord) -> None:
        self.runs_started.add(run.surface, run.model)

    def appended(
        self, run: RunRecord, status: Status, events: Iterable[AnyEvent], seconds: float
    ) -> None:
        """Events of a run that became durable together, and what the run is behind them."""
        self.append_seconds.observe(seconds)
        for event in events:
            match event:
                case ModelReplied(reply=reply):
                    self._used(reply.model or run.model, reply.usage or Usage(), event.cost)
                case Compacted(model=model):
                    self._used(model or run.model, event.usage, event.cost)
                case ToolFinished():
                    self._worked(event)
                case RunEnded():
                    self._ended(run, status, event)
                case _:
                    pass

    def asked(self, model: str, seconds: float, first_delta: float | None) -> None:
        """A call of the model that came to its own end, well or badly."""
        self.model_seconds.observe(seconds, model)
        if first_delta is not None:
            self.first_delta_seconds.observe(first_delta, model)

    def attempted(self, provider: str, outcome: str) -> None:
        """One question to one provider: `answered`, or the code of what went wrong."""
        self.upstream_attempts.add(provider, outcome)

    def requested(self, route: str, method: str, status: int, seconds: float) -> None:
        """`route` is a template, never the path that was asked for."""
        known = method if method in METHODS else OTHER
        self.http_requests.add(route, known, str(status))
        self.http_seconds.observe(seconds, route, known)

    def told(self, outcome: Literal["delivered", "retried", "given_up"]) -> None:
        self.webhooks.add(outcome)

    def _used(self, model: str, usage: Usage, cost: float) -> None:
        for kind, count in _kinds(usage):
            if count:
                self.tokens.add(model, kind, amount=count)
        if cost:
            self.cost.add(model, amount=cost)

    def _worked(self, fact: ToolFinished) -> None:
        tool = fact.name if fact.name in self._tools else OTHER
        self.tool_calls.add(tool, fact.outcome)
        self.tool_seconds.observe(fact.duration, tool)

    def _ended(self, run: RunRecord, status: Status, fact: RunEnded) -> None:
        self.runs_ended.add(run.surface, run.model, status)
        ending = fact.ending
        if isinstance(ending, Failed) and ending.code.startswith("upstream_"):
            self.upstream_errors.add(ending.code)


def _kinds(usage: Usage) -> Iterable[tuple[str, int]]:
    return (
        ("input", usage.input),
        ("output", usage.output),
        ("cached", usage.cached),
        ("cache_written", usage.cache_written),
        ("reasoning", usage.reasoning),
    )
