"""The past-time operators as window columns: one form each, beside the folds that define them in the model.

A window runs over the events of one key of one stream in their order, up to and including the present event.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tidegate.model.language.past import OPERATORS, latest, total
from tidegate.pipeline.lowering import Occurrence
from tidegate.pipeline.schema import STREAM_NAME
from tidegate.pipeline.terms import Term, term

STREAM = (STREAM_NAME, "source")
"""The columns that name an independent, ordered stream of events."""


def windowed(occurrence: Occurrence) -> str:
    """The window expression of one occurrence of an operator, as Spark SQL."""
    aggregate = FORMS[occurrence.operator](**occurrence.arguments)
    partition = ", ".join(dict.fromkeys([*STREAM, *(key.sql for key in occurrence.keys)]))
    over = f"PARTITION BY {partition} ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    return f"coalesce({aggregate} OVER ({over}), {term(OPERATORS[occurrence.operator].initial).sql})"


def _latest(value: Term, when: Term) -> str:
    return f"last_value(CASE WHEN {when.sql} THEN {value.sql} END) IGNORE NULLS"


def _total(value: Term) -> str:
    return f"sum({value.sql})"


FORMS: Mapping[Callable[..., Any], Callable[..., str]] = {latest: _latest, total: _total}
"""Operator to its aggregate, from its arguments."""
