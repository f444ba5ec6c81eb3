"""The state of each message of a sequence, by its id, from the events of the sequence."""

from dataclasses import dataclass, field

from tidegate.record.events import Event, Kind

TAKEN_OVER = ("accepted", "sent")
UNANSWERED = "unsettled"


@dataclass
class Ledger:
    """The answers about each message, and the consumer that has it."""

    accepted: dict[str, None] = field(default_factory=dict)
    """The accepted messages, in order."""
    removed: set[str] = field(default_factory=set)
    """Acknowledged messages, and all sent before a purge: no document says whether it removes those in hand."""
    in_hand: dict[str, str] = field(default_factory=dict)
    """For each message in hand, the consumer that was handed it and neither acknowledged it nor gave it back."""
    given_back: set[str] = field(default_factory=set)
    """The ids of messages that a consumer gave back."""
    known: dict[str, None] = field(default_factory=dict)
    """All sent messages."""
    unanswered: dict[str, str] = field(default_factory=dict)
    """The producer of each message that has no answer yet, also where this producer is gone, by its full name."""
    just_acknowledged: list[str] = field(default_factory=list)
    """The messages acknowledged since this list was last cleared."""

    def note(self, event: Event) -> None:
        """Apply one more event."""
        message_id = event.message_id or ""
        match event.kind:
            case Kind.SEND | Kind.SETTLED:
                self.known[message_id] = None
                self.unanswered.pop(message_id, None)
                if event.outcome == UNANSWERED:
                    self.unanswered[message_id] = event.producer or ""
                if event.outcome in TAKEN_OVER:
                    self.accepted[message_id] = None
            case Kind.ACKNOWLEDGE:
                self.in_hand.pop(message_id, None)
                self.removed.add(message_id)
                self.just_acknowledged.append(message_id)
            case Kind.PURGE:
                self.removed |= self.known.keys()

    def handed_out(self, message_id: str, consumer: str) -> bool:
        """Note that a consumer was handed a message. Whether no consumer had it in hand."""
        is_free = message_id not in self.in_hand
        self.in_hand[message_id] = consumer
        return is_free

    def gives_back(self, consumer: str) -> None:
        """Note that a consumer is gone and gave back its messages."""
        mine = {message_id for message_id, holder in self.in_hand.items() if holder == consumer}
        self.given_back |= mine
        for message_id in mine:
            del self.in_hand[message_id]

    def lost(self) -> list[str]:
        """Accepted messages that were never removed; once the destination is empty, they are lost."""
        return [message_id for message_id in self.accepted if message_id not in self.removed]
