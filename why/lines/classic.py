"""Forms of lines in the log of an ActiveMQ Classic broker, 5.x and 6.x, and of exceptions of its clients.

Classic repeats the line of a waiting producer, every 30 s by default, and writes no line when it releases the producer.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from tidegate.model.mechanisms.classic import Destination, full
from tidegate.why.lines.artemis import REFUSING as OPENWIRE_REFUSING
from tidegate.why.lines.form import RELEASE, Fields, form, number
from tidegate.why.notices import NO_FIGURES, Blocked, Cause, Figures, Notice, Said

ROOM = "consume and acknowledge from the full destination, or from any if all share the limit that is reached"
"""What releases the producers of a broker that shows no limit as the cause."""
ASK = (
    "JMX (Jolokia at /api/jolokia): of the broker MemoryPercentUsage, StorePercentUsage, TempPercentUsage; of the "
    "destination MemoryPercentUsage, MemoryUsageByteCount, BlockedSends, QueueSize"
)
WAIT_NO_LONGER = ", or set sendFailIfNoSpaceAfterTimeout"
MEMORY = Cause(
    family="classic memory",
    setting="memoryLimit",
    reason="the messages of the destination take as much memory as its memoryLimit allows",
    frees="consume and acknowledge from the destination until its messages take less memory",
    change="add consumers, raise memoryLimit of the policyEntry" + WAIT_NO_LONGER,
    ask=ASK,
    rule="CLASSIC-MEMORY-1",
    place_is="destination",
    tells_release=False,
)
ALL_MEMORY = replace(
    MEMORY,
    setting="memoryUsage",
    reason="the messages of all destinations together take as much memory as memoryUsage of systemUsage allows",
    frees="consume and acknowledge from any destination until all together take less memory",
    change="find the destination that takes most (MemoryUsageByteCount) and consume there, or raise memoryUsage",
    rule="CLASSIC-MEMORY-9",
)
EITHER_MEMORY = replace(
    MEMORY,
    setting="memoryLimit or memoryUsage",
    where="activemq.xml: memoryLimit in a policyEntry, memoryUsage in systemUsage",
    reason="memory is full: memoryLimit of the destination, or memoryUsage of all; these lines do not tell which",
    frees="consume and acknowledge: from the destination if its memoryLimit is full, from any if memoryUsage is",
    change="add consumers, or raise memoryLimit or memoryUsage, whichever is at 100 percent",
)
STORE = replace(
    MEMORY,
    family="classic store",
    setting="storeUsage",
    reason="the persistent messages of all destinations together take as much of the store as storeUsage allows",
    frees="consume and acknowledge from any destination until the store has space; KahaDB frees whole files only",
    change="consume or purge queues without consumers (often a dead letter queue), or raise storeUsage",
    rule="CLASSIC-USAGE-1",
    whom="every producer of persistent messages",
)
TEMP = replace(
    MEMORY,
    family="classic temp",
    setting="tempUsage",
    reason="the non-persistent messages of all destinations together take as much space in files as tempUsage allows",
    frees="consume from any destination until the temporary space has room",
    change="consume or purge non-persistent messages, or raise tempUsage if the disk has space",
    rule="CLASSIC-USAGE-2",
    whom="every producer of non-persistent messages",
)
JOBS = replace(
    STORE,
    family="classic jobs",
    setting="jobSchedulerUsage",
    where="activemq.xml, in systemUsage",
    reason="the store of scheduled messages takes as much space as jobSchedulerUsage allows",
    frees="wait until scheduled messages are due and consumed, or remove some",
    change="remove scheduled messages, or raise jobSchedulerUsage",
    rule="",
    whom="every producer of messages with a delay or a schedule",
)
CAUSES = (MEMORY, ALL_MEMORY, EITHER_MEMORY, STORE, TEMP, JOBS)


def _refused(cause: Cause) -> Cause:
    """The same limit under sendFailIfNoSpace: a send fails with a ResourceAllocationException and does not wait."""
    return replace(
        cause,
        family=f"{cause.family}, refused",
        holds=False,
        sends="fail",
        change=cause.change.replace(", raise", ", or raise").removesuffix(WAIT_NO_LONGER),
        reason=f"{cause.reason}; the send failed (ResourceAllocationException), it does not hang",
    )


REFUSED = {cause: _refused(cause) for cause in CAUSES}
REFUSAL = (
    r"(?P<refused>(?:Async error occurred: .{0,300}?"
    r"|(?:sendFailIfNoSpace(?:AfterTimeout expired)?, )?forcing exception on send, usage: "
    r"|(?:ResourceAllocation|JMS|NMS|CMS)Exception(?: ?: |\(\")"
    r"|(?:<{2,3} ?)?ERROR(?:\\n|\s)(?:[\w-]{1,40}:[^\n]{0,200}?(?:\\n|\s))?message:\s?(?:(?:\w+\.)*\w+Exception: )?)?)"
)
"""The text in front of a refusal; STOMP clients get it in an ERROR frame."""
ONLY_THROWN = r"(?P<thrown>(?=Usage Manager [Mm]emory [Ll]imit reached\. Stopping producer \())?"
"""A text that releases write only in an exception; the log of a waiting send has other words."""
THROWN_CUT = r"(?P<thrown>(?<!\w: )(?=Usage Manager Memory Limit (?:reached\. Stopping|Wait Timeout)))?"
# the package, the rest of the exception's name, is allowed in front of a message
STEP = r"(?:,? percentUsageMinDelta=\d+%)?"
USAGE = rf"(?:Usage\((?P<of_what>[^()]{{1,400}})\) percentUsage=\d+%, usage=(?P<used>\d+),? limit=(?P<limit>\d+){STEP}"
PARENT = r"(?:;\s?Parent:\s?Usage\([^()]{1,200}\) percentUsage=\d+%, usage=(?P<all>\d+),? limit=(?P<all_limit>\d+)"
FIGURES = rf"{USAGE}{PARENT}{STEP})?: )?"
WHO = (
    r"(?:Producer \((?P<stopped>[^()]{1,300})\) stopped|Stopping producer \((?P<stopping>[^()]{1,300})\)"
    r"|Rejecting send for producer \((?P<rejected>[^()]{1,300})\)|Producer stopped)"
)
FLOODING = r" to prevent flooding (?P<to>\S{1,400}?)(?:\.*$|\.+ |\.\.\.)"
LASTING = r"(?:.{0,200}\(blocking for: (?P<seconds>\d+)s\))?"
BEHIND = r"(?P<behind>.{0,150}\((?:javax|jakarta)\.jms\.\w{0,40}Exception\))?"
"""The class of an exception, if a program shows it behind the message."""
END = WHO + FLOODING + LASTING + BEHIND
MEMORY_FULL = r"Usage Manager [Mm]emory [Ll]imit(?: \([^()]{1,40}\))? (?:reached|is full)"
CURSOR = (
    r"\w*Subscription: consumer=.{0,600}?Pending message cursor \[[^\[\]]{1,200}\] is full, temp usage? ?"
    r"\((?P<temp>\d+)%\) or memory usage \((?P<memory>\d+)%\) limit reached, blocking message add\(\)"
)
DESTINATION = re.compile(r"(?:queue|topic|temp-queue|temp-topic)://.+(?=:(?:memory|store|temp)$)")
"""The destination in the name of a usage."""
KIND_OF_USAGE = re.compile(r":(memory|store|temp|jobScheduler)$")
FULL = 100
"""Percent."""
OF_A_KIND = r"(?:queue|topic|temp-queue|temp-topic)://(?:(?!://).){1,400}?"
"""A destination with its kind; its name may have spaces."""
THROTTLED = r"\. Producers will be throttled"


def _producer(fields: Fields) -> str:
    return fields["stopped"] or fields["stopping"] or fields["rejected"] or ""


def _said(cause: Cause, fields: Fields, figures: Figures) -> Said:
    if fields["refused"] and cause is not JOBS and "://" not in fields["to"]:
        return Blocked(
            OPENWIRE_REFUSING, fields["to"]
        )  # Artemis says so to OpenWire clients, by the name of the address
    is_thrown = fields.get("thrown") is not None and not fields["used"] and not fields["seconds"]
    refused = fields["refused"] or fields["rejected"] or fields.get("behind") or is_thrown
    told = REFUSED[cause] if refused else cause
    return Blocked(told, fields["to"], _producer(fields), figures, number(fields["seconds"]) or 0)


def _usages(fields: Fields) -> tuple[Figures, Figures]:
    """The figures of the destination's usage and those of the usage of all; a usage that names no destination is the
    usage of all."""
    own = Figures(number(fields["used"]), number(fields["limit"]), number(fields["limit"]))
    every = Figures(number(fields["all"]), number(fields["all_limit"]), number(fields["all_limit"]))
    if every == NO_FIGURES and fields["of_what"] and "://" not in fields["of_what"]:
        return NO_FIGURES, own
    return own, every


def _memory(fields: Fields) -> Said:
    own, every = _usages(fields)
    if reached(every):
        return _said(ALL_MEMORY, fields, every)
    if reached(own):
        return _said(MEMORY, fields, own)
    return _said(EITHER_MEMORY, fields, Figures(limit=number(fields["named"])))


def reached(figures: Figures) -> bool:
    """Whether a level in memory or a store is at its limit, by the rule of the model; false if the level or limit is
    not told."""
    if figures.level is None or figures.limit is None:
        return False
    return full(Destination(limit=figures.limit, controlled=True, bytes=figures.level))


def _disk(cause: Cause) -> Callable[[Fields], Said]:
    def said(fields: Fields) -> Said:
        own, every = _usages(fields)
        whole = number(fields["of"])
        figures = every if reached(every) else own if reached(own) else Figures(limit=whole, resume=whole)
        return _said(cause, fields, figures)

    return said


def _throttled(fields: Fields) -> Said:
    return Blocked(EITHER_MEMORY, fields["to"], figures=Figures(limit=number(fields["named"])))


def _full_of(fields: Fields) -> Said:
    """The statement about a destination with full memory, by the figures in the line: its own memory or the memory of
    all."""
    own, every = _usages(fields)
    if reached(every):
        return Blocked(ALL_MEMORY, fields["to"], figures=every)
    return Blocked(MEMORY, fields["to"], figures=own) if reached(own) else Blocked(EITHER_MEMORY, fields["to"])


def _cut_off(cause: Cause) -> Callable[[Fields], Said]:
    """The statement of a cut-off line, such as the message of an exception: the full usage, and the figures in
    front."""

    def said(fields: Fields) -> Said:
        own, every = _usages(fields)
        figures = every if reached(every) else own if reached(own) else NO_FIGURES
        told = cause
        if cause is EITHER_MEMORY and figures is not NO_FIGURES:
            told = ALL_MEMORY if figures is every else MEMORY
        place = DESTINATION.search(fields["of_what"] or "")
        return Blocked(
            REFUSED[told] if fields["refused"] or fields["rejected"] or fields["thrown"] is not None else told,
            place[0] if place else "",
            _producer(fields),
            figures,
        )

    return said


def _cursor(fields: Fields) -> Said:
    """The statement about a cursor without space for messages that wait for a consumer; its senders therefore wait."""
    temp, memory = number(fields["temp"]) or 0, number(fields["memory"]) or 0
    cause = TEMP if temp >= FULL else ALL_MEMORY if memory >= FULL else EITHER_MEMORY
    cause = replace(cause, whom="every producer that sends to the destination of the subscription")
    return Blocked(cause, figures=Figures(text=f"{temp}% of the temporary space and {memory}% of the memory used"))


DEVICE = replace(
    STORE,
    family="classic device",
    setting="the disk itself",
    where="no limit of the configuration",
    reason="the disk has no space left, whatever the limits say, so the broker cannot store messages: sends wait or "
    "fail",
    frees="free space on the disk",
    change="free or enlarge the disk, and set storeUsage below its size",
    whom="",
    ask="`df` on the folder of the store; " + ASK,
    rule="",
    figure=False,
    tells_limit=False,
    place_is="",
)
DISCARDED = replace(
    TEMP,
    family="classic discarded",
    reason="the temporary store is full, so the broker discards messages that wait for their turn: sends go on",
    holds=False,
    sends="go on, and messages that are not persistent are lost",
    place_is="",
)
UNCOMMITTED = replace(
    STORE,
    family="classic uncommitted",
    setting="maxUncommittedCount",
    where="activemq.xml, the broker's maxUncommittedCount",
    reason="a transaction has as many messages as maxUncommittedCount allows; the send failed and the transaction was "
    "rolled back, it does not hang",
    frees="commit more often",
    change="send fewer messages in a transaction, or raise maxUncommittedCount",
    ask=ASK,
    rule="",
    holds=False,
    sends="fail",
    place_is="",
)
TIMED_OUT = Cause(
    family="classic client",
    setting="",
    reason="the broker did not answer a send within sendTimeout of the connection; a broker whose destination, store "
    "or temporary space is full answers when there is room",
    frees=ROOM,
    change="look up `Usage Manager`, `Persistent store is Full`, `Temp Store is Full` in the log of the broker",
    ask=ASK,
    tells_release=False,
    tells_limit=False,
    gave_up=True,
)
WINDOW = replace(
    TIMED_OUT,
    gave_up=False,
    family="classic client full window",
    reason="the client waits for its producer window: what was sent is not acknowledged by the broker yet, which does "
    "so late where the destination is full",
    frees="the broker acknowledges messages",
    change="look up lines of `Usage Manager` in the broker's log, or raise the producerWindowSize of the connection",
)


def _usage(fields: Fields) -> Said | None:
    """The statement of a usage's figures alone; None if the usage is not full, or its kind is unknown."""
    kind = KIND_OF_USAGE.search(fields["of_what"])
    own, every = _usages(fields)
    figures = every if reached(every) else own if reached(own) else None
    if kind is None or figures is None:
        return None
    place = DESTINATION.search(fields["of_what"])
    memory = MEMORY if figures is own and place is not None else ALL_MEMORY
    cause = {"memory": memory, "store": STORE, "temp": TEMP, "jobScheduler": JOBS}[kind[1]]
    return Blocked(cause, place[0] if place else "", figures=figures)


