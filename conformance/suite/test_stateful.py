"""Random sequences against each mechanism that the adapter claims.

All checks of a mechanism read the same sequences, which use every verb that the adapter offers. Each check names deeds
that must have happened in them, and is judged by its own rules.
"""

from collections.abc import Callable, Sequence

import pytest

from tidegate.conformance.conditions.known import ANY_FIGURE
from tidegate.conformance.findings import Deviation, NotReached, Varies
from tidegate.conformance.plugin import CONDITIONS_MET, CONFORMANCE, NOTED, STEPS, check_of, keep_violated, subject_of
from tidegate.conformance.session import check_kind_of, rules_of
from tidegate.conformance.stateful.exploring import Exploration, Explored, Found, budget_for
from tidegate.conformance.stateful.setup import (
    CORE_WINDOW,
    DOCUMENTED_WINDOW,
    MEMORY_LIMIT,
    MEMORY_RATIO,
    POLICY,
    QUEUE_GATE,
    SMALL_WINDOW,
    Setup,
)
from tidegate.conformance.stateful.tally import Deed
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import claimed_trace_rules

RUNS = pytest.StashKey[dict[tuple[str, str], tuple[Exploration, Explored]]]()
"""The results of random sequences, by mechanism and by the id of the implementation and run."""
DEFAULT_SEED = "0"
FILLED = (Deed.STOPPED, Deed.RELEASED)


def credit_setup(subject: Subject) -> Setup:
    """The setup with a small window if the implementation can be configured to have one."""
    return SMALL_WINDOW if "any-credit-window" in subject.adapter.capabilities else DOCUMENTED_WINDOW


def check(
    setup: Setup | Callable[[Subject], Setup], about: Sequence[Deed], *rules: str, needs: str = ""
) -> Callable[[Subject, pytest.FixtureRequest], None]:
    """A check of these rules by the random sequences of a mechanism, in which the deeds `about` must have happened.

    `needs` is a capability that the sequences need and the rules do not.
    """

    def judged(subject: Subject, request: pytest.FixtureRequest) -> None:
        judge(subject, setup if isinstance(setup, Setup) else setup(subject), request, *about)

    for rule in rules:
        pytest.mark.rule(rule)(judged)
    return pytest.mark.needs(needs)(judged) if needs else judged


def on_several(
    setup: Setup | Callable[[Subject], Setup], about: Deed, *rules: str
) -> Callable[[Subject, pytest.FixtureRequest], None]:
    """A check by random sequences on several destinations, for which there is time on a virtual clock only."""
    return check(setup, (about,), *rules, needs=ANY_FIGURE)


