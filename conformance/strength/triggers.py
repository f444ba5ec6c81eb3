"""Triggers: the situations in which a fault shows. A trigger is asked when the broker would apply its fault."""

from collections.abc import Callable
from dataclasses import dataclass

from tidegate.conformance.strength.facts import Destination, Facts, Producer

LARGE = 1 << 31
SMALL_BYTES = 100
LONG_MS = 60_000


@dataclass(frozen=True)
class Trigger:
    """A condition on the facts under which a fault shows."""

    name: str
    words: str
    """The trigger in words, as the end of a sentence."""
    holds: Callable[[Facts], bool]
    rules: tuple[str, ...] = ()
    """The rules that say that this condition makes no difference."""
    needs: frozenset[str] = frozenset()
    """The capabilities without which the trigger never holds."""
    value: str = ""
    """The corresponding value of a condition of the suite; empty if there is none."""
    kind: str = "message"
    """The subject of the trigger: the `destination` as declared, the `sender`, a `message`, or the `history`."""


def _destination(holds: Callable[[Destination], bool]) -> Callable[[Facts], bool]:
    return lambda facts: facts.destination is not None and holds(facts.destination)


def _producer(holds: Callable[[Producer], bool]) -> Callable[[Facts], bool]:
    return lambda facts: facts.producer is not None and holds(facts.producer)


def _shared(facts: Facts) -> bool:
    return facts.producer is not None and facts.shares_connection(facts.producer)


def _by_default(facts: Facts) -> bool:
    return facts.verb == "declare_defaults" or (facts.destination is not None and facts.destination.by_default)


def _out_of_order(facts: Facts) -> bool:
    destination = facts.destination
    return (
        facts.verb == "acknowledge" and destination is not None and facts.message_id in list(destination.handed_out)[1:]
    )


def _rounds(ending: str, number: int) -> Callable[[Facts], bool]:
    return _destination(lambda one: one.rounds_by(ending) >= number)


def _each(number: int) -> Callable[[Facts], bool]:
    """A condition that holds at every `number`-th question; the facts count, so each scenario counts anew."""

    def holds(facts: Facts) -> bool:
        facts.counts["each"] += 1
        return facts.counts["each"] % number == 0

    return holds


