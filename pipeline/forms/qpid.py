"""The Qpid broker's operational log, 0.18 to 10: `TIME … [actor] [subject] CODE : text`.

Where actor and subject are the same, there may be one bracket only. Destinations are `host/queue`.
"""

import re
from collections.abc import Iterator, Mapping

from tidegate.model.language.message_text import Message
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.model.mechanisms.qpid import NOT_SET, Queue, overfull
from tidegate.model.mechanisms.qpid_disk import STORE_CLEARED, STORE_OVERFULL
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.model.traces.qpid_disk_trace import QUOTA
from tidegate.model.traces.qpid_log_trace import OVERFULL_BY_MESSAGES
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import Cause, LogForm, Reached, Statement, Subject
from tidegate.record.events import Kind

QUEUE = Subject(
    "[vh(",
    r"\[vh\(/?(?P<host>[^()]*)\)/qu\((?P<queue>.*)\)\]",
    "destination",
    "expected [vh(/HOST)/qu(QUEUE)] in front of the code",
)
# in AMQP 0-10 the session's name follows the channel's number; a number above 999 is grouped as the locale does
CHANNEL = Subject(
    "[con:",
    r"\[(?P<channel>(?P<connection>con:[0-9]+(?:[^0-9][0-9]{3})*\(.*/(?P<host>[^/]*)\))/ch:[0-9]+(?::[0-9a-f-]+)?)\]",
    "channel",
    "expected [con:N(…/HOST)/ch:N] in front of the code",
)
FILLED_BY_CHANNEL = Subject(
    "[con:",
    rf"{CHANNEL.pattern.replace('?P<host>', '?:')} *{QUEUE.pattern}",
    "destination",
    "expected [con:N(…/HOST)/ch:N] [vh(/HOST)/qu(QUEUE)] in front of the code",
)
"""A queue, and the channel whose message made it overfull, where the broker names one."""
STORE = Subject(
    "[vh(",
    r"\[vh\(/?(?P<host>[^()]*)\)/ms\((?P<store>[^()]*)\)\]",
    "destination",
    "expected [vh(/HOST)/ms(STORE)] in front of the code",
)
"""The store of a virtual host. A full store stops all producers of the host, so the line is about the host."""
OF_CHANNEL = {"connection": "{connection}", "channel": "{channel}"}
OF_QUEUE = {"destination": "{host}/{queue}"}
ALL_QUEUES = "** All Queues **"
"""The text in place of a queue in a line about a channel that the quota of the store stops."""
STOPPED_BY_STORE = f"{CHANNEL_STOPPED.code} by store"
"""The cause of a line about a channel that the quota of the store stops."""
OF_CAPACITY = (QUEUE_OVERFULL, QUEUE_UNDERFULL, CHANNEL_STOPPED, CHANNEL_RELEASED)
CREATED = "CHN-1001"
CLOSED = "CHN-1003"
STARTED = "BRK-1001"
STOPPED = "BRK-1005"
LOGGED = " [Broker] "
"""The sign before a message of the broker in its log; its output has the same messages without time and blank."""
LOGGED_AT_END = (LOGGED, " [Shutdown] ")
"""The signs before the last message of the broker; later versions name the task that stops it."""
OPENED = "MST-1004"
"""Logged about the store of a virtual host whenever the host is opened, so also at each start of the broker."""


def _statement(message: Message, kind: Kind, subject: Subject, carries: Mapping[str, str]) -> Statement:
    return Statement(message.code, _form(message), kind, carries, subject)


def _form(message: Message, more: str = "") -> LineForm:
    """The form of a documented message as releases write it: an unset limit in bytes is -1, and names hold any sign."""
    text = f"{message.code} : {message.text}".replace(":name}", ":quoted}")
    for limit in ("capacity", "resume"):
        text = text.replace(f"{{{limit}:number}}", f"{{{limit}:limit}}")
    return LineForm(text + more, may_continue=message.may_continue)


OF_MESSAGES = ", Messages : {messages:number}, Message Capacity : {message_capacity:limit}"
"""The figures that later versions append to QUE-1003: a queue may have a limit in messages, too."""


def is_overfull(capacity: int, size: int) -> bool:
    """Whether a queue is past its capacity in bytes, by the model's own rule."""
    return capacity != NOT_SET and overfull(Queue(capacity=capacity, resume=capacity, bytes=size))


