"""Rules over the events of a split, column by column."""

import polars as pl

from tidegate.pipeline.schema import INPUT
from tidegate.pipeline.splits.columns import SplitColumns
from tidegate.pipeline.splits.evaluation import Evaluation
from tidegate.pipeline.splits.plan import Plan
from tidegate.pipeline.splits.tables import States
from tidegate.pipeline.terms import columns_of


def by_columns(plan: Plan, events: pl.DataFrame, states: States) -> Evaluation:
    """What the rules say, from the states with which the split begins. Raises TooLarge."""
    columns = SplitColumns(plan, events, states, plan.groups, terms=plan.terms)
    columns.run()
    frame = columns.frame({INPUT, *columns_of(*plan.terms)})
    counts = {(name, rule): each for name, part in _by_input(frame) for rule, each in enumerate(_counted(plan, part))}
    return Evaluation(
        counts,
        lambda rule: frame.lazy().select(_violated(plan, rule)).collect().to_series(),
        columns.states,
    )


def _by_input(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    code = frame[INPUT].to_physical()
    if code.min() == code.max():
        return [(frame[INPUT][0], frame)]
    return [(str(name), part) for (name,), part in frame.partition_by(INPUT, as_dict=True).items()]


def _counted(plan: Plan, frame: pl.DataFrame) -> list[tuple[int, int]]:
    sums = [
        each.sum().alias(f"{rule} {what}")
        for rule, lowered in enumerate(plan.rules)
        for what, each in (("judged", plan.expressions.of(lowered.judged)), ("violated", _violated(plan, rule)))
    ]
    found = frame.lazy().select(sums).collect().row(0)
    return list(zip(found[::2], found[1::2], strict=True))


def _violated(plan: Plan, rule: int) -> pl.Expr:
    lowered = plan.rules[rule]
    return plan.expressions.of(lowered.judged) & ~plan.expressions.of(lowered.holds)
