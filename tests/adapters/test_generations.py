"""What differs between versions of a broker, without starting one."""

import pytest

from tidegate.adapters.artemis.adapter import ArtemisAdapter
from tidegate.adapters.artemis.generation import only_by_file
from tidegate.adapters.artemis.settings import by_position
from tidegate.adapters.base import Limits, Unsupported
from tidegate.adapters.classic.generation import generation_of
from tidegate.adapters.process.brokers import nearest_tried, tried_versions
from tidegate.adapters.qpid import broker_j
from tidegate.adapters.qpid.broker_6 import Broker6, attributes_of, context_of_defaults
from tidegate.adapters.qpid.broker_j import BrokerJ
from tidegate.adapters.qpid.generation import broker_of
from tidegate.adapters.qpid.model_version import model_version
from tidegate.adapters.qpid.old_broker import OldBroker
from tidegate.record.errors import BadInput

FORM = {"DLA": None, "maxSizeBytes": -1, "addressFullMessagePolicy": "PAGE"}


@pytest.mark.parametrize(
    ("version", "lacks"),
    [
        ("2.6.2", {"message-limit", "page-limit", "management-block", "usage-shown"}),
        ("2.10.1", {"message-limit", "page-limit", "management-block", "usage-shown"}),
        ("2.11.0", {"message-limit", "page-limit", "management-block", "usage-shown"}),
        ("2.19.1", {"message-limit", "page-limit", "management-block", "usage-shown"}),
        ("2.20.0", {"message-limit", "page-limit"}),
        ("2.21.0", {"page-limit"}),
        ("2.31.2", set()),
        ("2.32.0", set()),
        ("2.50.0", set()),
    ],
)
def test_artemis_claims_what_the_version_has(version: str, lacks: set[str]) -> None:
    assert ArtemisAdapter.capabilities - ArtemisAdapter(version).capabilities == lacks


@pytest.mark.parametrize(
    ("version", "by_file"),
    [
        ("2.10.1", ("page_limit_bytes", "reject_bytes")),
        ("2.11.0", ("page_limit_bytes",)),
        ("2.31.2", ("page_limit_bytes",)),
        ("2.32.0", ()),
    ],
)
def test_artemis_takes_some_limits_by_its_file_alone(version: str, by_file: tuple[str, ...]) -> None:
    assert only_by_file(version, Limits(limit_bytes=1000, reject_bytes=2000, page_limit_bytes=500)) == by_file
    assert only_by_file(version, Limits(limit_bytes=1000)) == ()


@pytest.mark.parametrize(("version", "by_file"), [("2.31.2", ("limit_messages",)), ("2.32.0", ())])
def test_artemis_takes_a_limit_in_messages_by_its_file_before_management_does(
    version: str, by_file: tuple[str, ...]
) -> None:
    assert only_by_file(version, Limits(limit_messages=3)) == by_file


def test_settings_by_position_are_all_set() -> None:
    assert by_position(FORM, {}) == [None, -1, "PAGE"]
    assert by_position(FORM, {"maxSizeBytes": 1000}) == [None, 1000, "PAGE"]


def test_a_setting_without_a_position_is_one_sentence() -> None:
    with pytest.raises(Unsupported, match=r"^the management of this version does not take maxSizeMessages$"):
        by_position(FORM, {"maxSizeMessages": 3, "maxSizeBytes": 1000})


@pytest.mark.parametrize(
    ("version", "generation"),
    [
        ("0.18", OldBroker),
        ("0.20", OldBroker),
        ("6.0.6", Broker6),
        ("6.1.7", Broker6),
        ("7.1.12", BrokerJ),
        ("10.1.0", BrokerJ),
    ],
)
def test_each_version_of_qpid_has_its_generation(version: str, generation: type) -> None:
    assert type(broker_of(version)) is generation


def test_a_version_of_qpid_that_is_configured_otherwise_is_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"^qpid:0\.32: a version up to 0\.20 or from 6\.0 is expected"):
        broker_of("0.32")


@pytest.mark.parametrize(
    ("version", "model"),
    [
        ("6.0.6", "6.0"),
        ("6.1.7", "6.1"),
        ("7.1.12", "7.1"),
        ("8.0.6", "8.0"),
        ("9.1.0", "9.0"),
        ("9.2.1", "9.1"),
        ("10.1.0", "9.1"),
    ],
)
def test_a_configuration_names_the_model_of_its_release(version: str, model: str) -> None:
    assert model_version(version) == model


def test_a_limit_in_messages_can_be_a_default() -> None:
    of_a_host = {"queue.defaultMaximumQueueDepthMessages": "3", "queue.defaultOverflowPolicy": "PRODUCER_FLOW_CONTROL"}
    assert broker_j.context_of_defaults(Limits(limit_messages=3)) == of_a_host


def test_qpid_6_has_both_levels_in_bytes() -> None:
    limits = Limits(limit_bytes=1000, resume_bytes=800)
    assert attributes_of(limits) == {"queueFlowControlSizeBytes": 1000, "queueFlowResumeSizeBytes": 800}
    assert context_of_defaults(Limits(resume_bytes=800)) == {"queue.queueFlowResumeSizeBytes": "800"}
    with pytest.raises(Unsupported, match=r"^a resume level of 801 bytes is above the capacity of 800$"):
        attributes_of(Limits(limit_bytes=800, resume_bytes=801))


@pytest.mark.parametrize(
    ("version", "name", "topics"),
    [
        ("4.1.2", "4", False),
        ("5.0.0", "5.0", False),
        ("5.2.0", "5.0", False),
        ("5.3.0", "5", False),
        ("6.0.1", "5", True),
    ],
)
def test_each_version_of_classic_has_its_generation(version: str, name: str, topics: bool) -> None:
    found = generation_of(version)
    assert (found.name, "topics" in found.capabilities) == (name, topics)


def test_the_neighbours_of_an_untried_version_are_tried() -> None:
    assert nearest_tried("qpid", "0.1") == ("0.18",)
    assert nearest_tried("qpid", "0.19") == ("0.18", "0.20")
    assert all(nearest_tried("qpid", version) == () for version in tried_versions("qpid"))


@pytest.mark.parametrize(("version", "shows"), [("5.8.0", False), ("5.9.1", True), ("6.3.1", True)])
def test_classic_shows_who_is_stopped_from_a_version_on(version: str, shows: bool) -> None:
    assert ("stops-shown" in generation_of(version).capabilities) is shows
    assert "usage-shown" in generation_of(version).capabilities
