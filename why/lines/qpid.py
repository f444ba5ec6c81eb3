"""Forms of the operational log of the Qpid Java broker, 0.6 to 10: QUE-1003 and 1004, CHN-1005 and 1006, MST-1008 and
1009."""

from dataclasses import replace

from tidegate.model.mechanisms.qpid import Queue, overfull
from tidegate.model.mechanisms.qpid_disk import STORE_CLEARED, STORE_OVERFULL
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from tidegate.why.lines.form import NUMBER, RELEASE, Fields, form, number, template
from tidegate.why.lines.qpid_client import WAITS
from tidegate.why.notices import NO_FIGURES, Blocked, Cause, Figures, Notice, Released, Said

QUEUE_FAMILY = "qpid queue"
STORE_FAMILY = "qpid store"
QUEUE = Cause(
    family=QUEUE_FAMILY,
    setting="capacity",
    reason="the queue holds more bytes than its capacity (maximumQueueDepthBytes since 7.0)",
    frees="consume and acknowledge until the queue is down to its resume level",
    change="add consumers, or raise capacity and flowResumeCapacity (maximumQueueDepthBytes since 7.0)",
    ask="GET /api/latest/queue/NODE/HOST/QUEUE: queueDepthBytes, maximumQueueDepthBytes, queueFlowStopped "
    "(JMX before 6.0: the queue's MBean, QueueDepth, Capacity and FlowResumeCapacity)",
    rule="QPID-QUEUE-11",
    place_is="queue",
    release="0.18",
)
SINCE_7 = replace(
    QUEUE,
    setting="maximumQueueDepthBytes",
    reason="the queue holds more bytes than maximumQueueDepthBytes, and overflowPolicy is PRODUCER_FLOW_CONTROL",
    frees="consume and acknowledge until the queue is down to queue.queueFlowResumeLimit percent of the limit",
    change="add consumers, or raise maximumQueueDepthBytes",
    release="10.1.0",
)
CHANNEL = replace(
    QUEUE,
    ask=QUEUE.ask + "; the figures of the queue are in its line QUE-1003",
)
MESSAGES = replace(
    SINCE_7,
    setting="maximumQueueDepthMessages",
    where="the JSON of a queue, or its management, since 7.0",
    reason="the queue holds more messages than maximumQueueDepthMessages",
    change="add consumers, or raise maximumQueueDepthMessages",
)
DROPPED = replace(
    SINCE_7,
    family="qpid dropped",
    setting="overflowPolicy",
    where="the JSON of a queue, or its management, since 7.0",
    reason="overflowPolicy of the queue is RING: at the limit the oldest messages are lost, producers go on",
    rule="",
    holds=False,
    sends="go on, and the oldest messages are lost",
    frees="consume and acknowledge until the queue holds less than its limits",
    change="add consumers, raise the limit that is reached, or set overflowPolicy to PRODUCER_FLOW_CONTROL",
    figure=False,
)
REJECTED = replace(
    DROPPED,
    family="qpid rejected",
    reason="overflowPolicy of the queue is REJECT: at the limit a send fails at once, it does not hang",
    sends="fail",
)
STORE = Cause(
    family=STORE_FAMILY,
    setting="overfull-size",
    reason="the message store takes more disk than its overfull limit (storeOverfullSize since 6.0)",
    frees="consume until the store takes no more than its underfull limit",
    change="free disk by consuming, or raise overfull-size (storeOverfullSize since 6.0)",
    ask="GET /api/latest/virtualhost/NODE/HOST: storeOverfullSize, storeUnderfullSize, bytesOnDisk",
    rule="QPID-DISK-3",
    place_is="virtual host",
)
FILESYSTEM_FAMILY = "qpid filesystem"
FILESYSTEM = replace(
    STORE,
    family=FILESYSTEM_FAMILY,
    setting="store.filesystem.maxUsagePercent",
    where="a context variable of the broker or virtual host, since 6.1; 90 percent unless configured",
    reason="the file system of the virtual host's store is fuller than store.filesystem.maxUsagePercent allows",
    frees="free space on the file system until it is less full than that",
    change="free or enlarge the file system, or raise store.filesystem.maxUsagePercent",
    ask="`df` on the folder of the store; GET /api/latest/virtualhost/NODE/HOST: context",
    rule="",
)
BY_STORE = replace(
    STORE,
    family=QUEUE_FAMILY,
    setting="overfull-size or store.filesystem.maxUsagePercent",
    where="of the virtual host's store; the other is a context variable",
    reason="the broker stops the channels of all queues: the message store takes more disk than its overfull limit "
    "(storeOverfullSize since 6.0), or, since 6.1, its file system is too full; the line does not tell which",
    change="look up MST-1008 and VHT-1006 in the log of the broker",
    tells_limit=False,
)
"""The family is that of a queue because the same line releases a channel that the store or a queue stopped."""
TO_DISK = replace(
    STORE,
    family="qpid flow to disk",
    setting="broker.flowToDiskThreshold",
    where="a context variable of the broker, and target sizes of virtual hosts that follow from it",
    reason="messages take as much memory as the threshold allows, so the broker keeps more of them on disk only: "
    "producers go on, and everything becomes slower",
    frees="consume until messages take less memory",
    change="add consumers, or raise the threshold together with the direct memory of the JVM",
    ask="GET /api/latest/broker: usedDirectMemorySize; GET /api/latest/virtualhost: inMemoryMessageSize",
    rule="",
    holds=False,
    sends="go on, but more slowly",
    place_is="",
)
UNCOMMITTED_TO_DISK = replace(
    TO_DISK,
    family="qpid uncommitted to disk",
    setting="connection.maxUncommittedInMemorySize",
    where="a context variable",
    reason="what a connection has not committed takes as many bytes as may stay in memory, so the broker moves it to "
    "disk: producers go on, and everything becomes slower",
    frees="commit more often",
    change="send less in a transaction, or raise connection.maxUncommittedInMemorySize",
)
IGNORED = replace(
    CHANNEL,
    family="qpid ignored",
    reason="the queue that the channel sends to is overfull, and the client went on after the order to stop, so the "
    "broker closes the channel: sends fail",
    frees="a new channel, once consumers have taken the queue down to its resume level",
    change="look up CHN-1005 and QUE-1003 in front of this line; give the client a library that obeys flow control",
    holds=False,
    sends="fail",
)
CUT = replace(
    QUEUE,
    setting="capacity, maximumQueueDepthBytes or maximumQueueDepthMessages",
    where="of the queue; capacity before 7.0, the others since",
    reason="the queue holds more than it may; the figures at the end of the line are missing",
)
ORDERED = replace(
    BY_STORE,
    setting="",
    where="",
    reason="the broker stops the channel: a queue that it sends to is overfull, or the store; the end of the line, "
    "which would tell which, is missing",
    frees=WAITS.frees,
    change="look up QUE-1003 (queue), MST-1008 and VHT-1006 (store) in the log of the broker",
    rule="",
    place_is="",
)
ALL_QUEUES = "*AllQueues*"
"""The name in place of a queue, without its blanks, in a line about a channel that the store stops."""
ACTOR = r"\[(?!\d)[^\[\]]{1,300}\]"
"""The connection or part of the broker that did something; no time in brackets."""
QUEUE_ACTOR = rf"(?:{ACTOR} ?)?\[vh\(/?(?P<host>[^()]{{0,200}})\)/qu\((?P<queue>[^\[\]]{{1,300}})\)\] ?"
CHANNEL_ACTOR = (
    rf"(?:{ACTOR} ?)?\[(?P<channel>con:[^\[\]]{{1,300}}/(?P<host>[^/()\[\]]{{0,200}})\)/ch:[^\[\]]{{1,60}})\] ?"
)
CONNECTION_ACTOR = rf"(?:{ACTOR} ?)?\[(?P<channel>con:[^\[\]]{{1,300}}\))\] ?"
STORE_ACTOR = rf"(?:{ACTOR} ?)?\[vh\(/?(?P<host>[^()]{{0,200}})\)/ms\([^()]{{0,100}}\)\] ?"
ANY_STORE = rf"(?:{ACTOR} ?)?\[vh\(/?(?P<host>[^()]{{0,200}})\)(?:/ms\([^()]{{0,100}}\))?\] ?"
NO_ACTOR = "(?P<host>)"
NOT_NAMED = "that the line does not name"
A_CHANNEL = "a channel"
"""The text in place of a channel's name if the line has none."""
MORE = (
    rf"(?:, Messages : (?P<messages>{NUMBER}), (?:Message Capacity : (?P<message_capacity>{NUMBER})|"
    rf"Resume Message Capacity : (?P<message_resume>{NUMBER})))?"
)
# a line without figures of messages is from a version before 7, which limits only bytes
WHOLE = MORE + r"(?![.,]?\d)(?!.{0,20}, Messages|, ?M|, \s*$)"
"""Excludes a partial match of a longer line, which a mail may have wrapped."""
OVERFULL = template(f"{QUEUE_OVERFULL.code} : {QUEUE_OVERFULL.text}")
UNDERFULL = template(f"{QUEUE_UNDERFULL.code} : {QUEUE_UNDERFULL.text}")


