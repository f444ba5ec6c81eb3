"""Tells files of one broker from files of several: the nodes of a cluster have the same addresses and queues."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath

from tidegate.why.times import Stamp

ROTATED = re.compile(r"(?:\.(?:gz|bz2|xz)|[.-]\d{4}-?\d\d-?\d\d(?:[._-]\d+)?|\.\d{1,4}|\.(?:log|out|txt))+\Z")
"""The suffix of a rotated log behind the log's own name: a number or a day, and the packing."""
LEVELS = "trace|debug|info|notice|warn|warning|error|severe|critical|fatal|fine|finer|finest"
"""The levels of log lines, which may stand in front of a bar as the name of a container does."""
ORIGINS = (
    re.compile(r"\[pod/(?P<name>[\w.-]+)/"),
    re.compile(rf"(?!(?:{LEVELS})\s*\|)(?P<name>[a-z][\w.-]*)\s*\| "),
    re.compile(r"(?P<name>[a-z0-9][a-z0-9.-]*-[a-z0-9.-]*[a-z0-9]) [a-z0-9][a-z0-9-]*(?: ›)? (?=\[?\d{4}-)"),
    re.compile(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?P<name>[\w.-]+) [\w./@-]+\[\d+\]: "),
    re.compile(r"\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d:?\d\d) (?P<name>[\w.-]+) [\w./@-]+\[\d+\]: "),
    re.compile(r"\{.*?\"(?:pod|pod_name|k8s\.pod\.name|_HOSTNAME|hostname)\"\s*:\s*\"(?P<name>[^\"]{1,200})\""),
)
"""The forms in which `kubectl logs --prefix`, docker compose, stern, journald, syslog and collectors name the source of
a line."""
HEADS = (
    re.compile(r"(?P<name>[\w.-]{1,100}) \| (?:CHANGED|SUCCESS|FAILED)!?(?: \| rc=\d{1,3})? >>\s*"),
    re.compile(r"==> (?P<name>\S[^<>]{0,300}?) <==\s*"),
)
"""The lines by which Ansible and `tail` name the host or the file of the lines behind them."""
OF_A_DEPLOYMENT = re.compile(r"-[a-f0-9]{6,10}-[a-z0-9]{5}\Z")
"""The suffix of a pod of a deployment; it changes with a restart."""
Span = tuple[Stamp, Stamp]


def sources(spans: Mapping[str, Span | None]) -> dict[str, str]:
    """By file, the name of the log that it belongs to: empty for files that may all be of one broker.

    Rotated files belong to one broker by their name. Two logs that were written at the same time belong to different
    brokers.
    """
    by_name: dict[str, list[str]] = {}
    for file in spans:
        by_name.setdefault(name(file), []).append(file)
    whole = {own: _together([spans[file] for file in files]) for own, files in by_name.items()}
    alone = {
        own
        for own, span in whole.items()
        if any(_meet(span, other) for theirs, other in whole.items() if theirs != own)
    }
    return {file: own if own in alone else "" for own, files in by_name.items() for file in files}


def name(file: str) -> str:
    """The name that a log shares with its rotated files."""
    path = PurePath(file)
    return str(path.with_name(ROTATED.sub("", path.name) or path.name))


def _together(spans: list[Span | None]) -> Span | None:
    told = [span for span in spans if span is not None]
    if not told:
        return None
    return min((span[0] for span in told), key=_instant), max((span[1] for span in told), key=_instant)


def _meet(one: Span | None, other: Span | None) -> bool:
    if one is None or other is None:
        return False
    return _instant(one[0]) < _instant(other[1]) and _instant(other[0]) < _instant(one[1])


def _instant(time: Stamp) -> datetime:
    return time.instant


def origin(line: str) -> str:
    """The host, pod or container of a line, as a tool or a collector names it; empty if none is named."""
    for form in ORIGINS:
        found = form.match(line)
        if found is not None:
            return OF_A_DEPLOYMENT.sub("", found["name"])
    return ""


def headed(line: str) -> str:
    """The host or log of the lines behind this line; empty if the line is no head."""
    found = next(filter(None, (head.fullmatch(line) for head in HEADS)), None) if line.endswith((">>", "<==")) else None
    return name(found["name"]) if found is not None else ""