ALWAYS = Trigger("always", "", lambda facts: True, kind="")
_ENDINGS = (
    ("drained", "all messages were consumed", (), ("GENERAL-3",)),
    ("purged", "it was purged", ("purge",), ("GENERAL-4",)),
    ("closed", "its stopped producer was closed", ("close-clients",), ("GENERAL-9",)),
    ("killed", "the connection of its stopped producer broke", ("kill-clients",), ("GENERAL-10",)),
    ("given back", "a consumer gave its messages back", ("close-clients",), ("GENERAL-11",)),
)
TRIGGERS: tuple[Trigger, ...] = (
    Trigger(
        "topic",
        "on topics",
        _destination(lambda one: one.topic),
        ("GENERAL-13",),
        frozenset({"topics"}),
        "topic",
        kind="destination",
    ),
    Trigger(
        "anonymous",
        "for anonymous producers",
        _producer(lambda one: one.anonymous),
        ("GENERAL-14",),
        frozenset({"anonymous-producers"}),
        "anonymous",
        kind="sender",
    ),
    Trigger(
        "transacted",
        "for transacted producers",
        _producer(lambda one: one.options.transacted),
        ("GENERAL-16",),
        frozenset({"transactions"}),
        "transacted",
        kind="sender",
    ),
    Trigger(
        "persistent",
        "for persistent messages",
        _producer(lambda one: one.options.persistent),
        (),
        frozenset({"persistent-messages"}),
        "persistent",
        kind="sender",
    ),
    Trigger(
        "asynchronous",
        "for asynchronous producers",
        _producer(lambda one: one.options.asynchronous),
        (),
        frozenset({"asynchronous-sends"}),
        kind="sender",
    ),
    Trigger(
        "protocol",
        "for producers of the second protocol",
        _producer(lambda one: one.options.protocol == "AMQP 1.0"),
        ("GENERAL-15",),
        frozenset({"several-protocols"}),
        kind="sender",
    ),
    Trigger(
        "shared",
        "for producers that share a connection",
        _shared,
        (),
        frozenset({"shared-connections"}),
        "shared",
        kind="sender",
    ),
    Trigger(
        "late",
        "for producers that come while others are stopped",
        _producer(lambda one: one.late),
        ("GENERAL-7",),
        kind="sender",
    ),
    Trigger("third-producer", "from the third producer on", _producer(lambda one: one.number >= 3), kind="sender"),
    Trigger(
        "messages",
        "where only messages are limited",
        _destination(lambda one: one.limits.limit_bytes is None and one.limits.limit_messages is not None),
        ("GENERAL-18",),
        frozenset({"message-limit"}),
        "messages",
        kind="destination",
    ),
    Trigger(
        "both",
        "where bytes and messages are limited",
        _destination(
            lambda one: (
                None not in (one.limits.limit_bytes, one.limits.limit_messages)
                and (one.limits.limit_messages or 0) < SMALL_BYTES
            )
        ),
        ("GENERAL-18",),
        frozenset({"message-limit"}),
        "both",
        kind="destination",
    ),
    Trigger(
        "far-messages",
        "where a limit in messages is far away",
        _destination(lambda one: (one.limits.limit_messages or 0) >= 1_000),
        ("GENERAL-18",),
        frozenset({"message-limit"}),
        "far messages",
        kind="destination",
    ),
    Trigger(
        "raised",
        "after the limit was raised in use",
        _destination(lambda one: one.changed == "raised"),
        ("GENERAL-5",),
        frozenset({"changed-limits"}),
        "raised",
        kind="destination",
    ),
    Trigger(
        "lowered",
        "after the limit was lowered in use",
        _destination(lambda one: one.changed == "lowered"),
        ("GENERAL-6",),
        frozenset({"changed-limits"}),
        "lowered",
        kind="destination",
    ),
    Trigger(
        "default",
        "where the limits are set as defaults",
        _by_default,
        (),
        frozenset({"default-limits"}),
        "default",
        kind="destination",
    ),
    *(
        Trigger(
            f"{ending.replace(' ', '-')}-{times}",
            f"once a destination was filled {times} and {what}",
            _rounds(ending, number),
            rules,
            frozenset(needs),
            f"{ending} {times}",
            "history",
        )
        for times, number in (("once", 1), ("three times", 3))
        for ending, what, needs, rules in _ENDINGS
    ),
    Trigger(
        "rolled-back",
        "after a transaction was rolled back",
        lambda facts: facts.counts["rollback"] > 0,
        ("GENERAL-16",),
        frozenset({"transactions"}),
        "rolled back",
        kind="history",
    ),
    Trigger("out-of-order", "for messages acknowledged out of order", _out_of_order, value="last first"),
    Trigger(
        "in-flight",
        "while a consumer holds messages that it did not acknowledge",
        _destination(lambda one: bool(one.handed_out)),
    ),
    Trigger(
        "second-destination",
        "from the second destination on",
        _destination(lambda one: one.number >= 2),
        value="bystander",
        kind="destination",
    ),
    Trigger("two-consumers", "beside a second consumer", lambda facts: len(facts.consumers) > 1, value="two consumers"),
    Trigger(
        "large-message", "for messages of 1,000 bytes and more", lambda facts: facts.size >= 1000, value="drained large"
    ),
    Trigger(
        "small-message", f"for messages of less than {SMALL_BYTES} bytes", lambda facts: 0 < facts.size < SMALL_BYTES
    ),
    Trigger("each-seventh", "each seventh time", _each(7)),
    Trigger(
        "many-messages",
        "from the fiftieth message of a destination on",
        _destination(lambda one: one.sent >= 50),
        value="drained twenty times",
        kind="history",
    ),
    Trigger(
        "old-producer",
        "for producers that were opened more than a minute ago",
        lambda facts: facts.producer is not None and facts.now_ms - facts.producer.since_ms > LONG_MS,
        kind="sender",
    ),
)
"""All but `ALWAYS`."""