def _place(fields: Fields) -> str:
    queue = fields.get("queue") or NOT_NAMED
    return f"{fields['host']}/{queue}" if fields.get("host") else queue


def _gone(fields: Fields) -> Said:
    families = (QUEUE_FAMILY, STORE_FAMILY, FILESYSTEM_FAMILY)
    return Released(families, fields["host"], closes=True, and_below=True)


def _overfull(fields: Fields) -> Said:
    size, capacity = number(fields["size"]), number(fields["capacity"])
    messages, most = number(fields["messages"]), number(fields["message_capacity"])
    by_bytes = _overfull_by(size, capacity)
    no_capacity = capacity is None and messages is not None and most is not None
    if (_overfull_by(messages, most) or no_capacity) and not by_bytes:
        return Blocked(MESSAGES, _place(fields), figures=Figures(messages, most, unit="messages"))
    return Blocked(QUEUE if fields["messages"] is None else SINCE_7, _place(fields), figures=Figures(size, capacity))


def _overfull_cut(fields: Fields) -> Said:
    """The statement of a line without the figures of messages, which releases since 7.0 write at its end."""
    if fields["messages"] is not None:
        return _overfull(fields)
    size, capacity = number(fields["size"]), number(fields["capacity"])
    return Blocked(CUT, _place(fields), figures=NO_FIGURES if capacity is None else Figures(size, capacity))


