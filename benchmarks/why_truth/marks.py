"""The meaning of log lines, by rules that were written before any answer was seen.

A line *shows* that a destination blocks if it has one of the product's codes or phrases for a block and names the
destination. It shows the end if it has one for an end. Nothing else counts, so a line may show more than a reader can
use. A name at the end of a line may be part of a longer name, so something must follow it.
"""

import re
from collections.abc import Iterable

STOPS = {
    "qpid": (r"QUE-1003.*", r"CHN-1005.*"),
    "artemis": (r"AMQ222183.*", r"AMQ222212.*", r"AMQ224114.*"),
    "classic": (r"Usage Manager.*", r"(?:[Ss]tore|[Cc]ursor) is [Ff]ull.*"),
}
ENDS = {
    "qpid": (r"QUE-1004.*", r"CHN-1006.*", r"QUE-1002.*"),
    "artemis": (r"AMQ221046.*", r"AMQ224115.*", r"AMQ224113.*"),
    "classic": (),
}
REFUSALS = {
    "qpid": (r"Maximum depth exceeded.*", r"QUE-1005.*"),
    "artemis": (r"AMQ229102.*", r"Address is full.*", r"AMQ222703.*", r"AMQ224120.*", r"AMQ224123.*"),
    "classic": (r"ResourceAllocationException.*", r"Rejecting send.*", r"sendFailIfNoSpace.*"),
}
FOR_ALL = {"qpid": ("** All Queues **", "MST-1008"), "artemis": ("AMQ222210",), "classic": ()}
"""The marks of a line about all destinations of a store or disk."""
STARTS = ("BRK-1001", "AMQ221000", "AMQ221001", ") is starting")
CLOSES = ("CHN-1003", "CON-1002")


def product(name: str) -> str:
    """The product of a run such as artemis-core-2.6.2."""
    return name.partition("-")[0]


def _names(destination: str) -> str:
    return rf"(?<![\w.]){re.escape(destination)}(?=[^\w.]|\.(?:\W|$))"


def _any(parts: Iterable[str], line: str, destination: str) -> bool:
    if not re.search(_names(destination), line):
        return False
    return any(re.search(part, line) for part in parts)


def stops(of: str, line: str, destination: str) -> bool:
    """Whether a line shows that the destination blocks."""
    return _any(STOPS[of], line, destination)


def ends(of: str, line: str, destination: str) -> bool:
    """Whether a line shows that the destination's block ended."""
    return _any(ENDS[of], line, destination)


def refuses(of: str, line: str, destination: str) -> bool:
    """Whether a line shows that a send to the destination was refused."""
    return _any(REFUSALS[of], line, destination)


def of_all(of: str, line: str) -> bool:
    """Whether a line shows that a store or disk blocks all of its destinations."""
    return any(part in line for part in FOR_ALL[of])


def telling(of: str, line: str) -> bool:
    """Whether a line may be about any stop, end or start; other lines are noise."""
    parts = (*STOPS[of], *ENDS[of], *REFUSALS[of])
    return any(re.search(part, line) for part in parts) or any(
        part in line
        for part in (*FOR_ALL[of], *STARTS, *CLOSES, "MST-1009", "AMQ222211", "paging", "Usage(", "cursor", "Full")
    )
