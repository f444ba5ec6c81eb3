"""Every condition with its values: what each value needs and changes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions import histories
from tidegate.conformance.conditions.condition import NEVER, Condition, Value
from tidegate.conformance.conditions.histories import rounds
from tidegate.conformance.conditions.meanwhile import MEANWHILE, NOT_MEANWHILE
from tidegate.conformance.conditions.roads import (
    BINDINGS,
    CHANGED_IN_USE,
    FULL,
    IN_TRANSACTION,
    LIMIT,
    NOT_BY_THIS_ROAD,
    OF_OWN_LIMITS,
    OUTSIDE,
    OVERFLOWING,
    ROAD,
    SCOPE,
    UNCONFIGURED,
)

FAR_BYTES = 1_000_000
MANY = 5
ANY_FIGURE = "any-figure"
"""The capability of an implementation whose messages have any size, since they are figures, as its clock is."""
PAST_32_BITS = 11_000_000
"""400 bytes, the size of most scenarios' messages, times this factor is more than 32 bits can hold."""
UNEVEN = Fraction(5, 4)
"""Most times of scenarios are whole seconds, and few are times this factor; times that pass in turn add up as well."""
MS_PAST_32_BITS = 30_000_000
"""200 ms, the life of most scenarios' messages, times this factor is more ms than 32 bits can hold."""
WINDOW = 1000
"""The window of a windowed producer, in bytes: several messages fit without an answer."""
NARROW_WINDOW = 100
"""A window in bytes that most messages here exceed."""


NOT_ANY_FIGURE = (
    "real bytes|smallest|disk|rate|ahead|window|consumer with|at once|room for everything|in files"
    "|limit in messages is removed|messages, bound"
)
"""Steps of scenarios with figures of their own, or with a limit that is not configured."""
WRITTEN_FIGURE = re.compile(r'says "[^"]*\d bytes')
"""Steps that quote a figure in the implementation's own writing, which may be right for small figures only."""
OF_SEVERAL = r"a producer of each|for each, both on one|fills each, one after the other|a consumer takes all messages$"
"""Steps with several destinations that are filled beside each other, or with messages in hand."""
OF_ALL = r"a store that may take|a broker with (\d+ bytes of memory|a (store|temporary|memory) limit)"
"""Steps that configure a limit on all destinations together."""
OF_MANY_FIGURES = re.compile(rf"{WRITTEN_FIGURE.pattern}|{OF_SEVERAL}|{OF_ALL}")
"""Steps with more figures than the limit of one destination: a broker keeps each figure in its own place."""
FITS_AGAIN = re.compile("took as many messages as before")
"""A step that says that the full number of messages fits, which the history must not change."""
STANDS = "stopped|free|fill|until|may not send|waits|released"
"""Steps that say whether a producer may send on, which cannot be seen of a producer that waits for no answer."""
OF_SMALL_ONES = re.compile("small messages until")
"""A step that sends small messages until its producer may send no more; a window of many bytes takes more messages."""
OF_ONE_SEND = "told|rejected|(its|that|the) send"
"""Steps that ask for the outcome of a single send."""
BYTES_HELD = re.compile(r"(holds|at most|stay at|more than) (?!0 )\S+ bytes|bytes are left")
"""Steps that ask for the bytes of the messages in a destination."""
REFUSING = re.compile(r"refuses (what|past)")
"""Steps with a destination that refuses messages: a refused message may end the session of its transaction."""
OF_TOPICS = re.compile(r"topic|subscription|\bbound\b")
"""Steps with topics or with several queues that get a message: these have no browsers, and no dead letters here."""
OF_TOPICS_OR_ALL = re.compile(rf"{OF_TOPICS.pattern}|{OF_ALL}|a broker with")
"""The same, and steps with a limit on all destinations, which a message that is moved may have to wait for."""
SHARED_BY_ALL = frozenset({"memory-ratio"})
"""The mechanisms in which the messages of one destination stop the producers of all."""
WAIT_TOGETHER = re.compile(r"that (2|<producers>) producers fill until none may send")
"""Steps with several producers that wait at one destination."""
ALL_AT_ONCE = re.compile(r"purge|management moves what waits")
"""Steps with one call by which all messages leave. The call may store waiting sends before anybody looks again."""
TIMED = re.compile(
    r"waits (\d+|<\w+>) ms|(after|that live|a delay of) (\d+|<\w+>) ms|a send of it waited for (\d+|<\w+>) ms"
)
"""Steps with a time that the scenario itself configures, or the time for which a message lives."""
OF_OTHER_TIMES = re.compile(r"delayed by|rate\b|(\d+|<seconds>) s pass|asked for a message|a delay of 3600000")
"""Steps with times in seconds, times that no scenario configures, and a delay that is over at the end of a scenario."""
OF_PRODUCERS = (
    "synchronous|window|transact|configured further|persistent|client|protocol|next sends|that live|a delay of"
    "|properties|settled"
)
"""Steps that say how producers send."""


