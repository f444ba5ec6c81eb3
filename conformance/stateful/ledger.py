"""What became of each message of a sequence, by its id, from the events of the sequence."""

from dataclasses import dataclass, field

from tidegate.record.events import Event, Kind

TAKEN_OVER = ("accepted", "sent")


@dataclass
class Ledger:
    """Who was told what of each message, and who has it."""

    accepted: dict[str, None] = field(default_factory=dict)
    """In order; the broker said that it has them."""
    removed: set[str] = field(default_factory=set)
    """Acknowledged, or perhaps among those that a purge removed: whether it leaves what is in hand nobody promises."""
    in_hand: dict[str, str] = field(default_factory=dict)
    """For each message, the consumer that was handed it, and neither acknowledged nor gave it back."""
    given_back: set[str] = field(default_factory=set)
    """The ids of messages that a consumer gave back."""
    known: dict[str, None] = field(default_factory=dict)
    """All that were sent."""
    just_acknowledged: list[str] = field(default_factory=list)
    """Since this was last emptied."""

    def note(self, event: Event) -> None:
        """Take one more event into account."""
        message_id = event.message_id or ""
        match event.kind:
            case Kind.SEND | Kind.SETTLED:
                self.known[message_id] = None
                if event.outcome in TAKEN_OVER:
                    self.accepted[message_id] = None
            case Kind.ACKNOWLEDGE:
                self.in_hand.pop(message_id, None)
                self.removed.add(message_id)
                self.just_acknowledged.append(message_id)
            case Kind.PURGE:
                self.removed |= self.known.keys()

    def handed_out(self, message_id: str, consumer: str) -> bool:
        """A consumer was handed a message; whether nobody had it in hand."""
        is_free = message_id not in self.in_hand
        self.in_hand[message_id] = consumer
        return is_free

    def gives_back(self, consumer: str) -> None:
        """A consumer is gone."""
        mine = {message_id for message_id, holder in self.in_hand.items() if holder == consumer}
        self.given_back |= mine
        for message_id in mine:
            del self.in_hand[message_id]

    def lost(self) -> list[str]:
        """Accepted, and never removed: where nothing is left on the destination, they are lost."""
        return [message_id for message_id in self.accepted if message_id not in self.removed]
