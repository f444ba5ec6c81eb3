"""One random sequence on any adapter: it does actions on one destination or two, and then looks at every producer.

The model predicts the standing of each producer, which says what to wait for. Judged is what was seen, by the trace
rules and by the properties that hold after an action and at the end of every sequence. `observing` looks and raises,
`possible` tells what can be done now; `sending`, `transacting`, `roaming`, `removing`,
`expiring` and `renewing` do it.
"""

from collections.abc import Callable

from tidegate.adapters.base import Depth
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.expiring import Expiring
from tidegate.conformance.stateful.observing import RULE_OF_FAREWELL
from tidegate.conformance.stateful.renewing import Renewing
from tidegate.conformance.stateful.setup import Setup, most_messages_of
from tidegate.conformance.stateful.tally import ASKED_BY_NO_CHECK, AT_ANY_TIME, WHILE_STOPPED, Deed
from tidegate.conformance.stateful.transacting import Transacting
from tidegate.model.language.judge import Judge


class Machine(Transacting, Expiring, Renewing):
    """One sequence in its own lab. Raises RuleBroken or PropertyBroken if the implementation deviates."""

    def __init__(self, lab: Lab, setup: Setup, verbs: tuple[Verb, ...], judge: Judge, claims: Callable[[str], bool]):
        super().__init__(lab, setup, verbs, judge, claims)
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
            Verb.RAISE_MESSAGES: self._change,
            Verb.LOWER_MESSAGES: self._change,
            Verb.CLOSE_PRODUCER: self._close_producer,
            Verb.KILL_PRODUCER: self._close_producer,
            Verb.CLOSE_CONSUMER: self._close_consumer,
            Verb.KILL_CONSUMER: self._close_consumer,
            Verb.ORDER: self._order,
            Verb.LIFT: self._order,
            Verb.COMMIT: self._end_transaction,
            Verb.ROLL_BACK: self._end_transaction,
            Verb.EXPIRE: self._expire,
            Verb.RECREATE: self._recreate,
            Verb.RESTART: self._restart,
            Verb.HALT: self._halt,
            Verb.SEND_IN_TRANSACTION: self._send_in_transaction,
            Verb.CLOSE_TRANSACTED: self._leave_transaction,
            Verb.KILL_TRANSACTED: self._leave_transaction,
            Verb.ATTACH_NAMING: self._attach_roaming,
            Verb.ATTACH_BOTH: self._attach_roaming,
            Verb.ROAM: self._roam,
            Verb.CLOSE_ROAMING: self._leave_roaming,
            Verb.KILL_ROAMING: self._leave_roaming,
        }

    @property
    def deeds(self) -> set[Deed]:
        """The deeds that sequences with this setup and adapter can do, and that checks ask for."""
        unknown = () if self.here.prediction.takes_orders else (Verb.ORDER, Verb.LIFT)
        fixed = () if self.setup.limits_to_try else (Verb.RAISE, Verb.LOWER)
        has_two = self.setup.has_two_destinations
        alone = () if has_two else (Verb.ATTACH_NAMING, Verb.ATTACH_BOTH)
        usable = [verb for verb in self._verbs if verb not in (*unknown, *fixed, *alone)]
        by_setup = set() if most_messages_of(self.setup.limits) is None else {Deed.STOPPED_BY_MESSAGES}
        by_setup |= {Deed.STOPPED_BESIDE} if has_two else set()
        done_by_verbs = {deeds[verb] for deeds in (WHILE_STOPPED, AT_ANY_TIME) for verb in usable if verb in deeds}
        return by_setup | (done_by_verbs - ASKED_BY_NO_CHECK)

    def deed_of(self, verb: Verb) -> Deed | None:
        """The deed that the verb would do now; None if it would do none."""
        if self.here.stopped and verb in WHILE_STOPPED:
            beside = len(self.here.producers) > 1 or verb not in (Verb.CLOSE_PRODUCER, Verb.KILL_PRODUCER)
            return WHILE_STOPPED[verb] if beside else None
        if verb is Verb.ROAM:
            return self._deed_of_roaming()
        return AT_ANY_TIME.get(verb)

    def take(self, action: Action) -> None:
        """Do an action and look at every producer afterwards; do nothing if the action is not possible now."""
        self.turn_to(action.at)
        if not self._can(action.verb) or not self._changes(action):
            return
        if self.here.stopped and self.taken:
            self.tally.in_pairs.add((self.taken[-1].verb, action.verb))
        self.taken.append(action)
        for site in self.sites:
            site.just_lifted = False
        self.tally.actions[action.verb] += 1
        self._takes[action.verb](action)
        self._raise_what_is_broken()

    def end(self) -> None:
        """Lift any order, drain each destination, and raise if a charge, a stop or a lost message is left."""
        for site in self.sites:
            self.here = site
            self._end_what_is_open()
        self._look_at_counts()
        for site in self.sites * len(self.sites):
            # room at one destination may let a producer of several go on at the others
            self.here = site
            self._drain()
        self._look_at_counts()
        self._raise_what_is_broken()
        for site in self.sites:
            self.here = site
            self._expect_nothing_left()
        self._expect_roaming_producers_free()

    def _end_what_is_open(self) -> None:
        """Lift the order of management, and roll back the open transaction.

        A broker may charge the messages of an open transaction. If its producer waits for their room, nothing but the
        producer's end lets them go.
        """
        if self.here.ordered:
            self._order(Action(Verb.LIFT))
        if self._transaction_waits():
            self._drain()
        if self.here.in_transaction and not self._transaction_waits():
            self._end_transaction(Action(Verb.ROLL_BACK))
        ways_out = (verb for verb in (Verb.KILL_TRANSACTED, Verb.CLOSE_TRANSACTED) if verb in self._verbs)
        if self.here.in_transaction and (way_out := next(ways_out, None)):
            self._leave_transaction(Action(way_out))

    def _look_at_counts(self) -> None:
        """Have management count what came to each destination, left it, and is in hand; trace rules judge the counts.

        Open: whether a message counts that an open transaction sent, or whose producer left before its answer.
        """
        for site in self.sites:
            self.here = site
            if not self.may_grow and not site.in_transaction:
                self.lab.look_at_traffic(site.name)

    def _expect_nothing_left(self) -> None:
        """Raise if a drained destination is charged, stops a producer, or lost a message."""
        depth = self.lab.comes_to(lambda: self.lab.depth(self.here.name), _is_empty)
        if not _is_empty(depth):
            self._broke("nothing charged on a destination that was drained", self._holds(depth), "GENERAL-8")
        if lost := self.here.ledger.lost():
            given_back = [message for message in lost if message in self.here.ledger.given_back]
            self._broke(
                "each accepted message delivered once",
                f"{self._named(lost)} accepted and not delivered",
                "GENERAL-2",
                *(self._givers_back() if given_back else ()),
            )
        if still := [name for name in self.here.stopped if not self.here.prediction.stops(name)]:
            causes = [RULE_OF_FAREWELL[deed] for deed in self.gone]
            ordered = ["GENERAL-17"] if self.tally.actions[Verb.ORDER] else []
            self._broke(
                "every producer free once everything is consumed",
                f"{', '.join(still)} stopped, and {self._holds(depth)}",
                *("GENERAL-3", *causes, *ordered),
            )

    def _rounds(self, action: Action) -> None:
        for _ in range(action.amount):
            for producer in self.here.producers:
                self._fill_by(producer)
            self._look()
            self._drain()
            self._raise_what_is_broken()

    def _change(self, action: Action) -> None:
        in_messages = action.verb in (Verb.RAISE_MESSAGES, Verb.LOWER_MESSAGES)
        rises = action.verb in (Verb.RAISE, Verb.RAISE_MESSAGES)
        holds = self.here.prediction.messages if in_messages else self.here.prediction.level
        self._did(Deed.RAISED, rises and bool(self.here.stopped))
        self._did(Deed.LOWERED, not rises and holds > action.amount)
        change = self.setup.with_messages if in_messages else self.setup.with_limit
        limits = change(self.here.limits, action.amount)
        self.lab.change_limits(self.here.name, limits)
        self.here.limits = limits
        self.here.prediction.changed(limits)
        self._lets_go("GENERAL-5")

    def _order(self, action: Action) -> None:
        gives = action.verb is Verb.ORDER
        self._did(Deed.ORDERED, gives and bool(self.here.stopped))
        self._did(Deed.LIFTED, not gives)
        self.here.ordered, self.here.just_lifted = gives, not gives
        (self.lab.block if gives else self.lab.unblock)(self.here.name)
        self.here.prediction.ordered(gives)
        self._lets_go("GENERAL-17")

    def _givers_back(self) -> list[str]:
        deeds = (Deed.GAVE_BACK, Deed.GAVE_BACK_BROKEN)
        return [RULE_OF_FAREWELL[deed] for deed in deeds if self.tally.deeds[deed]]


def _is_empty(depth: Depth) -> bool:
    return depth.bytes == 0 and depth.messages == 0