def _needs(*capabilities: str) -> frozenset[str]:
    return frozenset(capabilities)


def _far_rejection(limits: Limits) -> Limits:
    return limits if limits.reject_bytes is not None else replace(limits, reject_bytes=FAR_BYTES)


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "destination",
        (
            Value("queue"),
            Value(
                "topic", "every destination is a topic with one subscription", _needs("topics"), topic=True, kind=True,
                at_boundaries=True,
            ),
        ),
        stated_by=re.compile(r"topic|management reads|temporary destination"),
    ),
    Condition(
        "addressing",
        (
            Value("named"),
            Value(
                "anonymous", "producers name their destination with each message", _needs("anonymous-producers"),
                anonymous=True, kind=True,
            ),
            Value(
                "every second anonymous", "every second producer names its destination with each message",
                _needs("anonymous-producers"), anonymous=True, every_second=True, owed_to=WAIT_TOGETHER,
            ),
        ),
        stated_by=re.compile(
            rf"{OF_PRODUCERS}|each message to|credit|anonymous|\bon \"|does not know|connection"
            "|producers of the destination"
        ),
    ),
    Condition(
        "sending",
        (
            Value("answered"),
            Value(
                "transacted", "producers commit a transaction after each message", _needs("transactions"),
                options={"transacted": True}, kind=True,
            ),
            Value(
                "every second transacted", "every second producer commits a transaction after each message",
                _needs("transactions"), options={"transacted": True}, every_second=True, owed_to=WAIT_TOGETHER,
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|told|anonymous|that refuses"),
    ),
    Condition(
        "answers",
        (
            Value("waited for"),
            Value(
                "asynchronous", "producers wait for no answer and have no window", _needs("asynchronous-sends"),
                options={"asynchronous": True},
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|{STANDS}|{OF_ONE_SEND}|gone through|anonymous|log"),
    ),
    Condition(
        "settlement",
        (
            Value("settled by the answer"),
            Value(
                "settled", "producers send messages to which no answer is owed", _needs("settled-sends"),
                options={"settled": True}, owed_to=FITS_AGAIN,
            ),
            Value(
                "every second settled", "every second producer sends messages to which no answer is owed",
                _needs("settled-sends"), options={"settled": True}, every_second=True, owed_to=WAIT_TOGETHER,
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|{OF_ONE_SEND}|{REFUSING.pattern}|anonymous|reject|refuse|drop|log"),
    ),
    Condition(
        "window",
        (
            Value("usual window"),
            Value(
                "windowed", f"producers have up to {WINDOW:,} bytes on their way before they wait for an answer",
                _needs("asynchronous-sends", "producer-window"), options={"asynchronous": True, "window_bytes": WINDOW},
                ruled_out_by=OF_SMALL_ONES,
            ),
            Value(
                "narrow window", f"the window of producers is {NARROW_WINDOW} bytes", _needs("core-window"),
                options={"window_bytes": NARROW_WINDOW},
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|{OF_ONE_SEND}|anonymous|credit|another producer sends|log"),
    ),
    Condition(
        "persistence",
        (
            Value("as configured"),
            Value(
                "persistent", "messages survive the broker", _needs("persistent-messages"),
                options={"persistent": True},
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|disk|store|quota|space of"),
    ),
    Condition(
        "connections",
        (
            Value("own"),
            Value("shared", "producers share one connection", _needs("shared-connections"), one_connection=True),
            Value(
                "one session", "producers share one session", _needs("shared-sessions", "amqp-credit"),
                one_connection=True, options={"session": "session"}, ruled_out_by=IN_TRANSACTION,
            ),
        ),
        stated_by=re.compile(r"\bon \"|connection|client|protocol|configured further|session"),
    ),
    LIMIT,
    ROAD,
    OUTSIDE,
    SCOPE,
    FULL,
    BINDINGS,
    Condition(
        "history",
        (
            Value("fresh"),
            *(
                Value(
                    f"{ending} {times}", f"the destination was filled {times} before, each time ended {how}",
                    _needs("close-clients", *needs), history=rounds(number, end),
                    costly=number > 1, in_rounds=number > 1, owed_to=FITS_AGAIN if number > 1 else NEVER,
                )
                for number, times in ((1, "once"), (3, "three times"))
                for ending, how, needs, end in (
                    ("drained", "with all messages consumed", (), histories.drained),
                    ("purged", "with a purge", ("purge",), histories.purged),
                    ("closed", "with the stopped producer closed", (), histories.closed),
                    ("killed", "with the stopped producer's connection broken", ("kill-clients",), histories.killed),
                    ("given back", "with a consumer that gave all messages back", (), histories.given_back),
                    ("timed out", "with a send that waited until it failed", ("client-wait",), histories.timed_out),
                )
            ),
            *(
                Value(
                    f"drained by {name}", f"{name} producers filled the destination before, and all was consumed",
                    _needs("close-clients"), history=rounds(1, histories.drained, producers=number),
                    costly=number > MANY, lasting=number > MANY,
                )
                for number, name in ((5, "five"), (12, "twelve"))
            ),
            Value(
                "drained large", "the destination held a message larger than its limit before, which was consumed",
                _needs("close-clients"), history=rounds(1, histories.drained, size=histories.LARGE),
                owed_to=FITS_AGAIN,
            ),
            Value(
                "refused once", "messages sent to the destination were refused before, and it was emptied",
                _needs("close-clients", "changed-limits", "reject-threshold"), history=histories.refused,
            ),
            Value(
                "raised and lowered once",
                "the limits were raised while a producer waited, lowered below what was there, and all was consumed",
                _needs("close-clients", "changed-limits"), history=rounds(1, histories.raised_and_lowered),
            ),
            Value(
                "rolled back", "a transaction that filled the destination was rolled back before",
                _needs("close-clients", "transactions"), history=histories.rolled_back, owed_to=FITS_AGAIN,
                ruled_out_by=REFUSING,
            ),
            # a new destination has forgotten what went on before, so other histories of a weave come after it
            Value(
                "recreated", "the destination was filled, deleted, and created again",
                _needs("close-clients", "recreated-destinations"), history=histories.recreated, costly=True,
                ruled_out_by=OF_TOPICS,
            ),
            Value(
                "refused by policy once", "a policy that was in force before refused messages, and all was consumed",
                _needs("close-clients", "changed-limits", "refusing-policy"), history=histories.refused_by_policy,
                ruled_out_by=OF_OWN_LIMITS, promised_by=("GENERAL-31",), costly=True,
            ),
            Value(
                "expired", "earlier messages at the destination expired, and the rest was consumed",
                _needs("close-clients", "expiring-messages"), history=histories.expired, costly=True,
                ruled_out_by=OF_TOPICS,
            ),
            *(
                Value(
                    f"{ending} once", f"the destination was filled before, {how}", _needs("close-clients", needs),
                    history=rounds(1, end), costly=True, ruled_out_by=ruled_out,
                )
                for ending, how, needs, end, ruled_out in (
                    ("listed", "its messages were listed and consumed", "lists-messages", histories.listed, OF_TOPICS),
                    (
                        "browsed", "its messages were browsed and consumed", "browsed-messages", histories.browsed,
                        OF_TOPICS,
                    ),
                    (
                        "given up", "and a consumer refused each message for good", "dead-letters", histories.given_up,
                        OF_TOPICS,
                    ),
                    (
                        "requeued", "and a consumer gave all messages back and stayed attached", "returned-messages",
                        histories.requeued, NEVER,
                    ),
                )
            ),
            Value(
                "moved once", "messages of the destination were moved elsewhere before, and consumed there",
                _needs("close-clients", "moves-messages"), history=histories.moved, costly=True,
                ruled_out_by=OF_TOPICS_OR_ALL,
            ),
            Value(
                "drained twenty times", "the destination was filled and emptied twenty times before",
                _needs("close-clients"), history=rounds(20, histories.drained), costly=True, lasting=True,
                owed_to=FITS_AGAIN,
            ),
        ),
        stated_by=re.compile(r"management reads|disk that|temporary destination"),
    ),
    Condition(
        "protocol",
        (
            Value("usual protocol"),
            Value(
                "second protocol", "producers speak the second of the protocols", _needs("several-protocols"),
                protocol=1,
            ),
            Value(
                "every second by the second protocol", "every second producer speaks the second of the protocols",
                _needs("several-protocols"), protocol=1, every_second=True, owed_to=WAIT_TOGETHER,
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|credit|told|anonymous"),
    ),
    Condition(
        "pace",
        (
            Value("at once"),
            Value(
                "paced", "each producer may send one message a second, and waits for the answer to it",
                _needs("producer-rate", "late-answers", ANY_FIGURE), options={"rate": 1}, paced=True,
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|rate\b|\bms\b|\bs pass|anonymous|\bon \""),
    ),
    Condition(
        "patience",
        (
            Value("usual patience"),
            Value(
                "without end", "a send that is held back waits without end", _needs("client-wait"),
                options={"wait_ms": -1}, ruled_out_by=ALL_AT_ONCE,
            ),
        ),
        stated_by=re.compile(rf"{OF_PRODUCERS}|rate\b|\bms\b|\bs pass|anonymous|\bon \"|notice|log"),
    ),
    Condition(
        "acknowledgement",
        (
            Value("acknowledged once"),
            Value(
                "acknowledged twice", "consumers acknowledge each message again, which is refused or does nothing",
                _needs(ANY_FIGURE), acknowledged_twice=True,
            ),
        ),
        stated_by=re.compile(r"log|\bms\b"),
    ),
    Condition(
        "consumption",
        (
            Value("in order"),
            Value(
                "last first", "where all is consumed, it is acknowledged from the last message to the first",
                last_first=True,
            ),
            Value(
                "all at once", "where all is consumed, all messages are taken, and acknowledged by one acknowledgement",
                _needs("acknowledges-together"), all_at_once=True,
            ),
            Value(
                "two consumers", "where all is consumed, two consumers take messages in turn",
                _needs("close-clients"), two_consumers=True,
            ),
        ),
        stated_by=re.compile(r"consumer|log"),
    ),
    Condition(
        "order",
        (
            Value("first in, first out"),
            Value(
                "by priority", "messages have different priorities, and queues hand out the higher ones first",
                _needs("priority-queues"), by_priority=True, owed_to=FITS_AGAIN,
            ),
        ),
        stated_by=re.compile(r"in the order in which|management reads"),
    ),
    Condition(
        "other limits",
        (
            Value("unset"),
            Value(
                "far rejection", "there is a level from which messages are rejected, which is far away",
                _needs("reject-threshold"), limits=_far_rejection,
            ),
        ),
        stated_by=re.compile(r"reject|nothing is configured|management reads"),
    ),
    Condition(
        "figures",
        (
            Value("small figures"),
            Value(
                "past 32 bits", f"every figure in bytes is multiplied by {PAST_32_BITS:,}", _needs(ANY_FIGURE),
                scale=PAST_32_BITS, owed_to=OF_MANY_FIGURES,
            ),
        ),
        stated_by=re.compile(rf"{UNCONFIGURED}|{NOT_ANY_FIGURE}"),
    ),
    Condition(
        "times",
        (
            Value("whole seconds"),
            Value(
                "uneven times", f"every time is multiplied by {float(UNEVEN)}", _needs(ANY_FIGURE),
                stretch=UNEVEN, only_with=TIMED, owed_to=TIMED, at_boundaries=True,
            ),
            Value(
                "times past 32 bits", f"every time is multiplied by {MS_PAST_32_BITS:,}", _needs(ANY_FIGURE),
                stretch=Fraction(MS_PAST_32_BITS), only_with=TIMED, owed_to=TIMED, at_boundaries=True,
            ),
        ),
        stated_by=OF_OTHER_TIMES,
    ),
    Condition(
        "elsewhere",
        (
            Value("nobody"),
            Value(
                "bystander", "a producer of another destination is attached", bystander=True, at_boundaries=True,
            ),
            Value(
                "full elsewhere", "another destination is full, and its producer stopped", _needs("stops-producers"),
                not_with=SHARED_BY_ALL, neighbour=True, costly=True, owed_to=FITS_AGAIN,
            ),
        ),
        stated_by=re.compile(r"broker|disk|store|quota|line|log|virtual host|temporary destination"),
    ),
    Condition(
        "onlookers",
        (
            Value("no onlooker"),
            Value(
                "filtering consumer", "a consumer is attached whose filter no message passes",
                _needs("filtering-consumers"), onlooker=True, costly=True,
            ),
            Value(
                "filter on properties", "messages have properties, and a consumer is attached whose filter none passes",
                _needs("filtering-consumers", "message-properties"), onlooker=True, options={"properties": 5},
                # a broker may charge a message for the properties once a filter has had it read them
                costly=True, ruled_out_by=BYTES_HELD,
            ),
        ),
        stated_by=re.compile(
            rf"{OF_PRODUCERS}|topic|queues|broker|disk|store|quota|ahead|rate\b|log|bound|temporary destination"
        ),
    ),
    Condition(
        "restart",
        (
            Value("running"),
            Value(
                "restarted", "the broker was killed and started again after the destination was declared",
                _needs("restarts-broker"), history=histories.restarted, keeps_data=True,
            ),
            Value(
                "halted", "the broker was halted for a moment after the destination was declared",
                _needs("pauses-broker"), history=histories.paused,
            ),
        ),
        stated_by=re.compile(r"topic|broker|disk that|queue of its own|temporary destination"),
    ),
    MEANWHILE,
)  # fmt: skip
"""In the order of reports."""

APART: tuple[tuple[str, str], ...] = (
    ("anonymous", "transacted"),
    ("anonymous", "persistent"),
    ("transacted", "one session"),
    ("anonymous", "second protocol"),
    ("transacted", "second protocol"),
    ("anonymous", "asynchronous"),
    ("anonymous", "windowed"),
    ("anonymous", "narrow window"),
    ("transacted", "asynchronous"),
    ("transacted", "windowed"),
    ("transacted", "refused by policy once"),
    ("acknowledged twice", "all at once"),
    ("transacted", "timed out once"),
    ("transacted", "timed out three times"),
    ("times past 32 bits", "timed out once"),
    ("times past 32 bits", "timed out three times"),
    ("asynchronous", "windowed"),
    *(
        ("settled", other)
        for other in (
            *("anonymous", "transacted", "asynchronous", "windowed", "second protocol", "expired", "refused once"),
            *("refused by policy once", "far rejection", "persistent", *OVERFLOWING),
        )
    ),
    *(
        ("without end", other)
        for other in (
            *("anonymous", "transacted", "settled", "second protocol", "timed out once", "timed out three times"),
        )
    ),
    ("paced", "anonymous"),
    ("paced", "transacted"),
    ("paced", "asynchronous"),
    ("paced", "windowed"),
    ("paced", "timed out once"),
    ("paced", "timed out three times"),
    ("default", "refused once"),
    ("default", "refused by policy once"),
    ("default", "raised and lowered once"),
    *(
        (sending, "expired")
        for sending in (
            "anonymous",
            "transacted",
            "second protocol",
            "paced",
            "asynchronous",
            "windowed",
            "narrow window",
        )
    ),
    *(
        (kind, history)
        for kind in ("topic", "beside wide queues", "beside a like queue")
        for history in ("browsed once", "given up once", "moved once", "recreated", "listed once", "expired")
    ),
    *(
        (elsewhere, "recreated")
        for elsewhere in (
            *(*CHANGED_IN_USE, "default", "pattern", "closer pattern", "file", "together", *OVERFLOWING),
            *("restarted", "filtering consumer", "filter on properties"),
        )
    ),
    *(
        ("together", history)
        for history in ("given up once", "moved once", "expired", "filtering consumer", "filter on properties")
    ),
    *(
        (each, watcher)
        for each in ("topic", "beside wide queues", "beside a like queue", "restarted", "past 32 bits")
        for watcher in ("filtering consumer", "filter on properties")
    ),
    ("lower outside", "moved once"),
    *((each, "filter on properties") for each in ("anonymous", "second protocol", "past 32 bits", "narrow window")),
    ("topic", "restarted"),
    ("bystander", "restarted"),
    ("full elsewhere", "restarted"),
    *NOT_BY_THIS_ROAD,
    *NOT_MEANWHILE,
)
"""Pairs of values that cannot be established together, beside the same pairs for every second producer.

An anonymous producer has no options in the contract. A transaction is answered as a whole, and a client does not say at
which of its sends it waits. A limit that is changed in use is the destination's own. The one subscription of a topic
ends with the connection that a restart breaks, as the bystander does. A client with a period by default may write
millions of warnings in so long a time. Topics have no browsers, and limits configured
elsewhere than on the destination itself may not survive its end. Dead letters and expired messages may be kept in a
destination of their own, which a limit on all destinations counts too. What is moved may not fit where
limits by default are lower.
"""

EVERY_SECOND = {
    "anonymous": "every second anonymous",
    "transacted": "every second transacted",
    "settled": "every second settled",
    "second protocol": "every second by the second protocol",
}
"""By a value of all producers, the value of every second producer."""


def _pairs_apart() -> Iterator[tuple[str, str]]:
    for one, other in APART:
        yield from product(filter(None, (one, EVERY_SECOND.get(one))), filter(None, (other, EVERY_SECOND.get(other))))


NOT_TOGETHER = tuple(_pairs_apart())
"""All pairs of values that cannot be established together."""


@cache
def go_together(one: str, other: str) -> bool:
    """Whether the values of two conditions can be established together."""
    return (one, other) not in NOT_TOGETHER and (other, one) not in NOT_TOGETHER


def value_named(name: str) -> Value:
    """The value of this name, of whichever condition."""
    return next(value for condition in CONDITIONS for value in condition.values if value.name == name)
