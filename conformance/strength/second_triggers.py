"""The triggers of the second series of faults, which ask about what the first series leaves out."""

from collections.abc import Callable

from tidegate.conformance.strength.facts import Destination, Facts, Producer
from tidegate.conformance.strength.triggers import Trigger


def _destination(holds: Callable[[Destination], bool]) -> Callable[[Facts], bool]:
    return lambda facts: facts.destination is not None and holds(facts.destination)


def _producer(holds: Callable[[Producer], bool]) -> Callable[[Facts], bool]:
    return lambda facts: facts.producer is not None and holds(facts.producer)


def _after(verb: str) -> Callable[[Facts], bool]:
    return _destination(lambda one: one.done[verb] > 0)


def _another_is_full(facts: Facts) -> bool:
    return any(one.stopped and one is not facts.destination for one in facts.destinations.values())


_HISTORIES = (
    ("removed", "once a limit of the destination was removed in use", "changed-limits", ("GENERAL-5",), "removed",
     _destination(lambda one: one.limit_removed)),
    ("browsed", "once the destination was browsed", "browsed-messages", (), "browsed once", _after("browse")),
    ("listed", "once the messages of the destination were listed", "lists-messages", (), "listed once",
     _after("list_messages")),
    ("given-up", "once a message of the destination was refused for good", "dead-letters", ("GENERAL-43",),
     "given up once", _after("give_up")),
    ("requeued", "once a consumer gave messages back and stayed", "returned-messages", (), "requeued once",
     _after("give_back")),
    ("recreated", "once the destination was deleted and created again", "recreated-destinations", (), "recreated",
     _after("recreate")),
    ("expiring", "once a message that expires was sent to the destination", "expiring-messages", ("GENERAL-40",),
     "expired", _after("send_expiring")),
    ("moved", "once messages of the destination were moved", "moves-messages", ("GENERAL-41",), "moved once",
     _after("move")),
    ("filtered", "while a consumer of the destination filters", "filtering-consumers", (), "filtering consumer",
     lambda facts: facts.destination is not None and facts.destination.name in facts.filtering),
    ("restarted", "once the broker was restarted", "restarts-broker", ("GENERAL-24", "GENERAL-25"), "restarted",
     lambda facts: facts.counts["restart_broker"] > 0),
    ("paused", "once the broker was halted for a while", "pauses-broker", ("GENERAL-26",), "halted",
     lambda facts: facts.counts["pause_broker"] > 0),
    ("reopened", "once a producer was closed", "close-clients", ("GENERAL-9",), "",
     lambda facts: facts.counts["close_producer"] > 0),
    ("another-full", "while another destination is full", "", (), "full elsewhere", _another_is_full),
    ("changed-twice", "once limits were changed twice", "changed-limits", ("GENERAL-5", "GENERAL-6"), "",
     _destination(lambda one: one.done["change_limits"] > 1)),
)  # fmt: skip
_SENDERS = (
    ("one-session", "for producers of a shared session", "shared-sessions", "one session",
     _producer(lambda one: one.options.session != "")),
    ("not-persistent", "for producers whose messages are not persistent", "persistent-messages", "",
     _producer(lambda one: not one.options.persistent)),
    ("several", "for producers that send to several queues", "several-queues", "",
     _producer(lambda one: len(one.destinations) > 1)),
    ("windowed", "for producers with a window", "producer-window", "windowed",
     _producer(lambda one: one.options.window_bytes is not None)),
    ("rated", "for producers with a rate", "producer-rate", "paced",
     _producer(lambda one: one.options.rate is not None)),
    ("unconfigured", "for producers whose client decides whether they wait", "default-sends", "",
     _producer(lambda one: one.options.unconfigured)),
    ("with-properties", "for producers of messages with properties", "message-properties", "filter on properties",
     _producer(lambda one: one.options.properties > 0)),
    ("without-end", "for producers that wait without end", "client-wait", "without end",
     _producer(lambda one: (one.options.wait_ms or 0) < 0)),
)  # fmt: skip
_DECLARED = (
    ("pattern", "where a pattern of names sets the limits", "pattern-limits", "pattern",
     _destination(lambda one: one.by_pattern)),
    ("beside-defaults", "where a destination has its own limits beside default limits", "default-limits", "",
     _destination(lambda one: one.beside_defaults)),
)  # fmt: skip
SECOND_TRIGGERS: tuple[Trigger, ...] = (
    *(
        Trigger(name, words, holds, rules, frozenset(filter(None, (needs,))), value, "history")
        for name, words, needs, rules, value, holds in _HISTORIES
    ),
    *(
        Trigger(name, words, holds, (), frozenset({needs}), value, "sender")
        for name, words, needs, value, holds in _SENDERS
    ),
    *(
        Trigger(name, words, holds, (), frozenset({needs}), value, "destination")
        for name, words, needs, value, holds in _DECLARED
    ),
)
