"""The profile of Artemis: AMQP credit under the address limits of document 003."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Depth,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.overflow import FAIL, PAGE, Paging, is_reached, overflowing
from tidegate.adapters.reference.roads import LimitsElsewhere, TakesLimitsElsewhere
from tidegate.adapters.reference.shown import whole_percent
from tidegate.adapters.reference.storage import VIRTUAL, StoredMessage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.general_address import (
    NO_LEVEL,
    FurtherCauses,
    after_change_of,
    after_closing_of,
    after_consuming_from,
    after_issuing_unless_closed,
    after_purge_of,
    closed,
)


class ArtemisReference(TakesLimitsElsewhere, Clients):
    """A broker of addresses with one queue each, whose producers hold credits in messages.

    A producer that names an address with each message holds credits for each address that it sent to.
    """

    identity = Identity("reference", "artemis", "virtual", "reference:artemis")
    capabilities = frozenset(
        {
            *("address-limit", "amqp-credit", "any-credit-window", "reject-threshold", "limits-readable"),
            *("changed-limits", "purge", "topics", "anonymous-producers", "close-clients", "kill-clients"),
            *("management-block", "message-limit", "shared-sessions", "bursts", "later-bindings"),
            "temporary-subscriptions",
            *("default-limits", "pattern-limits", "changed-patterns", "file-limits", "shared-limits"),
            *("refusing-policy", "dropping-policy", "page-limit", "several-bindings", "full-disk"),
            *("restarts-broker", "pauses-broker", "cuts-connections", "management-close"),
            *("moves-messages", "lists-messages", "expiring-messages", "message-properties", "ordered-messages"),
            *("browsed-messages", "dead-letters", "returned-messages", "recreated-destinations", "filtering-consumers"),
            *("acknowledges-together", "settled-sends", "expiring-transacted", "delayed-messages"),
            *("temporary-destinations", "priority-queues"),
            *("traffic-readable", "counts-expired", "counts-bytes", "usage-shown"),
        }
    )
    parameters = VIRTUAL

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._addresses: dict[str, artemis.Address] = {}
        self._most_messages: dict[str, int] = {}
        self._in_force: dict[str, Limits] = {}
        self._paging: dict[str, Paging] = {}
        self._bound: dict[str, str] = {}
        """The address of each further queue."""
        self._elsewhere = LimitsElsewhere()
        self._own: dict[str, Limits] = {}
        """The limits of each address itself, without limits of patterns and defaults."""
        self._shared = Limits()
        self._ordered: set[str] = set()
        self._is_disk_full = False
        self._target: dict[str, str] = {}
        self._settled: set[str] = set()
        """The producers to whose messages no answer is owed."""
        self._issued: dict[str, int] = {}

    def declare_shared(self, limits: Limits) -> None:
        self._shared = limits

    def declare(self, destination: str, limits: Limits) -> None:
        self._own[destination] = limits
        limits = self._elsewhere.in_force(destination, limits)
        self._storage.add(destination)
        self._addresses[destination] = artemis.Address(self._limits(limits), self._window(limits), 0, {})
        self._most_messages[destination] = _or_none(limits.limit_messages)
        self._in_force[destination] = limits
        self._paging[destination] = Paging(self._model)

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Create the queues; the limits of the address apply, and limits of single queues are ignored."""
        for queue in (*before, after):
            self._storage.add(queue)
            self._bound[queue] = destination
        self.declare(destination, limits)

    def bind(self, destination: str, queue: str) -> None:
        self._storage.add(queue)
        self._bound[queue] = destination

    def subscribe(self, consumer: str, connection: str, destination: str) -> None:
        self.bind(destination, consumer)
        self.open_consumer(consumer, connection, consumer)

    def unbind(self, destination: str, queue: str) -> None:
        gone = self._storage.queues[queue].messages()
        del self._bound[self._storage.remove(queue)]
        self._free(destination, [message for message in gone if not self._is_held(destination, message.message_id)])

    def depth(self, destination: str) -> Depth:
        """The bytes and messages; a message that several queues hold counts once for their address."""
        address = self._bound.get(destination, destination)
        own = self._storage.queues[destination].depth()
        if address not in self._bound.values():
            return own
        return Depth(sum(self._messages_at(address).values()), own.messages)

    def close_consumer(self, consumer: str) -> None:
        """Detach the consumer, and drop its subscription if that has its name."""
        super().close_consumer(consumer)
        if consumer in self._bound:
            self.unbind(self._bound[consumer], consumer)

    def change_limits(self, destination: str, limits: Limits) -> None:
        self._own[destination] = limits
        limits = self._elsewhere.in_force(destination, limits)
        self._most_messages[destination] = _or_none(limits.limit_messages)
        self._in_force[destination] = limits
        address = self._addresses[destination]
        self._become(destination, self._rule(after_change_of)(address, self._causes(destination), self._limits(limits)))

    def change_pattern(self, beginning: str, limits: Limits) -> None:
        self.declare_pattern(beginning, limits)
        for destination in self._addresses:
            if destination.startswith(beginning):
                self.change_limits(destination, self._own[destination])

    def limits_in_force(self, destination: str) -> Limits:
        address = self._addresses[destination]
        return Limits(
            limit_bytes=address.limits.max_size,
            policy=self._in_force[destination].policy or ("BLOCK" if address.limits.blocks else PAGE),
            reject_bytes=address.limits.reject_threshold,
            credit=address.window.size,
            credit_low=address.window.low,
        )

    def shown_percent(self, destination: str) -> int | None:
        return whole_percent(self.depth(destination).bytes, self.limits_in_force(destination).limit_bytes)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._attach(producer, connection)
        if options.settled:
            self._settled.add(producer)
        self._give_credit(producer, destination)

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        self._attach(producer, connection)

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        name = artemis.ProducerName(producer)
        for destination, address in self._addresses.items():
            after = self._rule(after_closing_of)(address, name)
            others = {other: left for other, left in after.credits.items() if other != name}
            self._addresses[destination] = replace(after, credits=others)
        del self._target[producer]

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        destination = self._target[producer]
        address, sender = self._addresses[destination], artemis.ProducerName(producer)
        if not self._rule(artemis.may_send)(address, sender):
            return Outcome.BLOCKED
        rejected = self._rule(artemis.rejecting)(address.limits, address.bytes)
        overflows = self._overflow(destination, message_id, size_bytes)
        if not rejected and not overflows:
            self._enqueue(producer, StoredMessage(message_id, size_bytes))
        self._addresses[destination] = (
            self._rule(artemis.after_rejection)(address, sender)
            if overflows == FAIL
            else self._rule(artemis.after_send)(address, sender, 0 if overflows else size_bytes)
        )
        self._issue(destination, self._addresses[destination])
        if producer in self._settled:
            return Outcome.SENT
        return Outcome.REJECTED if rejected or overflows == FAIL else Outcome.ACCEPTED

    def send_burst(self, producers: Sequence[str], message_ids: Sequence[str], size_bytes: int) -> Sequence[Outcome]:
        """Send all messages; each is answered at once here."""
        return [self.send(producer, each, size_bytes) for producer, each in zip(cycle(producers), message_ids)]

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        if artemis.ProducerName(producer) not in self._addresses[destination].credits:
            self._give_credit(producer, destination, self._model.default(artemis, "WINDOWS_AHEAD"))
        self._target[producer] = destination
        return self.send(producer, message_id, size_bytes)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        queue, size_bytes = self._storage.settle(consumer, message_id)
        destination = self._bound.get(queue, queue)
        if not self._is_held(destination, message_id):
            self._paging[destination].remove(message_id)
            address = self._addresses[destination]
            self._become(destination, self._rule(after_consuming_from)(address, self._causes(destination), size_bytes))
            self._issue_elsewhere()

    def purge(self, destination: str) -> None:
        waiting = list(self._storage.queues[destination].waiting)
        self._storage.purge(destination)
        address = self._bound.get(destination, destination)
        self._free(address, [message for message in waiting if not self._is_held(address, message.message_id)])

    def block(self, destination: str) -> None:
        self._ordered.add(destination)

    def unblock(self, destination: str) -> None:
        self._ordered.discard(destination)
        self._issue(destination, self._addresses[destination])

    def use_small_disk(self) -> None:
        """Do nothing: the disk is as large as needed."""

    def fill_disk(self) -> None:
        self._is_disk_full = True

    def free_disk(self) -> None:
        self._is_disk_full = False
        for destination, address in self._addresses.items():
            self._issue(destination, address)

    def standing(self, producer: str) -> Standing:
        destination, name = self._target[producer], artemis.ProducerName(producer)
        if not destination:
            return Standing(stopped=False)
        address = self._addresses[destination]
        return Standing(
            stopped=not self._rule(artemis.may_send)(address, name),
            credit_issued=self._issued[producer],
            credit_left=address.credits[name],
        )

    def end_scenario(self) -> None:
        self._storage.clear()
        self._addresses.clear()
        self._elsewhere.clear()
        self._own.clear()
        self._shared = Limits()
        self._most_messages.clear()
        self._in_force.clear()
        self._paging.clear()
        self._bound.clear()
        self._ordered.clear()
        self._is_disk_full = False
        self._target.clear()
        self._settled.clear()
        self._issued.clear()

    def _enqueue(self, producer: str, message: StoredMessage) -> None:
        """Store a message of the producer in each queue of its address."""
        for queue in self._queues_of(self._target[producer]):
            self._storage.store(queue, message.message_id, message.size_bytes)

    def _queues_of(self, destination: str) -> tuple[str, ...]:
        """The queues that receive every message sent to an address."""
        return (*(queue for queue, address in self._bound.items() if address == destination), destination)

    def _messages_at(self, destination: str) -> dict[str, int]:
        """The ids and sizes in bytes of the messages that any queue of an address holds."""
        return {
            message.message_id: message.size_bytes
            for queue in self._queues_of(destination)
            for message in self._storage.queues[queue].messages()
        }

    def _held_at(self, destination: str) -> Depth:
        """The bytes and messages of an address, each message once."""
        if len(self._queues_of(destination)) == 1:
            return self._storage.queues[destination].depth()
        sizes = self._messages_at(destination)
        return Depth(sum(sizes.values()), len(sizes))

    def _is_held(self, destination: str, message_id: str) -> bool:
        return any(self._storage.queues[queue].holds(message_id) for queue in self._queues_of(destination))

    def _free(self, destination: str, gone: list[StoredMessage]) -> None:
        """Free the space of messages that left every queue of an address at once."""
        for message in gone:
            self._paging[destination].remove(message.message_id)
        removed = sum(message.size_bytes for message in gone)
        address = self._addresses[destination]
        self._become(destination, self._rule(after_purge_of)(address, self._causes(destination), removed))
        self._issue_elsewhere()

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        """FAIL or DROP where the address has no room for a message, else the empty text; a message that goes to a page
        is noted.

        An address pages on until all paged messages are gone.
        """
        limits, held = self._in_force[destination], self._held_at(destination)
        paged = self._paging[destination]
        in_memory = Depth(held.bytes - paged.depth.bytes, held.messages - paged.depth.messages)
        if limits.policy != PAGE:
            return overflowing(limits, held)
        if paged.goes_on or is_reached(limits, in_memory):
            paged.begin()
            if paged.is_full(limits):
                return limits.page_full_policy or FAIL
            paged.add(message_id, size_bytes)
        elif is_reached(limits, Depth(in_memory.bytes + size_bytes, in_memory.messages + 1)):
            paged.begin()
        return ""

    def _attach(self, producer: str, connection: str) -> None:
        self._storage.connect(producer, connection)
        self._target[producer] = ""
        self._issued[producer] = 0

    def _give_credit(self, producer: str, destination: str, windows_ahead: int = 0) -> None:
        """Add the producer, perhaps with windows of credit issued before, to the senders of the address."""
        self._target[producer] = destination
        address = self._addresses[destination]
        ahead = windows_ahead * address.window.size
        attached = replace(address, credits={**address.credits, artemis.ProducerName(producer): ahead})
        self._issue(destination, attached)

    def _causes(self, destination: str) -> FurtherCauses:
        messages = self._held_at(destination).messages
        elsewhere = destination in self._ordered or self._is_disk_full or self._full_together(destination)
        blocks = self._addresses[destination].limits.blocks
        return FurtherCauses(elsewhere, self._most_messages[destination] if blocks else NO_LEVEL, messages)

    def _full_together(self, destination: str) -> bool:
        """Whether the total of all addresses closes this one, as if one address held it."""
        if self._shared == Limits():
            return False
        held = [self._held_at(address) for address in self._addresses]
        most_bytes, most_messages = _or_none(self._shared.limit_bytes), _or_none(self._shared.limit_messages)
        limits = replace(self._addresses[destination].limits, max_size=most_bytes)
        together = artemis.Address(limits, self._window(Limits()), sum(each.bytes for each in held), {})
        causes = FurtherCauses(False, most_messages, sum(each.messages for each in held))
        is_full: bool = limits.blocks and self._rule(closed)(together, causes)
        return is_full

    def _issue_elsewhere(self) -> None:
        """Issue credit on every address, since space freed at one address may open all others."""
        if self._shared != Limits():
            for destination, address in self._addresses.items():
                self._issue(destination, address)

    def _issue(self, destination: str, address: artemis.Address) -> None:
        """Set the next state of an address, with due credit issued at once."""
        self._become(destination, self._rule(after_issuing_unless_closed)(address, self._causes(destination)))

    def _become(self, destination: str, after: artemis.Address) -> None:
        """Set the next state of an address, and count the credit that it issues."""
        before = self._addresses[destination].credits
        for producer, left in after.credits.items():
            self._issued[producer] += left - before.get(producer, 0)
        self._addresses[destination] = after

    def _limits(self, limits: Limits) -> artemis.AddressLimits:
        default: artemis.AddressLimits = self._model.default(artemis, "DEFAULT_LIMITS")
        return artemis.AddressLimits(
            max_size=default.max_size if limits.limit_bytes is None else limits.limit_bytes,
            reject_threshold=default.reject_threshold if limits.reject_bytes is None else limits.reject_bytes,
            blocks=default.blocks
            if limits.policy is None
            else limits.policy in self._model.default(artemis, "STOPPING"),
        )

    def _window(self, limits: Limits) -> Window:
        default: Window = self._model.default(artemis, "DEFAULT_WINDOW")
        return Window(
            size=default.size if limits.credit is None else limits.credit,
            low=default.low if limits.credit_low is None else limits.credit_low,
        )


def _or_none(level: int | None) -> int:
    return NO_LEVEL if level is None else level
