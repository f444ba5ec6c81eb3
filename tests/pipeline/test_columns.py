"""The columns of a trace rule say what the plain reader says, event by event."""

from hypothesis import HealthCheck, given, settings
from pyspark.sql import SparkSession

from tests.pipeline.traces import TRACES, frame
from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition
from tidegate.pipeline.rules import every_rule
from tidegate.pipeline.windows.columns import lower
from tidegate.record.events import Event

FEW = settings(max_examples=4, suppress_health_check=[*HealthCheck])
"""Each example is a Spark job over many traces."""

Verdicts = dict[tuple[str, int, str], tuple[bool, bool]]
"""(source, seq, rule's function) to whether it is judged there and holds."""


def by_columns(spark: SparkSession, rules: tuple[Definition, ...], events: list[Event]) -> Verdicts:
    judged = lower(rules).over(frame(spark, events)).collect()
    return {
        (row["source"], row["seq"], rule.name): (row[f"judged_{n}"], row[f"judged_{n}"] and row[f"holds_{n}"])
        for row in judged
        for n, rule in enumerate(rules)
    }


def by_folds(rules: tuple[Definition, ...], events: list[Event]) -> Verdicts:
    judge = Judge(rules)
    said = {(event.source, event.seq, rule.name): (False, False) for event in events for rule in rules}
    for event in events:
        for judgement in judge.judge(event):
            said[event.source, event.seq, judgement.rule.name] = (True, judgement.holds)
    return said


@FEW
@given(events=TRACES)
def test_every_rule_says_in_columns_what_it_says_of_one_event_after_the_other(
    spark: SparkSession, events: list[Event]
) -> None:
    rules = every_rule()
    folds = by_folds(rules, events)
    columns = by_columns(spark, rules, events)
    assert columns == folds


def test_random_traces_make_every_rule_hold_and_fail() -> None:
    """Agreement over traces that no rule judges would show nothing."""
    both = {True, False}
    seen: dict[Definition, set[bool]] = {rule: set() for rule in every_rule()}

    @settings(FEW, max_examples=250, derandomize=True)
    @given(events=TRACES)
    def look(events: list[Event]) -> None:
        missing = tuple(rule for rule, outcomes in seen.items() if outcomes != both)
        judge = Judge(missing)
        for event in events if missing else ():
            for judgement in judge.judge(event):
                seen[judgement.rule].add(judgement.holds)

    look()
    assert {rule.name: outcomes for rule, outcomes in seen.items() if outcomes != both} == {}
