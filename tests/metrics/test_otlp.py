"""Metrics are sent by OTLP as they are served to Prometheus, and a collector that is away ends nothing."""

from pathlib import Path

from opentelemetry.proto.metrics.v1.metrics_pb2 import AggregationTemporality, Metric, NumberDataPoint

from tests.metrics.collector import Collected, collecting
from tests.metrics.test_growing_logs import BLOCKED, RELEASED
from tests.metrics.watched import EVERY, append, free_port, watching
from tests.waiting import eventually
from tidegate.pipeline.metrics.named import METRICS, Type


def points(metric: Metric) -> list[NumberDataPoint]:
    return list(metric.sum.data_points if metric.HasField("sum") else metric.gauge.data_points)


def labels(point: NumberDataPoint) -> dict[str, str]:
    return {each.key: each.value.string_value for each in point.attributes}


def value(collected: Collected, name: str) -> float:
    """The only sample of a metric that was sent last; -1 where there is none yet."""
    latest = collected.latest()
    for point in points(latest[name]) if name in latest else ():
        return point.as_double if point.HasField("as_double") else point.as_int
    return -1


def test_what_is_sent_is_what_is_served(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with collecting() as (port, collected), watching(log, "--otlp", f"http://127.0.0.1:{port}") as watched:
        append(log, RELEASED)
        assert watched.comes_to("tidegate_blocked_producers", 0)
        assert eventually(lambda: value(collected, "tidegate_blocked_seconds") == 100)
        served = watched.families()
        assert watched.end() == 0
    assert set(collected.paths) == {"/v1/metrics"}
    sent = collected.latest()
    assert set(sent) == {each.name for each in METRICS} == {each.removesuffix("_total") for each in served}
    for each in METRICS:
        metric = sent[each.name]
        assert metric.unit == ("s" if each.name.endswith("_seconds") else "")
        assert {tuple(sorted(labels(point))) for point in points(metric)} == {tuple(sorted(each.labels))}
        if each.type is Type.COUNTER:
            assert metric.sum.is_monotonic
            assert metric.sum.aggregation_temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
    (stop,) = points(sent["tidegate_stops_begun"])
    assert labels(stop) | {"log": ""} == {
        "host": str(tmp_path / "broker"), "log": "", "form": "qpid log",
        "destination": "test/q", "cause": "capacity", "of": "channel",
    }  # fmt: skip
    (resource,) = {
        (each.key, each.value.string_value)
        for each in collected.requests[-1].resource_metrics[0].resource.attributes
        if each.key == "service.name"
    }
    assert resource == ("service.name", "tidegate")


def test_a_collector_that_is_away_is_told_once_and_found_again(tmp_path: Path) -> None:
    log, port = tmp_path / "broker.log", free_port()
    append(log, BLOCKED)
    url = f"http://127.0.0.1:{port}/otlp/v1/metrics"
    with watching(log, "--otlp", url, every=EVERY) as watched:
        assert watched.value("tidegate_blocked_producers") == 1
        assert eventually(lambda: watched.value("tidegate_blocked_seconds_total") > 8)
        with collecting(port) as (_, collected):
            assert eventually(lambda: value(collected, "tidegate_blocked_producers") == 1)
            assert watched.end() == 0
    assert set(collected.paths) == {"/otlp/v1/metrics"}
    told = [line for line in watched.said.splitlines() if "metrics are" not in line]
    assert [line.partition(": takes")[0] for line in told] == [f"tidegate: {url}"] * 2
    assert "takes no metrics, and is tried again: " in told[0]
    assert told[1].endswith(": takes metrics again")


def test_no_collector_at_all_does_not_keep_the_watch_from_ending(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with watching(log, "--otlp", f"http://127.0.0.1:{free_port()}") as watched:
        assert watched.end() == 0
    assert "Traceback" not in watched.said
    assert watched.said.count("takes no metrics") == 1
