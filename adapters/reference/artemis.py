"""The profile of Artemis: AMQP credit under the address limits of document 003."""

from dataclasses import replace

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.roads import LimitsElsewhere, TakesLimitsElsewhere
from tidegate.adapters.reference.storage import VIRTUAL
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
            *("management-block", "message-limit"),
            *("default-limits", "pattern-limits", "file-limits", "shared-limits"),
            *("restarts-broker", "pauses-broker", "cuts-connections"),
        }
    )
    parameters = VIRTUAL

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._addresses: dict[str, artemis.Address] = {}
        self._most_messages: dict[str, int] = {}
        self._elsewhere = LimitsElsewhere()
        self._shared = Limits()
        self._ordered: set[str] = set()
        self._target: dict[str, str] = {}
        self._issued: dict[str, int] = {}

    def declare_shared(self, limits: Limits) -> None:
        self._shared = limits

    def declare(self, destination: str, limits: Limits) -> None:
        limits = self._elsewhere.in_force(destination, limits)
        self._storage.add(destination)
        self._addresses[destination] = artemis.Address(self._limits(limits), self._window(limits), 0, {})
        self._most_messages[destination] = _or_none(limits.limit_messages)

    def change_limits(self, destination: str, limits: Limits) -> None:
        self._most_messages[destination] = _or_none(limits.limit_messages)
        address = self._addresses[destination]
        self._become(destination, self._rule(after_change_of)(address, self._causes(destination), self._limits(limits)))

    def limits_in_force(self, destination: str) -> Limits:
        address = self._addresses[destination]
        return Limits(
            limit_bytes=address.limits.max_size,
            policy="BLOCK" if address.limits.blocks else "PAGE",
            reject_bytes=address.limits.reject_threshold,
            credit=address.window.size,
            credit_low=address.window.low,
        )

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._attach(producer, connection)
        self._give_credit(producer, destination)

    def open_anonymous_producer(self, producer: str, connection: str) -> None:
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
        if not rejected:
            self._storage.store(destination, message_id, size_bytes)
        self._addresses[destination] = self._rule(artemis.after_send)(address, sender, size_bytes)
        self._issue(destination, self._addresses[destination])
        return Outcome.REJECTED if rejected else Outcome.ACCEPTED

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        if artemis.ProducerName(producer) not in self._addresses[destination].credits:
            self._give_credit(producer, destination)
        self._target[producer] = destination
        return self.send(producer, message_id, size_bytes)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        address = self._addresses[destination]
        self._become(destination, self._rule(after_consuming_from)(address, self._causes(destination), size_bytes))
        self._issue_elsewhere()

    def purge(self, destination: str) -> None:
        removed = self._storage.purge(destination)
        address = self._addresses[destination]
        self._become(destination, self._rule(after_purge_of)(address, self._causes(destination), removed))
        self._issue_elsewhere()

    def block(self, destination: str) -> None:
        self._ordered.add(destination)

    def unblock(self, destination: str) -> None:
        self._ordered.discard(destination)
        self._issue(destination, self._addresses[destination])

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
        self._shared = Limits()
        self._most_messages.clear()
        self._ordered.clear()
        self._target.clear()
        self._issued.clear()

    def _attach(self, producer: str, connection: str) -> None:
        self._storage.connect(producer, connection)
        self._target[producer] = ""
        self._issued[producer] = 0

    def _give_credit(self, producer: str, destination: str) -> None:
        """From now on the producer is one of those that send to the address."""
        self._target[producer] = destination
        address = self._addresses[destination]
        attached = replace(address, credits={**address.credits, artemis.ProducerName(producer): 0})
        self._issue(destination, attached)

    def _causes(self, destination: str) -> FurtherCauses:
        messages = self._storage.queues[destination].depth().messages
        elsewhere = destination in self._ordered or self._full_together(destination)
        blocks = self._addresses[destination].limits.blocks
        return FurtherCauses(elsewhere, self._most_messages[destination] if blocks else NO_LEVEL, messages)

    def _full_together(self, destination: str) -> bool:
        """Whether what all addresses hold closes this one, as if one address held it."""
        held = [queue.depth() for queue in self._storage.queues.values()]
        most_bytes, most_messages = _or_none(self._shared.limit_bytes), _or_none(self._shared.limit_messages)
        limits = replace(self._addresses[destination].limits, max_size=most_bytes)
        together = artemis.Address(limits, self._window(Limits()), sum(each.bytes for each in held), {})
        causes = FurtherCauses(False, most_messages, sum(each.messages for each in held))
        is_full: bool = limits.blocks and self._rule(closed)(together, causes)
        return is_full

    def _issue_elsewhere(self) -> None:
        """What one address gives back may open every other."""
        if self._shared != Limits():
            for destination, address in self._addresses.items():
                self._issue(destination, address)

    def _issue(self, destination: str, address: artemis.Address) -> None:
        """Take on the next state of an address, with the credit that is due issued at once."""
        self._become(destination, self._rule(after_issuing_unless_closed)(address, self._causes(destination)))

    def _become(self, destination: str, after: artemis.Address) -> None:
        """Take on the next state of an address, and count what it issues."""
        before = self._addresses[destination].credits
        for producer, left in after.credits.items():
            self._issued[producer] += left - before.get(producer, 0)
        self._addresses[destination] = after

    def _limits(self, limits: Limits) -> artemis.AddressLimits:
        default: artemis.AddressLimits = self._model.default(artemis, "DEFAULT_LIMITS")
        return artemis.AddressLimits(
            max_size=default.max_size if limits.limit_bytes is None else limits.limit_bytes,
            reject_threshold=default.reject_threshold if limits.reject_bytes is None else limits.reject_bytes,
            blocks=default.blocks if limits.policy is None else limits.policy == "BLOCK",
        )

    def _window(self, limits: Limits) -> Window:
        default: Window = self._model.default(artemis, "DEFAULT_WINDOW")
        return Window(
            size=default.size if limits.credit is None else limits.credit,
            low=default.low if limits.credit_low is None else limits.credit_low,
        )


def _or_none(level: int | None) -> int:
    return NO_LEVEL if level is None else level
