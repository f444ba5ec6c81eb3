"""Conditions on limits: which limit stops producers, how it is configured, what a full destination does, and so on."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions import histories
from tidegate.conformance.conditions.condition import Condition, Value
from tidegate.conformance.conditions.histories import FACTOR, multiplied
from tidegate.conformance.conditions.road import Road

UNCONFIGURED = "nothing is configured|management reads|virtual host|switched off|temporary destination"
"""Steps with a destination whose limits come by no road, or by one of its own."""
FILLING_MESSAGES = 3
"""A limit in messages that the usual messages reach as they reach a limit of 1,000 bytes."""
FAR_MESSAGES = 1_000_000
FAR_BYTES = 1_000_000
WIDE_BYTES = 1_000_000_000
"""A limit that no message of a scenario reaches."""
IN_TRANSACTION = re.compile(r"commit|roll(s|ed)? back|transact")
"""Steps about transactions, which may exceed a limit as a whole, or end with a refused message."""
IN_HAND = re.compile(r"consumers take \d|takes all messages")
"""Steps in which consumers hold several messages: a destination that pages may hand out no more than its memory holds.
"""
IN_TRANSACTION_OR_HAND = re.compile(f"{IN_TRANSACTION.pattern}|{IN_HAND.pattern}")
OF_OWN_LIMITS = re.compile(
    r"(refuses|drops|pages|keeps elsewhere) (what|past)|flow control switched off|a broker (with|that)|queue \""
)
"""Steps with a destination that stops nobody past its own limits, with several, or with a limit that all share."""
SMALL_PAGE = 100
"""Bytes of a page into which hardly any message fits."""


def _in_messages(count: int, **instead: Any) -> Callable[[Limits], Limits]:
    """Adds a limit of `count` messages and replaces the fields `instead`; limits without any level stay as they are."""

    def limited(limits: Limits) -> Limits:
        if limits.limit_bytes is None and limits.limit_messages is None:
            return limits
        return replace(limits, limit_messages=count, **instead)

    return limited


def _refuses(limits: Limits) -> Limits:
    return replace(limits, policy="FAIL")


def _drops(limits: Limits) -> Limits:
    return replace(limits, policy="DROP")


def _pages(**further: Any) -> Callable[[Limits], Limits]:
    """Pages messages past a third of the limits, with the `further` limits of pages."""
    return lambda limits: replace(multiplied(limits, 1 / FACTOR), policy="PAGE", **further)


def _pages_up_to(policy: str, **further: Any) -> Callable[[Limits], Limits]:
    """The same, with the scenario's own limit as the limit of bytes in pages."""
    return lambda limits: _pages(page_limit_bytes=limits.limit_bytes, page_full_policy=policy, **further)(limits)


def _levels(limits: Limits) -> Limits:
    """The limits without credit and cursor, which have no defaults here."""
    return replace(limits, credit=None, credit_low=None, cursor=None)


def _needs(*capabilities: str) -> frozenset[str]:
    return frozenset(capabilities)


def _one_message(limits: Limits) -> Limits:
    """The limits, with one of a single message if they have none in messages."""
    return replace(limits, limit_messages=1) if limits.limit_messages is None else limits


LIMIT = Condition(
    "limit",
    (
        Value("bytes"),
        Value(
            "messages", f"the limit is {FILLING_MESSAGES} messages, and none in bytes", _needs("message-limit"),
            limits=_in_messages(FILLING_MESSAGES, limit_bytes=None, resume_bytes=None), kind=True,
        ),
        Value(
            "both", f"there is a limit of {FILLING_MESSAGES} messages too", _needs("message-limit"),
            limits=_in_messages(FILLING_MESSAGES),
        ),
        Value(
            "far messages", "there is a limit in messages too, which is far away", _needs("message-limit"),
            limits=_in_messages(FAR_MESSAGES), at_boundaries=True,
        ),
    ),
    stated_by=re.compile(
        rf"\d+ bytes|goes past|small messages|policy of|messages alone|room for everything|{UNCONFIGURED}"
    ),
)  # fmt: skip
"""The dimension of the limit: bytes, messages or both."""

