"""The old Qpid Java broker under guard: its XML, its console, its log, and that nothing of it is left."""

import os
import signal
from collections.abc import Iterator
from xml.sax.saxutils import escape

import psutil
import pytest

from tests.waiting import eventually
from tidegate.adapters.amqp091.client import Connection
from tidegate.adapters.base import AdapterError, Depth, Limits
from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused
from tidegate.adapters.qpid.broker import VIRTUAL_HOST
from tidegate.adapters.qpid.old_broker import OldBroker
from tidegate.record.errors import BadInput, Unavailable

pytestmark = [pytest.mark.real_broker, pytest.mark.nightly]
"""By day the boundaries of this broker are run, through the same adapter."""
NOTHING_SET = Limits(limit_bytes=0, resume_bytes=0)


@pytest.fixture(scope="module")
def broker() -> Iterator[OldBroker]:
    started = OldBroker("0.18")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def connection(broker: OldBroker) -> Iterator[Connection]:
    opened = Connection(broker.host, broker.amqp_port, "test", vhost=VIRTUAL_HOST)
    yield opened
    opened.kill()


def test_the_broker_says_its_version_and_nothing_is_configured(broker: OldBroker) -> None:
    broker.create_queue("unconfigured", Limits())
    assert broker.version == "0.18"
    assert broker.limits_in_force("unconfigured") == NOTHING_SET
    assert broker.depth("unconfigured") == Depth(0, 0)


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("both", Limits(limit_bytes=1000, resume_bytes=800)),
        ("capacity", Limits(limit_bytes=1000)),
        ("resume", Limits(resume_bytes=800)),
        ("neither", Limits()),
    ],
)
@pytest.mark.parametrize("defaults", [Limits(), Limits(limit_bytes=5000, resume_bytes=4000)])
def test_a_queue_gets_the_same_limits_by_arguments_as_by_the_documented_xml(
    broker: OldBroker, name: str, limits: Limits, defaults: Limits
) -> None:
    levels = {"capacity": limits.limit_bytes, "flowResumeCapacity": limits.resume_bytes}
    own = "".join(f"<{level}>{figure}</{level}>" for level, figure in levels.items() if figure is not None)
    in_xml, by_arguments = f"{name}-{defaults.limit_bytes}-xml", f"{name}-{defaults.limit_bytes}-arguments"
    section = f"<queue><name>{escape(in_xml)}</name><{in_xml}>{own}</{in_xml}></queue>"

    broker.set_defaults(defaults)
    broker.create_queue(by_arguments, limits)
    file = broker.log.with_name(f"{VIRTUAL_HOST}.xml")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("</queues>", f"{section}</queues>"), encoding="utf-8")
    broker.console.configure(file)
    broker.create_queue(in_xml, Limits())
    broker.set_defaults(Limits())

    in_force = Limits(
        limit_bytes=limits.limit_bytes or defaults.limit_bytes or 0,
        resume_bytes=limits.resume_bytes or defaults.resume_bytes or 0,
    )
    assert [broker.limits_in_force(queue) for queue in (in_xml, by_arguments)] == [in_force, in_force]


def test_defaults_are_those_of_the_queues_that_come_after(broker: OldBroker) -> None:
    broker.create_queue("before", Limits())
    broker.set_defaults(Limits(limit_bytes=5000, resume_bytes=4000))
    broker.create_queue("during", Limits())
    broker.create_queue("own", Limits(limit_bytes=1000, resume_bytes=800))
    broker.set_defaults(Limits())
    broker.create_queue("after", Limits())
    found = {queue: broker.limits_in_force(queue) for queue in ("before", "during", "own", "after")}
    assert found == {
        "before": NOTHING_SET,
        "during": Limits(limit_bytes=5000, resume_bytes=4000),
        "own": Limits(limit_bytes=1000, resume_bytes=800),
        "after": NOTHING_SET,
    }


def test_a_level_that_a_queue_set_is_changed_and_not_taken_back(broker: OldBroker) -> None:
    broker.create_queue("changed", Limits(limit_bytes=1000, resume_bytes=800))
    broker.set_limits("changed", Limits(limit_bytes=500, resume_bytes=400))
    assert broker.limits_in_force("changed") == Limits(limit_bytes=500, resume_bytes=400)
    with pytest.raises(AdapterError, match="cannot take back a level"):
        broker.set_limits("changed", Limits(limit_bytes=500))


