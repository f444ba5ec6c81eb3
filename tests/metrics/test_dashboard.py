"""Every query of the dashboard is over metrics that a watch serves, with labels that these have."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.cli.command import tidegate
from tests.metrics.test_growing_logs import BLOCKED
from tests.metrics.watched import append, watching

METRIC = re.compile(r"\b(?P<name>tidegate_\w+)(?:\{(?P<labels>[^}]*)\})?")
MATCHER = re.compile(r"(?P<label>\w+)\s*(?:=~|!~|!=|=)\s*\"[^\"]*\"")
GROUPED = re.compile(r"\b(?:by|without)\s*\((?P<labels>[^)]*)\)")
SHOWN = re.compile(r"\{\{(?P<label>\w+)\}\}")
LABEL_VALUES = re.compile(r"label_values\((?P<metric>.+), (?P<label>\w+)\)")
Samples = Mapping[str, frozenset[str]]
"""The name of a sample and its labels."""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    log = tmp_path_factory.mktemp("dashboard") / "broker.log"
    append(log, BLOCKED)
    with watching(log) as watched:
        families = watched.families().values()
    return {each.name: frozenset(each.labels) for family in families for each in family.samples}


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ended = tidegate("trace", "dashboard", folder=tmp_path_factory.mktemp("printed"))
    assert (ended.returncode, ended.stderr) == (0, "")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def faults(query: str, samples: Samples) -> Iterator[str]:
    """What a query asks for that is not served."""
    names = [found["name"] for found in METRIC.finditer(query)]
    if not names:
        yield f"no metric in {query}"
    of_all = frozenset[str]().union(*(samples.get(name, frozenset()) for name in names))
    for found in METRIC.finditer(query):
        if found["name"] not in samples:
            yield f"no metric {found['name']}"
        asked = {each["label"] for each in MATCHER.finditer(found["labels"] or "")}
        for label in sorted(asked - samples.get(found["name"], frozenset())):
            yield f"{found['name']} has no label {label}"
    for found in GROUPED.finditer(query):
        yield from (f"no label {each.strip()}" for each in found["labels"].split(",") if each.strip() not in of_all)


def test_every_query_of_the_dashboard_is_over_what_is_served(dashboard: dict[str, Any], samples: Samples) -> None:
    targets = [target for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(targets) >= len(dashboard["panels"]) >= 10
    assert [fault for target in targets for fault in faults(target["expr"], samples)] == []
    for target in targets:
        shown = {found["label"] for found in SHOWN.finditer(target["legendFormat"])}
        grouped = {each.strip() for found in GROUPED.finditer(target["expr"]) for each in found["labels"].split(",")}
        of_metric = frozenset[str]().union(*(samples[found["name"]] for found in METRIC.finditer(target["expr"])))
        assert shown <= (grouped or of_metric)


def test_every_variable_of_the_dashboard_is_a_label_that_is_served(dashboard: dict[str, Any], samples: Samples) -> None:
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    assert set(variables) == {"datasource", "host", "destination"}
    for name in ("host", "destination"):
        found = LABEL_VALUES.fullmatch(variables[name]["definition"])
        assert found is not None
        assert [*faults(found["metric"], samples)] == []
        (metric,) = METRIC.finditer(found["metric"])
        assert found["label"] == name in samples[metric["name"]]


def test_every_metric_is_on_the_dashboard(dashboard: dict[str, Any], samples: Samples) -> None:
    queries = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    assert {name for name in samples if name not in queries} == set()


def test_panels_do_not_lie_over_each_other(dashboard: dict[str, Any]) -> None:
    cells = [
        (x, y)
        for at in (panel["gridPos"] for panel in dashboard["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) == 23


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("sum(up)", "no metric in sum(up)"),
        ("rate(tidegate_blocked_seconds[5m])", "no metric tidegate_blocked_seconds"),
        ('tidegate_log_readable{destination="q"}', "tidegate_log_readable has no label destination"),
        ("sum by (queue) (tidegate_blocked_producers)", "no label queue"),
    ],
)
def test_a_wrong_query_is_noticed(query: str, fault: str, samples: Samples) -> None:
    assert [*faults(query, samples)] == [fault]