test_random_sends_and_removals_through_the_queue_gate = check(
    QUEUE_GATE,
    FILLED,
    "QPID-QUEUE-7",
    "QPID-QUEUE-8",
    "QPID-QUEUE-11",
    "GENERAL-1",
    "GENERAL-2",
    "GENERAL-3",
    "GENERAL-7",
    "GENERAL-8",
)
test_random_sends_and_removals_on_amqp_credit = check(
    credit_setup,
    FILLED,
    "ARTEMIS-AMQP-5",
    "ARTEMIS-AMQP-6",
    "GENERAL-1",
    "GENERAL-2",
    "GENERAL-3",
    "GENERAL-7",
    "GENERAL-8",
)
test_random_deliveries_from_a_queue = check(QUEUE_GATE, FILLED, "QPID-QUEUE-7", "GENERAL-52")
test_random_deliveries_from_an_address = check(credit_setup, FILLED, "ARTEMIS-AMQP-6", "GENERAL-52")
test_random_deliveries_under_a_memory_limit = check(MEMORY_LIMIT, FILLED, "CLASSIC-MEMORY-2", "GENERAL-52")
test_random_deliveries_on_a_producer_window = check(CORE_WINDOW, FILLED, "ARTEMIS-CORE-8", "GENERAL-52")
test_random_purges_of_a_queue = check(QUEUE_GATE, (Deed.PURGED,), "QPID-QUEUE-7", "GENERAL-4")
test_random_purges_of_an_address = check(credit_setup, (Deed.PURGED,), "ARTEMIS-AMQP-6", "GENERAL-4")
test_random_changes_of_a_queues_limits = check(
    QUEUE_GATE, (Deed.RAISED, Deed.LOWERED), "QPID-QUEUE-7", "GENERAL-5", "GENERAL-6"
)
test_random_changes_of_an_addresss_limits = check(
    credit_setup, (Deed.RAISED, Deed.LOWERED), "ARTEMIS-AMQP-6", "GENERAL-5", "GENERAL-6"
)
test_random_farewells_on_a_queue = check(
    QUEUE_GATE, (Deed.CLOSED, Deed.GAVE_BACK), "QPID-QUEUE-7", "GENERAL-9", "GENERAL-11"
)
test_random_farewells_on_an_address = check(
    credit_setup, (Deed.CLOSED, Deed.GAVE_BACK), "ARTEMIS-AMQP-6", "GENERAL-9", "GENERAL-11"
)
test_random_breaks_of_connections_to_a_queue = check(
    QUEUE_GATE, (Deed.KILLED, Deed.GAVE_BACK_BROKEN), "QPID-QUEUE-7", "GENERAL-10", "GENERAL-12"
)
test_random_breaks_of_connections_to_an_address = check(
    credit_setup, (Deed.KILLED, Deed.GAVE_BACK_BROKEN), "ARTEMIS-AMQP-6", "GENERAL-10", "GENERAL-12"
)
test_random_messages_at_an_address = check(credit_setup, (Deed.STOPPED_BY_MESSAGES,), "ARTEMIS-AMQP-6", "GENERAL-18")
test_random_orders_about_an_address = check(credit_setup, (Deed.ORDERED, Deed.LIFTED), "ARTEMIS-AMQP-6", "GENERAL-17")
test_random_orders_about_a_queue = check(QUEUE_GATE, (Deed.ORDERED, Deed.LIFTED), "QPID-QUEUE-7", "GENERAL-17")
test_random_transactions_on_a_queue = check(
    QUEUE_GATE, (Deed.COMMITTED, Deed.ROLLED_BACK), "QPID-QUEUE-7", "GENERAL-16"
)
test_random_transactions_on_an_address = check(
    credit_setup, (Deed.COMMITTED, Deed.ROLLED_BACK), "ARTEMIS-AMQP-6", "GENERAL-16"
)
test_random_sends_and_removals_under_a_memory_ratio = check(
    MEMORY_RATIO, FILLED, "ANDES-MEMORY-3", "ANDES-MEMORY-6", "GENERAL-1", "GENERAL-2", "GENERAL-3"
)
test_random_sends_and_removals_under_a_memory_limit = check(
    MEMORY_LIMIT, FILLED, "CLASSIC-MEMORY-2", "CLASSIC-MEMORY-3", "GENERAL-1", "GENERAL-2", "GENERAL-3"
)
test_random_farewells_under_a_memory_limit = check(
    MEMORY_LIMIT, (Deed.CLOSED, Deed.GAVE_BACK), "CLASSIC-MEMORY-2", "GENERAL-9", "GENERAL-11"
)
test_random_sends_and_removals_on_a_producer_window = check(
    CORE_WINDOW, FILLED, "ARTEMIS-CORE-8", "GENERAL-1", "GENERAL-2", "GENERAL-3"
)
test_random_sends_and_removals_under_a_policy = check(POLICY, FILLED, "QPID-POLICY-1", "QPID-POLICY-2")
test_random_messages_under_a_policy = check(POLICY, (Deed.STOPPED_BY_MESSAGES,), "QPID-POLICY-1", "QPID-POLICY-4")
test_random_changes_of_a_policy = check(POLICY, (Deed.RAISED, Deed.LOWERED), "QPID-POLICY-6", "QPID-POLICY-7")
test_random_orders_under_a_policy = check(
    POLICY, (Deed.ORDERED, Deed.LIFTED), "QPID-ORDER-1", "QPID-ORDER-2", "QPID-ORDER-3"
)

test_random_actions_beside_another_queue = on_several(QUEUE_GATE, Deed.STOPPED_BESIDE, "QPID-QUEUE-9", "GENERAL-19")
test_random_actions_beside_another_address = on_several(
    credit_setup, Deed.STOPPED_BESIDE, "ARTEMIS-AMQP-6", "GENERAL-19"
)
test_random_actions_beside_another_memory_limit = on_several(
    MEMORY_LIMIT, Deed.STOPPED_BESIDE, "CLASSIC-MEMORY-2", "GENERAL-19"
)
test_random_actions_beside_another_producer_window = on_several(
    CORE_WINDOW, Deed.STOPPED_BESIDE, "ARTEMIS-CORE-8", "GENERAL-19"
)
test_random_actions_beside_another_policy = on_several(POLICY, Deed.STOPPED_BESIDE, "QPID-POLICY-1", "GENERAL-19")
test_random_sends_to_several_queues = on_several(QUEUE_GATE, Deed.BOTH_STOPPED, "QPID-QUEUE-11")
test_random_sends_that_name_a_queue = on_several(QUEUE_GATE, Deed.NAMING_STOPPED, "QPID-QUEUE-7", "GENERAL-14")


