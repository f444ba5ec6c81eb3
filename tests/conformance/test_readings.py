"""The rule of each scored reading has a check that tells it apart from every other reading of its words."""

import json

import pytest

from tests.conformance.readings import (
    AGAINST,
    LESS_THAN_A_SHOULD,
    NOT_TOLD,
    OTHER_READINGS,
    TABLE,
    OtherReading,
    musts_violated,
    told_apart,
)
from tests.conformance.scored import statements
from tests.sample import sampled, wanted
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.catalogue import catalogue
from tidegate.catalogue.rules import Level


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """For each reading that is tried in this session, the checks that tell it apart from the scored one."""
    return told_apart(wanted(request, "reading"))


@pytest.mark.parametrize(
    "reading", sampled(OTHER_READINGS, 8, name=lambda reading: reading.name), ids=lambda reading: reading.name
)
def test_a_check_of_its_rule_tells_the_scored_reading_from_this_one(
    found: dict[str, list[str]], reading: OtherReading
) -> None:
    """`python -m tests.conformance.readings` writes the table of these checks."""
    assert found[reading.name], f"no check of {reading.rule} is violated by it and kept by the scored reading"
    assert json.loads(TABLE.read_text(encoding="utf-8"))[reading.name] == found[reading.name]


OF_A_SHOULD = [reading for reading in OTHER_READINGS if catalogue()[reading.rule].level is Level.SHOULD]


@pytest.mark.parametrize(
    "reading", sampled(OF_A_SHOULD, 4, name=lambda reading: reading.name), ids=lambda reading: reading.name
)
def test_a_reading_that_a_should_leaves_open_violates_no_must(reading: OtherReading) -> None:
    _, contradicted = AGAINST.get(reading.name, ("", ""))
    assert musts_violated(reading) == set(contradicted.split())


@pytest.mark.parametrize(
    "broker", sampled(LESS_THAN_A_SHOULD, 2, name=lambda broker: broker.name), ids=lambda broker: broker.name
)
def test_a_broker_that_does_less_than_a_should_violates_no_must(broker: OtherReading) -> None:
    assert catalogue()[broker.rule].level is Level.SHOULD
    assert musts_violated(broker) == frozenset()


def test_every_reading_that_contradicts_a_must_is_one_of_a_should() -> None:
    assert AGAINST.keys() <= {reading.name for reading in OF_A_SHOULD}


def test_the_table_names_no_other_reading() -> None:
    assert json.loads(TABLE.read_text(encoding="utf-8")).keys() == {reading.name for reading in OTHER_READINGS}


def test_every_place_that_chooses_a_reading_has_the_others_or_says_why_not() -> None:
    decided = {each for reading in OTHER_READINGS for each in (reading.rule, *reading.decides)}
    said = statements()
    assert said.keys() - decided - NOT_TOLD.keys() == set()
    assert NOT_TOLD.keys() - said.keys() == set()
    assert NOT_TOLD.keys() & decided == set()
    assert decided - said.keys() - catalogue().keys() == set()


def test_no_reading_stands_twice() -> None:
    names = [reading.name for reading in OTHER_READINGS]
    assert len(set(names)) == len(names)


def test_a_reading_that_is_the_scored_one_is_told_from_nothing() -> None:
    same = OtherReading("ARTEMIS-AMQP-4", "the scored one", ArtemisReference)
    assert told_apart([same]) == {same.name: []}
