"""Forms of RabbitMQ's alarms outside its log: health checks, `rabbitmqctl`, the management API, metrics.

The texts are those of RabbitMQ 3.3 to 4.2 and of the usual exporters.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tidegate.why.lines.form import Fields, LineForm, form
from tidegate.why.lines.rabbitmq import (
    BOTH,
    DISK,
    ERLANG_NODE,
    LOW,
    MEMORY,
    STATE,
    TOLD,
    disk_figures,
    node_of,
    not_set,
    told,
)
from tidegate.why.lines.rabbitmq_settings import UNITS
from tidegate.why.notices import Blocked, Cause, Figures, Notice, Released, Said

LABELLED = r"(?:\{(?P<labels>[^{}]{0,400})\})?"
"""The labels of a sample, which may name its node."""
LABELS = r"(?:\{[^{}]{0,400}\})?"
LENGTH = Cause(
    family="rabbitmq length",
    setting="max-length or max-length-bytes",
    where="a policy, or x-max-length and x-max-length-bytes of the queue; overflow is reject-publish",
    reason="the queue is as long as it may be, and its overflow is reject-publish: the message is refused "
    "(basic.nack), the publisher does not hang",
    frees="consume until the queue is shorter",
    change="add consumers, raise max-length, or set overflow to drop-head",
    ask="`rabbitmqctl list_queues name messages policy arguments`",
    holds=False,
    sends="fail",
    place_is="queue",
)
NACKED = replace(
    LENGTH,
    family="rabbitmq nack",
    setting="",
    where="",
    reason="the broker refused the message (basic.nack): a queue is as long as it may be under reject-publish, or it "
    "could not take the message for another reason; the publisher does not hang",
    frees="at a full queue consume and acknowledge; otherwise the cause in the log of the broker must end",
    change="look up the length limits of the queues that the message goes to, and errors in the log of the broker",
    tells_limit=False,
    place_is="",
)
WORDS = {"memory": MEMORY, "disk": DISK, "disc": DISK}
AMOUNT = r"(?P<{0}>\d{{1,12}}(?:\.\d{{1,6}})?) ?(?P<{0}_unit>(?:[kmgtKMGT]i?)?[bB]?)(?![\w.])"
JSON_FRONT = (
    r"(?:\{?\s*\"status\"\s*:\s*\"failed\"\s*,\s*)?"
    r"(?:\"reason\"\s*:\s*\"(?:[^\"]{0,120}\"\s*,\s*\"alarms\"\s*:\s*\[)?)?"
)


STREAM = r"(?:<<\")?(?P<client>.{1,200}?)(?:\">>)?"
"""The name of a connection of the stream protocol, also in Erlang's notation of a text."""
NO_PUBLISHER = replace(
    BOTH,
    family="rabbitmq publisher",
    reason="a node takes more memory than its watermark, or has less disk free than disk_free_limit, so the broker "
    "refuses to create a publisher for the stream: that fails, and does not hang",
    holds=False,
    sends="fail",
    place_is="stream",
)


def _of_a_stream(fields: Fields) -> Said:
    return Blocked(BOTH, "", fields["client"])


def _let_go(fields: Fields) -> Said:
    return Released((BOTH.family,), "", fields["client"])


def of_kinds(text: str) -> Cause:
    """The cause of the alarms that a text names."""
    named = {WORDS[word] for word in re.findall(r"memory|dis[ck]", text)}
    return named.pop() if len(named) == 1 else BOTH


def _kinds(fields: Fields) -> Said:
    return Blocked(of_kinds(fields["kinds"]))


def _if_set(cause: Cause) -> Callable[[Fields], Said]:
    return lambda fields: Blocked(cause, node_of(fields)) if fields["set"][0] in "t1T" else not_set(cause)


def _state(fields: Fields) -> Said:
    return Blocked(STATE.get(fields["state"], TOLD), "", fields["client"].strip())


def _bytes(fields: Fields, name: str) -> int:
    return int(float(fields[name]) * UNITS[fields[f"{name}_unit"].lower().removesuffix("b")])


