"""One random sequence on any adapter: it does actions on one destination and looks at every producer after each action.

The model predicts the standing of each producer, which says what to wait for. Judged is what was seen, by the trace
rules and by the properties that hold after an action and at the end of every sequence.
"""

from collections.abc import Callable

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Outcome, ProducerOptions
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import (
    DESTINATION,
    MOST_CONSUMERS,
    RULE_OF_FAREWELL,
    Observed,
)
from tidegate.conformance.stateful.setup import Setup
from tidegate.conformance.stateful.tally import AT_ANY_TIME, WHILE_STOPPED, Deed
from tidegate.model.language.judge import Judge

MOST_PRODUCERS = 3
PRODUCERS = ("first", "second", "third")
"""The names of the first producers, as many as can be open at once; a later one gets a name of its own."""
TRANSACTED = ProducerOptions(transacted=True)
COMMITTER = "transacted"
FILL_SIZE = 400
MOST_RETURNS = 3
"""The most returns of messages in one sequence: brokers drop a message that was handed out too often."""
OF_QUEUES = frozenset({Verb.GIVE_UP, Verb.MOVE, Verb.LIST, Verb.BROWSE})
"""The verbs that the subscription of a topic does not have."""
TRANSACTION_SIZE = 150
"""Bytes: several messages of a transaction fit below the limit."""


