"""Brokers whose log has a line too many, or a figure that is wrong once it is large."""

import re

from tidegate.adapters.reference.qpid import QpidReference, _queue_actor
from tidegate.model.language.message_text import Field, Message
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL


class LogsOverfullWithEveryStop(QpidReference):
    """Writes that a queue is overfull each time that it stops a channel."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        if message is CHANNEL_STOPPED:
            name = qpid.QueueName(str(fields["queue"]))
            if self._said_overfull[name]:
                super()._log(_queue_actor(name), QUEUE_OVERFULL, **self._fields(name))
        super()._log(actor, message, **fields)


class LogsOverfullTwice(QpidReference):
    """Writes each line that a queue is overfull twice."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        super()._log(actor, message, **fields)
        if message is QUEUE_OVERFULL:
            super()._log(actor, message, **fields)


class LogsUnderfullTwice(QpidReference):
    """Writes each line that a queue is underfull twice."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        super()._log(actor, message, **fields)
        if message is QUEUE_UNDERFULL:
            super()._log(actor, message, **fields)


class LogsOverfullWhileItStaysSo(QpidReference):
    """Writes that a queue is overfull with each message that comes while the queue is overfull."""

    def _become(self, after: qpid.Broker) -> None:
        before = dict(self._said_overfull)
        more = [name for name, queue in after.queues.items() if queue.bytes > self._state.queues[name].bytes]
        super()._become(after)
        for name in more:
            if before[name] and self._said_overfull[name]:
                self._log(_queue_actor(name), QUEUE_OVERFULL, **self._fields(name))


class LogsUnderfullWithoutOverfull(QpidReference):
    """Writes that a queue is underfull with each message that leaves while the queue is underfull."""

    def _become(self, after: qpid.Broker) -> None:
        less = [name for name, queue in after.queues.items() if queue.bytes < self._state.queues[name].bytes]
        said = dict(self._said_overfull)
        super()._become(after)
        for name in less:
            if not said[name] and qpid.underfull(after.queues[name]):
                self._log(_queue_actor(name), QUEUE_UNDERFULL, **self._fields(name))


class LogsEveryQueue(QpidReference):
    """Writes that every queue is overfull when one of them is."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        super()._log(actor, message, **fields)
        if message is QUEUE_OVERFULL:
            for name in self._state.queues:
                if _queue_actor(name) != actor:
                    super()._log(_queue_actor(name), message, **self._fields(name))


class LogsIdleChannelsAsStopped(QpidReference):
    """Writes that every channel is stopped when one of them is."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        for each in self._actors.values() if message is CHANNEL_STOPPED else (actor,):
            super()._log(each, message, **fields)


class LogsEveryChannelAsReleased(QpidReference):
    """Writes that every channel is released when one of them is."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        for each in self._actors.values() if message is CHANNEL_RELEASED else (actor,):
            super()._log(each, message, **fields)


class LogsClosedChannelsAsReleased(QpidReference):
    """Writes that a stopped channel is released when the channel is closed."""

    def close_producer(self, producer: str) -> None:
        stopped = self.standing(producer).stopped
        super().close_producer(producer)
        if stopped:
            self._log(self._actors[producer], CHANNEL_RELEASED)


class LogsAReleaseForEachQueue(QpidReference):
    """Writes that a channel is released with each queue that lets it go, even if another one still stops it."""

    def _become(self, after: qpid.Broker) -> None:
        before = self._state
        super()._become(after)
        for channel, held in after.holds.items():
            let_go = any(was and not held.get(name, False) for name, was in before.holds.get(channel, {}).items())
            if let_go and any(held.values()):
                self._log(self._actors[channel], CHANNEL_RELEASED)


class LogsTheFirstStopOnly(QpidReference):
    """Writes nothing when a channel is stopped that was stopped before."""

    def __init__(self) -> None:
        super().__init__()
        self._written: set[str] = set()

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        if message is not CHANNEL_STOPPED or actor not in self._written:
            super()._log(actor, message, **fields)
        if message is CHANNEL_STOPPED:
            self._written.add(actor)


class WritesOneComma(QpidReference):
    """Writes one comma at most in a figure, before its last three digits."""

    def log_lines(self) -> list[str]:
        def one_comma(found: re.Match[str]) -> str:
            digits = found[0].replace(",", "")
            return f"{digits[:-3]},{digits[-3:]}"

        return [re.sub(r"\d{1,3}(,\d{3})+(?!\d)", one_comma, line) for line in super().log_lines()]


LOGS: dict[type, tuple[str, ...]] = {
    LogsOverfullWithEveryStop: ("QPID-LOG-1",),
    LogsOverfullTwice: ("QPID-LOG-1",),
    LogsUnderfullTwice: ("QPID-LOG-3",),
    LogsOverfullWhileItStaysSo: ("QPID-LOG-1",),
    LogsUnderfullWithoutOverfull: ("QPID-LOG-3",),
    LogsEveryQueue: ("QPID-LOG-1",),
    LogsIdleChannelsAsStopped: ("QPID-LOG-2",),
    LogsEveryChannelAsReleased: ("QPID-LOG-4",),
    LogsClosedChannelsAsReleased: ("QPID-LOG-4",),
    LogsAReleaseForEachQueue: ("QPID-LOG-4",),
    LogsTheFirstStopOnly: ("QPID-LOG-2",),
}
"""The rules that each of these brokers breaks; the conditions list the faults that show only under a condition."""