def has_too_many(limit: int, messages: int) -> bool:
    """Whether a queue is past its limit in messages. No document says that 0 means no limit, as in bytes."""
    return limit != NOT_SET and past_high(Gate(high=limit, low=limit), messages)


CAPACITIES = (
    Reached(QUEUE_OVERFULL.code, "size", "capacity", is_overfull),
    Reached(OVERFULL_BY_MESSAGES, "messages", "message_capacity", has_too_many),
)
"""The capacities in a line, with their causes; if none is exceeded, the line contradicts its capacity in bytes."""


def _filled() -> Iterator[Statement]:
    """QUE-1003, with the figures of messages or without, and with the channel of the message or without."""
    for more, causes in ((OF_MESSAGES, CAPACITIES), ("", ())):
        for subject, about in ((FILLED_BY_CHANNEL, {**OF_QUEUE, **OF_CHANNEL}), (QUEUE, OF_QUEUE)):
            carries = {**about, "bytes": "{size}", "limit": "{capacity}"}
            form = _form(QUEUE_OVERFULL, more)
            yield Statement(QUEUE_OVERFULL.code, form, Kind.OVERFULL, carries, subject, causes)


FORM = LogForm(
    name="qpid log",
    broker="qpid",
    recognised_by=re.compile(
        r"\b(?:BRK|MNG|VHT|MST|CFG|USR|CON|CHN|QUE|EXH|BND|SUB|TXL|TXN|ACL|PRT|RES|ATH|NET|SND)-\d{4} : "
    ),
    version=re.compile(r"BRK-1001 : Startup : Version: (?P<version>\S+)"),
    numbered=re.compile(r"\[con:(?P<number>[^(]+)\([^@]*@(?P<address>/[^/)]+)"),
    statements=(
        *_filled(),
        _statement(
            QUEUE_UNDERFULL, Kind.UNDERFULL, QUEUE,
            {**OF_QUEUE, "bytes": "{size}", "resume": "{resume}"},
        ),
        Statement(
            CHANNEL_STOPPED.code,
            LineForm(f"{CHANNEL_STOPPED.code} : {CHANNEL_STOPPED.text}".replace("{queue:name}", ALL_QUEUES)),
            Kind.STOP, {"destination": "{host}", **OF_CHANNEL}, CHANNEL, cause=STOPPED_BY_STORE,
        ),
        _statement(CHANNEL_STOPPED, Kind.STOP, CHANNEL, {**OF_QUEUE, **OF_CHANNEL}),
        _statement(CHANNEL_RELEASED, Kind.RELEASE, CHANNEL, OF_CHANNEL),
        _statement(STORE_OVERFULL, Kind.OVERFULL, STORE, {"destination": "{host}"}),
        _statement(STORE_CLEARED, Kind.UNDERFULL, STORE, {"destination": "{host}"}),
        Statement(
            CREATED, LineForm(f"{CREATED} : Create{{more:rest}}"), Kind.OPEN, OF_CHANNEL, CHANNEL, common=True
        ),
        Statement(CLOSED, LineForm(f"{CLOSED} : Close{{reason:rest}}"), Kind.CLOSE, OF_CHANNEL, CHANNEL),
        Statement(
            LOGGED + STARTED, LineForm(f"{LOGGED}{STARTED} : Startup{{of:rest}}"), Kind.START, {}, cause=STARTED
        ),
        *(
            Statement(
                signed + STOPPED, LineForm(f"{signed}{STOPPED} : Stopped{{of:rest}}"), Kind.SHUTDOWN, {}, cause=STOPPED
            )
            for signed in LOGGED_AT_END
        ),
        Statement(
            OPENED, LineForm(f"{OPENED} : Recovery Start{{of:rest}}"), Kind.START, {"destination": "{host}"}, STORE
        ),
    ),
    rules=OF_QPID_LOGS,
    causes={
        **{message.code: Cause("capacity", names_senders=True) for message in OF_CAPACITY},
        OVERFULL_BY_MESSAGES: Cause("capacity", names_senders=True),
        **dict.fromkeys(
            (STORE_OVERFULL.code, STORE_CLEARED.code, STOPPED_BY_STORE), Cause(QUOTA, alone=True, names_senders=True)
        ),
    },
)  # fmt: skip
