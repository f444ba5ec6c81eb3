"""Witnesses: steps on the mechanism itself that reach what the theorems bound, and the solver's word for it."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, host
from tests.sample import sampled
from tidegate.conformance.proofs.solver import Outcome
from tidegate.conformance.proofs.under import results_under
from tidegate.explain import bounds
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import goes_on, witness
from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.artemis import AddressLimits
from tidegate.model.mechanisms.credit import Window

MODELS = {"the documents": DOCUMENTED, **{name: each.linker for name, each in PROFILES.items()}}
CORE = (("the documents", 1), ("artemis-core-2.44.0", 1_000))
"""A model and the bytes of its unit: no message is charged as little as a few bytes by a real version."""
BLOCK = "<address-full-policy>BLOCK</address-full-policy>"


def built(name: str) -> Linker:
    return MODELS[name]


def reaches(case: bounds.Case, producers: int, size: int) -> Bound:
    traffic = Traffic(producers, size)
    found, course = bounds.worst(case, traffic), case.course(traffic)
    run = witness(course, traffic, most_steps=100_000) if course is not None else None  # more than `explain` takes
    assert (run.bytes if run is not None else found.reached) == found.bytes
    assert found.reached in (None, found.bytes)
    assert found.proved
    return found


@pytest.mark.parametrize("producers", [1, 2, 20])
@pytest.mark.parametrize("size", [10, 99, 410, 6_000])
@pytest.mark.parametrize("reject", [-1, 6_000])
@pytest.mark.parametrize("model", ["the documents", "artemis-2.44.0"])
def test_amqp_credit_reaches_its_bound(model: str, reject: int, size: int, producers: int) -> None:
    reaches(bounds.Amqp(AddressLimits(5_000, reject, True), Window(20, 6), model=built(model)), producers, size)


@pytest.mark.parametrize("producers", [1, 2, 20])
@pytest.mark.parametrize("most", [1, 7])
def test_amqp_credit_reaches_a_bound_in_messages(most: int, producers: int) -> None:
    found = reaches(bounds.Amqp(AddressLimits(5_000, -1, True), Window(20, 6), most), producers, 10)
    assert found.messages == most - 1 + 20 * producers


@pytest.mark.parametrize("producers", [1, 2, 20])
@pytest.mark.parametrize("size", [10, 99, 299, 301])
@pytest.mark.parametrize(("model", "unit"), CORE)
def test_core_windows_reach_their_bound(model: str, unit: int, size: int, producers: int) -> None:
    case = bounds.Core(AddressLimits(5_000 * unit, -1, True), 300 * unit, model=built(model))
    reaches(case, producers, size * unit)


@pytest.mark.parametrize("producers", [1, 3])
@pytest.mark.parametrize("size", [10, 99, 299, 6_000])
@pytest.mark.parametrize(("model", "unit"), CORE)
def test_a_window_larger_than_the_address_reaches_its_bound_too(
    model: str, unit: int, size: int, producers: int
) -> None:
    case = bounds.Core(AddressLimits(5_000 * unit, -1, True), 20_000 * unit, model=built(model))
    reaches(case, producers, size * unit)


@pytest.mark.parametrize("producers", [1, 3])
@pytest.mark.parametrize("size", [464, 542, 1_000])
def test_small_messages_of_core_reach_a_bound_far_past_the_windows(size: int, producers: int) -> None:
    # the address is charged 424 bytes more for each than its sender's credit
    case = bounds.Core(AddressLimits(100_000, -1, True), 30_000, model=built("artemis-core-2.44.0"))
    found = reaches(case, producers, size)
    assert found.bytes is not None and found.bytes > 100_000 + producers * 30_000 * 1.5


@pytest.mark.parametrize("size", [1, 100, 463])
def test_messages_of_core_that_no_address_is_charged_so_little_for_are_taken_for_the_least(size: int) -> None:
    case = bounds.Core(AddressLimits(100_000, -1, True), 30_000, model=built("artemis-core-2.44.0"))
    least, smaller = (bounds.worst(case, Traffic(2, each)) for each in (464, size))
    assert (smaller.bytes, smaller.reached) == (least.bytes, least.bytes)
    assert smaller.because.endswith("no message is charged less than 464 bytes")
    documented = bounds.Core(AddressLimits(100_000, -1, True), 30_000)
    assert bounds.worst(documented, Traffic(2, size)).because.count("no message is charged less") == 0


@pytest.mark.parametrize("producers", [1, 2, 20])
@pytest.mark.parametrize("size", [10, 99, 2_000])
@pytest.mark.parametrize("model", ["the documents", "qpid-0.18", "qpid-10.1.0"])
def test_a_queue_reaches_its_bound(model: str, size: int, producers: int) -> None:
    reaches(bounds.Gate(qpid.Queue(1_000, 800, 0), model=built(model)), producers, size)
    limited = bounds.Gate(qpid.Queue(1_000, 800, 0), qpid.Queue(3, 2, 0), model=built(model))
    assert reaches(limited, producers, 10).messages == 3 + producers


@pytest.mark.parametrize("producers", [1, 2, 20])
@pytest.mark.parametrize("size", [10, 99, 2_000])
def test_a_policy_reaches_its_bound(size: int, producers: int) -> None:
    reaches(bounds.Policy(1_000), producers, size)


@pytest.mark.parametrize("producers", [1, 9])
def test_a_memory_limit_reaches_its_bound(producers: int) -> None:
    assert reaches(bounds.Memory(1_000), producers, 99).messages == 11


def test_the_steps_are_told_with_producers_that_did_alike_together() -> None:
    case = bounds.Amqp(AddressLimits(1024 * 1024, -1, True), Window(100, 30))
    assert bounds.worst(case, Traffic(20, 10_240)).witness == (
        "p1 sends 102 messages of 10,240 bytes: 1,044,480 bytes (1020 KiB) stored",
        "p1 closes and opens again",
        "p1 to p20 send 100 messages each of 10,240 bytes: 21,524,480 bytes (20.53 MiB) stored",
    )
    core = bounds.Core(AddressLimits(100_000, -1, True), 65_536)
    assert bounds.worst(core, Traffic(2, 10_000)).witness[0] == "p2 asked for credit while the destination was empty"


def test_a_bound_that_is_one_message_less_is_passed() -> None:
    # so the witness shows that no smaller bound is true, which is what a bound that is reached means
    case = bounds.Gate(qpid.Queue(1_000, 800, 0))
    found = witness(case.course(Traffic(3, 400)), Traffic(3, 400))
    assert found is not None
    assert (found.messages, found.bytes) == (5, 2_000)


def test_a_witness_that_would_take_too_long_is_left_out() -> None:
    case = bounds.Memory(1_000)
    assert witness(case.course(Traffic(1, 10)), Traffic(1, 10), most_steps=99) is None
    assert witness(case.course(Traffic(1, 10)), Traffic(1, 10), most_steps=100) is not None


def test_where_there_is_no_bound_the_mechanism_itself_goes_on() -> None:
    case = bounds.Memory(1_000, controlled=False)
    found = bounds.worst(case, Traffic(1, 900))
    assert found.bytes is None
    assert found.reached == 2_700  # past the limit of 1,000 bytes, which stops nobody
    assert found.proved == ("EB-T10",)
    course = case.course(Traffic())
    stopped = replace(course, settings=1_000, mechanism=bounds.Memory(1_000).course(Traffic()).mechanism)
    assert goes_on(stopped, Traffic(1, 900)).bytes == 1_800


@pytest.mark.parametrize(
    "case",
    [
        bounds.Amqp(AddressLimits(-1, -1, True), Window(20, 6)),
        bounds.Core(AddressLimits(-1, -1, True), 300),
        bounds.Memory(-1),
        bounds.Gate(qpid.Queue(0, 0, 0)),
        bounds.Refusing(-1, -1, refuses=True),
    ],
)
def test_without_any_limit_the_mechanism_goes_on_as_well(case: bounds.Case) -> None:
    found = bounds.worst(case, Traffic(1, 900))
    assert (found.bytes, found.reached) == (None, 2_700)
    assert found.proved


@pytest.mark.parametrize("name", sampled(MODELS, 4))
def test_the_solver_proves_the_bounds_by_the_rules_of_every_version(name: str) -> None:
    ids = {f"EB-T{number}" for number in range(1, 16)}
    outcomes = {each.claim.id: each.outcome for each in results_under(built(name), ids)}
    assert len(outcomes) == 15
    # Artemis grants Core producers more than has room (CORE-5), so there EB-T4 bounds them
    false = {"EB-T3", "EB-T12"} if name.startswith("artemis-core-") else set()
    assert {each for each, outcome in outcomes.items() if outcome != Outcome.PROVED} == false


@pytest.mark.parametrize(
    ("model", "claim"), [("the documents", ("EB-T3", "EB-T12")), ("artemis-core-2.44.0", ("EB-T4", "EB-T15"))]
)
def test_a_bound_cites_the_theorem_that_holds_of_its_version(model: str, claim: tuple[str, ...]) -> None:
    case = bounds.Core(AddressLimits(5_000, -1, True), 300, model=built(model))
    assert case.bound(Traffic(3, 10)).proved == claim


def test_the_command_has_the_solver_prove_what_it_says(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>50000</max-size-bytes>", BLOCK)
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    ended = tidegate("explain", "broker.xml", "--prove", "--broker", "artemis:2.44.0", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert [line.split(" in ")[0] for line in ended.stdout.splitlines() if " by z3 " in line] == [
        "EB-T1: proved by z3",
        "EB-T4: proved by z3",
        "EB-T15: proved by z3",
    ]
    (tmp_path / "vh.json").write_text(host('{"name": "q", "maximumQueueDepthBytes": 5}'), encoding="utf-8")
    ended = tidegate("explain", "vh.json", "--prove", folder=tmp_path)
    assert "EB-T10: proved by z3" in ended.stdout
