"""Random sequences against each mechanism that the adapter claims."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from tidegate.adapters.base import AdapterError, Limits
from tidegate.adapters.groups import Usage
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.plugin import CONFORMANCE, NOTED, STEPS, check_of
from tidegate.conformance.stateful.drawing import drawn_from
from tidegate.conformance.stateful.machine import Mechanism, machine_for
from tidegate.conformance.stateful.prediction import (
    TOTAL_MEMORY,
    predict_amqp_credit,
    predict_core_window,
    predict_memory_limit,
    predict_memory_ratio,
    predict_policy,
    predict_queue_gate,
)
from tidegate.conformance.stateful.sequence import Sequence, varying
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import claimed_trace_rules
from tidegate.model.judge import Judge

RATIO = Mechanism(
    Limits(),
    predict_memory_ratio,
    most_at_once=3,
    usage=Usage(memory_bytes=TOTAL_MEMORY, block_percent=40, resume_percent=50),
)
POLICY = Mechanism(Limits(limit_bytes=1000), predict_policy, most_at_once=3)
MEMORY = Mechanism(Limits(limit_bytes=1000, cursor="memory"), predict_memory_limit, most_at_once=3)
LEVELS = Limits(limit_bytes=1000, resume_bytes=800)
ADDRESS = Limits(limit_bytes=1000, policy="BLOCK")
QUEUE_GATE = Mechanism(LEVELS, predict_queue_gate, most_at_once=3)
CORE_WINDOW = Mechanism(ADDRESS, predict_core_window, most_at_once=3)
SMALL_WINDOW = Mechanism(replace(ADDRESS, credit=10, credit_low=3), predict_amqp_credit, most_at_once=8)
DOCUMENTED_WINDOW = Mechanism(replace(ADDRESS, credit=100, credit_low=30), predict_amqp_credit, most_at_once=40)


@pytest.mark.rule("QPID-QUEUE-7")
@pytest.mark.rule("QPID-QUEUE-8")
@pytest.mark.rule("QPID-QUEUE-11")
@pytest.mark.rule("GENERAL-1")
@pytest.mark.rule("GENERAL-2")
@pytest.mark.rule("GENERAL-3")
@pytest.mark.rule("GENERAL-7")
@pytest.mark.rule("GENERAL-8")
def test_random_sends_and_removals_through_the_queue_gate(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, QUEUE_GATE, request)


@pytest.mark.rule("ARTEMIS-AMQP-5")
@pytest.mark.rule("ARTEMIS-AMQP-6")
@pytest.mark.rule("GENERAL-1")
@pytest.mark.rule("GENERAL-2")
@pytest.mark.rule("GENERAL-3")
@pytest.mark.rule("GENERAL-7")
@pytest.mark.rule("GENERAL-8")
def test_random_sends_and_removals_on_amqp_credit(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, credit_mechanism(subject), request)


@pytest.mark.rule("QPID-QUEUE-7")
@pytest.mark.rule("GENERAL-4")
def test_random_purges_of_a_queue(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(QUEUE_GATE, actions=frozenset({"purge"})), request)


@pytest.mark.rule("ARTEMIS-AMQP-6")
@pytest.mark.rule("GENERAL-4")
def test_random_purges_of_an_address(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(credit_mechanism(subject), actions=frozenset({"purge"})), request)


@pytest.mark.rule("QPID-QUEUE-7")
@pytest.mark.rule("GENERAL-5")
@pytest.mark.rule("GENERAL-6")
def test_random_changes_of_a_queues_limits(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(QUEUE_GATE, actions=frozenset({"changed-limits"})), request)


@pytest.mark.rule("ARTEMIS-AMQP-6")
@pytest.mark.rule("GENERAL-5")
@pytest.mark.rule("GENERAL-6")
def test_random_changes_of_an_addresss_limits(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(credit_mechanism(subject), actions=frozenset({"changed-limits"})), request)


@pytest.mark.rule("QPID-QUEUE-7")
@pytest.mark.rule("GENERAL-9")
@pytest.mark.rule("GENERAL-11")
def test_random_farewells_on_a_queue(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(QUEUE_GATE, actions=frozenset({"close-clients"})), request)


@pytest.mark.rule("ARTEMIS-AMQP-6")
@pytest.mark.rule("GENERAL-9")
@pytest.mark.rule("GENERAL-11")
def test_random_farewells_on_an_address(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(credit_mechanism(subject), actions=frozenset({"close-clients"})), request)


@pytest.mark.rule("ARTEMIS-AMQP-6")
@pytest.mark.rule("GENERAL-17")
def test_random_orders_about_an_address(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(credit_mechanism(subject), actions=frozenset({"management-block"})), request)


def credit_mechanism(subject: Subject) -> Mechanism:
    """A small window, where the implementation can be configured to have one."""
    return SMALL_WINDOW if "any-credit-window" in subject.adapter.capabilities else DOCUMENTED_WINDOW


@pytest.mark.rule("ANDES-MEMORY-3")
@pytest.mark.rule("ANDES-MEMORY-6")
@pytest.mark.rule("GENERAL-1")
@pytest.mark.rule("GENERAL-2")
def test_random_sends_and_removals_under_a_memory_ratio(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, RATIO, request)


@pytest.mark.rule("CLASSIC-MEMORY-2")
@pytest.mark.rule("CLASSIC-MEMORY-3")
@pytest.mark.rule("GENERAL-1")
@pytest.mark.rule("GENERAL-2")
def test_random_sends_and_removals_under_a_memory_limit(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, MEMORY, request)


@pytest.mark.rule("ARTEMIS-CORE-8")
@pytest.mark.rule("GENERAL-1")
@pytest.mark.rule("GENERAL-2")
def test_random_sends_and_removals_on_a_producer_window(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, CORE_WINDOW, request)


@pytest.mark.rule("QPID-POLICY-1")
@pytest.mark.rule("QPID-POLICY-2")
def test_random_sends_and_removals_under_a_policy(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, POLICY, request)


@pytest.mark.rule("QPID-POLICY-6")
@pytest.mark.rule("QPID-POLICY-7")
def test_random_changes_of_a_policy(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(POLICY, actions=frozenset({"changed-limits"})), request)


@pytest.mark.rule("QPID-ORDER-1")
@pytest.mark.rule("QPID-ORDER-2")
def test_random_orders_under_a_policy(subject: Subject, request: pytest.FixtureRequest) -> None:
    run_machine(subject, replace(POLICY, actions=frozenset({"management-block"})), request)


def run_machine(subject: Subject, mechanism: Mechanism, request: pytest.FixtureRequest) -> None:
    """Run a machine on a mechanism; fewer and shorter sequences where every step takes real time."""
    is_virtual = subject.adapter.parameters.has_virtual_clock
    conformance, check = request.config.stash[CONFORMANCE], check_of(request.node)
    definitions = claimed_trace_rules(lambda rule: conformance.claims(subject, rule))
    sequences: list[Sequence] = []

    def close_lab(lab: Lab) -> None:
        subject.close_lab(lab)

    machine = machine_for(
        open_lab=lambda: subject.open_lab(check),
        close_lab=close_lab,
        mechanism=mechanism,
        judge=Judge(definitions),
        sequences=sequences,
    )
    with _in_plain_words(sequences, request), _judged_as_they_happened(sequences, subject):
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=25 if is_virtual else 6,
                stateful_step_count=12 if is_virtual else 6,
                # explaining would trace every line that runs; shrinking takes minutes where each failure is waited for
                phases=(Phase.generate, Phase.shrink) if is_virtual else (Phase.generate,),
                deadline=None,
                database=None,
                backend=drawn_from(f"{check} {conformance.seed}"),
                derandomize=True,  # what shrinks a sequence draws by itself
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
                print_blob=False,
                verbosity=Verbosity.quiet,
            ),
        )
    calls = sum(len(sequence.lab.calls) for sequence in sequences)
    request.node.stash[NOTED] = (
        f"each of {len(definitions)} trace rules at every event",
        f"so in {len(sequences)} random sequences of {calls} calls together",
    )


@contextmanager
def _judged_as_they_happened(sequences: list[Sequence], subject: Subject) -> Iterator[None]:
    """Note that the events of the sequences need no second judgement.

    What was seen before an adapter could not be driven is left to the check of the trace.
    """
    try:
        yield
    except AdapterError:
        raise
    except Exception:
        subject.judged |= {sequence.lab.recorder.source for sequence in sequences}
        raise
    subject.judged |= {sequence.lab.recorder.source for sequence in sequences}


@contextmanager
def _in_plain_words(sequences: list[Sequence], request: pytest.FixtureRequest) -> Iterator[None]:
    """What Hypothesis raises and adds becomes a finding about the implementation, with what the last sequence did."""
    try:
        yield
    except Flaky:
        raise varying(sequences) from None
    except (Deviation, AdapterError) as error:
        error.__notes__ = []
        if sequences:
            request.node.stash[STEPS] = list(sequences[-1].told)
        raise
