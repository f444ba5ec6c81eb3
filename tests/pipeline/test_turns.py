"""The operators of rules are computed by windows in turns, for Spark sorts all events again where the keys change."""

from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.rules import every_rule
from tidegate.pipeline.terms import columns_of
from tidegate.pipeline.windows.columns import lower, turns


def test_every_operator_has_one_turn_after_those_that_it_is_made_of() -> None:
    stages = lower(every_rule()).stages
    operators = {name for stage in stages for name in stage}
    computed: list[str] = []
    for turn in turns(stages):
        for found in turn.values():
            made_of = columns_of(*found.arguments.values(), *found.keys) & operators
            assert made_of <= set(computed)
        computed += turn
    assert sorted(computed) == sorted(operators)


def test_operators_of_a_queue_are_nested_before_those_of_a_channel_have_their_turn() -> None:
    """By depth alone the events would be sorted by queue, by channel, and again by queue and by channel."""
    keys = [next(iter(turn.values())).keyed for turn in turns(lower(OF_QPID_LOGS).stages)]
    assert keys == ["`destination`", "`destination`", "`channel`", "`channel`"]


def test_a_turn_has_the_operators_of_one_key() -> None:
    for turn in turns(lower(every_rule()).stages):
        assert len({found.keyed for found in turn.values()}) == 1
