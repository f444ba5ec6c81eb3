"""Terms are what the rule language makes of columns; what no column can hold is refused when a rule is lowered."""

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from tidegate.model.language.past import latest
from tidegate.pipeline.lowering import ColumnWorld, occurrence
from tidegate.pipeline.rules import every_rule
from tidegate.pipeline.terms import Sort, column, term
from tidegate.pipeline.windows.columns import lower

X = column("x", Sort.NUMBER)


def test_a_term_has_no_truth_value_in_python() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(X == 1)


def test_values_of_different_sorts_are_not_joined() -> None:
    with pytest.raises(TypeError, match="`x` is a number, 'one' is a text"):
        X == "one"  # noqa: B015


def test_a_choice_between_different_sorts_is_refused() -> None:
    with pytest.raises(TypeError, match=r"is a number, .* is a text"):
        ColumnWorld().choose(X == 1, 1, "one")


def test_what_no_column_holds_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no column holds 1\.5"):
        term(1.5)


def test_the_latest_text_is_refused_because_it_would_start_as_a_number() -> None:
    with pytest.raises(TypeError, match="needs a number as value, `name` is a text"):
        occurrence(latest, column("name", Sort.TEXT), when=X == 1, per=())


@pytest.mark.parametrize(
    "value", ["it's", "back\\slash", "\\'", "a\nb", 'say "x"', "ünïcode ✓", "", 0, -1, 2**62, True, False]
)
def test_a_literal_is_the_value_itself_in_spark(spark: SparkSession, value: str | int | bool) -> None:
    row = spark.range(1).select(sf.expr(term(value).sql).alias("value")).first()
    assert row is not None
    assert row["value"] == value
    assert type(row["value"]) is type(value)


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (lambda x: 7 - x, 4),
        (lambda x: x - 7, -4),
        (lambda x: 2 * x + 1, 7),
        (lambda x: -x, -3),
        (lambda x: 5 < x, False),  # noqa: SIM300
        (lambda x: 3 >= x, True),  # noqa: SIM300
        (lambda x: x == -x, False),
        (lambda x: ColumnWorld().negate(x == 3), False),
        (lambda x: ColumnWorld().choose(x == 3, 1, 2), 1),
        (lambda x: ColumnWorld().for_every([1, 2, 3], lambda key: x >= key), True),
        (lambda x: ColumnWorld().for_some([4, 5], lambda key: x == key), False),
        (lambda x: ColumnWorld().for_every([], lambda key: x == key), True),
        (lambda x: ColumnWorld().tabulate([3], lambda key: x == key)[3], True),
    ],
)
def test_signs_mean_in_spark_what_they_mean_in_python(spark: SparkSession, made: object, value: object) -> None:
    assert callable(made)
    row = spark.range(1).selectExpr("3L AS x").select(sf.expr(made(X).sql).alias("value")).first()
    assert row is not None
    assert row["value"] == value


def test_the_same_occurrence_in_two_rules_is_one_column() -> None:
    once, twice = lower(every_rule()), lower([*every_rule(), *every_rule()])
    assert [list(stage) for stage in once.stages] == [list(stage) for stage in twice.stages]
    texts = [found.text for stage in once.stages for found in stage.values()]
    assert len(texts) == len(set(texts))
