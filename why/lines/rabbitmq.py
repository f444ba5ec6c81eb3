"""Forms of lines in the log of a RabbitMQ node about memory and disk alarms, and of connection.blocked in clients'
logs."""

import re
from collections.abc import Callable
from dataclasses import replace

from tidegate.why.lines.form import Fields, form, number
from tidegate.why.notices import Blocked, Cause, Figures, Notice, Released, Said

MEMORY = Cause(
    family="rabbitmq memory",
    setting="vm_memory_high_watermark",
    where="rabbitmq.conf; also `rabbitmqctl set_vm_memory_high_watermark`",
    reason="the node takes more memory than its watermark, so publishers of the whole cluster are blocked",
    frees="consume until the node takes less memory than its watermark",
    change="find the queues that take most memory and consume or purge them, or raise vm_memory_high_watermark",
    ask="`rabbitmq-diagnostics alarms`, `rabbitmq-diagnostics memory_breakdown`; GET /api/nodes: mem_used, mem_limit",
    place_is="node",
)
DISK = Cause(
    family="rabbitmq disk",
    setting="disk_free_limit",
    where="rabbitmq.conf; also `rabbitmqctl set_disk_free_limit`",
    reason="the node has less disk free than disk_free_limit, so publishers of the whole cluster are blocked",
    frees="free disk until more is free than disk_free_limit",
    change="free or enlarge the disk, or lower disk_free_limit",
    ask="`rabbitmq-diagnostics alarms`; GET /api/nodes: disk_free, disk_free_limit",
    place_is="node",
)
TOLD = Cause(
    family="rabbitmq client",
    setting="",
    reason="the broker told the client connection.blocked",
    frees="under a memory alarm consume, under a disk alarm free space; publishers go on when the alarm clears",
    change="look up which alarm is set on which node",
    ask="`rabbitmq-diagnostics alarms`",
    tells_limit=False,
)
BLOCKED_TOO_LONG = replace(
    TOLD,
    family="rabbitmq client blocked too long",
    reason="the broker told the client connection.blocked, and the client closed the connection after its own timeout "
    "(blocked_connection_timeout of pika)",
    tells_release=False,
    gave_up=True,
)
BLOCKING = replace(
    TOLD,
    family="rabbitmq client blocking",
    reason="an alarm is set, and the broker stops the connection (connection.blocked) with the next message that it "
    "sends; it has sent none since",
)
FLOW = Cause(
    family="rabbitmq flow",
    setting="",
    reason="the connection publishes faster than the node can route and store (credit flow); that needs no alarm",
    frees="the connection goes on as fast as the slowest part behind it: a queue, the disk or another node",
    change="see which queue or channel is in flow too; spread the load over more queues, or make consumers faster",
    ask="`rabbitmqctl list_connections name state`, `list_channels name state`, `list_queues name state`",
    tells_limit=False,
)
QUEUE_FLOW = replace(
    FLOW,
    family="rabbitmq queue flow",
    reason="the queue takes messages more slowly than they come, so it slows their publishers down (credit flow); that "
    "needs no alarm",
    frees="the publishers go on as fast as the queue stores what they send",
    change="spread the load over more queues, look at the speed of the disk, or slow the publishers down",
    place_is="queue",
)
BOTH = replace(
    MEMORY,
    family="rabbitmq alarms",
    setting="vm_memory_high_watermark or disk_free_limit",
    where="rabbitmq.conf",
    reason="a node takes more memory than its watermark, or has less disk free than disk_free_limit, or both, so "
    "publishers of the whole cluster are blocked",
    frees="consume until the node takes less memory than its watermark, and free disk",
    change="look up which alarm is set on which node",
)
CLOSED = replace(
    TOLD,
    family="rabbitmq closed",
    reason="an alarm had blocked the connection when it ended in an error, so the alarm may be set still",
    tells_release=False,
)
BANNER = replace(
    TOLD,
    family="rabbitmq banner",
    reason="an alarm is set on a node, and publishers of the whole cluster are blocked; its line stands before these",
)
FILES = Cause(
    family="rabbitmq files",
    setting="the limit of file descriptors",
    where="the operating system (ulimit -n, LimitNOFILE)",
    reason="the node has as many files and connections open as the operating system allows, so it takes no new "
    "connections: publishers that are connected go on",
    frees="close connections",
    change="raise the limit of file descriptors, and close connections that nobody uses",
    ask="`rabbitmq-diagnostics status`: File Descriptors",
    holds=False,
    sends="go on; new connections are refused",
)
NO_ALARM = Notice("rabbitmq figures", clear="no alarm is set")
KINDS = {"memory": MEMORY, "disk": DISK}
STATE = {"flow": FLOW, "blocking": BLOCKING}
LOW = r"(?:low|LOW) on (?P<kind>(?:memory|disk)(?: ?[&/] ?(?:memory|disk))?)"
"""The broker's reason: `low on memory`, or `low on memory & disk` if both alarms are set."""
CAPABILITY = r"(?![\"'>]{0,4}\s{0,3}[:=,]\s{0,40}(?:>\s{0,3})?(?:bool,\s{0,3})?(?:true|True|false|False))"
"""Excludes a client's capability, which tells that the client understands the message and not that it is blocked."""
NAMED = r"(?!-\w|[`\"]{1,2}[,)]? (?!reason\b|low\b)\w|[\"']\s{0,20}=>)"
"""Excludes a longer name with a hyphen, a sentence that goes on behind a name in backticks or quotes, and a key of a
program's table."""
LISTENS = (
    r"(?![`\"']{0,2}:?(?:[ _-](?:events?|notifications?|methods?|frames?))?[ _:-]{1,2}"
    r"(?:listener|handler|callback|hook|support|capabilit|extension|timeout|subscri|registered|enabled|disabled|"
    r"installed|added|is (?:enabled|supported)))"
)
"""Excludes what a program has for the message when it comes, such as a handler."""
BLOCKED_TEXT = rf"(?<![\w.])[Cc]onnection\.[Bb]locked\b{NAMED}{CAPABILITY}{LISTENS}(?:.{{0,60}}?{LOW})?"
ERLANG_NODE = r"[\w.-]{1,120}@[\w.-]{1,120}?"
"""The name of an Erlang node; a node of another product has no such name."""
CUT = r"(?:\.(?: F[\w ]{0,9})?)?$"
"""The rest of a cut-off `. Free bytes: …`."""
ENDS = r"\.?(?:[\s\"'`)<…|]|$)"
NODE = r"'?(?P<node><[\w -]{1,40}>|[\w@.%~${}*-]{1,255}?(?:<[\w -]{1,40}>|\[[A-Za-z]{1,20}\])?)'?"
"""A node, also as a placeholder of source code, such as %s."""