class Machine(Observed):
    """One sequence in its own lab. Raises RuleBroken or PropertyBroken if the implementation deviates."""

    def __init__(self, lab: Lab, setup: Setup, verbs: tuple[Verb, ...], judge: Judge, claims: Callable[[str], bool]):
        super().__init__(lab, setup, judge, claims)
        self._verbs = verbs
        self.taken: list[Action] = []
        """The actions so far."""
        self._takes: dict[Verb, Callable[[Action], None]] = {
            Verb.ATTACH: self._attach,
            Verb.SEND: self._send,
            Verb.FILL: self._fill,
            Verb.ROUNDS: self._rounds,
            Verb.CONSUME: self._consume,
            Verb.DRAIN: lambda _: self._drain(),
            Verb.TAKE: self._take,
            Verb.ACKNOWLEDGE: self._acknowledge,
            Verb.ACKNOWLEDGE_ALL: self._acknowledge_all,
            Verb.GIVE_BACK: self._give_back,
            Verb.GIVE_UP: self._give_up,
            Verb.PURGE: self._purge,
            Verb.MOVE: self._move,
            Verb.LIST: lambda _: self._look_through(self.lab.list_messages),
            Verb.BROWSE: lambda _: self._look_through(self.lab.browse),
            Verb.RAISE: self._change,
            Verb.LOWER: self._change,
            Verb.CLOSE_PRODUCER: self._close_producer,
            Verb.KILL_PRODUCER: self._close_producer,
            Verb.CLOSE_CONSUMER: self._close_consumer,
            Verb.KILL_CONSUMER: self._close_consumer,
            Verb.ORDER: self._order,
            Verb.LIFT: self._order,
            Verb.COMMIT: self._end_transaction,
            Verb.ROLL_BACK: self._end_transaction,
        }

    def possible(self) -> list[Verb]:
        """The verbs that can be done now."""
        return [verb for verb in self._verbs if self._can(verb)]

    @property
    def deeds(self) -> set[Deed]:
        """The deeds that sequences with this setup and adapter can do."""
        unknown = () if self.prediction.takes_orders else (Verb.ORDER, Verb.LIFT)
        fixed = () if self.setup.limits_to_try else (Verb.RAISE, Verb.LOWER)
        usable = [verb for verb in self._verbs if verb not in (*unknown, *fixed)]
        return {deeds[verb] for deeds in (WHILE_STOPPED, AT_ANY_TIME) for verb in usable if verb in deeds}

    def deed_of(self, verb: Verb) -> Deed | None:
        """The deed that the verb would do now; None if it would do none."""
        if self.stopped and verb in WHILE_STOPPED:
            beside = len(self.producers) > 1 or verb not in (Verb.CLOSE_PRODUCER, Verb.KILL_PRODUCER)
            return WHILE_STOPPED[verb] if beside else None
        return AT_ANY_TIME.get(verb)

    def take(self, action: Action) -> None:
        """Do an action and look at every producer afterwards; do nothing if the action is not possible now."""
        if not self._can(action.verb) or not self._changes(action):
            return
        self.taken.append(action)
        self.tally.actions[action.verb] += 1
        self._takes[action.verb](action)
        self._raise_what_is_broken()

    def end(self) -> None:
        """Lift any order, drain the destination, and raise if a charge, a stop or a lost message is left."""
        if self.ordered:
            self._order(Action(Verb.LIFT))
        self._drain()
        self._raise_what_is_broken()
        depth = self.lab.comes_to(lambda: self.lab.depth(DESTINATION), _is_empty)
        if not _is_empty(depth):
            self._broke("nothing charged on a destination that was drained", self._holds(depth), "GENERAL-8")
        if lost := self.ledger.lost():
            given_back = [message for message in lost if message in self.ledger.given_back]
            self._broke(
                "each accepted message delivered once",
                f"{self._named(lost)} accepted and not delivered",
                "GENERAL-2",
                *(self._givers_back() if given_back else ()),
            )
        if still := [name for name in self.stopped if not self.prediction.stops(name)]:
            causes = [RULE_OF_FAREWELL[deed] for deed in self.gone]
            ordered = ["GENERAL-17"] if self.tally.actions[Verb.ORDER] else []
            self._broke(
                "every producer free once everything is consumed",
                f"{', '.join(still)} stopped, and {self._holds(depth)}",
                *("GENERAL-3", *causes, *ordered),
            )

    # what can be done

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
                is_clear = not self.stopped and not done[Verb.PURGE] and not done[Verb.MOVE]
                return self._are_waiting() and is_clear and self.setup.usage is None
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
            case Verb.ORDER:
                # an order is for the producers of a destination, and an anonymous one belongs to none
                return self.prediction.takes_orders and not self.ordered and not self.lab.weave.anonymous
            case Verb.LIFT:
                return self.ordered
            case Verb.COMMIT | Verb.ROLL_BACK:
                return self._has_room_for_a_transaction()
        return True

    def _are_waiting(self) -> bool:
        """Whether the destination has messages that nobody has in hand."""
        return self.prediction.messages > len(self.ledger.in_hand)

    def _has_room_for_a_transaction(self) -> bool:
        """Whether two messages of a transaction leave the destination below each level, while no order to stop is in
        force.

        No document says what a message of an open transaction is charged, and which producers it stops.
        """
        levels = self.setup.levels(self.limits)
        after = self.prediction.level + 2 * TRANSACTION_SIZE
        stopped = self._transacted is not None and self._seen[self._transacted].stopped
        return not self.ordered and not stopped and all(after < level for level in levels)

    def _changes(self, action: Action) -> bool:
        """Whether a changed limit would be higher, or lower, than the limit in force."""
        match action.verb:
            case Verb.RAISE:
                return action.amount in self.setup.raised_from(self.limits)
            case Verb.LOWER:
                return action.amount in self.setup.lowered_from(self.limits)
        return True

    # actions

    def _attach(self, action: Action) -> None:
        taken, self._ever_opened = self._ever_opened, self._ever_opened + 1
        producer = PRODUCERS[taken] if taken < len(PRODUCERS) else f"number {self._ever_opened}"
        self._open(producer, DEFAULT_OPTIONS)
        self.producers.append(producer)
        self._look()

    def _open(self, producer: str, options: ProducerOptions) -> None:
        self.lab.open_producer(producer, DESTINATION, options=options)
        self.prediction.opened(producer)

    def _send(self, action: Action) -> None:
        producer = self._producer_at(action)
        free = producer in self._seen and not self._seen[producer].stopped and not self.ordered
        fits = free and self.lab.has_room(producer, action.amount)
        outcome = self._send_one(producer, action.amount)
        self._look()
        waits = outcome is Outcome.UNSETTLED and self._seen[producer].stopped
        if fits and (waits or outcome in (Outcome.REJECTED, Outcome.BLOCKED)):
            told = "not answered" if waits else str(outcome)
            self._broke("a message for which there is room accepted", f"it is {told}", "GENERAL-21")

    def _fill(self, action: Action) -> None:
        self._fill_by(self._producer_at(action))
        self._look()

    def _rounds(self, action: Action) -> None:
        for _ in range(action.amount):
            for producer in self.producers:
                self._fill_by(producer)
            self._look()
            self._drain()
            self._raise_what_is_broken()

    def _fill_by(self, producer: str) -> None:
        for _ in range(self.setup.most_to_fill):
            if self._send_one(producer, FILL_SIZE) is not Outcome.ACCEPTED or self.lab.standing(producer).stopped:
                return

    def _consume(self, action: Action) -> None:
        self._did(Deed.RELEASED, bool(self.stopped))
        consumer = self._consumer_at(action)
        for _ in range(action.amount):
            message_id = self._hand_out(consumer)
            if message_id is None:
                break
            self.lab.acknowledge(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-3")

    def _drain(self) -> None:
        self._did(Deed.RELEASED, bool(self.stopped) and self.prediction.messages > 0)
        for message_id, holder in list(self.ledger.in_hand.items()):
            self.lab.acknowledge(holder, message_id)
        consumer = self._consumer_at(Action(Verb.DRAIN))
        while (waiting := self._hand_out(consumer)) is not None:
            self.lab.acknowledge(consumer, waiting)
        self.lab.drain(DESTINATION)
        self._settled()
        self._lets_go("GENERAL-3")

    def _take(self, action: Action) -> None:
        consumer = self._consumer_at(action)
        for _ in range(action.amount):
            if self._hand_out(consumer) is None:
                break
        self._look()

    def _acknowledge(self, action: Action) -> None:
        holders = sorted(self.ledger.in_hand.items())
        message_id, consumer = holders[action.place % len(holders)]
        self.lab.acknowledge(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-3")

    def _acknowledge_all(self, action: Action) -> None:
        self.lab.acknowledge_all(self._holder_at(action))
        self._settled()
        self._lets_go("GENERAL-3")

    def _give_back(self, action: Action) -> None:
        consumer = self._holder_at(action)
        self._did(Deed.RETURNED, bool(self.stopped))

        def give_back() -> None:
            self.lab.give_back(consumer)
            self.ledger.gives_back(consumer)

        self._releases_nobody(give_back)

    def _give_up(self, action: Action) -> None:
        holders = sorted(self.ledger.in_hand.items())
        message_id, consumer = holders[action.place % len(holders)]
        self._did(Deed.REFUSED, bool(self.stopped))
        held, nobody_waits = self.lab.depth(DESTINATION), not self.stopped
        self.lab.give_up(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-43")
        holds = self.lab.comes_to(lambda: self.lab.depth(DESTINATION), lambda depth: depth.messages < held.messages)
        if nobody_waits and holds.messages >= held.messages:
            self._broke(f"fewer than {held.messages} messages at {DESTINATION}", self._holds(holds), "GENERAL-43")

    def _move(self, action: Action) -> None:
        try:
            self.lab.move_away(DESTINATION)
        except Deviation as error:
            self._broke(error.expected, error.seen, "GENERAL-41")
        self.prediction.purged(self.ledger.in_hand)
        self._lets_go("GENERAL-41")

    def _look_through(self, look: Callable[[str], None]) -> None:
        self._releases_nobody(lambda: self.lab.look_through_if_it_can(look, DESTINATION))

    def _releases_nobody(self, act: Callable[[], None]) -> None:
        """Raise if an act after which the same messages are there releases a stopped producer.

        A charge that the act changes shows at the end of the sequence, by GENERAL-8.
        """
        before = self._stood()
        act()
        self._look()
        for name, stopped in before.items():
            if stopped and not self._seen[name].stopped:
                self._broke(f"{name} stopped as before", f"{name} is free", "GENERAL-20")

    def _purge(self, action: Action) -> None:
        self._did(Deed.PURGED, bool(self.stopped))
        self.lab.purge(DESTINATION)
        self.prediction.purged(self.ledger.in_hand)
        self._lets_go("GENERAL-4")

    def _change(self, action: Action) -> None:
        self._did(Deed.RAISED, action.verb is Verb.RAISE and bool(self.stopped))
        self._did(Deed.LOWERED, action.verb is Verb.LOWER and self.prediction.level > action.amount)
        limits = self.setup.with_limit(self.limits, action.amount)
        self.lab.change_limits(DESTINATION, limits)
        self.limits = limits
        self.prediction.changed(limits)
        self._lets_go("GENERAL-5")

    def _close_producer(self, action: Action) -> None:
        producer, kills = self._producer_at(action), action.verb is Verb.KILL_PRODUCER
        deed = Deed.KILLED if kills else Deed.CLOSED
        before = self._stood(producer)
        was_stopped = producer in self.stopped
        held = self.lab.depth(DESTINATION)
        (self.lab.kill if kills else self.lab.close_producer)(producer)
        self.producers.remove(producer)
        self.prediction.closed(producer)
        self._look()
        if was_stopped:
            self.gone[deed] = None
            self._did(deed, bool(before))
        if was_stopped and self.lab.depth(DESTINATION) == held:
            self._stands_as_before(before, producer, deed)

    def _close_consumer(self, action: Action) -> None:
        kills = action.verb is Verb.KILL_CONSUMER
        consumer = self._holder_at(action)
        deed = Deed.GAVE_BACK_BROKEN if kills else Deed.GAVE_BACK
        before, held = self._stood(), self.lab.depth(DESTINATION)
        (self.lab.kill if kills else self.lab.close_consumer)(consumer)
        self.consumers[self.consumers.index(consumer)] = None
        self.ledger.gives_back(consumer)
        self._did(deed, True)
        holds = self.lab.comes_to(lambda: self.lab.depth(DESTINATION), lambda depth: depth == held)
        self._look()
        if holds != held:
            expected = f"returned messages charged as before: {self._holds(held)}"
            self._broke(expected, self._holds(holds), RULE_OF_FAREWELL[deed])
        self._stands_as_before(before, consumer, deed)

    def _order(self, action: Action) -> None:
        gives = action.verb is Verb.ORDER
        self._did(Deed.ORDERED, gives and bool(self.stopped))
        self._did(Deed.LIFTED, not gives)
        self.ordered = gives
        (self.lab.block if gives else self.lab.unblock)(DESTINATION)
        self.prediction.ordered(gives)
        self._lets_go("GENERAL-17")

    def _end_transaction(self, action: Action) -> None:
        commits = action.verb is Verb.COMMIT
        producer = self._committer()
        held = self.lab.depth(DESTINATION)
        sent = []
        for _ in range(2):
            if self.lab.send(producer, TRANSACTION_SIZE) is not Outcome.UNSETTLED:
                break
            sent.append(self.sequence.last_sent)
        if commits:
            outcome = self.lab.commit(producer)
            for message_id in sent:
                self.prediction.sent(message_id, producer, TRANSACTION_SIZE, outcome)
        else:
            self.lab.rollback(producer)
            for message_id in sent:  # each took credit, which a rollback does not give back
                self.prediction.sent(message_id, producer, TRANSACTION_SIZE, Outcome.ACCEPTED)
            self.prediction.removed(sent)
        self._did(Deed.COMMITTED if commits else Deed.ROLLED_BACK, len(sent) > 1)
        self._look()
        if not commits:
            holds = self.lab.comes_to(lambda: self.lab.depth(DESTINATION), lambda depth: depth == held)
            if holds != held:
                expected = f"nothing charged for rolled back messages: {self._holds(held)}"
                self._broke(expected, self._holds(holds), "GENERAL-16")

    # help

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

    def _committer(self) -> str:
        """The producer of transactions; the first call opens it."""
        if self._transacted is None:
            self._transacted = COMMITTER
            self._open(COMMITTER, TRANSACTED)
            self._look()
        return self._transacted

    def _send_one(self, producer: str, size: int) -> Outcome:
        outcome = self.lab.send(producer, size)
        self.prediction.sent(self.sequence.last_sent, producer, size, outcome)
        return outcome

    def _hand_out(self, consumer: str) -> str | None:
        message_id = self.lab.take(consumer)
        self._raise_what_is_broken()
        if message_id is not None and not self.ledger.handed_out(message_id, consumer):
            self._broke("each message handed out once", f"{self._named([message_id])} handed out twice", "GENERAL-2")
        return message_id

    def _settled(self) -> None:
        self.prediction.removed(self.ledger.just_acknowledged)
        self.ledger.just_acknowledged.clear()

    def _givers_back(self) -> list[str]:
        deeds = (Deed.GAVE_BACK, Deed.GAVE_BACK_BROKEN)
        return [RULE_OF_FAREWELL[deed] for deed in deeds if self.tally.deeds[deed]]


def _is_empty(depth: Depth) -> bool:
    return depth.bytes == 0 and depth.messages == 0
