"""Meters and gauges in the text format of Prometheus.

Imported with the first look at them: the library behind it takes long to load. What is counted
is copied in single steps of the interpreter, between which the loop may count on.
"""

import platform
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from angelia import __version__
from angelia.runtime.meters import Counter, Gauge, Histogram, Meters, Series


def exposed(meters: Meters, gauges: Sequence[Gauge]) -> bytes:
    """May be called beside the loop, which goes on counting meanwhile."""
    return generate_latest(Everything(meters, gauges))


class Everything(Collector):
    def __init__(self, meters: Meters, gauges: Sequence[Gauge]) -> None:
        self._meters = meters
        self._gauges = gauges
        self._process = ProcessCollector(registry=CollectorRegistry())

    def collect(self) -> Iterator[Metric]:
        yield _build()
        for gauge in self._gauges:
            yield GaugeMetricFamily(gauge.name, gauge.meaning, value=gauge.value)
        yield from map(_counter, self._meters.counters)
        yield from map(_histogram, self._meters.histograms)
        yield from self._process.collect()


def _build() -> Metric:
    about = {"version": __version__, "python": platform.python_version()}
    return InfoMetricFamily("angelia_build", "What is running.", value=about)


def _counter(counter: Counter) -> Metric:
    family = CounterMetricFamily(counter.name, counter.meaning, labels=counter.labels)
    for labels, value in tuple(counter.values.items()):
        family.add_metric(labels, value)
    return family


def _histogram(histogram: Histogram) -> Metric:
    family = HistogramMetricFamily(histogram.name, histogram.meaning, labels=histogram.labels)
    for labels, series in tuple(histogram.values.items()):
        family.add_metric(labels, _buckets(histogram, series), series.total)
    return family


def _buckets(histogram: Histogram, series: Series) -> list[tuple[str, float]]:
    """Prometheus counts in each bucket all that is in the smaller ones too."""
    names = (*map(str, histogram.bounds), "+Inf")
    return list(zip(names, accumulate(tuple(series.counts)), strict=True))
