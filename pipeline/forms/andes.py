"""The log of WSO2 Message Broker: one channel or all publishers are stopped or released.

Lines that tidegate rendered are marked as such, and so are the causes of their events.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import tzinfo

from tidegate.model.mechanisms.andes_log import (
    ALL_RELEASED,
    ALL_RELEASED_BY_ERRORS,
    ALL_STOPPED,
    ALL_STOPPED_BY_ERRORS,
    CHANNEL_RELEASED,
    CHANNEL_STOPPED,
    OLD_ALL_RELEASED,
    OLD_ALL_STOPPED,
    OLD_CHANNEL_RELEASED,
    OLD_CHANNEL_STOPPED,
    RENDERED,
)
from tidegate.model.traces.log_rules import OF_ANDES_LOGS
from tidegate.pipeline.lines.line_form import LineForm, Unparsed
from tidegate.pipeline.lines.log_form import LogForm, Statement, Subject
from tidegate.pipeline.lines.times import STAMPED, iso_time
from tidegate.record.events import Kind

BY_CHANNEL = "channel"
BY_ALL = "global"
BY_ERRORS = "global errors"
RENDERED_CAUSE = "rendered "
"""The prefix of the cause of an event that was read from a rendered line."""
TENANT = re.compile(r"TID: \[[^\]]*\] \[[^\]]*\] ")
"""The prefix of a line in the log file, before its time; lines on the console have none."""
LOGGER = " {{logger:quoted}}"
"""The suffix of a line in the log file, after its text; lines on the console have none."""
IS_RENDERED = Subject(RENDERED, re.escape(RENDERED) + r" -", "rendered", f"expected {RENDERED}")


def time_of(line: str, zone: tzinfo) -> int | Unparsed:
    """The time in brackets, after the tenant if one is named."""
    return iso_time(TENANT.sub("", line, count=1), zone)


def _either_way(template: str, kind: Kind, cause: str) -> Iterator[Statement]:
    """Statements for rendered lines and for lines that a broker wrote, with the logger at the end and without."""
    for tail in ("", LOGGER):
        form = LineForm(template + tail)
        written = Statement(_mark(template), form, kind, _carried(form), cause=cause)
        yield replace(written, subject=IS_RENDERED, cause=RENDERED_CAUSE + cause)
        yield written


def _mark(template: str) -> str:
    return template.partition(" [")[0].partition(" {")[0]


def _carried(form: LineForm) -> Mapping[str, str]:
    return {name: f"{{{name}}}" for name in form.types if name != "logger"}


TEMPLATES = (
    (CHANNEL_STOPPED, Kind.STOP, BY_CHANNEL),
    (CHANNEL_RELEASED, Kind.RELEASE, BY_CHANNEL),
    (OLD_CHANNEL_STOPPED, Kind.STOP, BY_CHANNEL),
    (OLD_CHANNEL_RELEASED, Kind.RELEASE, BY_CHANNEL),
    (ALL_STOPPED, Kind.OVERFULL, BY_ALL),
    (ALL_RELEASED, Kind.UNDERFULL, BY_ALL),
    (OLD_ALL_STOPPED, Kind.OVERFULL, BY_ALL),
    (OLD_ALL_RELEASED, Kind.UNDERFULL, BY_ALL),
    (ALL_STOPPED_BY_ERRORS, Kind.OVERFULL, BY_ERRORS),
    (ALL_RELEASED_BY_ERRORS, Kind.UNDERFULL, BY_ERRORS),
)

FORM = LogForm(
    name="andes log",
    broker="andes",
    recognised_by=re.compile(
        r"\{org\.wso2\.andes\.(?:kernel|server|amqp|mqtt)\.|\b[Ff]low control (?:en|dis)abled(?: for channel\b|\.)"
    ),
    begins=re.compile(rf"(?:{TENANT.pattern})?{STAMPED.pattern}"),
    time=time_of,
    statements=tuple(each for template in TEMPLATES for each in _either_way(*template)),
    rules=OF_ANDES_LOGS,
)
