"""How a random sequence ends that an implementation does not pass."""

from collections.abc import Sequence as Several

from tidegate.conformance.findings import Deviation
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.model.language.judge import Judgement


class RuleBroken(Deviation):
    """Trace rules do not hold of events that the last action brought about."""

    def __init__(self, judgements: Several[Judgement], sequence: Sequence):
        first = judgements[0]
        super().__init__(
            first.rule.sentence.rstrip("."),
            sequence.seen_at(first.event),
            rules=tuple(dict.fromkeys(judgement.rule.rule_id for judgement in judgements)),
            done=sequence.told_until(first.event),
        )


class PropertyBroken(Deviation):
    """Something does not stand after an action, or at the end of the sequence."""

    def __init__(self, expected: str, seen: str, rules: tuple[str, ...], sequence: Sequence):
        super().__init__(expected, seen, rules=rules, done=sequence.told)
