"""Reads figures that a monitor shows away from their names, each as the text `name = value` that the forms read.

Data points of CloudWatch, in JSON or in an alarm's mail; answers of Prometheus; the line protocol of InfluxDB.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

NAMES = ("Label", "MetricName", "metric_name", "metricName")
"""The names of the field with the name of a figure."""
STATISTICS = ("Maximum", "Average", "Minimum", "Sum", "SampleCount")
"""The values of a data point, the most telling first."""
ERLANG = {
    "RabbitMQMemUsed": re.compile(r"\{memory,\s*\[\{total,(?:\[(?:\{\w+,\d+\},\s*){0,3}\{rss,)?(?P<value>\d{1,18})\}"),
    "RabbitMQMemLimit": re.compile(r"\{vm_memory_limit,(?P<value>\d{1,18})\}"),
}
"""The same figures in the status of RabbitMQ before 3.8, far from each other."""
SIGNS = ('"__name__"', "{memory,", "{vm_memory_limit,", '"Datapoints"', '"Values"', "MetricName", "datapoint")
CROSSED = re.compile(r"\bdatapoints? \[(?P<value>\d{1,20}(?:\.\d{1,9})?) \((?P<time>[^()]{1,40})\)")
"""The reason of an alarm: the value that crossed the threshold, and its time."""
NAMED = re.compile(r"\bMetric ?Name\W{1,40}(?P<name>\w{3,60})")
INFLUX = re.compile(
    r"(?P<name>[a-z]\w{1,60}),(?P<tags>[\w.-]{1,60}=[^\s,=]{1,200}(?:,[\w.-]{1,60}=[^\s,=]{1,200}){0,20}) "
    r"(?P<fields>[\w.]{1,60}=[^\s,=]{1,60}(?:,[\w.]{1,60}=[^\s,=]{1,60}){0,60})(?: \d{10,19})?"
)
PAIRS = {
    "RabbitMQMemUsed": '"mem_used": {value}',
    "RabbitMQMemLimit": '"mem_limit": {value}',
    "RabbitMQDiskFree": '"disk_free": {value}',
    "RabbitMQDiskFreeLimit": '"disk_free_limit": {value}',
}
"""Figures of Amazon MQ for RabbitMQ that tell something only in pairs, in the words of the broker's management."""
TOGETHER = (("RabbitMQMemUsed", "RabbitMQMemLimit"), ("RabbitMQDiskFree", "RabbitMQDiskFreeLimit"))


class Datapoints:
    """Reads line by line; a record over several lines must have been joined."""

    def __init__(self) -> None:
        self._crossed: re.Match[str] | None = None
        self._last: dict[str, str] = {}
        self._before = ""

    def fed(self, text: str) -> list[str]:
        """The figures that this line completes, each as `TIME name = value`."""
        before, self._before = self._before, text.rstrip()
        if before.endswith("{memory,") and text.lstrip().startswith("[{total,"):
            text = before + text.strip()  # how Erlang breaks a wide term
        if not any(map(text.__contains__, SIGNS)):
            return [*_of_influx(text)] if "=" in text else []
        self._crossed = CROSSED.search(text) or self._crossed
        named = NAMED.search(text)
        figures = ((name, found) for name, each in ERLANG.items() if (found := each.search(text)) is not None)
        together = [shown for name, found in figures for shown in self._shown(name, "", found["value"])]
        if together:
            return together
        if text.lstrip().startswith(("{", "[")):
            return [each for name, time, value in _in_json(text) for each in self._shown(name, time, value)]
        if named is None or self._crossed is None:
            return []
        return [*self._shown(named["name"], "", self._crossed["value"])]

    def _shown(self, name: str, time: str, value: str) -> Iterator[str]:
        if name not in PAIRS:
            yield f"{time} {name} {'' if name.endswith('}') else '= '}{value}".strip()
            return
        self._last[name] = PAIRS[name].format(value=int(float(value)))
        for pair in TOGETHER:
            if name in pair and all(each in self._last for each in pair):
                yield f"{time} {', '.join(self._last[each] for each in pair)}".strip()


def _in_json(text: str) -> list[tuple[str, str, str]]:
    """The name, time and value of the latest data point of each figure in a JSON text."""
    try:
        return [*_points(json.loads(text))]
    except (ValueError, RecursionError):
        return []


def _points(value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, list):
        for each in value:
            yield from _points(each)
    if not isinstance(value, dict):
        return
    labels = value.get("metric")
    if isinstance(labels, dict) and isinstance(labels.get("__name__"), str):
        yield from _of_prometheus(labels, value)
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    latest = max(_of_figure(value), default=None) if name is not None else None
    if name is not None and latest is not None:
        yield name, *latest
    for each in value.values():
        yield from _points(each)


def _of_prometheus(labels: dict[str, Any], figure: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The latest value of a series, with its labels as in a sample."""
    values = figure.get("values", [figure.get("value")])
    latest = values[-1] if isinstance(values, list) and values else None
    if isinstance(latest, list) and len(latest) == len(("time", "value")):
        shown = ",".join(f'{name}="{each}"' for name, each in labels.items() if name != "__name__")
        yield f"{labels['__name__']}{{{shown}}}", "", str(latest[1])


def _of_influx(text: str) -> Iterator[str]:
    """The fields of a line in the protocol of InfluxDB, each as a sample with the tags as labels."""
    found = INFLUX.fullmatch(text.strip())
    if found is None:
        return
    labels = ",".join(
        f'{name}="{value}"' for name, _, value in (tag.partition("=") for tag in found["tags"].split(","))
    )
    fields: dict[str, str] = {}
    for field in found["fields"].split(","):
        name, _, value = field.partition("=")
        fields[name] = value.removesuffix("i")
        yield f"{found['name']}_{name}{{{labels}}} {fields[name]}"
    for level, limit in (("mem_used", "mem_limit"), ("disk_free", "disk_free_limit")):
        if level in fields and limit in fields:
            yield f'"{limit}": {fields[limit]}, "{level}": {fields[level]}'


def _of_figure(figure: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The time and value of each data point of a figure."""
    points, times, values = figure.get("Datapoints"), figure.get("Timestamps"), figure.get("Values")
    for point in points if isinstance(points, list) else []:
        if isinstance(point, dict):
            found = next((point[key] for key in STATISTICS if isinstance(point.get(key), int | float)), None)
            if found is not None:
                yield str(point.get("Timestamp", "")), str(found)
    if isinstance(times, list) and isinstance(values, list):
        yield from ((str(time), str(found)) for time, found in zip(times, values, strict=False))
