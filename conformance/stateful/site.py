"""One destination of a random sequence: its limits, its clients, and what the model and the events say of it."""

from dataclasses import dataclass, field

from tidegate.adapters.base import Limits, Standing
from tidegate.conformance.stateful.ledger import Ledger
from tidegate.conformance.stateful.prediction import Prediction

MOST_CONSUMERS = 2


@dataclass
class Site:
    """A destination with the producers that send only to it, and its consumers."""

    name: str
    limits: Limits
    prediction: Prediction
    ledger: Ledger = field(default_factory=Ledger)
    producers: list[str] = field(default_factory=list)
    consumers: list[str | None] = field(default_factory=lambda: [None] * MOST_CONSUMERS)
    """For each place, the consumer that is open there; None if none is."""
    seen: dict[str, Standing] = field(default_factory=dict)
    """The last standing at which each producer of this destination came to rest."""
    ordered: bool = False
    just_lifted: bool = False
    """Whether the last action lifted an order of management."""
    transacted: str | None = None
    """The producer of transactions; None if none is open."""
    in_transaction: dict[str, int] = field(default_factory=dict)
    """The messages of the open transaction that are unsettled, with their sizes in bytes."""
    waits_in_transaction: bool = False
    """Whether the call that sent the last of them waited for room; it may have returned since."""
    has_uncommitted: bool = False
    """Whether the producer of transactions has sent without a commit since. The trace rules take each message that was
    sent for one that came, so the standing of this producer is not in the trace until then."""
    comparable: bool = False
    """Whether the destination held what the model says before the open transaction began."""

    @property
    def stopped(self) -> tuple[str, ...]:
        """The producers that were last seen stopped."""
        return tuple(name for name, standing in self.seen.items() if standing.stopped)

    @property
    def are_waiting(self) -> bool:
        """Whether the destination has messages that nobody has in hand."""
        return self.prediction.messages > len(self.ledger.in_hand)

    @property
    def attached(self) -> list[str]:
        """All producers of this destination, with the producer of transactions."""
        return [*self.producers, *([] if self.transacted is None else [self.transacted])]

    def leaves(self, client: str) -> None:
        """Note that a client is gone; the messages in hand of a consumer go back to this destination."""
        if client in self.producers:
            self.producers.remove(client)
        if client in self.consumers:
            self.consumers[self.consumers.index(client)] = None
            self.ledger.gives_back(client)
        if self.prediction.knows(client):
            self.prediction.closed(client)

    def nobody_is_attached(self) -> None:
        """Note that all clients are gone, and what consumers held went back."""
        for consumer in filter(None, self.consumers):
            self.ledger.gives_back(consumer)
        self.consumers = [None] * MOST_CONSUMERS
        self.producers.clear()
        self.transacted, self.has_uncommitted = None, False
        self.in_transaction, self.waits_in_transaction = {}, False
        self.seen = {}
