"""What running brokers tell: answers of real ones (folder `answers`), and those of what is no broker."""

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.cli.command import tidegate
from tidegate.record.errors import BadInput
from tidegate.why.answer import Answer, Asked, State, answer
from tidegate.why.ask import artemis, classic, qpid, rabbitmq
from tidegate.why.ask.asking import ask
from tidegate.why.ask.http import Http
from tidegate.why.ask.jolokia import properties
from tidegate.why.ask.told import Told
from tidegate.why.heard import Heard, Log
from tidegate.why.notices import Notice

ANSWERS = Path(__file__).parent / "answers"


def recorded(name: str) -> Any:
    return json.loads((ANSWERS / f"{name}.json").read_text())


def of(told: Told, asked: Asked | None = None) -> Answer:
    log = Log(lines=told.destinations, asked="http://localhost")
    said = (Notice(told.product, release=told.release), *told.said)
    log.heard = [Heard(each, "http://localhost", 0, None) for each in said]
    return answer(log, asked or Asked())


def of_artemis(**changes: Any) -> Answer:
    seen = recorded("artemis-2.44.0")
    settings = [{**json.loads(each), **changes.get("setting", {})} for each in seen["settings"]]
    addresses = [{**each, **changes.get("address", {})} for each in seen["addresses"]]
    broker = {**seen["broker"], **changes.get("broker", {})}
    return of(artemis.of_answers(broker, addresses, settings, artemis.clients_of(seen["producers"])))


def test_an_address_of_artemis_at_its_limit_is_told_with_who_sends() -> None:
    found = of_artemis()
    told = found.held
    assert told is not None
    assert (found.state, told.place, told.clients) == (State.BLOCKED, "address orders", ("order-service-1",))
    assert (told.setting, told.limit, told.level, told.missing) == ("max-size-bytes", 20_000, 95_424, 75_425)
    assert told.caveat == ""


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"setting": {"maxSizeBytes": -1, "maxSizeMessages": 56}}, "max-size-messages"),
        ({"setting": {"maxSizeBytes": -1}, "broker": {"GlobalMaxSize": 95_424}}, "global-max-size"),
        ({"setting": {"maxSizeBytes": -1}, "broker": {"DiskStoreUsage": 0.91}}, "max-disk-usage"),
        ({"setting": {"maxSizeBytes": -1}, "address": {"BlockedViaManagement": True}}, "the operation block()"),
    ],
)
def test_each_limit_of_artemis_is_told(changes: dict[str, Any], setting: str) -> None:
    found = of_artemis(**changes)
    assert found.held is not None
    assert (found.state, found.held.setting) == (State.BLOCKED, setting)


@pytest.mark.parametrize(
    "changes",
    [
        {"setting": {"maxSizeBytes": 95_425}},
        {"setting": {"addressFullMessagePolicy": "PAGE"}, "address": {"Paging": True}},
        {"setting": {"maxSizeBytes": -1, "maxSizeMessages": 57}},
        {"setting": {"maxSizeBytes": -1}, "broker": {"DiskStoreUsage": 0.90}},
    ],
)
def test_below_its_limits_artemis_blocks_nobody(changes: dict[str, Any]) -> None:
    assert of_artemis(**changes).state is State.NOT_BLOCKED


def test_a_release_that_cannot_tell_of_an_order_says_so() -> None:
    seen = recorded("artemis-2.44.0")
    told = artemis.of_answers(seen["broker"], seen["addresses"], [{}] * len(seen["addresses"]), {})
    assert "AMQ224114" in told.note
    addresses = [{**each, "BlockedViaManagement": False} for each in seen["addresses"]]
    assert artemis.of_answers(seen["broker"], addresses, [{}] * len(addresses), {}).note == ""


def of_classic(**changes: Any) -> Answer:
    seen = recorded("classic-6.3.1")
    places = {name: {**each, **changes.get("destination", {})} for name, each in seen["destinations"].items()}
    return of(
        classic.of_answers({**seen["broker"], **changes.get("broker", {})}, places, {"queue://orders": ["a", "b"]})
    )


def test_a_destination_of_classic_at_its_limit_is_told_with_who_sends() -> None:
    told = of_classic().held
    assert told is not None
    assert (told.place, told.clients) == ("destination queue://orders", ("a", "b"))
    assert (told.setting, told.limit, told.level, told.missing) == ("memoryLimit", 20_000, 20_120, 121)
    assert told.version == "ActiveMQ Classic 6.3.1 as built"


@pytest.mark.parametrize(
    ("attribute", "setting"),
    [("Memory", "memoryUsage"), ("Store", "storeUsage"), ("Temp", "tempUsage")],
)
def test_what_all_destinations_of_classic_share_is_told(attribute: str, setting: str) -> None:
    below = {"MemoryUsageByteCount": 19_999}
    assert of_classic(destination=below, broker={f"{attribute}PercentUsage": 99}).state is State.NOT_BLOCKED
    found = of_classic(destination=below, broker={f"{attribute}PercentUsage": 100})
    assert found.held is not None
    assert (found.held.setting, found.held.place, found.held.told) == (setting, "", "100% used")


