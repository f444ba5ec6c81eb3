"""Figures that a monitor shows away from their names."""

import json

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State


def _statistics(name: str, *values: tuple[str, float]) -> str:
    points = [{"Timestamp": f"2026-11-25T{time}:00Z", "Maximum": value, "Unit": "Percent"} for time, value in values]
    return json.dumps({"Label": name, "Datapoints": points}, indent=4)


def _data(name: str, value: float) -> str:
    return json.dumps({"MetricDataResults": [{"Id": "a", "Label": name, "Timestamps": ["2026-11-25T10:05:00Z"],
                                              "Values": [value]}]})  # fmt: skip


def _mail(name: str, value: float) -> str:
    return "\n".join((
        f'because "Threshold Crossed: 1 out of the last 1 datapoints [{value} (25/11/26 10:05:00)] was greater than or '
        'equal to the threshold (95.0)"',
        "Monitored Metric:",
        "- MetricNamespace:                     AWS/AmazonMQ",
        f"- MetricName:                          {name}",
    ))  # fmt: skip


@pytest.mark.parametrize(("name", "setting"), [("StorePercentUsage", "storeUsage"), ("TempPercentUsage", "tempUsage")])
@pytest.mark.parametrize(
    "shown", [lambda name, value: _statistics(name, ("10:05", value), ("10:00", 7.0)), _data, _mail]
)
def test_a_data_point_at_the_limit_tells_of_a_stop(name: str, setting: str, shown: object) -> None:
    assert callable(shown)
    told = held(*shown(name, 100.0).splitlines())
    assert (told.setting, told.told) == (setting, "100% used")
    assert ask(*shown(name, 99.0).splitlines()).state is State.UNKNOWN


def test_the_latest_data_point_counts() -> None:
    lines = _statistics("StorePercentUsage", ("10:00", 100.0), ("10:05", 40.0)).splitlines()
    assert ask(*lines).state is State.UNKNOWN


def test_figures_that_tell_something_in_pairs_are_read_together() -> None:
    free, limit = (_statistics(name, ("10:05", value)) for name, value in (("RabbitMQDiskFree", 5e7),
                                                                         ("RabbitMQDiskFreeLimit", 2e9)))  # fmt: skip
    assert ask(*free.splitlines()).state is State.UNKNOWN
    assert held(*free.splitlines(), *limit.splitlines()).setting == "disk_free_limit"


@pytest.mark.parametrize(("value", "state"), [("100", State.LIMIT_UNKNOWN), ("99", State.UNKNOWN)])
def test_the_latest_value_of_a_series_of_prometheus_counts(value: str, state: State) -> None:
    labels = {"__name__": "artemis_limit_percent", "address": "till"}
    series = {"metric": labels, "values": [[1700000000, "100"], [1700000060, value]]}
    found = ask(json.dumps({"status": "success", "data": {"result": [series]}}))
    assert found.state is state
    assert found.held is None or found.held.place == "address till"


def test_a_line_of_influxdb_has_the_tags_of_its_figures() -> None:
    line = "rabbitmq_node,host=mq1,node=rabbit@till disk_free_alarm=0i,mem_alarm={}i,mem_used=7i 1700000000000000000"
    told = held(line.format(1))
    assert (told.setting, told.place) == ("vm_memory_high_watermark", "node rabbit@till")
    assert ask(line.format(0)).held is None