def _overfull_by(level: int | None, limit: int | None) -> bool:
    return level is not None and limit is not None and overfull(Queue(capacity=limit, resume=limit, bytes=level))


def _underfull(fields: Fields) -> Said:
    # the message capacity in this line of Broker-J is the release level in messages
    of_messages = number(fields["message_resume"]) or number(fields["message_capacity"])
    levels = (("bytes", number(fields["resume"])), ("messages", of_messages))
    resumes = tuple((unit, level) for unit, level in levels if level is not None)
    return Released((QUEUE_FAMILY,), _place(fields), resumes=resumes, clients_wait=True)


def _stopped(fields: Fields) -> Said:
    who = fields.get("channel") or A_CHANNEL
    if ALL_QUEUES in fields["queue"].replace(" ", ""):
        return Blocked(BY_STORE, fields.get("host") or NOT_NAMED, who, NO_FIGURES)
    return Blocked(CHANNEL, _place(fields), who, NO_FIGURES)


def _flow_stopped(fields: Fields) -> Said:
    """The statement of Broker-J's management about the flow of a queue."""
    return Blocked(SINCE_7, NOT_NAMED) if fields["set"] == "true" else Notice("qpid figures")


def _released(fields: Fields) -> Said:
    return Released((QUEUE_FAMILY,), None, fields.get("channel") or A_CHANNEL)


def _closed(fields: Fields) -> Said:
    return Released((QUEUE_FAMILY,), None, fields["channel"], closes=True)


STOPPED = template(f"{CHANNEL_STOPPED.code} : {CHANNEL_STOPPED.text}")
RELEASED = template(f"{CHANNEL_RELEASED.code} : {CHANNEL_RELEASED.text}")


def _rejected(fields: Fields) -> Said:
    """The statement that a queue refused a message, with the limit in messages or bytes if the line tells it."""
    for unit, level in (("messages", "count"), ("bytes", "size")):
        limit = int(fields[unit] or -1)
        if 0 <= limit <= int(fields[level] or -1):
            cause = replace(REJECTED, setting=f"maximumQueueDepth{unit.title()}", figure=True)
            return Blocked(cause, fields["queue"], figures=Figures(int(fields[level]), limit, unit=unit))
    return Blocked(REJECTED, fields["queue"])


