"""The text that Prometheus reads, read back by its own parser."""

from prometheus_client.parser import text_string_to_metric_families

from angelia.runtime.meters import Gauge, Meters
from angelia.surfaces.http.exposition import exposed


def read(meters: Meters, *gauges: Gauge) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = exposed(meters, gauges).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_counters_and_gauges_are_what_was_counted() -> None:
    meters = Meters()
    meters.requested("/v1/runs/{run_id}", "GET", 200, 0.1)
    meters.tokens.add('a "strange"\nmodel', "input", amount=7)
    got = read(meters, Gauge("angelia_streams_open", "How many.", 3))
    labels = (("method", "GET"), ("route", "/v1/runs/{run_id}"), ("status", "200"))
    assert got["angelia_http_requests_total", labels] == 1
    assert got["angelia_tokens_total", (("kind", "input"), ("model", 'a "strange"\nmodel'))] == 7
    assert got["angelia_streams_open", ()] == 3


def test_a_bucket_holds_all_that_is_in_the_smaller_ones() -> None:
    meters = Meters()
    for seconds in (0.0005, 0.02, 0.02, 99):
        meters.append_seconds.observe(seconds)
    got = read(meters)
    buckets = {
        bound: got["angelia_log_append_seconds_bucket", (("le", bound),)] for bound in BOUNDS
    }
    assert buckets == {"0.001": 1, "0.01": 1, "0.025": 3, "2.5": 3, "+Inf": 4}
    assert got["angelia_log_append_seconds_count", ()] == 4
    assert got["angelia_log_append_seconds_sum", ()] == 99.0405


BOUNDS = ("0.001", "0.01", "0.025", "2.5", "+Inf")


def test_the_process_and_the_build_are_told_too() -> None:
    got = read(Meters())
    names = {name for name, _ in got}
    assert {"process_cpu_seconds_total", "process_resident_memory_bytes"} <= names
    assert [dict(labels).keys() for name, labels in got if name == "angelia_build_info"] == [
        {"version", "python"}
    ]