def _disk(fields: Fields) -> Said | None:
    free, limit = _bytes(fields, "free"), _bytes(fields, "limit")
    return Blocked(DISK, figures=disk_figures(free, limit)) if free < limit else None


def _memory(fields: Fields) -> Said | None:
    taken, watermark = _bytes(fields, "used"), _bytes(fields, "limit")
    return Blocked(MEMORY, figures=Figures(taken, watermark, watermark)) if taken > watermark else None


def _noticed(cause: Cause, figures: Figures) -> Said:
    """The statement of figures that a status or metrics show some lines behind the alarm itself."""
    return Notice(cause.family, figures, cause)


def _metric(text: str) -> int:
    return int(float(text))


def _disk_metrics(fields: Fields) -> Said | None:
    free, limit = _metric(fields["free"]), _metric(fields["limit"])
    return _noticed(DISK, disk_figures(free, limit)) if free < limit else None


def _memory_of_status(fields: Fields) -> Said | None:
    taken, watermark = _bytes(fields, "used"), _bytes(fields, "limit")
    return _noticed(MEMORY, Figures(taken, watermark, watermark)) if taken > watermark else None


def _two(mark: str, first: str, second: str, says: Callable[[Fields], Said | None]) -> tuple[LineForm, ...]:
    """The forms of two adjacent figures in either order."""
    return tuple(
        form(mark, rf"\{{?{one}[\s,;}}]{{1,20}}\{{?{other}", says) for one, other in ((first, second), (second, first))
    )


def figures_of(values: Mapping[str, object]) -> Iterator[Said]:
    """The statements of a node's pairs of figures that are beyond their limits."""
    for level, limit, says in (("free", "disk_free_limit", _disk_metrics), ("used", "mem_limit", _memory_metrics)):
        name = {"free": "disk_free", "used": "mem_used"}[level]
        pair = values.get(name), values.get(limit)
        if all(isinstance(figure, int) for figure in pair):
            said = says({level: str(pair[0]), "limit": str(pair[1])})
            if said is not None:
                yield said


def _memory_metrics(fields: Fields) -> Said | None:
    taken, watermark = _metric(fields["used"]), _metric(fields["limit"])
    return _noticed(MEMORY, Figures(taken, watermark, watermark)) if taken > watermark else None