ROAD = Condition(
    "road",
    (
        Value("declared"),
        Value(
            "raised", "the limits were a third of that, and raised in use", _needs("changed-limits"),
            declared_first=lambda limits: multiplied(limits, 1 / FACTOR), at_boundaries=True,
        ),
        Value(
            "lowered", f"the limits were {FACTOR} times that, and lowered in use", _needs("changed-limits"),
            declared_first=lambda limits: multiplied(limits, FACTOR), at_boundaries=True,
        ),
        Value(
            "removed", "there was a limit of one message too, which was removed in use",
            _needs("changed-limits", "message-limit"), declared_first=_one_message, at_boundaries=True,
        ),
        Value(
            "default", "the limits are set as defaults for all destinations", _needs("default-limits"),
            road=Road.DEFAULT, at_boundaries=True,
        ),
        Value(
            "pattern", "the limits are set for a pattern of names", _needs("pattern-limits"), road=Road.PATTERN,
        ),
        *(
            Value(
                f"{change} pattern", f"the limits are set for a pattern of names: {first} of that, and {change} in use",
                _needs("pattern-limits", "changed-patterns"), road=Road.PATTERN,
                declared_first=partial(multiplied, by=by), at_boundaries=True,
            )
            for change, first, by in (("raised", "a third", 1 / FACTOR), ("lowered", "three times", FACTOR))
        ),
        Value(
            "closer pattern", "the limits are set for a pattern of names, and a third of them for a wider one",
            _needs("pattern-limits"), road=Road.CLOSER_PATTERN,
        ),
        Value(
            "file", "the limits stand in a file that the broker read when it started", _needs("file-limits"),
            road=Road.FILE, costly=True,
        ),
    ),
    stated_by=re.compile(rf"{UNCONFIGURED}|limit is changed|removed|room for everything|whose|log|disk that"),
)  # fmt: skip
"""The way in which the limits of a destination are configured."""

OUTSIDE = Condition(
    "outer level",
    (
        Value("nothing outside"),
        Value(
            "lower outside", "the defaults for all destinations are a third of the limits", _needs("default-limits"),
            outside=lambda limits: _levels(multiplied(limits, 1 / FACTOR)),
        ),
        Value(
            "higher outside", f"the defaults for all destinations are {FACTOR} times the limits",
            _needs("default-limits"), outside=lambda limits: _levels(multiplied(limits, FACTOR)),
        ),
        Value(
            "far together", "all destinations together have a limit too, which is far away", _needs("shared-limits"),
            shared_outside=FAR_BYTES, costly=True,
        ),
    ),
    stated_by=re.compile(rf"{ROAD.stated_by.pattern}|memory limit of|store|quota|disk"),
)  # fmt: skip
"""Limits for all destinations beside the destination's own limits, which win."""

SCOPE = Condition(
    "scope",
    (
        Value("apart"),
        Value(
            "together", "the limits are those of all destinations together", _needs("shared-limits"),
            road=Road.TOGETHER, costly=True, ruled_out_by=OF_OWN_LIMITS,
        ),
    ),
    stated_by=re.compile(rf"{ROAD.stated_by.pattern}|\b(?i:other) destination|queues|another queue|each message to"),
)  # fmt: skip
"""Whether a destination has its own limits."""

FULL = Condition(
    "full",
    (
        Value("stops"),
        Value(
            "pages", "the limits are a third of that, and what goes past them is paged", _needs("address-limit"),
            limits=_pages(), ruled_out_by=IN_HAND,
        ),
        Value(
            "goes on", "the limits are a third of that, and flow control is switched off", _needs("memory-limit"),
            limits=lambda limits: replace(multiplied(limits, 1 / FACTOR), policy="NONE"),
        ),
        Value(
            "refuses", "what went past the limits before was refused, and further messages would be",
            _needs("refusing-policy", "close-clients"), limits=_refuses, history=histories.overflowed,
            ruled_out_by=IN_TRANSACTION, promised_by=("GENERAL-30", "GENERAL-31"),
        ),
        Value(
            "drops", "what went past the limits before was dropped, and further messages would be",
            _needs("dropping-policy", "close-clients"), limits=_drops, history=histories.overflowed,
            ruled_out_by=IN_TRANSACTION, promised_by=("GENERAL-32", "GENERAL-33"),
        ),
        Value(
            "refuses pages", "the limits are a third of that, and what went past a limit of pages was refused",
            _needs("page-limit", "close-clients"), limits=_pages_up_to("FAIL"), history=histories.overflowed,
            ruled_out_by=IN_TRANSACTION_OR_HAND, promised_by=("GENERAL-34",),
        ),
        Value(
            "drops pages", "the limits are a third of these, and messages past a limit of small pages were dropped",
            _needs("page-limit", "close-clients"), limits=_pages_up_to("DROP", page_bytes=SMALL_PAGE),
            history=histories.overflowed, ruled_out_by=IN_TRANSACTION_OR_HAND, promised_by=("GENERAL-34",),
        ),
        Value(
            "far pages", "the limits are a third of that, and the limit of pages is far away",
            _needs("page-limit"), limits=_pages(page_limit_bytes=FAR_BYTES, page_full_policy="FAIL"),
            ruled_out_by=IN_HAND,
        ),
    ),
    stated_by=re.compile(
        rf"{ROAD.stated_by.pattern}|stop|free|fill|\bmay\b|until|policy|credit|window|holds [1-9]|fail|wait|send usage"
        "|order|told|refuse|reject|synchronous|capacity|quota|threshold|memory|disk|cursor|rate|answer|broker"
        "|drop|page|bytes together"
    ),
)  # fmt: skip
"""The behaviour of a full destination; a scenario in which nobody is stopped promises the same if more is taken."""

