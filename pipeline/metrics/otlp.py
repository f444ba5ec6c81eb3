"""Sends the metrics to a collector of OpenTelemetry, by OTLP over HTTP."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricExportResult, MetricsData, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource

from tidegate.pipeline.metrics.named import METRICS, Metric, Seen, Type
from tidegate.record.errors import BadInput
from tidegate.record.version import VERSION

LONGEST_MS = 5_000
"""How long sending may take, with all its attempts, in ms."""
METRICS_PATH = "/v1/metrics"
"""The path where a collector of OpenTelemetry takes metrics."""
OF_THE_LIBRARY = logging.getLogger("opentelemetry")
Tell = Callable[[str], object]


def endpoint_of(option: str) -> str:
    """The URL to send metrics to, from the URL of a collector; a URL without a path gets the usual one.

    Raises BadInput for anything but a URL.
    """
    try:
        url = urlsplit(option)
        known = url.scheme in ("http", "https") and url.hostname and (url.port or 1)
    except ValueError:
        known = False
    if not known:
        raise BadInput(f"expected the URL of a collector, http://HOST:PORT, not {option!r}", field="otlp")
    return option if url.path.strip("/") else url._replace(path=METRICS_PATH).geturl()


class _Reason(logging.Handler):
    """Keeps the last complaint of the library, so that one sentence can report it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.words = "no reason is known"

    def emit(self, record: logging.LogRecord) -> None:
        self.words = record.getMessage()


class _Exporter(OTLPMetricExporter):
    """Reports once when the collector begins to fail, and once when it takes metrics again."""

    def __init__(self, endpoint: str, tell: Tell, reason: _Reason):
        super().__init__(endpoint=endpoint, timeout=LONGEST_MS / 1000)
        self._to, self._tell, self._reason, self._fails = endpoint, tell, reason, False

    def export(
        self, metrics_data: MetricsData, timeout_millis: float | None = None, **kwargs: Any
    ) -> MetricExportResult:
        result = super().export(metrics_data, timeout_millis, **kwargs)
        fails = result is not MetricExportResult.SUCCESS
        if fails and not self._fails:
            self._tell(f"{self._to}: takes no metrics, and is tried again: {self._reason.words}")
        if self._fails and not fails:
            self._tell(f"{self._to}: takes metrics again")
        self._fails = fails
        return result


@contextmanager
def exported(endpoint: str, seen: Callable[[], Seen], every_ms: float, tell: Tell) -> Iterator[None]:
    """Send the figures last seen every `every_ms` while the block runs, and once more at its end.

    A failing collector is reported in one sentence and does not end the block.
    """
    reason = _Reason()
    OF_THE_LIBRARY.addHandler(reason)
    OF_THE_LIBRARY.propagate = False
    reader = PeriodicExportingMetricReader(
        _Exporter(endpoint, tell, reason), export_interval_millis=every_ms, export_timeout_millis=LONGEST_MS
    )
    resource = Resource.create({"service.name": "tidegate", "service.version": VERSION})
    provider = MeterProvider([reader], resource, shutdown_on_exit=False)
    meter = provider.get_meter("tidegate", VERSION)
    for each in METRICS:
        create = meter.create_observable_counter if each.type is Type.COUNTER else meter.create_observable_gauge
        create(each.name, [_observed(each, seen)], each.unit, each.words)
    try:
        yield
    finally:
        provider.shutdown(LONGEST_MS)
        OF_THE_LIBRARY.removeHandler(reason)
        OF_THE_LIBRARY.propagate = True


def _observed(metric: Metric, seen: Callable[[], Seen]) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observations(options: CallbackOptions) -> Iterator[Observation]:
        for labels, value in metric.samples(seen(), time.time()):
            yield Observation(value, dict(zip(metric.labels, labels, strict=True)))

    return observations
