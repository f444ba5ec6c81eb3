"""The actions that a random sequence can do at one moment."""

from collections.abc import Callable

from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import Observed
from tidegate.conformance.stateful.setup import Setup, most_messages_of
from tidegate.conformance.stateful.site import MOST_CONSUMERS
from tidegate.conformance.stateful.tally import Deed
from tidegate.model.language.judge import Judge

MOST_PRODUCERS = 3
MOST_ROAMING = 2
"""The most producers of several destinations."""
MOST_RETURNS = 3
"""The most returns of messages in one sequence: brokers drop a message that was handed out too often."""
OF_QUEUES = frozenset({Verb.GIVE_UP, Verb.MOVE, Verb.LIST, Verb.BROWSE})
"""The verbs that the subscription of a topic does not have."""
NAMING = "anonymous"
BOTH = "of both"
"""The beginnings of the names of producers that name a destination with each message, or send each to both."""
SHARED = "shared by clients"
"""The connection that some clients of a sequence share."""
TRANSACTION_SIZE = 150
"""Bytes: several messages of a transaction fit below the limit."""


class Possible(Observed):
    """Tells which actions are possible now, and which clients and messages they are about."""

    def __init__(self, lab: Lab, setup: Setup, verbs: tuple[Verb, ...], judge: Judge, claims: Callable[[str], bool]):
        super().__init__(lab, setup, judge, claims)
        self._verbs = verbs
        self.taken: list[Action] = []
        """The actions so far."""
        self._sharing: set[str] = set()
        """The clients on the shared connection."""

    def possible(self) -> list[Verb]:
        """The verbs that can be done now."""
        return [verb for verb in self._verbs if self._can(verb)]

    def _can(self, verb: Verb) -> bool:
        if verb not in self._verbs or (self.lab.weave.topic and verb in OF_QUEUES):
            return False
        match verb:
            case Verb.ATTACH:
                return len(self.here.producers) < MOST_PRODUCERS
            case Verb.SEND | Verb.FILL | Verb.ROUNDS:
                return bool(self.here.producers)
            case Verb.CLOSE_PRODUCER | Verb.KILL_PRODUCER:
                return bool(self.here.producers)
            case Verb.CONSUME | Verb.TAKE | Verb.PURGE | Verb.LIST | Verb.BROWSE:
                return self.here.are_waiting
            case Verb.MOVE:
                # open: whether a message that waits for room is moved too, and whether a purge removes those in hand
                done = self.tally.actions
                is_clear = not self._somebody_waits() and not self.may_grow and not self.here.in_transaction
                is_first = not done[Verb.PURGE] and not done[Verb.MOVE]
                return self.here.are_waiting and is_clear and is_first and self.setup.usage is None
            case Verb.GIVE_BACK:
                return bool(self.here.ledger.in_hand) and self.tally.actions[Verb.GIVE_BACK] < MOST_RETURNS
            case Verb.ACKNOWLEDGE | Verb.ACKNOWLEDGE_ALL | Verb.GIVE_UP:
                return bool(self.here.ledger.in_hand)
            case Verb.CLOSE_CONSUMER | Verb.KILL_CONSUMER:
                return bool(self.here.ledger.in_hand)
            case Verb.RAISE:
                return bool(self.setup.raised_from(self.here.limits))
            case Verb.LOWER:
                return bool(self.setup.lowered_from(self.here.limits))
            case Verb.RAISE_MESSAGES:
                return bool(self.setup.raised_messages_from(self.here.limits))
            case Verb.LOWER_MESSAGES:
                return bool(self.setup.lowered_messages_from(self.here.limits))
            case Verb.ORDER:
                # an order is for the producers of a destination, and an anonymous one belongs to none
                names = self.lab.weave.anonymous or self._names_destinations()
                return self.here.prediction.takes_orders and not self.here.ordered and not names
            case Verb.LIFT:
                return self.here.ordered
            case Verb.COMMIT | Verb.ROLL_BACK:
                if self.here.in_transaction:
                    return not self._transaction_waits()
                return self._has_room_for_a_transaction()
            case Verb.SEND_IN_TRANSACTION:
                most = self.setup.most_in_transaction
                return not self.here.ordered and not self._transaction_waits() and len(self.here.in_transaction) < most
            case Verb.EXPIRE:
                return self._can_expire()
            case Verb.RECREATE:
                # once, since little is left to happen; a topic cannot be created again
                return not self.lab.weave.topic and not self.tally.actions[verb]
            case Verb.RESTART:
                return (
                    self.setup.keeps_data
                    and not self.tally.actions[verb]
                    and not any(site.ordered for site in self.sites)
                )
            case Verb.HALT:
                # on a real clock it takes as long as it halts the broker
                return self.lab.clock_is_virtual and not self.tally.actions[verb]
            case Verb.CLOSE_TRANSACTED | Verb.KILL_TRANSACTED:
                return bool(self.here.in_transaction)
            case Verb.ATTACH_NAMING | Verb.ATTACH_BOTH:
                # a topic is no queue of a producer of several; for orders see above
                of_both = verb is Verb.ATTACH_BOTH
                is_possible = not self.lab.weave.topic if of_both else not any(site.ordered for site in self.sites)
                return len(self.sites) > 1 and is_possible and len(self.roaming) < MOST_ROAMING
            case Verb.ROAM | Verb.CLOSE_ROAMING | Verb.KILL_ROAMING:
                return bool(self.roaming)
        return True

    def _can_expire(self) -> bool:
        """Whether messages can be sent now that expire."""
        raise NotImplementedError

    def _names_destinations(self) -> bool:
        """Whether a producer of several destinations names one with each message."""
        return any(name.startswith(NAMING) for name in self.roaming)

    def _somebody_waits(self) -> bool:
        """Whether a producer that may send to this destination was last seen stopped."""
        return bool(self.here.stopped) or any(seen is not None and seen.stopped for seen in self.roaming.values())

    def _transaction_waits(self) -> bool:
        """Whether a send of the open transaction waits, so that its session has no other call."""
        committer = self.here.transacted
        return committer is not None and self.here.waits_in_transaction and self.here.seen[committer].stopped

    def _has_room_for_a_transaction(self) -> bool:
        """Whether two messages of a transaction leave the destination below each level, while no order to stop is in
        force.

        No document says what a message of an open transaction is charged, and which producers it stops.
        """
        levels, most = self.setup.levels(self.here.limits), most_messages_of(self.here.limits)
        counted = most is None or self.here.prediction.messages + 2 < most
        after = self.here.prediction.level + 2 * TRANSACTION_SIZE
        stopped = self.here.transacted is not None and self.here.seen[self.here.transacted].stopped
        return not self.here.ordered and not stopped and counted and all(after < level for level in levels)

    def _changes(self, action: Action) -> bool:
        """Whether a changed limit would be higher, or lower, than the limit in force."""
        match action.verb:
            case Verb.RAISE:
                return action.amount in self.setup.raised_from(self.here.limits)
            case Verb.LOWER:
                return action.amount in self.setup.lowered_from(self.here.limits)
            case Verb.RAISE_MESSAGES:
                return action.amount in self.setup.raised_messages_from(self.here.limits)
            case Verb.LOWER_MESSAGES:
                return action.amount in self.setup.lowered_messages_from(self.here.limits)
        return True

    def _connection(self, place: int) -> str | None:
        """The connection of a client that is opened: the shared one, or None for its own."""
        return SHARED if self.setup.shares_connection and place % 2 == 1 else None

    def _note_connection(self, client: str, connection: str | None) -> None:
        if connection is not None:
            self._sharing.add(client)

    def _on_connection_of(self, client: str) -> list[str]:
        """The clients that end with the connection of this client."""
        return sorted(self._sharing) if client in self._sharing else [client]

    def _lose_connection(self, client: str) -> None:
        """Break the connection of a client, and forget all clients that were on it."""
        gone = self._on_connection_of(client)
        self.lab.kill(client)
        holders = {holder for site in self.sites for holder in site.ledger.in_hand.values()}
        self._did(Deed.GAVE_BACK_BROKEN, not holders.isdisjoint(gone))
        for each in gone:
            self._forget(each)

    def _forget(self, client: str) -> None:
        """Note that a client is gone; the messages in hand of a consumer go back to their destination."""
        self._sharing.discard(client)
        self.roaming.pop(client, None)
        for site in self.sites:
            site.leaves(client)

    def _producer_at(self, action: Action) -> str:
        return self.here.producers[action.place % len(self.here.producers)]

    def _consumer_at(self, action: Action) -> str:
        place = action.place % MOST_CONSUMERS
        consumer = self.here.consumers[place]
        if consumer is None:
            self._ever_consumed += 1
            consumer = self.here.consumers[place] = f"consumer {self._ever_consumed}"
            connection = self._connection(action.place // MOST_CONSUMERS)
            self.lab.open_consumer(consumer, self.here.name, connection)
            self._note_connection(consumer, connection)
        return consumer

    def _holder_at(self, action: Action) -> str:
        """A consumer with messages in hand."""
        holders = sorted(set(self.here.ledger.in_hand.values()))
        return holders[action.place % len(holders)]
