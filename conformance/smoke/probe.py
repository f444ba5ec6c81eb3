"""Asks one verb at a time and reports the call, the answer, what was expected, and how to mend a difference."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tidegate.adapters.base import Adapter, AdapterError
from tidegate.conformance.watchdog import Watchdog
from tidegate.record.errors import TidegateError

WATCHDOG_MS = 30_000
START_WATCHDOG_MS = 90_000
"""The time for `start`: longer than the time after which the driver of a program gives up, and says why."""
POLL_MS = 10
Check = Callable[[Any], bool]


@dataclass(frozen=True)
class Step:
    """One call of a verb."""

    asked: str
    """The call, as a person would type it."""
    answer: str
    """The returned value, or the raised error."""
    expected: str
    fix: str = ""
    """How to mend the fault; empty if the answer is as expected."""
    about: frozenset[str] = frozenset()
    """The capabilities that this part of the walk tests; empty for the verbs that every adapter has."""

    raised: bool = False
    """Whether the verb raised, so that there was no answer."""

    @property
    def verb(self) -> str:
        """The name of the verb."""
        return self.asked.partition("(")[0]

    @property
    def as_expected(self) -> bool:
        """Whether nothing has to be mended."""
        return not self.fix


class NotAsExpected(Exception):
    """A step ended otherwise than expected, and the next steps build on it."""


def is_nothing(answer: Any) -> bool:
    """The answer of verbs that return nothing."""
    return answer is None


class Probe:
    """Asks an adapter one verb after another, and gives each step to `report` at once."""

    def __init__(self, adapter: Adapter, report: Callable[[Step], None], watchdog: Watchdog | None = None):
        self.adapter = adapter
        self.about: frozenset[str] = frozenset()
        """The capabilities that the next steps test."""
        self._report = report
        self._watchdog = watchdog or Watchdog(WATCHDOG_MS)

    def ask(
        self,
        verb: str,
        *arguments: Any,
        expected: str = "None",
        check: Check = is_nothing,
        fix: str,
        eventually: bool = False,
    ) -> Any:
        """Call a verb; NotAsExpected if it raises or `check` refuses its answer.

        With `eventually`, it is called again until the check holds or the adapter's `eventually_ms` are over.
        """
        asked = f"{verb}({', '.join(map(shown, arguments))})"
        waited = 0
        try:
            answer = self._call(verb, *arguments)
            while eventually and not check(answer) and waited < self.adapter.parameters.eventually_ms:
                self._call("advance", POLL_MS)
                waited += POLL_MS
                answer = self._call(verb, *arguments)
            fine = check(answer)
        except Exception as error:  # the adapter is under test: whatever it raises is reported and ends the walk
            self.say(asked, in_words(error), expected, fix if isinstance(error, (AdapterError, TidegateError)) else
                     f"mend what is raised at {place_of(error)}; then: {fix}", raised=True)  # fmt: skip
            raise NotAsExpected(verb) from error
        after = f", after {waited} ms" if waited else ""
        self.say(asked, f"{shown(answer)}{after}", expected, "" if fine else fix)
        if not fine:
            raise NotAsExpected(verb)
        return answer

    def require(self, asked: str, answer: str, expected: str, *, kept: bool, fix: str) -> None:
        """Report a step without a call; NotAsExpected if it is not kept."""
        self.say(asked, answer, expected, "" if kept else fix)
        if not kept:
            raise NotAsExpected(asked)

    def say(self, asked: str, answer: str, expected: str, fix: str = "", *, raised: bool = False) -> None:
        """Report a step."""
        self._report(Step(asked, answer, expected, fix, self.about, raised))

    def close(self) -> None:
        """Close the watchdog."""
        self._watchdog.close()

    def _call(self, verb: str, *arguments: Any) -> Any:
        called = getattr(self.adapter, verb)
        if verb == "start":
            return self._watchdog.call_within(START_WATCHDOG_MS, called, *arguments)
        return self._watchdog.call(called, *arguments)


def shown(value: Any) -> str:
    """A value as a person would type it; a dataclass shows only fields that differ from their default."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        told = ((field, getattr(value, field.name)) for field in fields(value))
        parts = [f"{field.name}={shown(one)}" for field, one in told if one != field.default]
        return f"{type(value).__name__}({', '.join(parts)})"
    return repr(value)


def in_words(error: BaseException) -> str:
    """The error on one line."""
    return f"raised {type(error).__name__}: {' '.join(str(error).split())}"


def place_of(error: BaseException) -> str:
    """The file and line where the error was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"