BINDINGS = Condition(
    "bindings",
    (
        Value("one queue"),
        Value(
            "beside wide queues", "two queues without a near limit get all messages too", _needs("several-bindings"),
            beside=lambda limits: replace(limits, limit_bytes=WIDE_BYTES, resume_bytes=WIDE_BYTES, limit_messages=None),
            kind=True,
        ),
        Value(
            "beside a like queue", "a queue with the same limits gets all messages too, and one without a near limit",
            _needs("several-bindings"), beside=lambda limits: limits,
        ),
    ),
    stated_by=re.compile(
        rf"{UNCONFIGURED}|topic|queues|bound|queue \"|\b(?i:other) destination|each message to|consumer|log"
        "|another queue|at each|(limit|level)( alone)? is changed|is changed to one that|policy|removed"
        "|room for everything|credit|purged|broker|disk|store|moves|moved|that live|a delay of|memory"
    ),
)  # fmt: skip
"""The number of queues that get each message of a destination. A scenario consumes a message on every queue."""

OVERFLOWING = ("refuses", "drops", "refuses pages", "drops pages", "far pages")
"""The values under which a full destination refuses or drops messages, or has a limit of pages."""

BY_PATTERN = ("pattern", "raised pattern", "lowered pattern", "closer pattern")
"""The values under which the limits stand for a pattern of names."""
CHANGED_IN_USE = ("raised", "lowered", "removed", "raised pattern", "lowered pattern")
"""The values under which the limits change before the first message of a scenario."""

NOT_BY_THIS_ROAD: tuple[tuple[str, str], ...] = (
    *((value.name, "together") for value in ROAD.values if value != ROAD.plain),
    *(
        (outer.name, inner)
        for outer in OUTSIDE.values
        if outer != OUTSIDE.plain
        for inner in ("default", "file", "together", "restarted")
    ),
    *(("far together", elsewhere) for elsewhere in ("bystander", "full elsewhere")),
    *(
        (elsewhere, history)
        for history in ("refused once", "refused by policy once", "raised and lowered once")
        for elsewhere in (*BY_PATTERN, "file", "together", "pages", "goes on", *OVERFLOWING)
    ),
    ("file", "restarted"),
    ("together", "restarted"),
    *(("together", elsewhere) for elsewhere in ("bystander", "full elsewhere")),
    ("together", "pages"),
    ("together", "goes on"),
    *(("together", each) for each in OVERFLOWING),
    *(
        (each, other)
        for each in ("beside wide queues", "beside a like queue")
        for other in ("topic", "together", *CHANGED_IN_USE, "restarted", *OVERFLOWING)
    ),
    *(
        (each, history)
        for each in ("beside wide queues", "beside a like queue")
        for history in (
            *("purged once", "purged three times", "refused once", "refused by policy once"),
            "raised and lowered once",
        )
    ),
    *(
        (each, history)
        for each in ("beside wide queues", "beside a like queue")
        for history in ("given back once", "given back three times", "requeued once")
    ),
    *((each, "restarted") for each in OVERFLOWING),
    *((each, "transacted") for each in ("refuses", "refuses pages")),
)
"""Pairs of values that exclude each other: limits are configured in one way, and a bystander counts towards a limit on
all destinations. A limit that is changed in use is the destination's own. A broker reads a file and a shared limit
when it starts, also after a restart. A refused transaction may end its session."""
