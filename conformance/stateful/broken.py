"""Deviations that end a random sequence."""

from collections.abc import Sequence as Several

from tidegate.conformance.findings import Deviation
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.model.language.judge import Judgement


class RuleBroken(Deviation):
    """Events of the last action violate trace rules."""

    def __init__(self, judgements: Several[Judgement], sequence: Sequence):
        first = judgements[0]
        super().__init__(
            first.rule.sentence.rstrip("."),
            sequence.seen_at(first.event),
            rules=tuple(dict.fromkeys(judgement.rule.rule_id for judgement in judgements)),
            done=sequence.told_until(first.event),
        )


class PropertyBroken(Deviation):
    """A property does not hold after an action, or at the end of the sequence."""

    def __init__(self, expected: str, seen: str, rules: tuple[str, ...], sequence: Sequence):
        super().__init__(expected, seen, rules=rules, done=sequence.told)
