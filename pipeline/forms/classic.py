"""The log of an ActiveMQ Classic broker: a producer is stopped or refused for lack of memory, store or temp space.

The lines are those of 5.3.1, 5.15.16 (INFO), 5.18.6 and 6.3.1 (WARN); the layout of the logger decides what precedes
the text. No line tells of the release of a producer.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tidegate.model.mechanisms.classic import Destination, full
from tidegate.model.traces.classic_log_trace import BY_ALL_MEMORY, BY_JOB_STORE, BY_MEMORY, BY_STORE, BY_TEMP, REFUSED
from tidegate.model.traces.log_rules import OF_CLASSIC_LOGS
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import Cause, LogForm, Reached, Statement, Subject
from tidegate.record.events import Kind

PAGE = "See http://activemq.apache.org/producer-flow-control.html for more info"
SO_LONG = f"{PAGE} (blocking for: {{seconds:plain}}s){{rest:rest}}"
OWN_FIGURES = (
    "Usage({of:quoted}) percentUsage={percent_used:plain}%, usage={used:plain}, limit={limit:plain}, "
    "percentUsageMinDelta={step:plain}%"
)
ALL_FIGURES = (
    ";Parent:Usage({of_all:quoted}) percentUsage={all_percent_used:plain}%, usage={all_used:plain}, "
    "limit={all_limit:plain}, percentUsageMinDelta={all_step:plain}%"
)
MORE_FIGURES = (
    ";Parent:Usage({of_more:quoted}) percentUsage={more_percent_used:plain}%, usage={more_used:plain}, "
    "limit={more_limit:plain}, percentUsageMinDelta={more_step:plain}%"
)
"""The prefix of a reason in later versions: the usage of the destination's share, of the memory that all share, and,
where producers and consumers have memory of their own, of the memory of both."""
SHOWS_FIGURES = "percentUsage="


@dataclass(frozen=True)
class Reason:
    """Why a producer is stopped: the full resource, and the text of the line up to the destination that it protects."""

    cause: str
    text: str
    flooding: str = "{destination:quoted}. "


MEMORY = tuple(
    Reason(BY_MEMORY, f"Usage Manager {said} ")
    for said in (
        "Memory Limit reached. Producer ({producer:quoted}) stopped",
        "Memory Limit reached. Stopping producer ({producer:quoted})",
        "Memory Limit is full. Producer ({producer:quoted}) stopped",
        "Memory Usage limit reached. Stopping producer ({producer:quoted})",
        "memory limit reached. Stopping producer ({producer:quoted})",
        "memory limit ({own_limit:plain}) reached. Rejecting send for producer ({producer:quoted})",
        "memory limit ({own_limit:plain}) reached. Stopping producer ({producer:quoted})",
    )
)
DISK = (
    Reason(BY_STORE, "Persistent store is Full, 100% of {of_limit:plain}. Stopping producer ({producer:quoted}) "),
    Reason(
        BY_TEMP, "Temp Store is Full ({percent:plain}% of {of_limit:plain}). Stopping producer ({producer:quoted}) "
    ),
)
"""Reasons for which the limit itself is reached, so the figures before the text show it. The percentage of temporary
space is that of its usage; that of the store is the share of the limit at which Classic holds producers back."""
OTHER = (
    Reason(
        BY_STORE,
        "Persistent store is Full, {percent:plain}% of {of_limit:plain}. Stopping producer ({producer:quoted}) ",
    ),
    Reason(BY_STORE, "Usage Manager Store is Full. Producer ({producer:quoted}) stopped "),
    Reason(BY_STORE, "Usage Manager Store is Full. Stopping producer ({producer:quoted}) "),
    Reason(BY_TEMP, "Usage Manager Temp Store is Full. Stopping producer ({producer:quoted}) "),
    Reason(
        BY_JOB_STORE,
        "Job Scheduler Store is Full ({percent:plain}% of {of_limit:plain}). Stopping producer ({producer:quoted}) ",
        flooding="of the job scheduler store. ",
    ),
)
"""Reasons without figures to judge: 5.3 writes none, and below 100% the line about the store gives the whole limit."""


def is_full(limit: int, used: int) -> bool:
    """Whether memory is used up, a destination's own or that of all, by the model's own rule."""
    return full(Destination(limit=limit, controlled=True, bytes=used))


OWN_AND_ALL = (
    Reached(BY_ALL_MEMORY, "all_used", "all_limit", is_full),
    Reached(BY_MEMORY, "used", "limit", is_full),
)
"""The full memory of a line, in this order. A destination without its own limit shows the limit of all."""
OF_THREE = (Reached(BY_ALL_MEMORY, "more_used", "more_limit", is_full), *OWN_AND_ALL)
FLOODING = "to prevent flooding"
THROTTLED = "Producers will be throttled"
LIMIT_REACHED_ON = "Usage Manager Memory Limit reached on"
LIMIT_OF = "Usage Manager Memory Limit ({limit:plain}) reached on "
OVER_TCP = "Producers will be throttled{told:quoted} | ActiveMQ Transport: {connection:quoted}"
"""The default layout of Classic: a line ends with the thread, which is named after the connection of the send."""
OVER_ANYTHING = "Producers will be throttled{rest:rest}"
TOPIC_IN_FRONT = Subject(
    "topic://", r"(?P<destination>topic://.+),", "destination", "expected topic://NAME, in front of the text"
)
LIMITS = (
    (LIMIT_REACHED_ON, LIMIT_REACHED_ON + " {destination:quoted}. ", None),
    (THROTTLED, LIMIT_OF + "{destination:quoted}, size {messages:plain}. ", None),
    (THROTTLED, LIMIT_OF + "{destination:quoted}. ", None),
    (THROTTLED, "Usage Manager memory limit ({limit:plain}) reached for {destination:quoted}. ", None),
    (THROTTLED, "Usage Manager memory limit reached {limit:plain}. ", TOPIC_IN_FRONT),
)
"""Lines that name no producer: of a queue in 5.3, in versions between, and later; of a topic in 5.3 and later."""


def _throttled() -> Iterator[Statement]:
    for mark, text, subject in LIMITS:
        for tail in (OVER_TCP, OVER_ANYTHING):
            form = LineForm(text + tail)
            names = [name for name in ("connection", "limit", "messages") if name in form.types]
            carries = {"destination": "{destination}"} | {name: f"{{{name}}}" for name in names}
            yield Statement(mark, form, Kind.STOP, carries, subject, cause=BY_MEMORY)


def _waits(ending: str, opening: str, kind: Kind, carries: Mapping[str, str]) -> Iterator[Statement]:
    """A line about one producer, for each reason, lines with figures first."""

    def statement(
        figures: str, reason: Reason, carried: Mapping[str, str], *causes: Reached, without: str = ""
    ) -> Statement:
        form = LineForm(f"{opening}{figures}{reason.text}{FLOODING} {reason.flooding}{ending}")
        about = {name: f"{{{name}}}" for name in ("producer", "destination") if name in form.types}
        told = {**carries, **about, **carried}
        return Statement(FLOODING, form, kind, told, causes=causes, cause=reason.cause, without=without)

    for reason in MEMORY:
        own = {"bytes": "{used}", "limit": "{limit}"}
        yield statement(f"{OWN_FIGURES}{ALL_FIGURES}{MORE_FIGURES}: ", reason, own, *OF_THREE)
        yield statement(f"{OWN_FIGURES}{ALL_FIGURES}: ", reason, own, *OWN_AND_ALL)
        yield statement(f"{OWN_FIGURES}: ", reason, own)
    for reason in (*DISK, *OTHER):
        yield statement(f"{OWN_FIGURES}{ALL_FIGURES}{MORE_FIGURES}: ", reason, {})
    for reason in DISK:
        yield statement(f"{OWN_FIGURES}{ALL_FIGURES}: ", reason, {"bytes": "{all_used}", "limit": "{of_limit}"})
        yield statement(f"{OWN_FIGURES}: ", reason, {"bytes": "{used}", "limit": "{of_limit}"})
    for reason in OTHER:
        yield statement(f"{OWN_FIGURES}{ALL_FIGURES}: ", reason, {})
        yield statement(f"{OWN_FIGURES}: ", reason, {})
    for reason in (*MEMORY, *DISK, *OTHER):
        # each figure that a line shows must be one
        yield statement("{figures:rest}" if opening else "", reason, {}, without=SHOWS_FIGURES)


SO_FAR = {"credit": "{seconds}"}
"""How many seconds the producer has been stopped, as the line says."""
OUTCOME = {"outcome": REFUSED}
REFUSING = "forcing exception on send, usage: "
TOLD = "Async error occurred: "
"""The prefix of a line about a client that does not wait for the answer to its send."""

IS_STARTING = ") is starting"
IS_SHUTDOWN = ") is shutdown"

FORM = LogForm(
    name="classic log",
    broker="classic",
    recognised_by=re.compile(
        r"\borg\.apache\.activemq\.(?:broker|usage|store|kaha|transport)\b|\bActiveMQ \d+\.\d+\.\d+\b"
        r"|\bUsage Manager (?:[Mm]emory|Store|Temp Store)\b"
    ),
    version=re.compile(r"ActiveMQ (?P<version>\d+\.\d+\.\d+)(?: JMS Message Broker)? \("),
    statements=(
        Statement(
            IS_STARTING, LineForm("ActiveMQ {version:rest}({broker:rest}" + IS_STARTING + "{rest:rest}"),
            Kind.START, {}, cause="started", common=True,
        ),
        Statement(
            IS_SHUTDOWN, LineForm("ActiveMQ {version:rest}({broker:rest}" + IS_SHUTDOWN + "{rest:rest}"),
            Kind.SHUTDOWN, {}, cause="stopped", common=True,
        ),
        *_throttled(),
        *_waits(SO_LONG, "", Kind.STOP, SO_FAR),
        *_waits(PAGE + "{rest:rest}", REFUSING, Kind.SEND, OUTCOME),
        *_waits(PAGE + "{rest:rest}", TOLD, Kind.SETTLED, OUTCOME),
        Statement(
            LIMIT_REACHED_ON,
            LineForm(TOLD + "{exception:rest}" + LIMIT_REACHED_ON + " {destination:quoted}. " + PAGE + "{rest:rest}"),
            Kind.SETTLED, {"destination": "{destination}", **OUTCOME}, cause=BY_MEMORY,
        ),
    ),
    rules=OF_CLASSIC_LOGS,
    not_shown="no line of the log carries the figures that the rule judges",
    causes={
        BY_MEMORY: Cause(BY_MEMORY, alone=True, limit="memory-limit"),
        BY_ALL_MEMORY: Cause(BY_ALL_MEMORY, alone=True),
        BY_JOB_STORE: Cause(BY_JOB_STORE, alone=True),
        BY_STORE: Cause(BY_STORE, alone=True),
        BY_TEMP: Cause(BY_TEMP, alone=True),
    },
)  # fmt: skip
