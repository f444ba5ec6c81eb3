"""A memory limit is judged by itself, and other limits and late refusals are no reason to call a rule violated."""

from dataclasses import replace

import pytest

from tests.conformance.test_lab_weave import woven
from tidegate.adapters.base import Limits, Outcome
from tidegate.adapters.groups import Settlement, Usage
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.conformance.lab import Lab
from tidegate.conformance.lab.limiting import FAR_AWAY
from tidegate.conformance.recorder import Recorder
from tidegate.model.language.judge import Judge
from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import classic_trace
from tidegate.record.events import Event

LIMITED = Limits(limit_bytes=1000, cursor="memory")
FAILS_FOR_SPACE = "a_send_fails_only_for_want_of_space"


class Asked(ClassicReference):
    """A broker that notes the shared limits that it was asked for."""

    usages: tuple[Usage, ...] = ()

    def declare_usage(self, usage: Usage) -> None:
        self.usages += (usage,)
        super().declare_usage(usage)


class RefusesAll(ClassicReference):
    """A broker that refuses each message, and tells a producer without answers apart from its call."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        sender = self._producers[producer]
        sender.settlements.append(Settlement(message_id, Outcome.REJECTED, "refused"))
        return Outcome.SENT if sender.options.asynchronous else Outcome.REJECTED


@pytest.mark.parametrize(
    ("limits", "judged"),
    [
        (LIMITED, True),
        (replace(LIMITED, limit_messages=3), False),
        (replace(LIMITED, policy="FAIL"), False),
        (replace(LIMITED, policy="DROP"), False),
    ],
)
def test_a_refusal_is_for_want_of_memory_only_where_nothing_else_limits(limits: Limits, judged: bool) -> None:
    events: list[Event] = []
    lab = Lab(RefusesAll(), Recorder("check", events.append), "s1.")
    lab.declare("queue", limits)
    lab.open_producer("producer", "queue")
    lab.send("producer", 1)
    judge = Judge(rules_in(classic_trace))
    found = [each for event in events for each in judge.judge(event) if each.rule.name == FAILS_FOR_SPACE]
    assert [each.holds for each in found] == ([False] if judged else [])


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        ((), []),
        (("past 32 bits",), [Usage(memory_bytes=FAR_AWAY, store_bytes=FAR_AWAY, temp_bytes=FAR_AWAY)]),
    ],
)
def test_figures_past_32_bits_pass_no_limit_of_all_destinations(names: tuple[str, ...], asked: list[Usage]) -> None:
    broker = Asked()
    lab = Lab(broker, Recorder("check"), "s1.", weave=woven(*names))
    lab.declare("queue", LIMITED)
    lab.declare_topic("topic", LIMITED)
    assert list(broker.usages) == asked


def test_a_limit_of_all_destinations_that_a_scenario_names_stays_beside_far_ones() -> None:
    broker = Asked()
    lab = Lab(broker, Recorder("check"), "s1.", weave=woven("past 32 bits"))
    lab.declare_usage(Usage(memory_bytes=1000))
    lab.declare("queue", LIMITED)
    (usage,) = broker.usages
    assert (usage.memory_bytes, usage.store_bytes, usage.temp_bytes) == (lab.real(1000), FAR_AWAY, FAR_AWAY)


def test_a_refusal_that_comes_apart_from_the_call_is_the_outcome_of_the_send() -> None:
    lab = Lab(RefusesAll(), Recorder("check"), "s1.", weave=woven("asynchronous"))
    lab.declare("queue", LIMITED)
    lab.open_producer("producer", "queue")
    assert lab.send("producer", 1) is Outcome.REJECTED


@pytest.mark.parametrize(
    ("own", "defaults", "policy"),
    [
        (Limits(), Limits(), "BLOCK"),
        (Limits(), Limits(policy="DROP"), "DROP"),
        (Limits(policy="FAIL"), Limits(), "FAIL"),
    ],
)
def test_the_policy_in_force_is_the_closest_one(own: Limits, defaults: Limits, policy: str) -> None:
    lab = Lab(ClassicReference(), Recorder("check"), "s1.")
    lab.declare_defaults(defaults)
    lab.declare("queue", own)
    assert lab.policy_of("queue") == policy
