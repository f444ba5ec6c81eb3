"""The list of log forms follows from the modules, and each form brings all that is asked of one."""

from pathlib import Path

import pytest

from tests.pipeline.real_logs import read_lines
from tidegate.model.traces.log_rules import OF_LOGS
from tidegate.pipeline import forms
from tidegate.pipeline.forms import CAUSES, LOG_FORMS
from tidegate.pipeline.judge.verdicts import claims, not_shown, rules_of
from tidegate.record.events import Kind

PULSAR = "2024-03-05T10:11:12,345+0000 [pulsar-io-4-1] INFO  org.apache.pulsar.broker.service."
EXCEEDED = PULSAR + "BacklogQuotaManager - Backlog quota type destination_storage exceeded for topic [{topic}]. "
TOPIC = "persistent://public/default/orders"


def test_every_module_is_a_form() -> None:
    folder = Path(str(forms.__file__)).parent
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert len(modules) == len(LOG_FORMS) == 9
    assert {form.broker.replace("-", "_") for form in LOG_FORMS.values()} == modules


@pytest.mark.parametrize("name", LOG_FORMS)
def test_a_form_brings_all_that_a_check_asks_of_it(name: str) -> None:
    form = LOG_FORMS[name]
    assert form.name == name
    assert not_shown(name)
    assert claims(name, frozenset(), {}) == ()
    assert set(rules_of(name)) <= set(OF_LOGS)
    for statement in form.statements:
        assert statement.mark in statement.text.text


def test_the_model_lists_the_rules_of_every_form() -> None:
    assert {rule for name in LOG_FORMS for rule in rules_of(name)} == set(OF_LOGS)


def test_forms_agree_on_what_a_cause_is() -> None:
    for form in LOG_FORMS.values():
        for cause in form.causes.values():
            assert (CAUSES[cause.name].alone, CAUSES[cause.name].stops) == (cause.alone, cause.stops)
    assert {name for name, cause in CAUSES.items() if cause.alone and name == cause.name} == {
        "memory", "all memory", "store", "job store", "temp", "disk", "disk-quota", "order",
    }  # fmt: skip
    assert {name for name, cause in CAUSES.items() if not cause.stops} == {"paging", "eviction"}


def test_a_topic_of_pulsar_past_its_quota_stops_its_producers_until_they_are_created_again() -> None:
    log = read_lines(
        [
            EXCEEDED.format(topic=TOPIC) + "Applying [producer_request_hold] policy",
            PULSAR + f"BacklogQuotaManager - Producer [p-1] has exceeded backlog quota on topic [{TOPIC}]. "
            "Disconnecting producer",
            PULSAR + f"persistent.PersistentTopic - [{TOPIC}] Backlog quota exceeded. Cannot create producer [p-2]",
            PULSAR + "ServerCnx - [/10.0.0.1:4000] Created new producer: Producer{topic=PersistentTopic{topic=" + TOPIC
            + "}, client=/10.0.0.1:4000, producerName=p-2, producerId=7}",
            EXCEEDED.format(topic=TOPIC) + "Applying [consumer_backlog_eviction] policy",
            EXCEEDED.format(topic=TOPIC) + "Applying [no such] policy",
            PULSAR + "BrokerService - Created topic",
        ],
        "pulsar log",
    )  # fmt: skip
    assert [(event.kind, event.destination, event.producer, event.cause) for event in log.events.values()] == [
        (Kind.OVERFULL, TOPIC, None, "backlog quota"),
        (Kind.STOP, TOPIC, "p-1", "backlog quota"),
        (Kind.STOP, TOPIC, "p-2", "backlog quota"),
        (Kind.RELEASE, TOPIC, "p-2", "backlog quota"),
        (Kind.LEVEL, TOPIC, None, "eviction"),
    ]
    assert list(log.put_aside) == [6]
    assert log.ignored == 1
