"""Each past-time operator's column is its fold, event by event, for any values, conditions and keys."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from tests.pipeline.traces import frame
from tidegate.model.language.past import OPERATORS, latest, total
from tidegate.pipeline.lowering import Occurrence, occurrence
from tidegate.pipeline.terms import Sort, column
from tidegate.pipeline.windows.columns import filled
from tidegate.pipeline.windows.operators import FORMS, windowed
from tidegate.record.events import Event, Kind

FEW = settings(max_examples=5, suppress_health_check=[*HealthCheck])
BYTES = column("bytes", Sort.NUMBER)
OF_A = column("destination", Sort.TEXT) == "a"
CHANNEL = (column("channel", Sort.TEXT),)
ROWS = st.lists(
    st.tuples(st.sampled_from(["s", "t"]), st.sampled_from("ab"), st.sampled_from(["x", "y", None]), st.integers(0, 9)),
    min_size=50,
    max_size=300,
)

OCCURRENCES: list[tuple[Occurrence, Callable[[Event], tuple[Any, ...]]]] = [
    (occurrence(latest, BYTES, when=OF_A, per=CHANNEL), lambda e: (e.bytes, e.destination == "a")),
    (occurrence(total, BYTES, per=CHANNEL), lambda e: (e.bytes,)),
]
"""An operator over columns, and the arguments that its fold takes from an event for the same."""


def test_every_operator_of_the_model_has_a_column_form_that_is_tested() -> None:
    assert set(FORMS) == set(OPERATORS) == {found.operator for found, _ in OCCURRENCES}


@pytest.mark.parametrize(("found", "arguments"), OCCURRENCES, ids=["latest", "total"])
@FEW
@given(rows=ROWS)
def test_a_column_is_its_fold(
    spark: SparkSession,
    found: Occurrence,
    arguments: Callable[[Event], tuple[Any, ...]],
    rows: list[tuple[str, str, str | None, int]],
) -> None:
    events = [
        Event(source=source, seq=seq, time=0, kind=Kind.LEVEL, destination=name, channel=channel, bytes=size)
        for seq, (source, name, channel, size) in enumerate(rows, start=1)
    ]
    states: dict[tuple[str, str | None], Any] = {}
    folded = []
    for event in events:
        key = (event.source, event.channel)
        fold = OPERATORS[found.operator]
        states[key] = fold.step(states.get(key, fold.initial), *arguments(event))
        folded.append((event.seq, states[key]))
    columns = filled(frame(spark, events)).select("seq", sf.expr(windowed(found)).alias("now")).orderBy("seq")
    assert [(row["seq"], row["now"]) for row in columns.collect()] == folded
