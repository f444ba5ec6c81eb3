"""Producers of two kinds that wait together: a fault is found that shows with neither kind alone."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import ProducerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.built_classic_5 import BuiltClassic5
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.conditions.condition import Value, Weave
from tidegate.conformance.conditions.known import APART, CONDITIONS, EVERY_SECOND, go_together, value_named
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.strength.broker import broken
from tidegate.conformance.strength.facts import Facts, Producer
from tidegate.conformance.strength.triggers import Trigger
from tidegate.conformance.strength.waiters import Starves, everyone
from tidegate.record.report import CheckResult

RELEASED = "consumption_releases_every_producer_that_waits[2]"
KINDS: tuple[tuple[type, str, Callable[[Producer], bool]], ...] = (
    (QpidReference, "anonymous", lambda producer: producer.anonymous),
    (QpidReference, "transacted", lambda producer: producer.options.transacted),
    (QpidReference, "settled", lambda producer: producer.options.settled),
    (QpidReference, "second protocol", lambda producer: producer.options.protocol != ""),
    (ArtemisReference, "settled", lambda producer: producer.options.settled),
    (BuiltClassic5, "transacted", lambda producer: producer.options.transacted),
)


def behind_one(is_one: Callable[[Producer], bool], facts: Facts) -> bool:
    """Whether a producer of the kind waits at the destination of a producer of another kind."""
    if facts.producer is None or facts.destination is None or is_one(facts.producer):
        return False
    return any(is_one(facts.producers[name]) for name in facts.destination.stopped if name in facts.producers)


@pytest.mark.parametrize(("reference", "kind", "is_one"), KINDS, ids=lambda each: getattr(each, "__name__", each))
def test_a_producer_that_is_forgotten_behind_one_of_another_kind_is_found(
    reference: type, kind: str, is_one: Callable[[Producer], bool], tmp_path: Path
) -> None:
    trigger = Trigger(f"behind {kind}", "", partial(behind_one, is_one))
    checks = (RELEASED, f"{RELEASED} ({kind})", f"{RELEASED} ({EVERY_SECOND[kind]})")
    forgets = partial(broken, reference, partial(Starves, trigger, everyone))
    run = run_suite({"broken": forgets}, needs_of, tmp_path, selection=Selection(checks=checks), judge_traces=False)
    results = {each.check: each.result for each in run.subjects[0].checks}
    assert run.errors == []
    assert results.pop(checks[2]) is CheckResult.VIOLATED
    assert set(results.values()) == {CheckResult.KEPT} and checks[0] in results


@pytest.mark.parametrize(("all_of_them", "every_second"), EVERY_SECOND.items())
def test_every_second_producer_is_of_the_kind_and_the_others_are_as_usual(all_of_them: str, every_second: str) -> None:
    whole, half = value_named(all_of_them), value_named(every_second)
    weave = Weave((("condition", half), ("history", value_named("drained once"))))
    first, second, third = map(weave.of_producer, range(3))
    assert kind_of(first) == kind_of(third) == kind_of(Weave((("condition", whole),))) != kind_of(second)
    assert kind_of(second) == kind_of(Weave())
    assert second.histories == weave.histories
    assert half.needs == whole.needs


def kind_of(weave: Weave) -> tuple[bool, int, ProducerOptions]:
    """What a weave says of a producer."""
    return weave.anonymous, weave.protocol, weave.options(ProducerOptions())


def test_what_excludes_all_producers_of_a_kind_excludes_every_second_one() -> None:
    for one, other in APART:
        for this in {one, EVERY_SECOND.get(one, one)}:
            assert not any(go_together(this, that) for that in {other, EVERY_SECOND.get(other, other)})


def test_each_value_about_every_second_producer_is_listed() -> None:
    mixed: list[Value] = [value for each in CONDITIONS for value in each.values if value.every_second]
    assert {value.name for value in mixed} == set(EVERY_SECOND.values())
