"""Forms of lines in the log of the C++ broker of Qpid (qpidd, Red Hat MRG) and in its errors to clients: limits of a
queue.

The texts are those of 0.8 to 1.39, with both message stores.
"""

from dataclasses import replace

from tidegate.why.lines.form import NUMBER, Fields, form, number
from tidegate.why.notices import Blocked, Cause, Figures, Notice, Released

ASK = "`qpid-stat -q`, `qpid-config -r queues`: msgDepth, byteDepth and the limits of the queue"
FLOW_FAMILY = "qpidd flow"
FLOW = Cause(
    family=FLOW_FAMILY,
    setting="qpid.flow_stop_count or qpid.flow_stop_size",
    where="arguments of the queue; qpidd --default-flow-stop-threshold",
    reason="the queue holds more than its level of flow control, so the broker acknowledges no message that is "
    "sent to it",
    frees="consume until the queue holds less than qpid.flow_resume_count and qpid.flow_resume_size",
    change="add consumers, or raise the limits of the queue",
    ask=ASK,
    place_is="queue",
)
LIMIT = replace(
    FLOW,
    family="qpidd limit",
    setting="qpid.max_count or qpid.max_size",
    where="arguments of the queue; qpidd --default-queue-limit",
    reason="the queue holds as much as it may, and its policy is to reject: a send fails, it does not hang",
    frees="consume until the queue holds less",
    holds=False,
    sends="fail",
)
JOURNAL = replace(
    LIMIT,
    family="qpidd journal",
    setting="the journal of the queue",
    where="qpidd --num-jfiles, --jfile-size-pgs, or qpid.file_count and qpid.file_size of the queue",
    reason="the journal that stores the messages of the queue is full: a send fails, it does not hang",
    frees="consume the oldest messages of the queue, for the journal is freed in their order",
    change="consume or purge the queue, or create it with a larger journal",
)
THROTTLED = replace(
    LIMIT,
    family="qpidd throttled",
    setting="",
    where="",
    reason="the client sent more than the broker had granted credit for, so the broker ends its session: sends fail",
    frees="a new session, whose client waits for credit",
    change="give the client a library that obeys flow control, and look up why the broker grants little",
    tells_limit=False,
    place_is="",
)
QUEUE = r"(?P<queue>[^\s\"':,(]{1,300})"
CLASS = r"(?:resource-limit-exceeded: ?){0,2}"


def _reached(fields: Fields) -> Blocked:
    level = number(fields["level"])
    return Blocked(FLOW, fields["queue"], figures=Figures(level, level, unit=fields["unit"]))


FORMS = (
    form(
        "Producer flow control activated",
        rf"Queue \"(?P<queue>[^\"]{{1,300}})\": has reached (?P<level>{NUMBER}) enqueued (?P<unit>messages|bytes)\. "
        r"Producer flow control activated",
        _reached,
    ),
    form(
        "Producer flow control deactivated",
        r"Queue \"(?P<queue>[^\"]{1,300})\": has drained below the flow control resume level",
        lambda fields: Released((FLOW_FAMILY,), fields["queue"]),
    ),
    form(
        ": setting flow control for msg",
        r"Queue \"(?P<queue>[^\"]{1,300})\": setting flow control for msg pos=",
        lambda fields: Blocked(FLOW, fields["queue"]),
    ),
    form(
        "Maximum depth exceeded on",
        rf"{CLASS}Maximum depth exceeded on {QUEUE}: ?current=\[",
        lambda fields: Blocked(LIMIT, fields["queue"]),
    ),
    form(
        "Maximum depth exceeded on",
        r"Maximum depth exceeded on (?P<queue>)\"",
        lambda fields: Blocked(LIMIT),
        cut_off=True,
    ),
    form(
        "Policy exceeded on",
        rf"{CLASS}Policy exceeded on (?:queue:? )?{QUEUE}",
        lambda fields: Blocked(LIMIT, fields["queue"]),
    ),
    form(
        "exceeded policy for ",
        rf"Queue (?:cumulative message size|message count|size) exceeded policy for {QUEUE}",
        lambda fields: Blocked(LIMIT, fields["queue"]),
    ),
    form(
        "producer throttling violation",
        rf"{CLASS}[\w@.: -]{{0,120}}?producer throttling violation",
        lambda fields: Blocked(THROTTLED, "", "a session"),
    ),
    form(
        "nqueue capacity threshold exceeded",
        r"(?:Journal \"[^\"]{1,300}\": )?(?:Journal e|E)nqueue capacity threshold exceeded"
        r"(?: on queue \"(?P<queue>[^\"]{1,300})\")?",
        lambda fields: Blocked(JOURNAL, fields["queue"] or ""),
    ),
    form(
        "Journal full on queue",
        r"(?:Journal \"[^\"]{1,300}\": )?Journal full on queue \"(?P<queue>[^\"]{1,300})\"",
        lambda fields: Blocked(JOURNAL, fields["queue"]),
    ),
    form(
        "flowStopped",
        r"\"?'?flowStopped'?\"?(?:\s{0,20}[:=]\s{0,20}|\s{2,40})(?P<set>true|True|1|false|False|0)\b",
        lambda fields: Blocked(FLOW) if fields["set"] in ("true", "True", "1") else Notice("qpidd figures"),
    ),
    form("RHM_IORES_ENQCAPTHRESH", r"RHM_IORES_ENQCAPTHRESH", lambda fields: Blocked(JOURNAL)),
    form(
        "TargetCapacityExceeded",
        r"(?:[\w.:]{0,80}[.:])?TargetCapacityExceeded\b",
        lambda fields: Blocked(LIMIT),
    ),
)
