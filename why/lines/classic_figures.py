"""Forms of ActiveMQ Classic's figures outside its log: JMX, `activemq query`, console, metrics, health.

The names are those of the broker's own views (5.x and 6.x) and of the metrics of the usual JMX exporters.
"""

import re
from dataclasses import replace

from tidegate.why.lines.classic import ALL_MEMORY, EITHER_MEMORY, FULL, JOBS, STORE, TEMP, TIMED_OUT
from tidegate.why.lines.form import JOLOKIA, Fields, form, number, read_by_jolokia
from tidegate.why.notices import Blocked, Figures, Said

KINDS = {"memory": EITHER_MEMORY, "store": STORE, "temp": TEMP, "jobschedulerstore": JOBS}
WHAT = r"(?P<what>Memory|(?:JobScheduler)?Store|Temp)"
PERCENT = r"(?P<percent>\d{1,4}(?:\.\d{1,6})?)(?![\w.])"
FIRST_FULL = rf"(?:{JOLOKIA}.{{0,900}}?(?=\"\w{{0,40}}PercentUsage\"\s?:\s?[1-9]\d\d\b)\")?"
"""The part of a Jolokia answer with several attributes in front of the first full one."""
IS = r"(?:\W{1,30}|\W{1,3}(?:(?:is|was|at|of|now|value|reached|equals) ?){1,3}[:=]? ?)"
"""What stands between a figure's name and the figure, also in the words of a monitor."""
RATIO = 2
"""A level up to this figure is a fraction; a level above it is a percentage."""
SAMPLE = r"(?:\{(?P<labels>[^{}]{0,400})\})?"
"""The labels of a Prometheus sample."""
OF_DESTINATION = re.compile(r"\b(?:destination(?:Name)?|queue|topic)=\"(?P<name>[^\"]{1,300})\"")
KIND = re.compile(r"\bdestinationType=\"(?P<kind>[Qq]ueue|[Tt]opic)\"")
"""The labels of a sample of one destination; a sample without them is of the whole broker."""
PRODUCER = replace(
    TIMED_OUT,
    gave_up=False,
    family="classic producer",
    reason="the broker's view of the producer says that flow control blocks it: its destination, the store or the "
    "temporary space is full; the view does not tell which",
)


def _percent(fields: Fields) -> Said | None:
    """A level in percent; a level of memory belongs to the broker or to one destination."""
    return _level(fields, float(fields["percent"]))


def _ratio(fields: Fields) -> Said | None:
    """A level as a fraction, or as a percentage from exporters that do not scale it."""
    level = float(fields["percent"])
    return _level(fields, level * FULL if level <= RATIO else level)


def _level(fields: Fields, percent: float) -> Said | None:
    if percent < FULL:
        return None
    cause = KINDS[fields["what"].lower().replace("_", "")]
    labels = fields.get("labels")
    place = OF_DESTINATION.search(labels or "")
    if cause is EITHER_MEMORY and (fields.get("broker") or (labels is not None and place is None)):
        cause = replace(ALL_MEMORY, place_is="")
    return Blocked(cause, _place(place, labels or "") if place else "", figures=Figures(text=f"{percent:.0f}% used"))


def _place(found: re.Match[str], labels: str) -> str:
    """The destination that labels name, with its kind if they name that too."""
    kind = KIND.search(labels)
    return f"{kind['kind'].lower()}://{found['name']}" if kind else found["name"]


def _blocked(fields: Fields) -> Said | None:
    if fields["set"].lower() == "true":
        return Blocked(PRODUCER, "", "a producer")
    return None


def _near(fields: Fields) -> Said | None:
    """The broker's health, which warns from 90 percent on; None below the limit."""
    kind = {"": STORE, "Temp": TEMP, "JobScheduler": JOBS}[fields["kind"]]
    if (number(fields["percent"]) or 0) < FULL:
        return None
    return Blocked(kind, figures=Figures(text=f"{fields['percent']}% used"))


FORMS = (
    form(
        "PercentUsage",
        rf"{FIRST_FULL}(?:\w{{1,80}}_)?(?<!uler){WHAT}PercentUsage{SAMPLE}{IS}{PERCENT}",
        _percent,
    ),
    form('"attribute"', read_by_jolokia(f"{WHAT}PercentUsage", PERCENT), _percent),
    form(
        "percent used",
        rf"{WHAT} (?P<broker>percent used)(?:[\s:|*]|</?\w{{1,6}}>){{1,20}}(?P<percent>\d{{1,4}})\b",
        _percent,
    ),
    form(
        "_percent_usage",
        rf"(?:\w{{1,60}}?_)??(?P<what>memory|(?:job_scheduler_)?store|temp)_percent_usage{SAMPLE}[ :=]{{1,4}}{PERCENT}",
        _percent,
    ),
    form(
        "_percent",
        rf"activemq_(?P<broker>broker_)?(?P<what>memory|store|temp)_percent{SAMPLE}[ :=]{{1,4}}{PERCENT}",
        _percent,
    ),
    form(
        "_pct",
        rf"activemq\.(?:(?P<broker>broker)|queue|topic)\.(?P<what>memory|store|temp)_pct{SAMPLE}[ :=|]{{1,4}}{PERCENT}",
        _percent,
    ),
    form(
        "_usage_ratio",
        rf"activemq_(?P<what>memory|store|temp)_usage_ratio{SAMPLE}[ :=]{{1,4}}{PERCENT}",
        _ratio,
    ),
    form(
        "Store size is within",
        r"(?P<kind>Temp|JobScheduler|)Message Store size is within (?P<percent>\d{1,4})% of its limit",
        _near,
    ),
    form("roducerBlocked", r"\"?[Pp]roducerBlocked\"?\s{0,20}[:=]\s{0,20}(?P<set>true|false)\b", _blocked),
)
