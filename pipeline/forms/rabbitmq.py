"""The log of a RabbitMQ node: an alarm of memory or disk is set or cleared, which blocks or releases all publishers.

3.7 and later write each record after a time with fractions, older versions below a line `=WARNING REPORT==== DATE ===`.
Lines that an alarm is cleared across the cluster, or that publishers are blocked, follow from the lines about nodes and
are ignored.
"""

import re
from datetime import datetime, tzinfo

from tidegate.pipeline.lines.line_form import LineForm, Unparsed
from tidegate.pipeline.lines.log_form import Cause, LogForm, Statement
from tidegate.pipeline.lines.times import DATE_TIME, STAMPED, iso_time, milliseconds
from tidegate.record.events import Kind

MEMORY = "memory"
DISK = "disk"
NODE = {"destination": "{node}"}
STARTING = "Starting RabbitMQ "
STOPPED = "Successfully stopped RabbitMQ and its dependencies"
REPORT = re.compile(r"=[A-Z]+ REPORT==== (?P<stamp>\d{1,2}-[A-Z][a-z]{2}-\d{4}::\d\d:\d\d:\d\d) ===")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def time_of(line: str, zone: tzinfo) -> int | Unparsed:
    """The time in the form of 3.7 and later, or in the older one, with whole seconds and English names of months."""
    report = REPORT.match(line)
    if report is None:
        return iso_time(line, zone)
    date, clock = report["stamp"].split("::")
    day, month, year = date.split("-")
    if month not in MONTHS:
        return Unparsed(f"expected a month such as Jan, not {month!r}", "time")
    try:
        moment = datetime.fromisoformat(f"{year}-{MONTHS.index(month) + 1:02}-{day:0>2}T{clock}")
    except ValueError as error:
        return Unparsed(f"expected a time in front, but {error}", "time")
    return milliseconds(moment, zone)


FORM = LogForm(
    name="rabbitmq log",
    broker="rabbitmq",
    recognised_by=re.compile(
        rf"{REPORT.pattern}|^{DATE_TIME}\.\d+(?:[+-]\d\d:\d\d)? \[[a-z]+\] <\d+\.\d+\.\d+> |\bresource limit alarm "
    ),
    version=re.compile(r"Starting RabbitMQ (?P<version>\d+(?:\.\d+)+)"),
    begins=re.compile(rf"{REPORT.pattern}|{STAMPED.pattern}"),
    time=time_of,
    below_first=True,
    statements=(
        Statement(STARTING, LineForm(STARTING + "{version:rest}"), Kind.START, {}, cause="started"),
        Statement(STOPPED, LineForm(STOPPED + "{rest:rest}"), Kind.SHUTDOWN, {}, cause="stopped"),
        *(
            Statement(mark, LineForm(f"{cause} resource limit {mark} {{node:quoted}}{end}"), kind, NODE, cause=cause)
            for mark, end, kind in (
                ("alarm set on node", ".", Kind.OVERFULL),
                ("alarm cleared on node", "", Kind.UNDERFULL),
            )
            for cause in (MEMORY, DISK)
        ),
        *(
            Statement(
                f"vm_memory_high_watermark {what}.",
                LineForm(f"vm_memory_high_watermark {what}. Memory used:{{used:plain}} allowed:{{allowed:plain}}"),
                Kind.LEVEL, {"bytes": "{used}", "limit": "{allowed}"}, cause=MEMORY,
            )
            for what in ("set", "clear")
        ),
    ),
    not_shown="no rule is about this broker",
    causes={MEMORY: Cause(MEMORY, alone=True, limit="memory-limit"), DISK: Cause(DISK, alone=True)},
)  # fmt: skip
