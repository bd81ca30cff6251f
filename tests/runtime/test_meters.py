"""What is counted, under labels that are ours and not too many."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import (
    Cancelled,
    Completed,
    Failed,
    ModelReplied,
    RunEnded,
    TextDelta,
    ToolFinished,
)
from angelia.core.messages import Assistant, Reply, Usage
from angelia.ports import RunRecord
from angelia.runtime.meters import MOST_SERIES, Counter, Histogram, Meters

RUN = RunRecord("run_1", "key_1", "angelia", "session", "chat", 1.0, 1.0)


def replied(usage: Usage | None, model: str | None = None, cost: float = 0.0) -> ModelReplied:
    return ModelReplied(Reply(Assistant(()), "stop", usage, model), {}, cost)


def test_runs_are_counted_by_surface_model_and_status() -> None:
    meters = Meters()
    meters.started(RUN)
    meters.appended(RUN, "cancelled", [TextDelta("x"), RunEnded(Cancelled())], 0.1)
    meters.appended(RUN, "completed", [RunEnded(Completed())], 0.1)
    assert meters.runs_started.values == {("chat", "angelia"): 1}
    assert meters.runs_ended.values == {
        ("chat", "angelia", "cancelled"): 1,
        ("chat", "angelia", "completed"): 1,
    }


def test_tokens_and_money_are_counted_by_the_model_that_the_provider_named() -> None:
    meters = Meters()
    usage = Usage(input=10, output=5, cached=3)
    meters.appended(RUN, "running", [replied(usage, "gpt", 0.25), replied(usage, "gpt", 0.5)], 0.1)
    meters.appended(RUN, "running", [replied(Usage(input=1)), replied(None)], 0.1)
    assert meters.tokens.values == {
        ("gpt", "input"): 20,
        ("gpt", "output"): 10,
        ("gpt", "cached"): 6,
        ("angelia", "input"): 1,
    }
    assert meters.cost.values == {("gpt",): 0.75}


def test_a_tool_that_a_model_made_up_is_counted_without_its_name() -> None:
    meters = Meters(["terminal"])
    done = [
        ToolFinished("1", "terminal", "ok", "", 0.2),
        ToolFinished("2", "my diary", "error", ""),
    ]
    meters.appended(RUN, "running", done, 0.1)
    assert meters.tool_calls.values == {("terminal", "ok"): 1, ("other", "error"): 1}
    assert meters.tool_seconds.values["terminal",].total == 0.2


def test_failures_of_providers_are_counted_by_code_and_others_are_not() -> None:
    meters = Meters()
    for code in ("upstream_stalled", "upstream_stalled", "internal_error"):
        meters.appended(RUN, "failed", [RunEnded(Failed("m", code))], 0.1)
    assert meters.upstream_errors.values == {("upstream_stalled",): 2}


def test_calls_of_the_model_that_showed_nothing_have_no_first_delta() -> None:
    meters = Meters()
    meters.asked("angelia", 2.0, 0.5)
    meters.asked("angelia", 1.0, None)
    assert meters.model_seconds.values["angelia",].total == 3.0
    assert sum(meters.first_delta_seconds.values["angelia",].counts) == 1


def test_requests_are_counted_under_methods_that_exist() -> None:
    meters = Meters()
    meters.requested("/v1/runs/{run_id}", "GET", 200, 0.1)
    meters.requested("/v1/runs/{run_id}", "BREW", 405, 0.1)
    assert meters.http_requests.values == {
        ("/v1/runs/{run_id}", "GET", "200"): 1,
        ("/v1/runs/{run_id}", "other", "405"): 1,
    }


def test_labels_beyond_the_bound_are_counted_together() -> None:
    counter, histogram = Counter("c", "", "model"), Histogram("h", "", (1.0,), "model")
    for number in range(MOST_SERIES + 10):
        counter.add(f"model {number}")
        histogram.observe(1, f"model {number}")
    assert len(counter.values) == len(histogram.values) == MOST_SERIES + 1
    assert counter.values["other",] == 10
    assert histogram.values["other",].total == 10
    counter.add("model 0")
    assert counter.values["model 0",] == 2


@given(st.lists(st.floats(0, 1000)))
def test_every_value_falls_into_the_smallest_bucket_that_holds_it(values: list[float]) -> None:
    histogram = Histogram("h", "", (0.5, 1.0, 10.0))
    for value in values:
        histogram.observe(value)
    bounds = (0.5, 1.0, 10.0, float("inf"))
    wanted = [0, 0, 0, 0]
    for value in values:
        wanted[next(i for i, bound in enumerate(bounds) if value <= bound)] += 1
    assert [series.counts for series in histogram.values.values()] == ([wanted] if values else [])


def test_no_two_meters_have_one_name() -> None:
    meters = Meters()
    names = [meter.name for meter in (*meters.counters, *meters.histograms)]
    assert len(set(names)) == len(names) > 10