def judge(subject: Subject, setup: Setup, request: pytest.FixtureRequest, *about: Deed) -> None:
    """Judge a check's rules by the random sequences of a mechanism, in which the deeds `about` must have happened.

    The check for which the sequences run also takes the findings on rules that no other check has.
    """
    exploration, explored = _explored(subject, setup, request)
    found = [each for each in explored.findings if _is_for(request, each, exploration)]
    if found:
        _raise_last(exploration, found, subject, request)
    if explored.failure is not None:
        request.node.stash[STEPS] = list(explored.told)
        raise explored.failure
    missing = [deed for deed in about if not explored.tally.deeds[deed]]
    if missing:
        not_offered = "".join(f"; {verb}: {why}" for verb, why in explored.without.items())
        raise NotReached("random sequences", " and ".join(missing), f"not once in {explored.tally}{not_offered}")
    seed = request.config.stash[CONFORMANCE].seed or DEFAULT_SEED
    happened = ", ".join(f"{explored.tally.deeds[deed]} times {deed}" for deed in about)
    request.node.stash[NOTED] = (
        "each trace rule at every event, and nothing charged, stopped or lost at the end of each random sequence",
        f"so in {explored.tally} (seed {seed}); {happened}",
    )


def _explored(subject: Subject, setup: Setup, request: pytest.FixtureRequest) -> tuple[Exploration, Explored]:
    """The random sequences of a mechanism with their results; they run when the first check asks for them."""
    runs = request.config.stash.setdefault(RUNS, {})
    key = setup.name, request.node.callspec.id
    if key not in runs:
        conformance = request.config.stash[CONFORMANCE]

        def claims(rule: str) -> bool:
            return conformance.claims(subject, rule)

        budget = budget_for(subject.adapter)
        exploration = Exploration(
            subject.open_lab,
            subject.close_lab,
            setup,
            claimed_trace_rules(claims),
            claims,
            budget,
            check_of(request.node),
            subject.can_establish,
        )
        runs[key] = exploration, exploration.run(f"{setup.name} {conformance.seed or DEFAULT_SEED}")
        subject.judged |= exploration.judged
    return runs[key]


def _is_for(request: pytest.FixtureRequest, found: Found, exploration: Exploration) -> bool:
    """Whether a finding breaks a rule of this check, or a rule of no check on this implementation."""
    if not set(rules_of(request.node)).isdisjoint(found.error.rules):
        return True
    others = [item for item in request.session.items if _is_beside(item, request.node)]
    return exploration.check == check_of(request.node) and all(
        set(rules_of(item)).isdisjoint(found.error.rules) for item in others
    )


def _is_beside(item: pytest.Item, own: pytest.Item) -> bool:
    return item.path == own.path and subject_of(item) is subject_of(own) and item is not own


def _raise_last(
    exploration: Exploration, found: Sequence[Found], subject: Subject, request: pytest.FixtureRequest
) -> None:
    """Repeat each finding for this check: record all but the last, and raise the last."""
    node = request.node
    for each in found[:-1]:
        for check in request.config.stash[CONFORMANCE].record(
            subject, rules_of(node), check_of(node), check_kind_of(node),
            done=(), noted=("", ""), error=_again(exploration, each, subject, request),
            conditions=each.variation.weave.names,
        ):  # fmt: skip
            keep_violated(node, check)
    node.stash[CONDITIONS_MET] = found[-1].variation.weave.names
    raise _again(exploration, found[-1], subject, request)


def _again(
    exploration: Exploration, found: Found, subject: Subject, request: pytest.FixtureRequest
) -> Deviation | Varies:
    """The end of a finding's script when it runs for this check."""
    try:
        return exploration.again(found, check_of(request.node)).error
    except Varies as varies:
        return varies
    finally:
        subject.judged |= exploration.judged
