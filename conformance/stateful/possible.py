"""The actions that a random sequence can do at one moment."""

from collections.abc import Callable

from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import DESTINATION, MOST_CONSUMERS, Observed
from tidegate.conformance.stateful.setup import Setup, most_messages_of
from tidegate.model.language.judge import Judge

MOST_PRODUCERS = 3
MOST_RETURNS = 3
"""The most returns of messages in one sequence: brokers drop a message that was handed out too often."""
OF_QUEUES = frozenset({Verb.GIVE_UP, Verb.MOVE, Verb.LIST, Verb.BROWSE})
"""The verbs that the subscription of a topic does not have."""
TRANSACTION_SIZE = 150
"""Bytes: several messages of a transaction fit below the limit."""


class Possible(Observed):
    """Tells which actions are possible now, and which clients and messages they are about."""

    def __init__(self, lab: Lab, setup: Setup, verbs: tuple[Verb, ...], judge: Judge, claims: Callable[[str], bool]):
        super().__init__(lab, setup, judge, claims)
        self._verbs = verbs
        self.taken: list[Action] = []
        """The actions so far."""

    def possible(self) -> list[Verb]:
        """The verbs that can be done now."""
        return [verb for verb in self._verbs if self._can(verb)]

    def _can(self, verb: Verb) -> bool:
        if verb not in self._verbs or (self.lab.weave.topic and verb in OF_QUEUES):
            return False
        match verb:
            case Verb.ATTACH:
                return len(self.producers) < MOST_PRODUCERS
            case Verb.SEND | Verb.FILL | Verb.ROUNDS:
                return bool(self.producers)
            case Verb.CLOSE_PRODUCER | Verb.KILL_PRODUCER:
                return bool(self.producers)
            case Verb.CONSUME | Verb.TAKE | Verb.PURGE | Verb.LIST | Verb.BROWSE:
                return self._are_waiting()
            case Verb.MOVE:
                # open: whether a message that waits for room is moved too, and whether a purge removes those in hand
                done = self.tally.actions
                is_clear = not self.stopped and not self.may_grow and not self.in_transaction
                is_first = not done[Verb.PURGE] and not done[Verb.MOVE]
                return self._are_waiting() and is_clear and is_first and self.setup.usage is None
            case Verb.GIVE_BACK:
                return bool(self.ledger.in_hand) and self.tally.actions[Verb.GIVE_BACK] < MOST_RETURNS
            case Verb.ACKNOWLEDGE | Verb.ACKNOWLEDGE_ALL | Verb.GIVE_UP:
                return bool(self.ledger.in_hand)
            case Verb.CLOSE_CONSUMER | Verb.KILL_CONSUMER:
                return bool(self.ledger.in_hand)
            case Verb.RAISE:
                return bool(self.setup.raised_from(self.limits))
            case Verb.LOWER:
                return bool(self.setup.lowered_from(self.limits))
            case Verb.RAISE_MESSAGES:
                return bool(self.setup.raised_messages_from(self.limits))
            case Verb.LOWER_MESSAGES:
                return bool(self.setup.lowered_messages_from(self.limits))
            case Verb.ORDER:
                # an order is for the producers of a destination, and an anonymous one belongs to none
                return self.prediction.takes_orders and not self.ordered and not self.lab.weave.anonymous
            case Verb.LIFT:
                return self.ordered
            case Verb.COMMIT | Verb.ROLL_BACK:
                if self.in_transaction:
                    return not self._transaction_waits()
                return self._has_room_for_a_transaction()
            case Verb.SEND_IN_TRANSACTION:
                most = self.setup.most_in_transaction
                return not self.ordered and not self._transaction_waits() and len(self.in_transaction) < most
            case Verb.EXPIRE:
                return self._can_expire()
            case Verb.RECREATE:
                # once, since little is left to happen; a topic cannot be created again
                return not self.lab.weave.topic and not self.tally.actions[verb]
            case Verb.RESTART:
                return self.setup.keeps_data and not self.tally.actions[verb] and not self.ordered
            case Verb.HALT:
                # on a real clock it takes as long as it halts the broker
                return self.lab.clock_is_virtual and not self.tally.actions[verb]
            case Verb.CLOSE_TRANSACTED | Verb.KILL_TRANSACTED:
                return bool(self.in_transaction)
        return True

    def _can_expire(self) -> bool:
        """Whether messages can be sent now that expire."""
        raise NotImplementedError

    def _are_waiting(self) -> bool:
        """Whether the destination has messages that nobody has in hand."""
        return self.prediction.messages > len(self.ledger.in_hand)

    def _transaction_waits(self) -> bool:
        """Whether a send of the open transaction waits, so that its session has no other call."""
        committer = self._transacted
        return committer is not None and self.waits_in_transaction and self._seen[committer].stopped

    def _has_room_for_a_transaction(self) -> bool:
        """Whether two messages of a transaction leave the destination below each level, while no order to stop is in
        force.

        No document says what a message of an open transaction is charged, and which producers it stops.
        """
        levels, most = self.setup.levels(self.limits), most_messages_of(self.limits)
        counted = most is None or self.prediction.messages + 2 < most
        after = self.prediction.level + 2 * TRANSACTION_SIZE
        stopped = self._transacted is not None and self._seen[self._transacted].stopped
        return not self.ordered and not stopped and counted and all(after < level for level in levels)

    def _changes(self, action: Action) -> bool:
        """Whether a changed limit would be higher, or lower, than the limit in force."""
        match action.verb:
            case Verb.RAISE:
                return action.amount in self.setup.raised_from(self.limits)
            case Verb.LOWER:
                return action.amount in self.setup.lowered_from(self.limits)
            case Verb.RAISE_MESSAGES:
                return action.amount in self.setup.raised_messages_from(self.limits)
            case Verb.LOWER_MESSAGES:
                return action.amount in self.setup.lowered_messages_from(self.limits)
        return True

    def _producer_at(self, action: Action) -> str:
        return self.producers[action.place % len(self.producers)]

    def _consumer_at(self, action: Action) -> str:
        place = action.place % MOST_CONSUMERS
        consumer = self.consumers[place]
        if consumer is None:
            self._ever_consumed += 1
            consumer = self.consumers[place] = f"consumer {self._ever_consumed}"
            self.lab.open_consumer(consumer, DESTINATION)
        return consumer

    def _holder_at(self, action: Action) -> str:
        """A consumer with messages in hand."""
        holders = sorted(set(self.ledger.in_hand.values()))
        return holders[action.place % len(holders)]