def test_a_level_that_a_queue_never_set_stays_that_of_its_virtual_host(broker: OldBroker) -> None:
    broker.set_defaults(Limits(limit_bytes=5000, resume_bytes=4000))
    broker.create_queue("capacity alone", Limits(limit_bytes=4500))
    broker.set_defaults(Limits())
    broker.set_limits("capacity alone", Limits(limit_bytes=6000))
    assert broker.limits_in_force("capacity alone") == Limits(limit_bytes=6000, resume_bytes=4000)


def test_depth_is_bytes_of_bodies_and_counts_what_is_not_acknowledged(
    broker: OldBroker, connection: Connection
) -> None:
    broker.create_queue("depth", Limits())
    channel = connection.channel()
    for size in (1, 700, 299):
        channel.publish("", "depth", f"a message of {size} bytes", bytes(size))
    channel.barrier()
    assert broker.depth("depth") == Depth(1000, 3)
    taken = channel.get("depth")
    assert taken is not None
    assert broker.depth("depth") == Depth(1000, 3)
    channel.acknowledge(taken)
    channel.barrier()
    assert broker.depth("depth") == Depth(999, 2)


def test_a_purge_leaves_what_was_handed_out(broker: OldBroker, connection: Connection) -> None:
    broker.create_queue("purged", Limits())
    channel = connection.channel()
    for size in (100, 200, 300):
        channel.publish("", "purged", f"m{size}", bytes(size))
    channel.barrier()
    assert channel.get("purged") is not None
    broker.purge("purged")
    assert broker.depth("purged") == Depth(100, 1)


def test_the_log_names_both_actors_and_groups_digits(broker: OldBroker, connection: Connection) -> None:
    broker.create_queue("logged", Limits(limit_bytes=1000, resume_bytes=800))
    channel = connection.channel(obeys=False)
    channel.publish("", "logged", "m1", bytes(1200))
    channel.barrier()
    assert channel.stopped
    queue = f"[vh(/{VIRTUAL_HOST})/qu(logged)]"
    line = f"{queue} {queue} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000\n"
    assert eventually(lambda: line in broker.log.read_text(encoding="utf-8"))


def test_a_client_that_answers_an_order_to_stop_is_disconnected(broker: OldBroker, connection: Connection) -> None:
    broker.create_queue("answered", Limits(limit_bytes=1000, resume_bytes=800))
    channel = connection.channel(answers_flow=True)
    channel.publish("", "answered", "m1", bytes(1200))
    assert eventually(lambda: connection.lost is not None)
    assert not broker.answers_flow


def test_a_deleted_queue_is_gone(broker: OldBroker) -> None:
    broker.create_queue("deleted", Limits())
    broker.delete_queue("deleted")
    with pytest.raises(Refused, match="no queue deleted on virtual host test"):
        broker.depth("deleted")


def test_a_broker_that_hangs_gives_no_answer_and_one_that_died_is_lost() -> None:
    broker = OldBroker("0.18")
    broker.start()
    try:
        broker.create_queue("queue", Limits())
        os.kill(broker.pid, signal.SIGSTOP)
        with pytest.raises(NoAnswer, match="did not answer 'read' within"):
            broker.depth("queue")
        os.kill(broker.pid, signal.SIGCONT)
        with pytest.raises(ConnectionLost, match="did not answer 'read' within"):
            broker.depth("queue")
    finally:
        broker.stop()


def test_nothing_is_left() -> None:
    broker = OldBroker("0.18")
    broker.start()
    pid, folder = broker.pid, broker.log.parent
    broker.stop()
    broker.stop()
    assert not psutil.pid_exists(pid)
    assert not folder.exists()
    with pytest.raises(Unavailable):
        broker.log.exists()
    with pytest.raises(AdapterError):
        broker.depth("queue")


@pytest.mark.parametrize("version", ["0.22", "0.32", "5.0"])
def test_a_version_that_is_configured_otherwise_is_bad_input(version: str) -> None:
    with pytest.raises(BadInput, match=r"a version up to 0\.20 or from 6\.0 is expected"):
        OldBroker(version)
