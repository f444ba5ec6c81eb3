"""The gates of the model, stepped byte by byte through the rules of a `Linker`."""

from dataclasses import replace

from generate.figures.drawing import Figure
from generate.figures.loop import Walk, loop, walked
from generate.figures.states import states
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import andes, artemis, classic_usage, gate, qpid_disk
from tidegate.model.mechanisms.artemis import AddressLimits
from tidegate.model.mechanisms.classic_usage import Disk, Placement
from tidegate.model.mechanisms.gate import Gate
from tidegate.model.mechanisms.mechanism import Mechanism, Settings, State
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.qpid import NOT_SET, Limits
from tidegate.model.mechanisms.qpid942 import Policy
from tidegate.model.mechanisms.qpid_disk import Quota, Store
from tidegate.model.mechanisms.queue_gate import queue_gate

PRODUCER = "A"
HIGH, LOW = 1000, 800
"""The two levels of the examples, in bytes."""
TOP = 1300
MESSAGES, MOST_MESSAGES = 10, 16


def general_states(model: Linker = DOCUMENTED) -> Figure:
    """The two states of a gate that closes past 1,000 bytes and opens below 800."""
    settled, levels = model.linked(gate.settled), Gate(HIGH, LOW)
    title = f"A gate with a high watermark of {HIGH:,} and a low watermark of {LOW:,}"
    return states("gate-states", title, "bytes", lambda closed, level: settled(levels, closed, level), TOP)


def general_loop(model: Linker = DOCUMENTED) -> Figure:
    """The loop of the same gate."""
    settled, levels = model.linked(gate.settled), Gate(HIGH, LOW)

    def moved(state: tuple[int, bool], by: int) -> tuple[int, bool]:
        level, closed = state
        return level + by, settled(levels, closed, level + by)

    walk = walked(
        (0, False), lambda state: moved(state, 1), lambda state: moved(state, -1), lambda state: state[1], TOP
    )
    return loop("gate-loop", f"A gate with watermarks of {HIGH:,} and {LOW:,} bytes", "the destination", "bytes", walk)


def qpid_queue(model: Linker = DOCUMENTED) -> Figure:
    """A queue of the Qpid Java broker with both levels configured."""
    walk = _walk_of(queue_gate(model), Limits(HIGH, LOW))
    return loop("qpid-queue", f"Capacity {HIGH:,} bytes, resume level {LOW:,}", "the queue", "bytes", walk)


def qpid_queue_unset(model: Linker = DOCUMENTED) -> Figure:
    """A queue of the Qpid Java broker for which no resume level is set."""
    walk = _walk_of(queue_gate(model), Limits(HIGH, NOT_SET))
    title = f"Capacity {HIGH:,} bytes, no resume level set"
    return loop("qpid-queue-unset", title, "the queue", "bytes", walk)


def qpid_disk_quota(model: Linker = DOCUMENTED) -> Figure:
    """The store of a virtual host with a quota."""
    write, delete = model.linked(qpid_disk.after_writing), model.linked(qpid_disk.after_deleting)
    empty = Store(Quota(HIGH, LOW), used_bytes=0, blocked=False)
    walk = walked(empty, lambda at: write(at, 1), lambda at: delete(at, 1), lambda at: at.blocked, TOP)
    return loop("qpid-disk", f"Overfull limit {HIGH:,} bytes, underfull limit {LOW:,}", "the store", "bytes", walk)


def qpid942_policy(model: Linker = DOCUMENTED) -> Figure:
    """A queue under a policy of the design of QPID-942."""
    walk = _walk_of(queue_policy(model), Policy(most_bytes=HIGH, most_messages=NOT_SET))
    return loop("qpid942-policy", f"A policy of {HIGH:,} bytes", "the queue", "bytes", walk)


def artemis_block(model: Linker = DOCUMENTED) -> Figure:
    """An Artemis address under BLOCK."""
    full, limits = model.linked(artemis.full), AddressLimits(HIGH, artemis.NO_LIMIT, blocks=True)
    walk = walked(0, lambda level: level + 1, lambda level: level - 1, lambda level: full(limits, level), TOP)
    return loop("artemis-block", f"max-size-bytes {HIGH:,} under BLOCK", "the address", "bytes", walk)


def classic_memory(model: Linker = DOCUMENTED) -> Figure:
    """A destination of ActiveMQ Classic with a memory limit."""
    walk = _walk_of(memory_limit(model), HIGH)
    return loop("classic-memory", f"A memory limit of {HIGH:,} bytes", "the destination", "bytes", walk)


def classic_store(model: Linker = DOCUMENTED) -> Figure:
    """The store of ActiveMQ Classic as persistent messages fill it."""
    held, limits = model.linked(classic_usage.held_back_by_disk), Disk(store=HIGH, temp=HIGH)
    write, delete = model.linked(classic_usage.after_writing), model.linked(classic_usage.after_deleting)
    persistent = Placement(persistent=True, in_memory=False)
    walk = walked(
        Disk(store=0, temp=0),
        lambda used: write(used, persistent, 1),
        lambda used: delete(used, persistent, 1),
        lambda used: held(limits, used, persistent),
        TOP,
    )
    return loop("classic-store", f"A store limit of {HIGH:,} bytes, persistent messages", "the store", "bytes", walk)


def andes_count(model: Linker = DOCUMENTED) -> Figure:
    """A connection of WSO2 Message Broker that counts its messages on the broker."""
    publish, remove = model.linked(andes.after_publish), model.linked(andes.after_removal)
    check, line = model.linked(andes.after_check), andes.ConnectionName(PRODUCER)
    limits = replace(model.default(andes, "DEFAULT_LIMITS"), messages=MESSAGES)
    empty = andes.Broker(
        limits, andes.Memory(total=HIGH * TOP, used=0), closed=False, messages={line: 0}, held={line: False}
    )
    walk = walked(
        empty,
        lambda broker: publish(broker, line, 1),
        lambda broker: check(remove(broker, line, 1)),
        lambda broker: broker.held[line],
        MOST_MESSAGES,
    )
    title = f"At most {MESSAGES} messages of a connection"
    return loop("andes-count", title, "the broker", "messages", walk)


def _walk_of(mechanism: Mechanism[Settings, State], settings: Settings) -> Walk:
    """The walk of a mechanism with one producer, filled by messages of one byte and emptied byte by byte."""
    return walked(
        mechanism.after_attach(mechanism.empty(settings), PRODUCER),
        lambda state: mechanism.after_send(state, PRODUCER, 1),
        lambda state: mechanism.after_removal(state, PRODUCER, 1),
        lambda state: not mechanism.may_send(state, PRODUCER, 1),
        TOP,
    )
