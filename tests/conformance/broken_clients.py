"""Implementations that each break one promise to waiting producers: their answers, or the time of their release."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tests.conformance.broken_classic import ControlsEveryDestination
from tidegate.adapters.base import Limits
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.classic import ClassicReference, Pending
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import classic, qpid


class HalvesAnUnsetResumeLevel(QpidReference):
    """Uses half of the capacity as the resume level if none is set."""

    def declare(self, destination: str, limits: Limits) -> None:
        half = None if limits.limit_bytes is None else limits.limit_bytes // 2
        super().declare(destination, limits if limits.resume_bytes is not None else replace(limits, resume_bytes=half))


class NeverUnblocksAStore(QpidReference):
    """Does not check the quota of its store when messages leave."""

    def _delete(self, messages: Iterable[tuple[str, int]]) -> None:
        pass


class SendsWhatFailed(QpidReference):
    """Sends a message although it told the caller that the send failed."""

    def advance(self, ms: int) -> None:
        waiting = {producer: client.waiting.send for producer, client in self._clients}
        super().advance(ms)
        for producer, send in waiting.items():
            if send is not None and self._clients[producer].waiting.send is None:
                self._go_on(producer, send.message_id, send.size_bytes)


class TellsItsCallersNothing(QpidReference):
    """Lets sends fail without an exception, and writes warnings without figures."""

    def settlements(self, producer: str) -> Sequence[Settlement]:
        return [replace(each, reason="") for each in super().settlements(producer)]

    def client_warnings(self, producer: str) -> Sequence[str]:
        return ["WARN waiting" for _ in super().client_warnings(producer)]


class ThrowsAnotherException(QpidReference):
    """Lets sends fail with an exception of the platform, whose text names the right one."""

    def settlements(self, producer: str) -> Sequence[Settlement]:
        told = super().settlements(producer)
        return [replace(each, reason="java.io.IOException: no JMSException" if each.reason else "") for each in told]


class WakesNobodyOnceFullAgain(QpidReference):
    """Forgets the other waiting producers once the first waiting message has filled its queue again."""

    def __init__(self) -> None:
        super().__init__()
        self._forgotten: set[str] = set()

    def _let_go(self) -> None:
        for producer, client in self._clients:
            send = client.waiting.send
            if send is None or producer in self._forgotten or self.standing(producer).stopped:
                continue
            if any(qpid.overfull(self._state.queues[name]) for name in self._names() if name in self._routes[producer]):
                self._forgotten.add(producer)
            else:
                client.let_go(self._go_on(producer, send.message_id, send.size_bytes))


class GivesUpUnconfigured(ClassicReference):
    """Lets a send fail after half a second if no timeout is configured."""

    def end_scenario(self) -> None:
        super().end_scenario()
        self._no_space = classic.NoSpace(fails_at_once=False, fails_after_ms=500)


class KeepsWindowsClosed(ClassicReference):
    """Never answers a message that it had to hold back, so that the producer's window stays full."""

    def _stored_late(self, pending: Pending) -> bool:
        stored = super()._stored_late(pending)
        if stored:
            pending.producer.unanswered += pending.size_bytes
        return stored


class ControlsWhatIsHalfFull(ControlsEveryDestination):
    """Holds back sends to a destination that is half full, even if flow control is switched off."""

    def declare(self, destination: str, limits: Limits) -> None:
        half = None if limits.limit_bytes is None else limits.limit_bytes // 2
        super().declare(destination, replace(limits, limit_bytes=half))
