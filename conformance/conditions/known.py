"""Every condition, with its values: what each needs, and what it changes."""

from dataclasses import replace
from typing import Any

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions import histories
from tidegate.conformance.conditions.condition import Condition, Value
from tidegate.conformance.conditions.histories import rounds

FILLING_MESSAGES = 3
"""A limit in messages that as many bodies reach as a limit of 1,000 bytes."""
FAR_MESSAGES = 1_000_000
FACTOR = 3
"""By how much a limit is first lower or higher before it is raised or lowered in use."""


def _needs(*capabilities: str) -> frozenset[str]:
    return frozenset(capabilities)


def _messages_only(limits: Limits) -> Limits:
    return replace(limits, limit_bytes=None, resume_bytes=None, limit_messages=FILLING_MESSAGES)


def _both(limits: Limits) -> Limits:
    return replace(limits, limit_messages=FILLING_MESSAGES)


def _far_messages(limits: Limits) -> Limits:
    return replace(limits, limit_messages=FAR_MESSAGES)


def _scaled(limits: Limits, by: float) -> Limits:
    """The same limits with each level that is set so many times as high."""
    levels = ("limit_bytes", "resume_bytes", "limit_messages")
    changed: dict[str, Any] = {
        level: int(getattr(limits, level) * by) for level in levels if (getattr(limits, level) or 0) > 0
    }
    return replace(limits, **changed)


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "destination",
        (
            Value("queue"),
            Value("topic", "every destination is a topic with one subscription", _needs("topics"), topic=True),
        ),
    ),
    Condition(
        "addressing",
        (
            Value("named"),
            Value(
                "anonymous", "producers name their destination with each message", _needs("anonymous-producers"),
                anonymous=True,
            ),
        ),
    ),
    Condition(
        "sending",
        (
            Value("answered"),
            Value(
                "transacted", "producers commit a transaction after each message", _needs("transactions"),
                options={"transacted": True},
            ),
        ),
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
    ),
    Condition(
        "connections",
        (
            Value("own"),
            Value("shared", "producers share one connection", _needs("shared-connections"), one_connection=True),
        ),
    ),
    Condition(
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
        about_limits=True,
    ),
    Condition(
        "road",
        (
            Value("declared"),
            Value(
                "raised", "the limits were a third of that, and raised in use", _needs("changed-limits"),
                declared_first=lambda limits: _scaled(limits, 1 / FACTOR),
            ),
            Value(
                "lowered", f"the limits were {FACTOR} times that, and lowered in use", _needs("changed-limits"),
                declared_first=lambda limits: _scaled(limits, FACTOR),
            ),
            Value(
                "default", "the limits are set as defaults for all destinations", _needs("default-limits"),
                by_default=True,
            ),
        ),
    ),
    Condition(
        "history",
        (
            Value("fresh"),
            *(
                Value(
                    f"{ending} {times}", f"the destination was filled {times} before, each time ended {how}",
                    _needs("close-clients", *needs), history=rounds(number, end),
                )
                for number, times in ((1, "once"), (3, "three times"))
                for ending, how, needs, end in (
                    ("drained", "with all messages consumed", (), histories.drained),
                    ("purged", "with a purge", ("purge",), histories.purged),
                    ("closed", "with the stopped producer closed", (), histories.closed),
                    ("killed", "with the stopped producer's connection broken", ("kill-clients",), histories.killed),
                    ("given back", "with a consumer that gave all messages back", (), histories.given_back),
                )
            ),
        ),
    ),
    Condition(
        "restart",
        (
            Value("running"),
            Value(
                "restarted", "the broker was killed and started again once the destination was there",
                _needs("restarts-broker"), history=histories.restarted, keeps_data=True,
            ),
        ),
    ),
)  # fmt: skip
"""In the order in which reports name them."""

NOT_TOGETHER: tuple[tuple[str, str], ...] = (
    ("anonymous", "transacted"),
    ("anonymous", "persistent"),
    ("anonymous", "shared"),
    ("topic", "restarted"),
)
"""Values that no adapter can establish together: an anonymous producer has no options in the contract, and the one
subscription of a topic ends with the connection that a restart breaks."""
