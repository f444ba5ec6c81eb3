"""The complaint in the log of a server or program that ended, in half a sentence."""

import re
from collections.abc import Sequence
from itertools import takewhile

EXCEPTION = re.compile(r"(?:[a-z_]\w*\.)+(?P<what>[A-Z][\w$]*(?:Exception|Error)\b.*)")
OF_OTHER_LANGUAGES = re.compile(
    r"\s*(?P<what>(?:\w*Error|\w*Exception)\b(?: \[\w+\])?: .+|(?:panic|fatal error): .+|thread '.*' panicked .+)"
)
"""The line of an error of Python, Node.js, Ruby, Go or Rust, at the beginning of a line."""
CAUSE = "Caused by: "
TRACE = re.compile(rf"\s+at |\s+\.\.\. \d+ |\s*{CAUSE}|\s*Suppressed: ")
"""A line that continues the trace of an exception."""
LAST_LINES = 3


def complaint(log: str) -> str:
    """The first exception in a log, with its innermost cause; without one, the last lines."""
    lines = [line for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if found := EXCEPTION.search(line) or OF_OTHER_LANGUAGES.match(line):
            return _with_cause(found["what"].strip(), lines[number + 1 :])
    return " / ".join(line.strip() for line in lines[-LAST_LINES:]) or "it wrote nothing"


def _with_cause(what: str, after: Sequence[str]) -> str:
    causes = [line.strip() for line in takewhile(TRACE.match, after) if CAUSE in line]
    innermost = EXCEPTION.search(causes[-1]) if causes else None
    return f"{what} (caused by {innermost['what'].strip()})" if innermost and innermost["what"] not in what else what