FORMS = (
    form(QUEUE_OVERFULL.code, QUEUE_ACTOR + OVERFULL + WHOLE, _overfull),
    form(QUEUE_OVERFULL.code, NO_ACTOR + "(?P<queue>)" + OVERFULL + WHOLE, _overfull),
    form(QUEUE_UNDERFULL.code, QUEUE_ACTOR + UNDERFULL + WHOLE, _underfull),
    form(QUEUE_UNDERFULL.code, NO_ACTOR + "(?P<queue>)" + UNDERFULL + WHOLE, _underfull),
    form(CHANNEL_STOPPED.code, CHANNEL_ACTOR + STOPPED, _stopped),
    form(CHANNEL_STOPPED.code, NO_ACTOR + STOPPED, _stopped),
    form(CHANNEL_RELEASED.code, CHANNEL_ACTOR + RELEASED, _released),
    form(CHANNEL_RELEASED.code, NO_ACTOR + RELEASED, _released),
    form(QUEUE_OVERFULL.code, QUEUE_ACTOR + OVERFULL + MORE, _overfull_cut, cut_off=True),
    form(QUEUE_OVERFULL.code, NO_ACTOR + "(?P<queue>)" + OVERFULL + MORE, _overfull_cut, cut_off=True),
    form(QUEUE_UNDERFULL.code, QUEUE_ACTOR + UNDERFULL + MORE, _underfull, cut_off=True),
    form(
        QUEUE_OVERFULL.code,
        rf"(?:{QUEUE_ACTOR})?QUE-1003 : Overfull",
        lambda fields: Blocked(CUT, _place(fields)),
        cut_off=True,
    ),
    form(
        CHANNEL_STOPPED.code,
        rf"(?:{CHANNEL_ACTOR})?CHN-1005 : Flow Control Enforced",
        lambda fields: Blocked(ORDERED, "", fields.get("channel") or A_CHANNEL),
        cut_off=True,
    ),
    form(
        "lowOverfull",
        r"\"?FlowOverfull\"?\s{0,20}[:=]\s{0,20}(?P<set>true|false)\b",
        lambda fields: Blocked(QUEUE, NOT_NAMED) if fields["set"] == "true" else Notice("qpid figures"),
    ),
    form(
        "CHN-1012",
        f"(?:{CHANNEL_ACTOR})?CHN-1012 : Flow Control Ignored",
        lambda fields: Blocked(IGNORED, "", fields.get("channel") or A_CHANNEL),
    ),
    form(
        "low control was requested, but not enforced",
        r"(?:Channel|Session) flow control was requested, but not enforced by sender",
        lambda fields: Blocked(IGNORED, "", A_CHANNEL),
    ),
    form(
        "VHT-1006",
        rf"(?:{ANY_STORE})?VHT-1006 : Filesystem is over (?P<percent>{NUMBER}) per cent full",
        lambda fields: Blocked(
            FILESYSTEM, fields["host"] or "", figures=Figures(text=f"more than {fields['percent']}% full")
        ),
    ),
    form(
        "VHT-1007",
        rf"(?:{ANY_STORE})?VHT-1007 : Filesystem is no longer over",
        lambda fields: Released((FILESYSTEM_FAMILY,), fields["host"]),
    ),
    *(
        form(
            f"{code} : Message flow to disk active",
            rf"(?:{ACTOR} ?){{0,3}}{code} : Message flow to disk active",
            lambda fields: Blocked(TO_DISK),
        )
        for code in ("QUE-1014", "BRK-1014")
    ),
    *(
        form(
            f"{code} : Message flow to disk inactive",
            rf"(?:{ACTOR} ?){{0,3}}{code} : Message flow to disk inactive",
            lambda fields: Released((TO_DISK.family,)),
        )
        for code in ("QUE-1015", "BRK-1015")
    ),
    form(
        "Flow to disk enforced",
        r"VirtualHost '[^']{1,200}' direct memory allocation threshold \(\d+\) exceeded : \d+ bytes\. Flow to disk "
        r"enforced",
        lambda fields: Blocked(TO_DISK),
    ),
    form(
        "Direct memory threshold",
        r"Direct memory threshold \(\d+\) exceeded : \d+",
        lambda fields: Blocked(TO_DISK),
    ),
    form(
        "Flow to disk stopped",
        r"VirtualHost '[^']{1,200}' direct memory allocation threshold \(\d+\) maintained : \d+ bytes\. Flow to disk "
        r"stopped",
        lambda fields: Released((TO_DISK.family,)),
    ),
    form(
        "CON-1009 : Uncommitted",
        rf"(?:{ACTOR} ?){{0,3}}CON-1009 : Uncommitted transaction",
        lambda fields: Blocked(UNCOMMITTED_TO_DISK),
    ),
    form("queueFlowStopped", r'"?queueFlowStopped"?[\s:=|]{1,20}(?P<set>true|false)\b', _flow_stopped),
    form(
        "Maximum depth exceeded on",
        r"(?:CHN-1003 : Close : \d{3} - )?"  # a client of AMQP 0-10 loses its channel with the message
        r"(?:No route for message with destination '[^']{0,300}' and routing key '[^']{0,300}' : )?"
        r"(?:Error: )?Maximum depth exceeded on '(?P<queue>[^']{1,300})' : current="
        r"(?:\[count: (?P<count>\d{1,18}), size: (?P<size>\d{1,18})\], "
        r"max=\[count: (?P<messages>-?\d{1,18}), size: (?P<bytes>-?\d{1,18})\])?",
        _rejected,
    ),
    form("CHN-1003", CHANNEL_ACTOR + "CHN-1003 : Close", _closed),
    form("CON-1002", CONNECTION_ACTOR + "CON-1002 : Close", _closed),
    form(
        "QUE-1005 : Dropped",
        QUEUE_ACTOR + rf"QUE-1005 : Dropped : (?:{NUMBER}) messages?,",
        lambda fields: Blocked(DROPPED, _place(fields)),
    ),
    form(
        "QUE-1005 : Dropped",
        rf"QUE-1005 : Dropped : (?:{NUMBER}) messages?,",
        lambda fields: Blocked(DROPPED, NOT_NAMED),
    ),
    form(
        "QUE-1002",
        QUEUE_ACTOR + "QUE-1002 : Delete",
        lambda fields: Released((QUEUE_FAMILY,), _place(fields), closes=True),
    ),
    *(  # a closed virtual host has no channels any more
        form(
            code,
            ANY_STORE + f"{code} : Closed?",
            _gone,
        )
        for code in ("MST-1003", "VHT-1002")
    ),
    *(  # since 6.1, the name stands behind the code, since 9 in quotation marks
        form(code, rf'(?:{ACTOR} ?)?{code} : {what} : "?(?P<host>(?<=")[^"]{{1,200}}|(?<!")[^"\s]{{1,200}})', _gone)
        for code, what in (("VHT-1002", "Closed?"), ("VHT-1010", "Delete"))
    ),
    form(
        QUEUE_OVERFULL.code,
        rf"{QUEUE_ACTOR}QUE-1003(?: :(?: O\w{{0,7}})?)?\s*$",
        lambda fields: Blocked(CUT, _place(fields)),
        cut_off=True,
    ),
    form(
        QUEUE_UNDERFULL.code,
        rf"{QUEUE_ACTOR}QUE-1004(?: :|\s*$)",
        lambda fields: Released((QUEUE_FAMILY,), _place(fields), clients_wait=True),
        cut_off=True,
    ),
    form(
        CHANNEL_RELEASED.code,
        rf"{CHANNEL_ACTOR}CHN-1006(?: :|\s*$)",
        _released,
        cut_off=True,
    ),
    form(
        STORE_OVERFULL.code,
        STORE_ACTOR + template(f"{STORE_OVERFULL.code} : {STORE_OVERFULL.text}"),
        lambda fields: Blocked(STORE, fields["host"]),
    ),
    form(
        STORE_OVERFULL.code,
        template(f"{STORE_OVERFULL.code} : {STORE_OVERFULL.text}"),
        lambda fields: Blocked(STORE),
    ),
    form(
        STORE_CLEARED.code,
        STORE_ACTOR + template(f"{STORE_CLEARED.code} : {STORE_CLEARED.text}"),
        lambda fields: Released((STORE_FAMILY,), fields["host"]),
    ),
    form(
        STORE_CLEARED.code,
        template(f"{STORE_CLEARED.code} : {STORE_CLEARED.text}"),
        lambda fields: Released((STORE_FAMILY,)),
    ),
    form(
        "BRK-1001",
        rf"(?:{ACTOR} ?){{0,2}}BRK-1001 : Startup(?: : Version: {RELEASE})?",
        lambda fields: Notice("qpid", started=True, release=fields["release"] or ""),
    ),
    form("BRK-1005", rf"(?:{ACTOR} ?){{0,2}}BRK-1005 : Stopped", lambda fields: Notice("qpid", stopped=True)),
)  # fmt: skip