def _advised(fields: Fields) -> Said | None:
    """The statement of an advisory about a full destination, which names the full usage, but not its level."""
    kind = KIND_OF_USAGE.search(fields["of_what"])
    if kind is None:
        return None
    place = DESTINATION.search(fields["of_what"])
    cause = {"memory": EITHER_MEMORY, "store": STORE, "temp": TEMP, "jobScheduler": JOBS}[kind[1]]
    return Blocked(cause, place[0] if place else "")


def _shown(fields: Fields) -> Said | None:
    """The statement of a destination as the broker shows it in its log; None if its memory is not full."""
    if (number(fields["memory"]) or 0) < FULL:
        return None
    return Blocked(EITHER_MEMORY, fields["to"], figures=Figures(text=f"{fields['memory']}% of the memory used"))


BROKER = "(?:JMS )?(?:Message Broker )?"
"""What stands behind the product in lines about a start or an end, before 5.8."""
FORMS = (
    form(
        "NMS.ActiveMQ.RequestTimedOutException",
        r"(?:Apache\.)?NMS\.ActiveMQ\.RequestTimedOutException",
        lambda fields: Blocked(TIMED_OUT, "", "a client"),
    ),
    form(
        "Memory Limit Reached, waiting for more space",
        r"MemoryUsage: Memory Limit Reached, waiting for more space",
        lambda fields: Blocked(WINDOW, "", "a client"),
    ),
    form(
        "Synchronous Request Timed out",
        r"Synchronous Request Timed out(?: after \[[\d,.]+\] milliseconds)?",
        lambda fields: Blocked(TIMED_OUT, "", "a client"),
    ),
    form(
        "RequestTimedOutIOException",
        r"(?:org\.apache\.activemq\.transport\.|org\.apache\.activemq\.)?RequestTimedOutIOException",
        lambda fields: Blocked(TIMED_OUT, "", "a client"),
    ),
    form(
        "Usage Manager",
        rf"{REFUSAL}{FIGURES}{ONLY_THROWN}Usage Manager [Mm]emory (?:[Ll]imit|Usage limit)(?: \((?P<named>\d+)\))? "
        rf"(?:reached|is full)\. {END}",
        _memory,
    ),
    form(
        "Memory Limit Wait Timeout",
        rf"{REFUSAL}Usage Manager Memory Limit Wait Timeout\. {END}",
        lambda fields: Blocked(REFUSED[EITHER_MEMORY], fields["to"], _producer(fields)),
    ),
    form(
        "Usage Manager",
        rf"Usage Manager [Mm]emory [Ll]imit(?: \((?P<named>\d+)\))? reached (?:on|for) "
        rf"(?P<to>\S{{1,400}}?|{OF_A_KIND})(?:, size \d+)?{THROTTLED}",
        _throttled,
    ),
    form(
        "Usage Manager",
        rf"Usage Manager [Mm]emory [Ll]imit(?: \((?P<named>\d+)\))? reached (?:on|for) (?P<to>{OF_A_KIND})"
        r"(?:, |\. )[^/]{0,200}$",
        _throttled,
        cut_off=True,
    ),
    form(
        "Usage Manager",
        rf"(?P<to>topic://.{{1,400}}?), Usage Manager memory limit reached (?P<named>\d+){THROTTLED}",
        _throttled,
    ),
    form(
        "Usage Manager",
        r"(?P<to>topic://.{1,400}?), Usage Manager memory limit reached (?P<named>\d+)\.",
        _throttled,
        cut_off=True,
    ),
    form(
        "ersistent store is Full",
        rf"{REFUSAL}{FIGURES}[Pp]ersistent store is Full, \d+% of (?P<of>\d+)\. {END}",
        _disk(STORE),
    ),
    form(
        "Store is Full",
        rf"{REFUSAL}{FIGURES}Usage Manager Store is Full(?:, \d+% of (?P<of>\d+))?\. {END}",
        _disk(STORE),
    ),
    form(
        "emp Store is Full",
        rf"{REFUSAL}{FIGURES}(?:Usage Manager )?Temp Store is Full(?:(?: \(|, )\d+% of (?P<of>\d+)\)?)?\. "
        rf"{END}",
        _disk(TEMP),
    ),
    form(
        "Job Scheduler Store is Full",
        rf"{REFUSAL}{FIGURES}Job Scheduler Store is Full \(\d+% of (?P<of>\d+)\)\. {WHO} to prevent flooding "
        rf"(?P<to>)of the job scheduler store{LASTING}",
        _disk(JOBS),
    ),
    form(
        "Usage Manager",
        rf"{REFUSAL}Usage Manager Memory Limit reached on (?P<to>{OF_A_KIND})\. See ",
        lambda fields: Blocked(REFUSED[EITHER_MEMORY], fields["to"]),
    ),
    form(
        "Send transaction completed while waiting for space",
        r"Send transaction completed while waiting for space",
        lambda fields: Blocked(REFUSED[EITHER_MEMORY], "", "a transacted producer"),
    ),
    form(
        "due to full temporary storage",
        r"Discarding message .{1,400}? due to full temporary storage",
        lambda fields: Blocked(DISCARDED),
    ),
    form("blocking message add()", CURSOR, _cursor),
    form(
        "Usage Manager",
        rf"{USAGE}{PARENT}{STEP})?), Usage Manager memory limit reached for (?P<to>\S{{1,400}}?){THROTTLED}",
        _full_of,
    ),
    form(
        "cursor blocked, no space available",
        rf"(?P<to>(?:queue|topic|temp-queue|temp-topic)://[^\s,]{{1,400}}), .{{0,300}}?cursor blocked, no space "
        rf"available to page in messages; usage: {USAGE}{PARENT}{STEP})?)",
        _full_of,
    ),
    form(
        ", memory=",
        rf"(?P<to>{OF_A_KIND}), subscriptions=\d{{1,9}}, memory=(?P<memory>\d{{1,9}})%, size=\d{{1,12}}",
        _shown,
    ),
    form(
        "Destination is full",
        r"Destination is full ?: (?P<to>[^\s|]{1,400})",
        lambda fields: Blocked(EITHER_MEMORY, fields["to"]),
    ),
    form(
        "SystemUsage memory limit reached",
        r"(?:ResourceAllocationException: )?SystemUsage memory limit reached",
        lambda fields: Blocked(REFUSED[EITHER_MEMORY]),
    ),
    form(
        "maximum allowed number of pending send operations",
        r"(?:ResourceAllocationException: )?Can not send message on transaction with id: .{1,200}? has reached the "
        r"maximum allowed number of pending send operations before commit of '?(?P<most>\d{1,9})",
        lambda fields: Blocked(
            UNCOMMITTED, "", "a transacted producer", Figures(limit=number(fields["most"]), unit="messages")
        ),
    ),
    form(
        "exceeded maxUncommittedCount",
        r"ConnectionId:.{1,200}? exceeded maxUncommittedCount:(?P<most>\d{1,9}) for destination:",
        lambda fields: Blocked(
            UNCOMMITTED, "", "a transacted producer", Figures(limit=number(fields["most"]), unit="messages")
        ),
    ),
    form("percentUsage=", rf"{USAGE}{PARENT}{STEP})?)(?!:? ?\w)", _usage, cut_off=True),
    form(
        "o space left on device",
        r"(?:Ignoring no space left exception, |(?:java\.io\.)?IOException: )*[Nn]o space left on device",
        lambda fields: Blocked(DEVICE),
        cut_off=True,
    ),
    form(
        "usageName=",
        r"usageName=(?P<of_what>[^,}\s]{1,400}:(?:memory|store|temp|jobScheduler))(?=[,}\s])",
        _advised,
    ),
    form(
        "Waiting for space to send",
        r"Waiting for space to send +transacted message - transaction elements = \d+ need more space to commit",
        lambda fields: Blocked(EITHER_MEMORY, "", "a transacted producer"),
    ),
    *(
        form(text, rf"{REFUSAL}{FIGURES}{THROWN_CUT}{pattern}(?:\. {WHO}|\W|$)", _cut_off(cause), cut_off=True)
        for text, pattern, cause in (
            ("Usage Manager Store is Full", "Usage Manager Store is Full", STORE),
            ("ersistent store is Full", "[Pp]ersistent store is Full", STORE),
            ("Usage Manager Temp Store is Full", "Usage Manager Temp Store is Full", TEMP),
            ("Usage Manager", MEMORY_FULL, EITHER_MEMORY),
        )
    ),
    form(") is starting", rf"(?:Apache )?ActiveMQ {RELEASE}[\w.-]* .{{0,60}}\(.{{1,300}}\) is starting",
         lambda fields: Notice("classic", started=True, release=fields["release"])),
    *(
        form(mark, rf"(?:Apache )?ActiveMQ (?:{RELEASE}[\w.-]* )?{BROKER}\([^()]{{1,300}}{re.escape(mark)}(?! to )",
             lambda fields: Notice("classic", stopped=True, release=fields["release"] or ""))
        for mark in (") is shutdown", ") is shutting down", ") stopped")
    ),
)  # fmt: skip