LABEL_OF_NODE = re.compile(r"\b(?:rabbitmq_node|node|erlang_node)=\"(?P<node>[^\"]{1,255})\"")


def disk_figures(free: int, limit: int) -> Figures:
    """The figures of a disk in words: the level, which counts downwards, and the limit, both in bytes."""
    missing = f"{max(limit - free, 0):,} bytes are missing"
    return Figures(text=f"{free:,} bytes free, {limit:,} bytes asked for; {missing}")


def _set(fields: Fields) -> Said:
    return Blocked(KINDS[fields["kind"]], fields["node"])


def told(fields: Fields) -> Said:
    """The statement that a client received connection.blocked, with the reason `kind` if the line has it."""
    kind = fields["kind"]
    return Blocked(KINDS.get(kind, BOTH) if kind else TOLD, "", "a connection")


def _timed_out(fields: Fields) -> Said:
    return Blocked(BLOCKED_TOO_LONG, "", "a connection")


def _state(fields: Fields) -> Said:
    return Blocked(STATE.get(fields["state"], TOLD), "", fields["client"].strip())


def not_set(cause: Cause) -> Notice:
    """The statement that the alarm of a limit is not set."""
    return Notice("rabbitmq figures", clear=f"the alarm of {cause.setting} is not set")


def _if_set(cause: Cause) -> Callable[[Fields], Said]:
    def said(fields: Fields) -> Said:
        return Blocked(cause, node_of(fields)) if fields["set"] in ("true", "True", "1") else not_set(cause)

    return said


