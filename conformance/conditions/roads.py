"""Three conditions: which limit stops producers, how it is configured, and what a full destination does."""

import re
from dataclasses import replace

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions.condition import Condition, Value
from tidegate.conformance.conditions.histories import FACTOR, multiplied
from tidegate.conformance.conditions.road import Road

UNCONFIGURED = "nothing is configured|management reads|virtual host|switched off"
FILLING_MESSAGES = 3
"""A limit in messages that as many bodies reach as a limit of 1,000 bytes."""
FAR_MESSAGES = 1_000_000


def _messages_only(limits: Limits) -> Limits:
    return replace(limits, limit_bytes=None, resume_bytes=None, limit_messages=FILLING_MESSAGES)


def _both(limits: Limits) -> Limits:
    return replace(limits, limit_messages=FILLING_MESSAGES)


def _far_messages(limits: Limits) -> Limits:
    return replace(limits, limit_messages=FAR_MESSAGES)


def _needs(*capabilities: str) -> frozenset[str]:
    return frozenset(capabilities)


LIMIT = Condition(
    "limit",
    (
        Value("bytes"),
        Value(
            "messages", f"the limit is {FILLING_MESSAGES} messages, and none in bytes", _needs("message-limit"),
            limits=_messages_only,
        ),
        Value(
            "both", f"there is a limit of {FILLING_MESSAGES} messages too", _needs("message-limit"), limits=_both,
        ),
        Value(
            "far messages", "there is a limit in messages too, which is far away", _needs("message-limit"),
            limits=_far_messages,
        ),
    ),
    stated_by=re.compile(rf"\d+ bytes|policy of|messages alone|room for everything|{UNCONFIGURED}"),
)  # fmt: skip
"""The dimension that is limited."""

ROAD = Condition(
    "road",
    (
        Value("declared"),
        Value(
            "raised", "the limits were a third of that, and raised in use", _needs("changed-limits"),
            declared_first=lambda limits: multiplied(limits, 1 / FACTOR),
        ),
        Value(
            "lowered", f"the limits were {FACTOR} times that, and lowered in use", _needs("changed-limits"),
            declared_first=lambda limits: multiplied(limits, FACTOR),
        ),
        Value(
            "default", "the limits are set as defaults for all destinations", _needs("default-limits"),
            road=Road.DEFAULT,
        ),
        Value(
            "pattern", "the limits are set for a pattern of names", _needs("pattern-limits"), road=Road.PATTERN,
        ),
        Value(
            "file", "the limits stand in a file that the broker read when it started", _needs("file-limits"),
            road=Road.FILE, costly=True,
        ),
    ),
    stated_by=re.compile(rf"{UNCONFIGURED}|limit is changed|removed|room for everything|whose|log"),
)  # fmt: skip
"""By which road the limits of a destination came."""

SCOPE = Condition(
    "scope",
    (
        Value("apart"),
        Value(
            "together", "the limits are those of all destinations together", _needs("shared-limits"),
            road=Road.TOGETHER, costly=True,
        ),
    ),
    stated_by=re.compile(rf"{ROAD.stated_by.pattern}|\b(?i:other) destination|queues|another queue|each message to"),
)  # fmt: skip
"""Whether a destination has limits of its own."""

FULL = Condition(
    "full",
    (
        Value("stops"),
        Value(
            "pages", "the limits are a third of that, and what goes past them is paged", _needs("address-limit"),
            limits=lambda limits: replace(multiplied(limits, 1 / FACTOR), policy="PAGE"),
        ),
        Value(
            "goes on", "the limits are a third of that, and flow control is switched off", _needs("memory-limit"),
            limits=lambda limits: replace(multiplied(limits, 1 / FACTOR), policy="NONE"),
        ),
    ),
    stated_by=re.compile(
        rf"{ROAD.stated_by.pattern}|stop|free|fill|\bmay\b|until|policy|credit|window|holds [1-9]|fail|wait|send usage"
        "|order|told|refuse|reject|synchronous|capacity|quota|threshold|memory|disk|cursor|rate|answer|broker"
    ),
)  # fmt: skip
"""What a full destination does; a scenario in which it stops nobody promises the same where it takes more."""

NOT_BY_THIS_ROAD: tuple[tuple[str, str], ...] = (
    *((value.name, "together") for value in ROAD.values if value != ROAD.plain),
    *((elsewhere, "refused once") for elsewhere in ("pattern", "file", "together", "pages", "goes on")),
    *((elsewhere, "raised and lowered once") for elsewhere in ("pattern", "file", "together", "pages", "goes on")),
    ("file", "restarted"),
    ("together", "restarted"),
    ("together", "bystander"),
    ("together", "pages"),
    ("together", "goes on"),
)
"""Values that exclude each other: limits came by one road, and a limit of all is met by a bystander too. A limit that
is changed in use is one of the destination's own. A broker reads a file and a shared limit when it
starts, as it does after a restart."""
