"""A model with some rules replaced: whoever calls a replaced rule, directly or not, calls what stands for it."""

import ast
from collections.abc import Callable

import pytest

from tidegate.catalogue.formula import formula_of
from tidegate.conformance.mutants.changes import mutants_of
from tidegate.model.language.judge import Judge
from tidegate.model.language.linker import Linker
from tidegate.model.language.reading import PlainWorld, Reader
from tidegate.model.language.rule import Definition, definition_of, definitions, rule
from tidegate.model.language.tracing import rules_in
from tidegate.model.mechanisms import artemis, artemis_producer, classic, gate, general_queue_gate, qpid
from tidegate.model.mechanisms.qpid import Broker, Queue, limited, overfull
from tidegate.model.traces import qpid_log_trace
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE
from tidegate.record.events import Event, Kind

QUEUE = qpid.QueueName("q")
CHANNEL = qpid.ChannelName("c")
NEGATIVE = -1


@rule
def limited_also_at_0(queue: Queue) -> bool:
    """TEST-1: the queue has a limit unless its capacity is negative."""
    return queue.capacity != NEGATIVE


@rule
def overfull_from_twice_the_size(queue: Queue) -> bool:
    """TEST-2: half of what the queue holds would leave it overfull."""
    return overfull(Queue(queue.capacity * 2, queue.resume, queue.bytes)) and limited(queue)


@rule
def takes_two(queue: Queue, other: Queue) -> bool:
    """TEST-3: takes another queue beside the one."""
    return limited(queue) and limited(other)


def no_rule(queue: Queue) -> bool:
    return True


AT_0 = Linker({qpid.limited: limited_also_at_0})


def test_a_rule_that_calls_a_replaced_one_calls_what_stands_for_it() -> None:
    queue = Queue(capacity=0, resume=0, bytes=1)
    assert (overfull(queue), AT_0.linked(overfull)(queue)) == (False, True)


def test_so_does_one_that_calls_it_through_others_and_in_a_comprehension() -> None:
    empty = Broker({QUEUE: Queue(0, 0, 0)}, {CHANNEL: {QUEUE: False}})
    sent = AT_0.linked(qpid.after_send)(empty, CHANNEL, {QUEUE: True}, 1)
    assert qpid.stopped(sent, CHANNEL)
    assert not qpid.stopped(qpid.after_send(empty, CHANNEL, {QUEUE: True}, 1), CHANNEL)


def test_a_rule_of_another_module_is_linked_too() -> None:
    queue = Queue(0, 0, 0)
    assert AT_0.linked(general_queue_gate.closed_to_a_message)(queue, 1)


def test_a_rule_that_reaches_no_replaced_one_is_itself() -> None:
    assert AT_0.linked(gate.settled) is gate.settled
    assert AT_0.linked(qpid.stopped) is qpid.stopped


def test_what_is_replaced_is_what_stands_for_it() -> None:
    assert AT_0.linked(qpid.limited) is limited_also_at_0


def test_a_replacement_means_the_original_by_the_name_that_it_replaces() -> None:
    linker = Linker({overfull: overfull_from_twice_the_size, qpid.limited: limited_also_at_0})
    linked = linker.linked(overfull)
    assert not linked(Queue(10, 10, 20))
    assert linked(Queue(10, 10, 21))
    # the original that it calls has the other replacement
    assert linked(Queue(0, 0, 1))
    assert not Linker({overfull: overfull_from_twice_the_size}).linked(overfull)(Queue(0, 0, 1))


def test_the_rules_of_the_documents_stay_as_they_are() -> None:
    before = definitions()
    Linker({qpid.limited: limited_also_at_0}).linked(qpid.after_send)
    assert definitions() == before
    assert not overfull(Queue(0, 0, 1))


@pytest.mark.parametrize("level", [0, 1])
def test_a_reader_reads_a_linked_rule_as_it_runs(level: int) -> None:
    linked = AT_0.linked(overfull)
    queue = Queue(0, 0, level)
    assert Reader(PlainWorld()).call(linked, queue) is linked(queue)