def node_of(fields: Fields) -> str:
    """The node that the labels of a sample name; empty without such a label."""
    found = LABEL_OF_NODE.search(fields.get("labels") or "")
    return found["node"] if found is not None else ""


def _alarms(fields: Fields) -> Said:
    return Blocked(KINDS[fields["kind"]]) if fields["kind"] else NO_ALARM


def _noticed(cause: Cause) -> Callable[[Fields], Said]:
    """The statement of a line's beginning without its figures."""
    return lambda fields: Notice(cause.family, cause=cause)


def _clear(cause: Cause) -> Callable[[Fields], Said]:
    """The statement that figures are below the limit again; another line clears the alarm."""
    return lambda fields: Released((cause.family,), own_figures=True)


FORMS = (
    form("alarm set on node", rf"(?P<kind>memory|disk) resource limit alarm set on node {NODE}{ENDS}", _set),
    form(
        "alarm cleared on node",
        rf"(?P<kind>memory|disk) resource limit alarm cleared on node {NODE}{ENDS}",
        lambda fields: Released((KINDS[fields["kind"]].family,), fields["node"]),
    ),
    form(
        "alarm cleared for dead node",
        rf"(?P<kind>memory|disk) resource limit alarm cleared for dead node {NODE}{ENDS}",
        lambda fields: Released((KINDS[fields["kind"]].family,), fields["node"]),
    ),
    form(
        "alarm cleared across",
        r"(?P<kind>memory|disk) resource limit alarm cleared across the cluster",
        lambda fields: Released((KINDS[fields["kind"]].family,)),
    ),
    form(
        "file descriptor limit alarm set",
        r"file descriptor limit alarm set\b",
        lambda fields: Blocked(FILES),
    ),
    form(
        "file descriptor limit alarm cleared",
        r"file descriptor limit alarm cleared",
        lambda fields: Released((FILES.family,)),
    ),
    form(
        "vm_memory_high_watermark set",
        r"vm_memory_high_watermark set\. Memory used:\s?(?P<used>\d+) allowed:\s?(?P<allowed>\d+)",
        lambda fields: Notice(
            MEMORY.family,
            Figures(number(fields["used"]), number(fields["allowed"]), number(fields["allowed"])),
            MEMORY,
        ),
    ),
    form(
        "vm_memory_high_watermark set",
        r"vm_memory_high_watermark set\. Memory used: ?(?P<used>\S{1,20}) (?:allowed|[Ll]imit): ?(?P<limit>\S{1,20})",
        lambda fields: Notice(
            MEMORY.family, Figures(text=f"{fields['used']} used of {fields['limit']} allowed"), MEMORY
        ),
    ),
    form(
        "nsufficient. Free bytes:",
        r"(?:Free disk space is insufficient|Disk free space insufficient)\. "
        r"Free bytes:\s?(?P<free>\d+)\.? [Ll]imit:\s?(?P<limit>\d+)",
        lambda fields: Notice(
            DISK.family,
            disk_figures(int(fields["free"]), int(fields["limit"])),
            DISK,
        ),
    ),
    form(
        " alarm on node ",
        rf"(?P<kind>[Mm]emory|[Ff]ree disk space|[Dd]isk(?: free)?) alarm on node '?(?P<node>{ERLANG_NODE})'?{ENDS}",
        lambda fields: Blocked(MEMORY if fields["kind"].lower() == "memory" else DISK, fields["node"]),
    ),
    *(  # a node logs its limit when it starts
        form(mark, rf"Memory {mark} \d", lambda fields: Notice("rabbitmq figures"))
        for mark in ("high watermark set to", "limit set to")
    ),
    form(
        "now exceeded. Free bytes:",
        r"Disk free space limit now exceeded\. Free bytes:(?P<free>\d+) Limit:(?P<limit>\d+)",
        lambda fields: Notice(DISK.family, disk_figures(int(fields["free"]), int(fields["limit"])), DISK),
    ),
    form(  # before 2.8.4 the text calls it a resource limit; before 2.6 it names no node
        "alarm_handler: {set,",
        rf"alarm_handler: \{{set,\{{(?:\{{vm_memory_high_watermark,{NODE}\}}|vm_memory_high_watermark),\[\]\}}\}}",
        lambda fields: Blocked(MEMORY, fields["node"] or ""),
    ),
    form(
        "alarm_handler: {clear,",
        rf"alarm_handler: \{{clear,(?:\{{vm_memory_high_watermark,{NODE}\}}|vm_memory_high_watermark)\}}",
        lambda fields: Released((MEMORY.family,), fields["node"] or ""),
    ),
    form(
        "{resource_limit,",
        rf"(?:\w{{0,12}}_?\w{{0,7}}: )?\{{clear,\{{resource_limit,(?P<kind>memory|disk),{NODE}\}}",
        lambda fields: Released((KINDS[fields["kind"]].family,), fields["node"]),
    ),
    form(
        "{resource_limit,",
        rf"(?:alarm_handler: |\{{alarms,\s*)?[\[\w{{,@.'_-]{{0,200}}?(?<!clear,)"
        rf"\{{resource_limit,(?P<kind>memory|disk),{NODE}\}}",
        _set,
    ),
    form(  # the same in Elixir
        "{:resource_limit, ",
        r"(?:\W{0,9}alarms: )?[\[{ ]{0,9}\{:resource_limit, :(?P<kind>memory|disk), "
        rf":\"?(?P<node>{ERLANG_NODE})\"?\}}",
        _set,
    ),
    form(
        "Publishers will be blocked until this alarm clears",
        r"Publishers will be blocked until this alarm clears",
        lambda fields: Notice(BANNER.family, cause=BANNER),
    ),
    *(
        form(
            mark,
            r"(?:(?<![\w.])(?:[Tt]he |[Bb]y |[Rr]abbit(?:MQ|mq)? |(?i:publisher) |"  # no last part of a logger's name
            rf"[Aa]mqp |AMQP |[Bb]roker |[Cc]onnection |[Ww]as |[Ii]s |[Hh]as been ))*"
            rf"\b(?!(?<=\w\.)\w+ )[Bb]locked\b.{{0,60}}?{LOW}",
            told,
        )
        for mark in ("low on ", "LOW on ")
    ),
    form("ConnectionBlockedEvent", rf"ConnectionBlockedEvent \[reason={LOW}", told),
    *(
        form(
            mark,
            r"(?:AMQP|[Ee]rror on AMQP) connection (?P<client><[\d.]{1,30}>) \((?:.{0,200}?state: )?"
            r"(?:blocked|blocking)\b",
            lambda fields: Blocked(CLOSED, "", f"connection {fields['client']}"),
        )
        for mark in ("> (block", "state: block")
    ),
    *(
        form(
            f",[{kind}",
            rf"(?:\{{alarms,\[)?(?:\{{'?{ERLANG_NODE}'?,\[\]\}},\s?){{0,50}}"
            rf"\{{'?(?P<node>{ERLANG_NODE})'?,\[(?P<kind>{kind})\b",
            _set,
        )
        for kind in KINDS
    ),
    form("(none)", r"Alarms\s{1,10}\(none\)", lambda fields: NO_ALARM),
    *(
        form(mark, rf"Node '?{ERLANG_NODE}'?{mark}", lambda fields: NO_ALARM)
        for mark in (" reported no alarms", " reported no local alarms")
    ),
    form("{alarms,[", r"\{alarms,\[(?P<kind>memory\b|disk\b)?", _alarms),
    form(
        '"resource"',
        rf'\{{?"node"\s*:\s*"(?P<node>{ERLANG_NODE})"\s*,\s*"resource"\s*:\s*"(?P<kind>memory|disk)"',
        _set,
    ),
    *(
        form(
            mark,
            rf"[\"']?{mark}[\"']?\s*[:=,]\s*(?P<set>true|True|false|False)\b",
            _if_set(cause),
        )
        for mark, cause in (("mem_alarm", MEMORY), ("disk_free_alarm", DISK))
    ),
    *(
        form(
            f"rabbitmq_alarms_{metric}",
            rf"rabbitmq_alarms_{metric}(?:\{{(?P<labels>[^{{}}]{{0,400}})\}})? (?:(?P<set>1)|0)(?:\.0+)?(?![\w.])",
            _if_set(cause),
        )
        for metric, cause in (("memory_used_watermark", MEMORY), ("free_disk_space_watermark", DISK))
    ),
    form(
        "Blocked connection timeout expired",
        r"(?:\(-?\d{1,4}, ['\"])?Blocked connection timeout expired",
        _timed_out,
    ),
    form(
        "ConnectionBlockedTimeout",
        r"(?<![\w.])(?<!except )(?<!raise )(?:\w{1,60}\.){0,4}ConnectionBlockedTimeout\s*$",
        _timed_out,
    ),
    *(
        form(f"\t{state}", rf"(?P<client>\S{{1,100}} -> \S{{1,100}})\t(?:\S+\t)*(?P<state>{state})(?=\s|$)", _state)
        for state in ("blocked", "blocking", "flow")
    ),
    *(form(mark, BLOCKED_TEXT, told) for mark in ("onnection.blocked", "onnection.Blocked")),
    *(
        form(
            mark,
            rf"(?<![\w.])[Cc]onnection\.[Uu]nblocked\b{NAMED}{LISTENS}",
            lambda fields: Released((TOLD.family, MEMORY.family, DISK.family), "", "a connection"),
        )
        for mark in ("onnection.unblocked", "onnection.Unblocked")
    ),
    form("vm_memory_high_watermark clear", r"vm_memory_high_watermark clear\.", _clear(MEMORY)),
    form("Free disk space is sufficient", r"Free disk space is sufficient\.", _clear(DISK)),
    form("isk free space sufficient", r"Disk free space sufficient\.", _clear(DISK)),
    *(
        form(mark, pattern, _noticed(cause), cut_off=True)
        for mark, pattern, cause in (
            ("vm_memory_high_watermark set", r"vm_memory_high_watermark set\b", MEMORY),
            ("ree disk space is insufficient", rf"Free disk space is insufficient{CUT}", DISK),
            ("isk free space insufficient", rf"Disk free space insufficient{CUT}", DISK),
        )
    ),
    form("Starting RabbitMQ", r"Starting RabbitMQ \d", lambda fields: Notice("rabbitmq", started=True)),
    form(
        "rabbit on node ",
        rf"rabbit on node {NODE} down\s*$",
        lambda fields: Released((MEMORY.family, DISK.family), fields["node"], closes=True),
    ),
    *(
        form(mark, rf"{text}(?:\.\.\.|\s*$)", lambda fields: Notice("rabbitmq", stopped=True))
        for mark, text in (("Stopping RabbitMQ", "Stopping RabbitMQ"), ("asked to stop", "RabbitMQ is asked to stop"))
    ),
    form("Stopped RabbitMQ", "Stopped RabbitMQ application", lambda fields: Notice("rabbitmq", stopped=True)),
    form("Halting Erlang VM", "Halting Erlang VM", lambda fields: Notice("rabbitmq", stopped=True)),
    form("stopped RabbitMQ", "Successfully stopped RabbitMQ and", lambda fields: Notice("rabbitmq", stopped=True)),
)  # fmt: skip