METRIC = r"\d{1,20}(?:\.\d{1,20})?(?:e\+?\d{1,2})?"
COMMENTS = r"(?:\s{1,9}# (?:TYPE|HELP|UNIT) [^#\n]{0,300}?){0,2}\s{1,9}"
"""The comments above the second of two figures among the metrics."""
NAME_OF = r"\"name\"\s*:\s*\"(?P<client>[^\"]{3,100} -> [^\"]{3,100})\""
STATE_OF = r"\"state\"\s*:\s*\"(?P<state>blocked|blocking|flow)\""
"""The state of a connection in the management's JSON."""
FREE, LIMIT, USED = (AMOUNT.format(name) for name in ("free", "limit", "used"))
FORMS = (
    form(
        "esource alarm(s) in effect",
        rf"{JSON_FRONT}[Rr]esource alarm\(s\) in effect(?: on (?:the )?(?:local )?node '?{ERLANG_NODE}'?)?:? ?"
        r"\[(?P<kinds>[^\[\]]{1,200})\]",
        _kinds,
    ),
    form(
        '"resource"',
        rf"{JSON_FRONT}\{{?\"resource\"\s*:\s*\"(?P<kinds>memory|disk)\"?\s*,?\s*\"node\"\s*:\s*\"(?P<node>{ERLANG_NODE})\"",
        lambda fields: Blocked(WORDS[fields["kinds"]], fields["node"]),
    ),
    form(
        '"resource"',
        rf"{JSON_FRONT}\{{\"node\"\s*:\s*\"(?P<node>{ERLANG_NODE})\"\s*,\s*\"resource\"\s*:\s*\"(?P<kinds>memory|disk)\"",
        lambda fields: Blocked(WORDS[fields["kinds"]], fields["node"]),
    ),
    *(
        form(mark, rf"{JSON_FRONT}{text}", lambda fields: Notice("rabbitmq alarms", cause=BOTH))
        for mark, text in (
            ("There are alarms in effect", r"There are alarms in effect (?:in the cluster|on the node)"),
            (" reported alarms", rf"Node '?{ERLANG_NODE}'? reported alarms"),
            (" reported local alarms", rf"Node '?{ERLANG_NODE}'? reported local alarms"),
        )
    ),
    *(  # the template of Zabbix; the same words stand in the body of a mail about the end
        form(
            " threshold has been reached)",
            rf"(?:Subject: )?{begins}(?:[\w .-]{{1,80}}: )?(?P<kinds>Memory|(?:Free )?[Dd]isk(?: space)?) alarm "
            r"\((?:Memory usage|Free space) threshold has been reached\)",
            says,
        )
        for begins, says in (
            (r"(?:Problem|PROBLEM): ", lambda fields: Blocked(of_kinds(fields["kinds"].lower()))),
            (
                r"(?:Resolved|RESOLVED|OK)\b[^:]{0,40}: ",
                lambda fields: Released((of_kinds(fields["kinds"].lower()).family,)),
            ),
        )
    ),
    form(
        " alarm in effect",
        r"(?P<kinds>[Mm]emory|[Dd]isk)(?: resource| space| free)? alarm (?:is )?in effect\b",
        lambda fields: Blocked(WORDS[fields["kinds"].lower()]),
    ),
    *(
        form(
            mark,
            rf"(?:rabbitmq_node_)?{mark}{LABELLED}[ =]{{1,3}}(?P<set>[01])(?:\.0{{1,6}})?i?(?![\w.])",
            _if_set(cause),
        )
        for mark, cause in (("mem_alarm", MEMORY), ("disk_free_alarm", DISK), ("disk_alarm", DISK))
    ),
    *(
        form(
            f" {state}",
            r"(?:[|│]\s{0,20})?(?P<client>[\w.:\[\]-]{3,60}:\d{1,5} -> [\w.:\[\]-]{3,60}:\d{1,5})"
            rf"(?:[\s|│]{{1,40}}[^\s|│]{{1,60}}){{0,8}}?[\s|│]{{1,40}}(?P<state>{state})(?=[\s|│]|$)",
            _state,
        )
        for state in ("blocked", "blocking", "flow")
    ),
    *(
        form(f"\t{state}", rf"(?P<client>{client})\t(?P<state>{state})\s*$", _state)
        for state in ("blocked", "blocking", "flow")
        for client in (
            r"<[\w.-]{1,60}@[\w.-]{1,120}(?:\.\d{1,10}){3}>(?:\t[^\t]{1,60}){0,6}?",
            r"[\w.@-]{1,60}\t\d{1,3}(?:\.\d{1,3}){3}\t\d{2,5}",
        )
    ),
    form(
        "eason",
        rf"(?:[\w.]{{0,80}}ConnectionBlockedEventArgs )?\"?'?[Rr]eason'?\"?\s{{0,3}}[:=]\s{{0,3}}[\"']?{LOW}",
        told,
    ),
    *(
        form('"state"', rf"\[?(?:\{{[^{{}}]{{0,400}}?)?{first}[^{{}}]{{0,600}}?{other}", _state)
        for first, other in ((NAME_OF, STATE_OF), (STATE_OF, NAME_OF))
    ),
    form(
        "AMQP",
        r"(?P<client>\d{1,3}(?:\.\d{1,3}){3}:\d{1,5})(?:\s{1,20}[\w@.-]{1,60}){1,2}?\s{1,20}(?:[^\w\s]\s{0,3})?"
        r"(?P<state>blocked|blocking|flow)\s.{0,40}AMQP [01]",
        _state,
    ),
    form("Resource alarm: connection", r"Resource alarm: connection (?:blocked|will block on publish)",
         lambda fields: Blocked(TOLD, "", "a connection")),
    form("after resource alarm", rf"Blocking connection {STREAM} after resource alarm", _of_a_stream),
    form(
        " received resource alarm.",
        rf"Connection {STREAM} received resource alarm\. Alarm on\? (?P<set>true|false)",
        lambda fields: _of_a_stream(fields) if fields["set"] == "true" else Notice("rabbitmq figures"),
    ),
    form(
        "new blocked status is now ",
        rf"Connection {STREAM} had blocked status set to (?:true|false), new blocked status is now (?P<set>true|false)",
        lambda fields: _of_a_stream(fields) if fields["set"] == "true" else _let_go(fields),
    ),
    form("Unblocking connection ", rf"Unblocking connection {STREAM}\s*$", _let_go),
    form(
        "connection is blocked because of resource alarm",
        r"Cannot create publisher \d+ on stream (?:<<\")?(?P<place>[^\s\",]{1,300})(?:\">>)?, connection is blocked "
        r"because of resource alarm",
        lambda fields: Blocked(NO_PUBLISHER, fields["place"]),
    ),
    *_two("disk_free,", rf"\{{?disk_free_limit,{LIMIT}\}}", rf"disk_free,{FREE}\}}", _disk),
    form("Free disk space: ", rf"Low free disk space watermark: {LIMIT}\s{{1,20}}Free disk space: {FREE}", _disk),
    *_two("disk_free", rf"\"disk_free_limit\"\s*:\s*{LIMIT}", rf"\"disk_free\"\s*:\s*{FREE}", _disk),
    *_two("mem_limit", rf"\"mem_limit\"\s*:\s*{LIMIT}", rf"\"mem_used\"\s*:\s*{USED}", _memory),
    form(
        "rabbitmq_disk_space_available_bytes",
        rf"rabbitmq_disk_space_available_bytes{LABELS} (?P<free>{METRIC}){COMMENTS}"
        rf"rabbitmq_disk_space_available_limit_bytes{LABELS} (?P<limit>{METRIC})(?![\w.])",
        _disk_metrics,
    ),
    form(
        "Total memory used: ",
        rf"Total memory used: {USED}\s{{1,20}}(?:Calculation strategy: \w{{1,20}}\s{{1,20}})?"
        rf"Memory high watermark setting: .{{0,100}}?computed to: {LIMIT}",
        _memory_of_status,
    ),
    form("high watermark setting: ", r"Memory high watermark setting: \S", lambda fields: Notice("rabbitmq figures")),
    form(" high watermark", rf"{USED}\s{{1,20}}{LIMIT} high watermark", _memory),
    form(" low watermark", rf"{FREE}\s{{1,20}}{LIMIT} low watermark", _disk),
    *(
        form(mark, pattern, lambda fields: Blocked(LENGTH, (fields.get("queue") or "")))
        for mark, pattern in (
            ("Check queue limits", r"(?:\{?\"error\"\s*:\s*\"bad_request\"\s*,\s*)?(?:\"reason\"\s*:\s*\")?"
             r"(?:rejected )?Unable to publish message\. Check queue limits"),
            ("exceeded maximum length", r"queue '(?P<queue>[^']{1,255})' exceeded maximum length"),
        )
    ),
    *(
        form(mark, pattern, lambda fields: Blocked(NACKED, "", "a publisher"))
        for mark, pattern in (
            ("NackError", r"pika\.exceptions\.NackError\b|NackError: "),
            ("NackReceivedException", r"(?:[\w.]{0,80}\.)?Amqp(?:Client)?NackReceivedException\b"),
            ("MessageNacked", r"(?:[\w.]{0,80}\.)?MessageNacked\b(?=\s*(?::|$))"),
            ("message nacked", r"Error: message nacked\b"),
            (" was nacked", r"Message \d{1,19} was nacked\b"),
            ("Message rejected by broker.", r"(?:[\w.]{0,80}\.)?PublishException: Message rejected by broker\."),
            ("<Basic.Nack", r"(?:\(?<Basic\.Nack|.{0,60}?<METHOD\(.{0,100}?<Basic\.Nack)"),
        )
    ),
)  # fmt: skip
