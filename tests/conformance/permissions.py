"""Brokers that do not use a permission of a rule: the reference with one permission not used."""

from dataclasses import replace

from tidegate.adapters.base import Outcome
from tidegate.adapters.groups import ClientState, ConsumerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.classic_usage import Placement


class RefusesCommitsWhileBlocked(QpidReference):
    """QPID-DISK-5: refuses commits once the store is overfull."""

    def commit(self, producer: str) -> Outcome:
        if self._store.blocks:
            self.rollback(producer)
            return Outcome.REJECTED
        return super().commit(producer)


class KeepsAnotherStore(QpidReference):
    """QPID-DISK-6: supports a quota for a store of a third kind only."""

    parameters = replace(QpidReference.parameters, notes={"message store": "Memory"})


class _AfterAFailure(QpidReference):
    """Notes the producers whose sends have failed."""

    def __init__(self) -> None:
        super().__init__()
        self._failed: set[str] = set()

    def advance(self, ms: int) -> None:
        waiting = {producer for producer, client in self._clients if client.waiting.send is not None}
        super().advance(ms)
        self._failed |= {producer for producer in waiting if self._clients[producer].waiting.send is None}

    def end_scenario(self) -> None:
        super().end_scenario()
        self._failed = set()


class ClosesTheSessionOfAFailure(_AfterAFailure):
    """QPID-CLIENT-5: closes a session without a transaction once a send of it has failed."""

    def client_state(self, producer: str) -> ClientState:
        state = super().client_state(producer)
        return state if state.in_transaction else replace(state, session_open=producer not in self._failed)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if producer in self._failed and producer not in self._uncommitted:
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class TakesNoSecondTry(_AfterAFailure):
    """QPID-CLIENT-7: refuses all messages of a producer after a failure."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if producer in self._failed:
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class RejectsOnAFullAddress(ArtemisReference):
    """ARTEMIS-AMQP-7: rejects messages to a full address that are sent on earlier credit, and takes the credit."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        destination, sender = self._target[producer], artemis.ProducerName(producer)
        address = self._addresses[destination]
        if not (artemis.may_send(address, sender) and artemis.full(address.limits, address.bytes)):
            return super().send(producer, message_id, size_bytes)
        charged = artemis.after_send(address, sender, size_bytes)
        self._addresses[destination] = replace(charged, bytes=address.bytes)
        return Outcome.REJECTED


class TakesARateOfZeroByTheLetter(ArtemisCoreReference):
    """ARTEMIS-RATE-11: hands out nothing at a rate of 0."""

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer_with(consumer, connection, destination, options)
        if options.rate == 0:
            self._buffering[consumer].passing.may_pass = lambda now_ms: False  # type: ignore[method-assign]


class CountsFilesAsMemory(ClassicReference):
    """CLASSIC-MEMORY-7: counts messages that a cursor keeps in a file against the memory limit, too."""

    def _placement(self, producer: object) -> Placement:
        return replace(super()._placement(producer), in_memory=True)  # type: ignore[arg-type]


class StallsNoConnection(ClassicReference):
    """CLASSIC-WINDOW-3: goes on reading from a connection on which a message is held back."""

    def _stalls(self, connection: str) -> bool:
        return False


class HearsConsumersApart(Classic4Reference):
    """CLASSIC-CONNECTION-2: reads from a consumer although the producers of its connection are suspended."""

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        super().open_consumer(consumer, f"{connection}, consumers", destination)


NOT_USED: dict[str, type] = {
    "QPID-DISK-5": RefusesCommitsWhileBlocked,
    "QPID-DISK-6": KeepsAnotherStore,
    "QPID-CLIENT-5": ClosesTheSessionOfAFailure,
    "QPID-CLIENT-7": TakesNoSecondTry,
    "ARTEMIS-AMQP-7": RejectsOnAFullAddress,
    "ARTEMIS-RATE-11": TakesARateOfZeroByTheLetter,
    "CLASSIC-MEMORY-7": CountsFilesAsMemory,
    "CLASSIC-WINDOW-3": StallsNoConnection,
    "CLASSIC-CONNECTION-2": HearsConsumersApart,
}
"""For each permission, a broker that does not use it; every profile of the reference uses those that it claims."""

ALWAYS_USED: dict[str, str] = {
    "QPID-CLIENT-8": "QPID-CLIENT-6 leaves the transaction open, and it holds nothing that failed",
    "ARTEMIS-CORE-7": "ARTEMIS-CORE-5 grants each producer all the room there is, whatever others hold credit for",
}
"""Permissions that every broker must use because of another rule, each with the reason."""
