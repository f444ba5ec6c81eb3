"""The reference of a released Broker-J, with two features that its document lacks: resume levels by percentage, and
limits in messages.

A queue with a limit in messages has two gates, one over its bytes and one over the number of its messages, by the same
rules. A producer that exceeds either gate is stopped, and is released once both gates release it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Unsupported
from tidegate.adapters.reference.qpid import NO_MESSAGE_LIMIT, Leaving, QpidReference, with_queue, without_queue
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import general_queue_gate, qpid


class BuiltBrokerJ(QpidReference):
    """A broker of queues whose resume level is a percentage of each of their limits."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._in_file: dict[str, Limits] = {}
        """The limits of each destination in the configuration file."""

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        self._in_file[destination] = limits

    def declare(self, destination: str, limits: Limits) -> None:
        limits = self._in_file.pop(destination, limits)
        super().declare(destination, limits)
        gate = self._gate_over_messages(destination, limits)
        if gate.capacity != NO_MESSAGE_LIMIT:
            self._state = with_queue(self._state, _over_messages(destination), gate)

    def unbind(self, destination: str, queue: str) -> None:
        super().unbind(destination, queue)
        self._state = without_queue(self._state, _over_messages(queue))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._in_file.clear()

    def _stored(self, broker: qpid.Broker, producer: str, queues: Sequence[str], added: int) -> qpid.Broker:
        stored = super()._stored(broker, producer, queues, added)
        counted = [_over_messages(queue) for queue in queues if _over_messages(queue) in broker.queues]
        return _joined(super()._stored(stored, producer, counted, 1)) if counted else stored

    def _left(self, broker: qpid.Broker, leaving: Leaving, queue: str, gone: Depth) -> qpid.Broker:
        left, name = super()._left(broker, leaving, queue, gone), _over_messages(queue)
        if name not in broker.queues:
            return left
        return _joined(super()._left(left, leaving, name, Depth(bytes=gone.messages, messages=gone.messages)))

    def _changed(self, broker: qpid.Broker, destination: str, limits: Limits) -> qpid.Broker:
        changed, name = super()._changed(broker, destination, limits), _over_messages(destination)
        gate = self._gate_over_messages(destination, limits)
        if name not in broker.queues and gate.capacity == NO_MESSAGE_LIMIT:
            return changed
        if name not in broker.queues:
            changed = with_queue(changed, name, gate)
            there = replace(changed.queues[name], bytes=self.depth(destination).messages)
            changed = replace(changed, queues={**changed.queues, name: there})
        names = {queue: queue == name for queue in changed.queues}
        return _joined(self._rule(general_queue_gate.after_change)(changed, names, gate.capacity, gate.resume))

    def _gate_of(self, destination: str, limits: Limits) -> qpid.Limits:
        """The virtual host's resume level applies to a queue without one, as the same share of its capacity."""
        whole, share = self._defaults.capacity, self._defaults.resume
        if limits.limit_bytes is not None and limits.resume_bytes is None and whole > 0 and share != qpid.NOT_SET:
            limits = replace(limits, resume_bytes=limits.limit_bytes * share // whole)
        in_force = super()._gate_of(destination, limits)
        if destination in self._overflowing:
            most = self._most_messages(limits)
            self._overflowing[destination] = replace(self._overflowing[destination], limit_messages=most)
        return in_force

    def _gate_over_messages(self, destination: str, limits: Limits) -> qpid.Limits:
        """The levels in messages; none for a queue that refuses or drops messages, which is no gate."""
        if destination in self._overflowing:
            return qpid.Limits(capacity=NO_MESSAGE_LIMIT, resume=qpid.NOT_SET)
        capacity = self._most_messages(limits)
        gate = self._state.queues[qpid.QueueName(destination)]
        if capacity == NO_MESSAGE_LIMIT or gate.resume == qpid.NOT_SET or gate.capacity <= 0:
            return qpid.Limits(capacity=capacity, resume=qpid.NOT_SET)
        return qpid.Limits(capacity=capacity, resume=-(-capacity * gate.resume // gate.capacity))

    def _most_messages(self, limits: Limits) -> int:
        own, default = limits.limit_messages, self._default_policy.limit_messages
        most = default if own is None else own
        return NO_MESSAGE_LIMIT if most is None else most

    def _limits(self, limits: Limits) -> qpid.Limits:
        """The limits as configured. Unsupported for a resume level above the capacity."""
        capacity = self._defaults.capacity if limits.limit_bytes is None else limits.limit_bytes
        if limits.resume_bytes is not None and limits.resume_bytes > capacity:
            raise Unsupported(
                f"no percentage up to 100 of a capacity of {capacity} bytes is a resume level of {limits.resume_bytes} "
                "bytes"
            )
        return super()._limits(limits)

    def _resume_level(self, queue: qpid.Queue) -> int:
        """The highest level at which the queue is underfull; -1 where it has no limit."""
        if not self._rule(qpid.limited)(queue) or queue.resume != qpid.NOT_SET:
            return queue.resume
        low, high = 0, queue.capacity
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if self._rule(qpid.underfull)(replace(queue, bytes=middle)) else (low, middle - 1)
            )
        return low

    def _is_overfull(self, name: qpid.QueueName) -> bool:
        return any(self._rule(qpid.overfull)(gate) for gate in self._gates(name))

    def _stays_overfull(self, name: qpid.QueueName) -> bool:
        return not all(self._rule(qpid.underfull)(gate) for gate in self._gates(name))

    def _message_capacity(self, name: qpid.QueueName) -> int:
        gate = self._state.queues.get(_over_messages(name))
        return NO_MESSAGE_LIMIT if gate is None else gate.capacity

    def _gates(self, name: qpid.QueueName) -> list[qpid.Queue]:
        queues = self._state.queues
        return [queues[each] for each in (name, _over_messages(name)) if each in queues]


def _over_messages(queue: str) -> qpid.QueueName:
    """The name of the gate over the number of a queue's messages."""
    return qpid.QueueName(f"{queue} in messages")


def _joined(broker: qpid.Broker) -> qpid.Broker:
    """The broker in which both gates of a queue hold each producer that one of them holds."""
    return replace(broker, holds={channel: _with_both(held) for channel, held in broker.holds.items()})


def _with_both(held: Mapping[qpid.QueueName, bool]) -> dict[qpid.QueueName, bool]:
    counted = {queue: _over_messages(queue) for queue in held}
    either = {queue: held[queue] or held.get(name, False) for queue, name in counted.items()}
    return either | {name: either[queue] for queue, name in counted.items() if name in held}