def test_its_definition_has_the_formula_of_the_replacement_and_can_be_changed() -> None:
    linked = definition_of(AT_0.linked(overfull))
    original = definition_of(overfull)
    assert linked is not None
    assert original is not None
    assert (linked.rule_id, linked.qualified_name) == (original.rule_id, original.qualified_name)
    assert list(map(ast.dump, linked.body)) == list(map(ast.dump, original.body))
    assert [str(line) for line in formula_of(linked)] == ["capacity ≠ −1 ∧ bytes > capacity"]
    assert [each.now for each in mutants_of(linked)] == [each.now for each in mutants_of(original)]


def test_a_trace_rule_can_be_linked() -> None:
    line = Event(
        source="log", seq=1, time=0, kind=Kind.OVERFULL, destination="q", cause=OVERFULL_QUEUE, limit=0, bytes=1
    )
    (definition,) = (
        each for each in rules_in(qpid_log_trace) if each.name == "a_queue_said_to_be_overfull_exceeds_its_capacity"
    )
    assert [answer(definition, line), answer(AT_0.definition(definition), line)] == [False, True]


def answer(definition: Definition, event: Event) -> bool:
    """What a trace rule says of a trace of one event."""
    (judgement,) = Judge([definition]).judge(event)
    return judgement.holds


@pytest.mark.parametrize(
    ("replaced", "instead", "words"),
    [
        (no_rule, limited_also_at_0, "is not a rule"),
        (qpid.limited, no_rule, "is not a rule"),
        (qpid.limited, takes_two, r"takes_two has parameters \('queue', 'other'\), not \('queue',\)"),
    ],
)
def test_only_a_rule_can_stand_for_a_rule(
    replaced: Callable[..., bool], instead: Callable[..., bool], words: str
) -> None:
    with pytest.raises(TypeError, match=words):
        Linker({replaced: instead})


def test_only_a_rule_can_be_linked() -> None:
    with pytest.raises(TypeError, match="is not a rule"):
        AT_0.linked(no_rule)


NO_LIMIT_IS_NEGATIVE = Linker({}, {(qpid, "NO_LIMIT"): NEGATIVE})


def test_a_default_is_replaced_where_its_module_and_those_who_import_it_use_it() -> None:
    assert not overfull(Queue(0, 0, 1))
    assert NO_LIMIT_IS_NEGATIVE.linked(overfull)(Queue(0, 0, 1))
    assert NO_LIMIT_IS_NEGATIVE.linked(qpid.effective_capacity)(qpid.NOT_SET) == NEGATIVE
    everything = Linker({}, {(artemis, "NO_LIMIT"): 7}).linked(artemis_producer.granted)
    assert everything(artemis.AddressLimits(7, 0, True), 10, 0, 3) == 3
    assert artemis_producer.granted(artemis.AddressLimits(7, 0, True), 10, 0, 3) == 0


def test_a_constant_of_another_module_with_the_same_name_and_value_stays() -> None:
    linker = Linker({}, {(artemis, "NO_LIMIT"): 7})
    assert linker.linked(classic.full) is classic.full
    assert linker.default(artemis, "NO_LIMIT") == 7
    assert linker.default(classic, "NO_LIMIT") == classic.NO_LIMIT


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("NO_LEVEL_AT_ALL", 0, "has no NO_LEVEL_AT_ALL"), ("NO_LIMIT", "none", "NO_LIMIT is 0, so 'none' cannot stand")],
)
def test_only_a_value_of_the_same_type_can_stand_for_a_default(name: str, value: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Linker({}, {(qpid, name): value})


def test_a_model_may_take_one_rule_of_another() -> None:
    other = Linker({limited: limited_also_at_0, overfull: overfull_from_twice_the_size})
    documents = Linker({})
    mixed = documents.with_rule_of(other, limited)
    assert (mixed.replaces(limited), mixed.replaces(overfull)) == (True, False)
    assert mixed.linked(overfull)(Queue(0, 0, 1)) and not documents.linked(overfull)(Queue(0, 0, 1))
    assert not other.with_rule_of(documents, limited).replaces(limited)
    assert other.replaces(limited)