def test_a_destination_without_flow_control_blocks_nobody() -> None:
    assert of_classic(destination={"ProducerFlowControl": False}).state is State.NOT_BLOCKED


def of_qpid(**changes: Any) -> Answer:
    seen = recorded("broker-j-10.1.0")
    return of(qpid.of_answers("10.1.0", [{**each, **changes} for each in seen["queues"]], seen["connections"]))


def test_a_queue_of_broker_j_that_stops_is_told_with_who_is_stopped() -> None:
    told = of_qpid().held
    assert told is not None
    assert (told.place, told.level, told.limit, told.usually) == ("queue orders", 24_885, 20_000, 8_885)
    assert told.clients == ("order-service-1 [3] 127.0.0.1:58178", "order-service-1 [2] 127.0.0.1:58170")


@pytest.mark.parametrize(
    ("changes", "setting", "missing", "usually"),
    [
        ({"context": {"queue.queueFlowResumeLimit": "50"}}, "maximumQueueDepthBytes", 14_885, None),
        ({"maximumQueueDepthBytes": -1, "maximumQueueDepthMessages": 5}, "maximumQueueDepthMessages", None, 4),
        ({"maximumQueueDepthMessages": 2}, "maximumQueueDepthMessages", None, 6),
        ({"queueFlowControlSizeBytes": 20_000, "queueFlowResumeSizeBytes": 15_000}, "capacity", 9_885, None),
    ],
)
def test_each_limit_of_broker_j_is_told(
    changes: dict[str, Any], setting: str, missing: int | None, usually: int | None
) -> None:
    told = of_qpid(**changes).held
    assert told is not None
    assert (told.setting, told.missing, told.usually) == (setting, missing, usually)


def test_a_queue_that_does_not_stop_anybody_is_not_told() -> None:
    assert of_qpid(queueFlowStopped=False).state is State.NOT_BLOCKED


def of_rabbitmq(state: str = "blocked", **changes: Any) -> Answer:
    seen = recorded("rabbitmq-3.10.8")
    connections = [{**each, "state": state} for each in seen["connections"]]
    return of(rabbitmq.of_answers("3.10.8", [{**each, **changes} for each in seen["nodes"]], connections, 1))


def test_alarms_of_rabbitmq_are_told_with_who_is_blocked() -> None:
    told = of_rabbitmq().held
    assert told is not None
    assert (told.setting, told.place) == ("vm_memory_high_watermark", "node tidegate@localhost")
    assert (told.limit, told.level, told.missing) == (1000, told.level, (told.level or 0) - 1000)
    assert told.clients[0].startswith("order-service (127.0.0.1:")
    told = of_rabbitmq(mem_alarm=False, disk_free_alarm=True, disk_free=40, disk_free_limit=100).held
    assert told is not None
    assert (told.setting, told.told) == ("disk_free_limit", "40 bytes free, 100 bytes asked for; 60 bytes are missing")


def test_a_connection_in_flow_is_no_alarm() -> None:
    found = of_rabbitmq("flow", mem_alarm=False)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert "credit flow" in found.held.reason
    assert of_rabbitmq("running", mem_alarm=False).state is State.NOT_BLOCKED


def test_the_name_of_a_bean_is_taken_apart() -> None:
    assert properties('d:address="a,b=c",broker="x",component=addresses') == {
        "address": "a,b=c",
        "broker": "x",
        "component": "addresses",
    }


class Pages(BaseHTTPRequestHandler):
    """A server that is no broker: it points elsewhere, wants a user, or has pages for people."""

    def do_GET(self) -> None:
        wants_user = self.server.wants_user  # type: ignore[attr-defined]
        code = 401 if wants_user else 406 if "overview" in self.path else 302
        self.send_response(200 if "version" in self.path else code)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("wants_user", "word"), [(True, "--user NAME:PASSWORD"), (False, "expected the management of")]
)
def test_an_address_where_no_broker_answers_is_one_sentence(*, wants_user: bool, word: str) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.wants_user = wants_user  # type: ignore[attr-defined]
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with pytest.raises(BadInput, match=word):
            ask(f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()


def test_the_command_says_in_one_sentence_what_is_wrong_with_the_address(tmp_path: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # a port on which nobody listens
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        for arguments, word in (
            (("--broker", url), "expected a broker that answers"),
            (("--broker", "ftp://x"), "expected an address"),
            (("--broker", url, "a.log"), "expected logs, - to paste lines, or --broker URL"),
            ((), "expected logs, - to paste lines, or --broker URL"),
            (("--broker", url, "--at", "10:00:00"), "knows only its present state"),
        ):
            told = tidegate("why", *arguments, folder=tmp_path)
            assert (told.returncode, told.stderr.count("\n"), word in told.stderr) == (2, 1, True)


def test_a_user_may_stand_in_the_address_and_is_not_shown() -> None:
    http = Http("http://guest:secret@localhost:8080/console/")
    assert (http.address, http.path) == ("http://localhost:8080", "/console")
