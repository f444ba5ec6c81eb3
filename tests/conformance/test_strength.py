"""Each fault has a witness and names existing rules; together the faults cover all that the suite varies."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Adapter, Limits, Outcome
from tidegate.adapters.capabilities import with_implied
from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.cli.strength import strength
from tidegate.conformance.conditions.known import CONDITIONS, EVERY_SECOND
from tidegate.conformance.conditions.meanwhile import MEANWHILE
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.mutants.in_a_child import DidNotEnd
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.smoke.walk import look
from tidegate.conformance.strength import measure
from tidegate.conformance.strength.broker import Behaviour, as_it_is, broken
from tidegate.conformance.strength.conditions_met import met
from tidegate.conformance.strength.facts import Facts
from tidegate.conformance.strength.faults import Fault, faults
from tidegate.conformance.strength.levels import FREES, ChangesSize
from tidegate.conformance.strength.measure import Row, Told, rows, rules_of
from tidegate.conformance.strength.mechanisms import MECHANISMS
from tidegate.conformance.strength.operators import operators_of
from tidegate.conformance.strength.own_copy import copied, put
from tidegate.conformance.strength.second_behaviours import (
    FREEING,
    REMOVING,
    FreesAMessageLate,
    HoldsReleased,
    ShowsStale,
    StopsAMessageLate,
)
from tidegate.conformance.strength.second_operators import second_operators_of
from tidegate.conformance.strength.second_triggers import SECOND_TRIGGERS
from tidegate.conformance.strength.summary import lists, table
from tidegate.conformance.strength.triggers import ALWAYS, TRIGGERS
from tidegate.conformance.strength.waiters import ReleasesLate, Starves, third
from tidegate.conformance.strength.witness import Pair, Witnesses, known, witness_of, written
from tidegate.conformance.strength.words import ForgetsOrder
from tidegate.conformance.watchdog import Watchdog
from tidegate.model.mechanisms import qpid
from tidegate.record.errors import BadInput
from tidegate.record.report import CheckKind, CheckResult

CLASSES: dict[str, type[Adapter]] = {name: cls for name, cls in resolve("reference").items() if isinstance(cls, type)}
FAULTS = list(faults(CLASSES))
REAL = [fault for fault in FAULTS if fault.name in known().scripts]
ENOUGH = 200
TRIED = 24
"""The number of witnesses that are tried again here; `tidegate strength --find-witnesses` finds all of them anew."""
GATE = "reference:qpid-0.18"
ALL = frozenset().union(*(cls.capabilities for cls in CLASSES.values()))


def named(name: str) -> Fault:
    """A fault, whether it is a real one or not."""
    return next(fault for fault in FAULTS if fault.name == name)


@pytest.fixture
def brokers() -> Iterator[list[Adapter]]:
    """Brokers that are stopped at the end of the test."""
    found: list[Adapter] = []
    yield found
    for broker in found:
        broker.stop()


def opened(broker: Adapter, producers: int, brokers: list[Adapter]) -> list[str]:
    """Producers of a queue with a limit of 1,000 bytes, on a broker that is started for them."""
    brokers.append(broker)
    broker.start()
    broker.declare("queue", Limits(limit_bytes=1000))
    broker.open_consumer("consumer", "connection", "queue")
    names = [f"producer {number}" for number in range(producers)]
    for name in names:
        broker.open_producer(name, f"connection of {name}", ("queue",))
    return names


def test_there_are_enough_of_them_and_none_twice() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len(REAL) >= ENOUGH


def test_each_has_a_witness_or_is_the_right_broker() -> None:
    names = {fault.name for fault in FAULTS}
    assert known().scripts.keys() | known().same == names
    assert not known().scripts.keys() & known().same


def test_every_mechanism_makes_one() -> None:
    assert {fault.mechanism.name for fault in REAL} == {mechanism.name for mechanism in MECHANISMS}


WITHOUT_A_TRIGGER = {
    *("drained by five", "drained by twelve", "far rejection", "past 32 bits"),
    *("second protocol", "raised pattern", "lowered pattern", "closer pattern", "file", "together", "pages", "goes on"),
    *("refuses", "drops", "refuses pages", "drops pages", "far pages", "beside wide queues", "beside a like queue"),
    *("asynchronous", "windowed", "narrow window", "refused once", "timed out once", "timed out three times"),
    *("raised and lowered once", "removed", "paced", "acknowledged twice", "last first", "all at once"),
    *("lower outside", "higher outside", "far together", "refused by policy once", "settled", "by priority"),
    *("uneven times", "times past 32 bits"),
    *EVERY_SECOND.values(),
    *(value.name for value in MEANWHILE.values if value != MEANWHILE.plain),
}
"""Values for which no fault has a witness; figures past 32 bits have operators of their own instead."""


def test_there_is_one_for_each_value_of_a_condition() -> None:
    covered = {fault.trigger.value for fault in REAL}
    others = {value.name for condition in CONDITIONS for value in condition.values if value is not condition.plain}
    assert others - covered == WITHOUT_A_TRIGGER


def test_each_says_what_it_does_and_names_rules_that_its_adapter_claims() -> None:
    for fault in FAULTS:
        claimed = with_implied(CLASSES[fault.mechanism.adapter].capabilities)
        assert re.fullmatch(r"The broker [a-z].*\.", fault.words), fault.name
        assert any(set(catalogue()[rule].needs) <= claimed for rule in fault.rules), fault.name


def test_each_rule_that_it_breaks_is_one_that_is_run() -> None:
    # a trigger may name its own condition, whose rules belong to every mechanism
    for fault in FAULTS:
        assert set(fault.rules) <= set(rules_of(fault.mechanism)), fault.name


@pytest.mark.parametrize(
    ("operator", "breaks", "keeps"),
    [
        ("limit-bytes-one-more", {"QPID-QUEUE-1", "QPID-QUEUE-7"}, {"QPID-QUEUE-10", "GENERAL-20"}),
        ("limit-bytes-one-less", {"QPID-QUEUE-1", "QPID-QUEUE-10"}, {"QPID-QUEUE-7", "GENERAL-20"}),
        ("limit-bytes-ignored", {"QPID-QUEUE-1", "QPID-QUEUE-7", "GENERAL-20"}, {"QPID-QUEUE-10"}),
        ("not-counted", {"QPID-QUEUE-1", "QPID-QUEUE-7", "GENERAL-20"}, {"QPID-QUEUE-10", "GENERAL-8"}),
        ("counted-twice", {"QPID-QUEUE-1", "QPID-QUEUE-10", "GENERAL-8"}, {"QPID-QUEUE-7", "GENERAL-20"}),
        ("not-freed", {"QPID-QUEUE-1", "QPID-QUEUE-11", "GENERAL-8"}, {"QPID-QUEUE-7", "GENERAL-20"}),
        ("never-stops", {"QPID-QUEUE-7", "QPID-QUEUE-8", "GENERAL-20"}, {"QPID-QUEUE-10", "GENERAL-8"}),
    ],
)
def test_a_level_breaks_other_rules_by_being_too_high_than_by_being_too_low(
    operator: str, breaks: set[str], keeps: set[str]
) -> None:
    gate = MECHANISMS[0]
    found = {each.name: set(each.rules) for each in operators_of(gate, CLASSES[gate.adapter]().capabilities)}[operator]
    assert breaks <= found
    assert not found & keeps


def test_a_fifth_of_the_second_series_is_held_out_and_nothing_else() -> None:
    second = [fault for fault in REAL if fault.series == 2]
    share = sum(fault.is_held_out for fault in second) / len(second)
    assert 0.14 < share < 0.26
    assert not any(fault.is_held_out for fault in REAL if fault.series == 1)


def test_the_second_series_has_no_combination_of_the_first() -> None:
    first = {operator.name for mechanism in MECHANISMS for operator in operators_of(mechanism, ALL)}
    second = {trigger.name for trigger in SECOND_TRIGGERS}
    for fault in FAULTS:
        is_new = fault.operator.name not in first or fault.trigger.name in second
        assert is_new is (fault.series == 2), fault.name


@pytest.mark.parametrize(
    "fault",
    sorted(REAL, key=lambda fault: fault.draw)[:TRIED],
    ids=lambda fault: "held out" if fault.is_held_out else fault.name,
)
def test_its_witness_shows_it_and_the_right_broker_does_not(fault: Fault) -> None:
    cls, script = CLASSES[fault.mechanism.adapter], known().scripts[fault.name]
    right, wrong, again = cls(), fault.make(cls), cls()
    wide = fault.series == 2
    try:
        assert Pair(right, wrong, wide=wide).shows(script)
        assert not Pair(right, again, wide=wide).shows(script)
    finally:
        for broker in (right, wrong, again):
            broker.stop()


def test_a_witness_is_found_and_can_be_read_again() -> None:
    fault = named("amqp-credit/change-ignored/always")
    script = witness_of(fault, CLASSES[fault.mechanism.adapter])
    assert script is not None
    content = json.loads(written(Witnesses({fault.name: script}, frozenset({"another"}))))
    assert content["same"] == ["another"]
    assert [call[0] for call in content["faults"][fault.name]] == [verb for verb, _ in script]


def test_what_never_shows_has_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    never = Fault(MECHANISMS[0], named("queue-gate/drops/old-producer").operator, ALWAYS)
    monkeypatch.setattr(
        "tidegate.conformance.strength.messages.Drops.call", lambda _, broker, verb, of: broker.right(verb, *of)
    )
    monkeypatch.setattr("tidegate.conformance.strength.witness.SEQUENCES", 2)
    assert witness_of(never, CLASSES[GATE]) is None


def test_the_brokers_rules_are_changed_and_the_judging_rules_are_not(brokers: list[Adapter]) -> None:
    cls, modules = copied(CLASSES[GATE])
    put(modules, "qpid:stopped", lambda original: lambda broker, channel: True)
    wrong, right = cls(), CLASSES[GATE]()
    for broker in (wrong, right):
        opened(broker, 1, brokers)
    assert wrong.standing("producer 0").stopped and not right.standing("producer 0").stopped
    assert qpid.stopped.__module__ == "tidegate.model.mechanisms.qpid"
    assert not qpid.stopped(qpid.Broker({}, {}), qpid.ChannelName("channel"))


@pytest.mark.parametrize("name", CLASSES)
def test_the_layer_alone_changes_nothing(name: str, brokers: list[Adapter]) -> None:
    broker = as_it_is(CLASSES[name])
    brokers.append(broker)
    broker.start()
    assert look(broker, Watchdog(None)) == ()
    assert [broker.take.__name__, broker.depth.__name__] == ["take", "depth"], "by which the lab records calls"


def test_what_a_scenario_reads_of_its_own_calls_is_there_in_the_layer(tmp_path: Path) -> None:
    name = "messages_that_were_acknowledged_in_another_order_are_charged_no_longer"
    right = {"right": partial(as_it_is, CLASSES[GATE])}
    run = run_suite(right, needs_of, tmp_path, selection=Selection(checks=(name,)), judge_traces=False)
    assert [check.result for check in run.subjects[0].checks] == [CheckResult.KEPT]


RARE = frozenset({"temporary", "delayed", "bindings", "faults"})
"""The features whose scenarios use verbs that few others use."""


@pytest.mark.parametrize(
    "features",
    [RARE, pytest.param(frozenset({each.feature for each in scenarios()}) - RARE, marks=pytest.mark.nightly)],
    ids=["rare verbs", "all others"],
)
@pytest.mark.parametrize("name", CLASSES)
def test_the_layer_alone_keeps_each_scenario_as_it_is_written(
    name: str, features: frozenset[str], tmp_path: Path
) -> None:
    """Facts that stumble over a verb end a measurement of the strength of the suite."""
    checks = tuple(each.check for each in scenarios() if each.feature in features)
    selection = Selection(checks=checks, kinds=(CheckKind.SCENARIO,))
    right = {"right": partial(as_it_is, CLASSES[name])}
    run = run_suite(right, needs_of, tmp_path, selection=selection, strength=0, may_be_empty=True)
    assert run.errors == []
    assert {check.check for check in run.subjects[0].checks if check.result is not CheckResult.KEPT} == set()


def facts_after(*calls: tuple[Any, ...]) -> Facts:
    """The facts after these calls to the right broker in the layer of broken brokers."""
    broker: Any = as_it_is(CLASSES[GATE])
    broker.start()
    for verb, *arguments in calls:
        getattr(broker, verb)(*arguments)
    facts: Facts = broker.facts
    broker.stop()
    return facts


HANDED_OUT = (
    ("keep_data",),
    ("declare", "queue", Limits(limit_bytes=1000)),
    ("open_producer", "producer", "line", ("queue",)),
    ("open_consumer", "consumer", "other line", "queue"),
    ("send", "producer", "m1", 400),
    ("take", "consumer"),
)


@pytest.mark.parametrize(
    ("ending", "left", "held"),
    [
        (("depth", "queue"), ["producer", "consumer"], ["m1"]),
        (("acknowledge", "consumer", "m1"), ["producer", "consumer"], []),
        (("close_consumer", "consumer"), ["producer"], []),
        (("kill", "line"), ["consumer"], ["m1"]),
        (("cut_in_send", "producer", "m2", 400, True), ["consumer"], ["m1"]),
        (("restart_broker",), [], []),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_who_is_there_and_what_is_held_is_known_after_each_ending(
    ending: tuple[Any, ...], left: list[str], held: list[str]
) -> None:
    facts = facts_after(*HANDED_OUT, ending)
    assert [*facts.producers, *facts.consumers] == left
    assert list(facts.destinations["queue"].handed_out) == held


def test_queues_that_are_bound_too_are_known_until_they_are_unbound() -> None:
    bound = ("declare_bound", "topic", Limits(limit_bytes=1000), {"before": Limits(limit_bytes=500)}, "after")
    facts = facts_after(bound, ("open_consumer", "consumer", "line", "before"), ("unbind", "topic", "after"))
    assert list(facts.destinations) == ["topic", "before"]


def test_an_order_is_forgotten_and_a_full_queue_is_not(brokers: list[Adapter]) -> None:
    broker: Any = broken(CLASSES["reference:qpid-942"], lambda: ForgetsOrder(ALWAYS, "acknowledge"))
    (name,) = opened(broker, 1, brokers)
    stands = []
    for message, size in (("small", 100), ("large", 1001)):
        broker.send(name, message, size)
        assert broker.take("consumer") is not None
    broker.acknowledge("consumer", "small")
    stands.append(broker.standing(name).stopped)
    broker.block("queue")
    broker.acknowledge("consumer", "large")
    stands.append(broker.standing(name).stopped)
    assert stands == [True, False]


@pytest.mark.parametrize("behaviour", [partial(Starves, ALWAYS, third), partial(ReleasesLate, ALWAYS, late_ms=1000)])
def test_producers_that_send_at_once_may_wait(brokers: list[Adapter], behaviour: Callable[[], Behaviour]) -> None:
    broker: Any = broken(CLASSES["reference:artemis"], behaviour)
    names = opened(broker, 2, brokers)
    assert broker.send_burst(names, ["first", "second"], 10) == [Outcome.ACCEPTED, Outcome.ACCEPTED]


def test_the_third_producer_that_waits_is_starved(brokers: list[Adapter]) -> None:
    broker = broken(CLASSES[GATE], lambda: Starves(ALWAYS, third))
    names = opened(broker, 3, brokers)
    broker.send(names[0], "large", 1001)
    assert broker.take("consumer") is not None
    for number, name in enumerate(names[1:]):
        broker.send(name, f"small {number}", 1)
    broker.acknowledge("consumer", "large")
    assert [broker.standing(name).stopped for name in names] == [False, False, True]
    assert broker.send(names[2], "later", 1) is Outcome.BLOCKED


def test_a_trigger_that_never_holds_leaves_the_broker_right(brokers: list[Adapter]) -> None:
    place = "general_queue_gate:after_consuming", "size"
    topic = next(trigger for trigger in TRIGGERS if trigger.name == "topic")
    for trigger, stays in ((topic, False), (ALWAYS, True)):
        broker = broken(CLASSES[GATE], partial(ChangesSize, trigger, place, FREES[0][2]))
        (name,) = opened(broker, 1, brokers)
        broker.send(name, "large", 1001)
        broker.take("consumer")
        broker.acknowledge("consumer", "large")
        assert broker.standing(name).stopped is stays


def test_a_level_that_is_compared_too_early_lets_one_message_more_pass(brokers: list[Adapter]) -> None:
    decision = MECHANISMS[0].decides
    assert decision is not None
    broker = broken(CLASSES[GATE], lambda: StopsAMessageLate(ALWAYS, decision))
    (name,) = opened(broker, 1, brokers)
    stops = []
    for number in range(3):
        broker.send(name, f"m{number}", 600)
        stops.append(broker.standing(name).stopped)
    assert stops == [False, False, True]


def test_bytes_that_are_freed_a_message_late_keep_a_producer_stopped(brokers: list[Adapter]) -> None:
    place = "general_queue_gate:after_consuming", "size"
    broker = broken(CLASSES[GATE], lambda: FreesAMessageLate(ALWAYS, place))
    (name,) = opened(broker, 1, brokers)
    for message in ("first", "second"):
        broker.send(name, message, 600)
        broker.take("consumer")
    stands = []
    for message in ("first", "second"):
        broker.acknowledge("consumer", message)
        stands.append(broker.standing(name).stopped)
    assert stands == [True, False]


@pytest.mark.parametrize(
    ("further", "told"),
    [
        ({"until": frozenset({"send"})}, [0, 3]),
        ({"until": REMOVING, "one_by_one": True}, [1, 3]),
        ({"until": frozenset[str](), "when_empty": True}, [0, 3]),
    ],
    ids=["with the next message", "one by one", "when empty"],
)
def test_a_release_that_is_told_later(brokers: list[Adapter], further: dict[str, Any], told: list[int]) -> None:
    broker: Any = broken(CLASSES[GATE], lambda: HoldsReleased(ALWAYS, FREEING, **further))
    names = opened(broker, 3, brokers)
    broker.send(names[2], "large", 1001)
    broker.take("consumer")
    for name in names[:2]:
        broker.send(name, f"small of {name}", 1)
    broker.take("consumer")
    broker.acknowledge("consumer", "large")
    free = [sum(not broker.standing(name).stopped for name in names)]
    broker.acknowledge("consumer", f"small of {names[0]}")
    broker.purge("queue")
    broker.send(names[2], "next", 1)
    free.append(sum(not broker.standing(name).stopped for name in names))
    assert free == told


def test_an_old_level_is_shown_until_the_next_message(brokers: list[Adapter]) -> None:
    broker: Any = broken(CLASSES[GATE], lambda: ShowsStale(ALWAYS, "depth", REMOVING))
    (name,) = opened(broker, 1, brokers)
    broker.send(name, "first", 100)
    broker.purge("queue")
    seen = [broker.depth("queue").messages]
    broker.send(name, "second", 100)
    seen.append(broker.depth("queue").messages)
    assert seen == [1, 1]
    broker.take("consumer")
    broker.acknowledge("consumer", "second")
    assert broker.depth("queue").messages == 1


def test_the_suite_is_run_on_a_fault() -> None:
    (row,) = rows([named("policy/releases-nobody/always")], CLASSES, 1, 0)
    assert row.found and row.right
    assert row.mechanism == "policy"


def test_a_fault_that_shows_after_a_restart_alone_is_found() -> None:
    mechanism = next(each for each in MECHANISMS if each.name == "core-window")
    operators = second_operators_of(mechanism, CLASSES[mechanism.adapter].capabilities)
    loses = next(each for each in operators if each.name == "loses-by-restart-broker")
    (row,) = rows([Fault(mechanism, replace(loses, rules=("GENERAL-23",)), ALWAYS, 2)], CLASSES, 1, 0)
    assert row.right


def test_shares_and_lists_are_of_what_was_told() -> None:
    def row(violated: tuple[str, ...]) -> Row:
        return Row(f"gate/{len(violated)}", "gate", "The broker.", ("RIGHT",), Told(violated, "", 1.0))

    some = [row(()), row(("OTHER",)), row(("OTHER", "RIGHT")), row(("RIGHT", "OTHER", "MORE"))]
    assert list(table(some)) == [("gate", "4", "3 (75%)", "2 (50%)", "1 (25%)", "4")]
    assert [len(found) for _, found in lists(some)] == [0, 1, 1, 1]


def test_a_fault_on_which_the_suite_does_not_end_is_a_row_beside_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends_once(
        tasks: Sequence[tuple[Fault, object]], *limits: int
    ) -> Iterator[tuple[Fault, Told | DidNotEnd[Told]]]:
        first, second = (fault for fault, _ in tasks)
        yield first, DidNotEnd()
        yield second, Told(("GENERAL-3",), "", 1.0)

    monkeypatch.setattr(measure, "in_children", ends_once)
    found = list(rows([named("policy/releases-nobody/always"), named("policy/not-counted/always")], CLASSES, 1, 0))
    assert [row.found for row in found] == [False, True]
    assert dict(lists(found))["missed, as the suite did not end"] == found[:1]


def test_more_pairs_are_met_with_more_strength() -> None:
    capabilities = CLASSES["reference:andes"]().capabilities | {"stops-producers"}
    none, each, two = (met(capabilities, crossed) for crossed in (0, 1, 2))
    assert none.values < each.values == each.of_values
    assert none.pairs < each.pairs < two.pairs


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--mechanism", "gate"], "expected a mechanism (queue-gate, "),
        (["--fault", "gate/breaks"], "expected a fault, as `tidegate strength --list` names it, not 'gate/breaks'"),
        (
            ["--mechanism", "policy", "--fault", REAL[0].name],
            "expected a fault of the mechanism policy; none of the faults that are named is one",
        ),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(options: list[str], sentence: str) -> None:
    with pytest.raises(BadInput, match="expected") as error:
        strength.main(options, standalone_mode=False)
    assert str(error.value).startswith(sentence)
    assert error.value.exit_code == 2


def test_faults_are_listed_with_their_witness() -> None:
    fault = REAL[0]
    listed = CliRunner().invoke(strength, ["--list", "--fault", fault.name])
    assert listed.exit_code == 0
    assert fault.words in listed.output
    assert fault.rules[0] in listed.output
    assert "the right broker" in listed.output


def test_what_is_held_out_is_not_listed_unless_asked_for() -> None:
    listed = CliRunner().invoke(strength, ["--list"]).output
    held_out = CliRunner().invoke(strength, ["--list", "--held-out"]).output
    for fault in REAL:
        line = f"{fault.name}\n"
        assert (line in listed, line in held_out) == (not fault.is_held_out, fault.is_held_out)
