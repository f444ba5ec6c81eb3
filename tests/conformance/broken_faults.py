"""Implementations that keep every promise until a fault: a restart, a pause, a stalled or cut connection."""

from dataclasses import replace

from tidegate.adapters.base import Depth, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid


class LosesTheLastMessageAtARestart(QpidReference):
    """Answers a message before it is written: the last message is lost after a kill."""

    def restart_broker(self) -> None:
        super().restart_broker()
        for destination, queue in self._storage.queues.items():
            if queue.waiting:
                lost = queue.waiting.pop()
                self._state = qpid.with_bytes(self._state, self._names(destination), -lost.size_bytes)


class DeliversTwiceAfterARestart(ArtemisReference):
    """Reads each message of the journal twice, but charges it once."""

    def restart_broker(self) -> None:
        super().restart_broker()
        for queue in self._storage.queues.values():
            queue.waiting.extend(tuple(queue.waiting))


class KeepsWhatAConsumerHeldAtARestart(QpidReference):
    """Treats messages handed out before the kill as delivered: they are never redelivered, and charged for ever."""

    def restart_broker(self) -> None:
        held = {name: dict(queue.handed_out) for name, queue in self._storage.queues.items()}
        super().restart_broker()
        for name, queue in self._storage.queues.items():
            for message in held[name].values():
                queue.waiting.remove(message)
                queue.handed_out[message.message_id] = message


class ChargesNothingAfterARestart(ArtemisReference):
    """Charges messages that it is sent, and not messages that it reads from its disk."""

    def restart_broker(self) -> None:
        super().restart_broker()
        for destination, address in self._addresses.items():
            self._addresses[destination] = replace(address, bytes=0)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        destination = self._storage.destination_of(consumer)
        address = self._addresses[destination]
        self._addresses[destination] = replace(address, bytes=max(0, address.bytes))

    def depth(self, destination: str) -> Depth:
        return replace(super().depth(destination), bytes=self._addresses[destination].bytes)


class ChargesTwiceAfterARestart(ClassicReference):
    """Charges messages that it reads from its disk in addition to the charge in its index."""

    def restart_broker(self) -> None:
        super().restart_broker()
        for name, destination in self._destinations.items():
            self._destinations[name] = replace(destination, bytes=2 * destination.bytes)


class ForgetsLimitsAtARestart(QpidReference):
    """Stores queues and messages, but no limits."""

    def restart_broker(self) -> None:
        super().restart_broker()
        queues = {name: replace(queue, capacity=qpid.NO_LIMIT) for name, queue in self._state.queues.items()}
        self._state = replace(self._state, queues=queues)


class DoublesLimitsAtARestart(ArtemisReference):
    """Reads a limit from its settings in another unit than it was written."""

    def restart_broker(self) -> None:
        super().restart_broker()
        for destination, address in self._addresses.items():
            limits = replace(address.limits, max_size=2 * address.limits.max_size)
            self._addresses[destination] = replace(address, limits=limits)


class ReleasesNobodyWhoCameAfterARestart(ArtemisReference):
    """The list of waiting producers is not rebuilt after a restart."""

    restarted = False

    def restart_broker(self) -> None:
        super().restart_broker()
        self.restarted = True

    def acknowledge(self, consumer: str, message_id: str) -> None:
        if not self.restarted:
            return super().acknowledge(consumer, message_id)
        destination, size_bytes = self._storage.settle(consumer, message_id)
        address = self._addresses[destination]
        self._addresses[destination] = replace(address, bytes=address.bytes - size_bytes)
        return None

    def end_scenario(self) -> None:
        super().end_scenario()
        self.restarted = False


class ReleasesEverybodyAfterAPause(QpidReference):
    """Treats producers that waited through a pause as timed out, and releases them."""

    def unpause_broker(self) -> None:
        free = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=free)


class ReleasesOneAfterAPause(QpidReference):
    """Forgets, in a pause, all waiting producers but the first."""

    def __init__(self) -> None:
        super().__init__()
        self._lost: set[str] = set()

    def unpause_broker(self) -> None:
        held = [channel for channel in self._state.holds if qpid.stopped(self._state, channel)]
        self._lost.update(held[1:])

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=producer in self._lost or super().standing(producer).stopped)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._lost.clear()


class WaitsForAStalledConnection(QpidReference):
    """Writes the order to go on to one connection after the other: a stalled connection delays the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._stalled: set[str] = set()

    def stall(self, connection: str) -> None:
        self._stalled.add(connection)

    def unstall(self, connection: str) -> None:
        self._stalled.discard(connection)

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=bool(self._stalled) or super().standing(producer).stopped)


class ForgetsAStalledConnection(ArtemisReference):
    """Does not repeat orders that a connection could not be sent while it was stalled."""

    def __init__(self) -> None:
        super().__init__()
        self._forgotten: set[str] = set()

    def stall(self, connection: str) -> None:
        self._forgotten.add(connection)

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        forgotten = self._storage.connection_of(producer) in self._forgotten
        return replace(standing, stopped=True) if forgotten else standing

    def end_scenario(self) -> None:
        super().end_scenario()
        self._forgotten.clear()


class StoresTwiceWhatWasCut(QpidReference):
    """Stores a message when its connection breaks, and again when it cleans up after the connection."""

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        if arrives:
            self.send(producer, message_id, size_bytes)
        return super().cut_in_send(producer, message_id, size_bytes, arrives)


class ChargesHalfOfAMessage(QpidReference):
    """Charges a message as its bytes come, and frees none of them if the rest does not come."""

    def __init__(self) -> None:
        super().__init__()
        self._charged: dict[str, int] = {}

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        (destination,) = self._routes[producer]
        if not arrives:
            self._charged[destination] = size_bytes // 2
        return super().cut_in_send(producer, message_id, size_bytes, arrives)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._charged.get(destination, 0))


class HoldsEverybodyAfterACut(ArtemisReference):
    """Waits for the rest of a message that was cut, with the whole address locked."""

    def __init__(self) -> None:
        super().__init__()
        self._locked = False

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        self._locked = True
        return super().cut_in_send(producer, message_id, size_bytes, arrives)

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        return replace(standing, stopped=True) if self._locked else standing

    def end_scenario(self) -> None:
        super().end_scenario()
        self._locked = False


class ReleasesEverybodyAtACut(QpidReference):
    """Cleans up after a cut connection, and with it after all others."""

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        outcome = super().cut_in_send(producer, message_id, size_bytes, arrives)
        free = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=free)
        return outcome
