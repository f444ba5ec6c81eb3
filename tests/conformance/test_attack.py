"""Attacks: how far producers take an implementation, and the report on one that exceeds its stated bound."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host
from tests.sample import sampled
from tidegate.adapters.base import Outcome
from tidegate.adapters.reference.qpid import QpidReference

NAMES = (
    *("reference:artemis", "reference:artemis-core", "reference:qpid-0.18", "reference:classic-5"),
    *("built:artemis-2.44.0", "built:artemis-core-2.44.0", "built:qpid-0.18", "built:qpid-10.1.0"),
    *("built:classic-5.3.1", "built:classic-6.3.1", "built:classic-4.1.2", "reference:classic-4"),
    "reference:qpid-942",
)
BLOCK = "<address-full-policy>BLOCK</address-full-policy>"


class Lenient(QpidReference):
    """A queue that stops its producers not at the message that crosses its capacity, only at a later one."""

    late = 2

    def declare(self, destination: str, limits: Any) -> None:
        super().declare(destination, limits)
        self.past = 0

    def standing(self, producer: str) -> Any:
        found = super().standing(producer)
        return type(found)(stopped=found.stopped and self.past > self.late)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if not super().standing(producer).stopped:
            return super().send(producer, message_id, size_bytes)
        self.past += 1
        self.close_producer(producer)
        target = "attack-" + producer.split("-")[1]
        self.open_producer(producer, f"again-{self.past}", (target,))
        return super().send(producer, message_id, size_bytes)


def attacked(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    ended = tidegate("attack", *arguments, "--json", folder=folder)
    assert ended.returncode in (0, 1), ended.stderr
    (data,) = json.loads(ended.stdout)
    return ended.returncode, data


@pytest.mark.parametrize("name", sampled(NAMES, 2, kind=lambda name: name.partition(":")[0]))
def test_the_model_as_a_broker_comes_to_nine_tenths_of_its_bound_and_not_past_it(tmp_path: Path, name: str) -> None:
    code, data = attacked(tmp_path, name)
    assert code == 0
    assert 0.9 <= data["ratio"] <= 1
    assert data["model_reached_bytes"] == data["bound_bytes"]


def test_a_broker_that_holds_more_than_is_stated_ends_with_1(tmp_path: Path) -> None:
    name = "tests.conformance.test_attack:Lenient"
    folder = Path(__file__).parents[2]
    ended = tidegate("attack", name, "--producers", "2", "--message-size", "100", folder=folder)
    assert ended.returncode == 1, ended.stderr
    assert "PASSED: it held more than is stated" in ended.stdout


def test_small_messages_come_as_far_as_stated_where_credit_is_asked_for_when_the_model_says(tmp_path: Path) -> None:
    code, data = attacked(
        tmp_path,
        "built:artemis-core-2.44.0",
        *("--producers", "2", "--message-size", "1000", "--limit", "100000", "--window", "65536", "--seeds", "0"),
    )
    assert (code, data["bound_bytes"], data["reached_bytes"]) == (0, 325_000, 324_000)
    assert data["strategy"] == "credit asked for again when the model says"


def test_core_clients_of_2_44_0_pass_the_bound_of_the_documents_rules(tmp_path: Path) -> None:
    code, data = attacked(tmp_path, "built:artemis-core-2.44.0", "--broker", "artemis")
    assert code == 1
    assert data["reached_bytes"] > data["bound_bytes"] == 7_000_000


def test_the_figures_are_those_of_a_configuration(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>20000</max-size-bytes>", BLOCK, acceptor="amqpCredits=7;amqpLowCredits=2")
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    arguments = ("broker.xml", "--message-size", "1000", "--producers", "2")
    _, data = attacked(tmp_path, "reference:artemis", *arguments)
    assert (data["limit_bytes"], data["bound_bytes"], data["reached_bytes"]) == (20_000, 33_000, 33_000)
    _, core = attacked(tmp_path, "reference:artemis-core", *arguments, "--window", "3000")
    assert core["bound_bytes"] == 20_000 + 3_000
    (tmp_path / "vh.json").write_text(
        host('{"name": "q", "maximumQueueDepthBytes": 5000, "overflowPolicy": "PRODUCER_FLOW_CONTROL"}'),
        encoding="utf-8",
    )
    _, queue = attacked(tmp_path, "built:qpid-10.1.0", "vh.json", "--message-size", "1000", "--destination", "q")
    assert (queue["bound_bytes"], queue["reached_bytes"]) == (8_000, 8_000)
    (tmp_path / "activemq.xml").write_text(classic('<policyEntry topic=">" memoryLimit="5k"/>'), encoding="utf-8")
    _, memory = attacked(tmp_path, "reference:classic-5", "activemq.xml", "--message-size", "1000")
    assert memory["reached_bytes"] == 6_000


def test_steps_are_told(tmp_path: Path) -> None:
    ended = tidegate("attack", "reference:qpid-0.18", "--steps", "--seeds", "0", folder=tmp_path)
    assert ended.stdout.splitlines()[-2:] == [
        "    1. p1 sends 51 messages of 100 bytes",
        "    2. p2 and p3 send 1 message each of 100 bytes",
    ]
    _, data = attacked(tmp_path, "reference:artemis-core", "--limit", "1000", "--seeds", "0", "--window", "200")
    assert data["strategy"] == "all in turn"
    assert data["steps"] == ["p1 to p3 send 1 message each of 100 bytes, 4 times over"]


BAD = {
    "a mechanism without a bound": (("reference:andes",), "no bound is stated for reference:andes"),
    "no adapter": (("nobody",), "there is no adapter 'nobody'"),
    "no size": (("reference:artemis", "--limit", "big"), "field '--limit': expected a size"),
    "a file of another broker": (
        ("reference:artemis", "vh.json"),
        "vh.json: expected a configuration that limits a destination",
    ),
    "no limit": (
        ("built:qpid-10.1.0", "vh.json"),
        "vh.json: expected a configuration that limits a destination of qpid",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_has_no_meaning_is_one_sentence_and_2(tmp_path: Path, name: str) -> None:
    arguments, sentence = BAD[name]
    (tmp_path / "vh.json").write_text(host('{"name": "q"}'), encoding="utf-8")
    ended = tidegate("attack", *arguments, folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"tidegate: {sentence}")
    assert len(ended.stderr.splitlines()) == 1


def test_the_adapters_of_a_group_that_have_a_bound_are_attacked(tmp_path: Path) -> None:
    ended = tidegate("attack", "reference", "--seeds", "0", "--json", folder=tmp_path)
    assert ended.returncode == 3
    assert [each["adapter"] for each in json.loads(ended.stdout)] == [
        *("reference:qpid-0.18", "reference:qpid-942", "reference:artemis", "reference:artemis-core"),
        *("reference:classic-5", "reference:classic-4"),
    ]
    assert ended.stderr.count("no bound is stated for") == 1


def test_an_adapter_that_cannot_be_driven_is_a_failure_of_the_run(tmp_path: Path) -> None:
    name = "tests.conformance.test_attack:Mute"
    ended = tidegate("attack", name, folder=Path(__file__).parents[2])
    assert ended.returncode == 4
    assert ended.stderr.startswith(f"tidegate: {name}: the adapter answered 'standing' with None: ")
    assert len(ended.stderr.splitlines()) == 1


class Mute(QpidReference):
    """A broker that gives no standing of producers."""

    def standing(self, producer: str) -> Any:
        return None
