"""Other readings of documents 002 and 004, as faults of ActiveMQ Classic and WSO2 Message Broker."""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import Outcome
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.model.language.rule import other_rule
from tidegate.model.mechanisms import andes, classic, classic_usage
from tidegate.model.mechanisms.andes import WHOLE
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, expired

ANOTHER = "java.io.IOException"


@other_rule
def full_when_exceeded(destination: classic.Destination) -> bool:
    """CLASSIC-MEMORY-1: a destination is full once its messages exceed its memory limit."""
    return destination.limit != classic.NO_LIMIT and destination.bytes > destination.limit


@other_rule
def notice_due_after_the_timeout(wait: Wait, waiting: Waiting) -> bool:
    """ANDES-CLIENT-8: notices begin once the time is over after which a publish fails."""
    return wait.notify_ms != NEVER and expired(wait, waiting.waited_ms)


@other_rule
def notice_due_with_the_failure(wait: Wait, waiting: Waiting) -> bool:
    """QPID-CLIENT-9: a client writes one more notice as its send fails."""
    return wait.notify_ms != NEVER and waiting.waited_ms >= waiting.next_notice_ms


@other_rule
def never_takes_temp(placement: classic_usage.Placement) -> bool:
    """CLASSIC-USAGE-2: temporary messages are messages on temporary destinations. There is no such destination here."""
    return placement.persistent and not placement.persistent


@other_rule
def takes_store_unless_in_memory(placement: classic_usage.Placement) -> bool:
    """CLASSIC-USAGE-1: under the memory cursor everything is in memory, and nothing counts against the store."""
    return placement.persistent and not placement.in_memory


class SuspendsConsumers(Classic4Reference):
    """CLASSIC-CONNECTION-1: a full destination suspends the connections of its consumers."""

    def _reads(self) -> bool:
        for connection, commands in self._unread.items():
            consumed = (
                self._storage.destination_of(client)
                for client, its in self._lines.items()
                if its == connection and self._storage.is_consumer(client)
            )
            if commands and not any(classic.holds_back(self._brokers[name].destination) for name in consumed):
                commands.popleft()()
                return True
        return False


class FailsAfterATimeWithAnotherException(ClassicReference):
    """CLASSIC-FAIL-8: a send that waited in vain raises "an exception", and not the one that is named."""

    def settlements(self, producer: str) -> Sequence[Settlement]:
        waited = self._no_space.fails_after_ms > 0
        return [
            replace(each, reason=ANOTHER) if waited and each.outcome is Outcome.REJECTED else each
            for each in super().settlements(producer)
        ]


@other_rule
def closes_when_reached(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-1: publishers are stopped once the threshold is reached."""
    return (memory.total - memory.used) * WHOLE <= memory.total * limits.threshold


@other_rule
def recovered_when_reached(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-2: publishers are released once the recovery threshold is reached."""
    return (memory.total - memory.used) * WHOLE >= memory.total * limits.recovery


@other_rule
def closes_by_free_of_half(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-1: the ratio is one of what the process has taken so far, which is half of what it may."""
    return (memory.total - 2 * memory.used) * WHOLE < memory.total * limits.threshold


@other_rule
def recovered_by_free_of_half(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-2: the same ratio for the release of publishers."""
    return (memory.total - 2 * memory.used) * WHOLE > memory.total * limits.recovery


@other_rule
def closes_past_the_larger_figure(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-1: the figures are of used memory and were exchanged: the larger one stops publishers."""
    return memory.used * WHOLE > memory.total * limits.recovery


@other_rule
def recovered_below_the_smaller_figure(limits: andes.Limits, memory: andes.Memory) -> bool:
    """ANDES-MEMORY-2: the figures are of used memory and were exchanged: the smaller one releases publishers."""
    return memory.used * WHOLE < memory.total * limits.threshold


@other_rule
def every_message_counts(broker: andes.Broker, sender: andes.ConnectionName, size: int) -> andes.Broker:
    """ANDES-COUNT-3: all messages count that ever came over a connection."""
    return replace(broker, memory=replace(broker.memory, used=broker.memory.used - size))


class KeepsTheConnectionOfAFailedSend(AndesReference):
    """ANDES-CLIENT-3: the session may be active after a failure, as document 000 has it of the same property."""

    def client_state(self, producer: str) -> ClientState:
        return ClientState(connected=True, session_open=True)
