"""One verb at a time: what was asked, what came back, what was expected, and what to do about a difference."""

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
POLL_MS = 10
Check = Callable[[Any], bool]


@dataclass(frozen=True)
class Step:
    """One verb that was asked."""

    asked: str
    """The call, as it would be typed."""
    answer: str
    """What came back: the value, or what was raised."""
    expected: str
    fix: str = ""
    """What to do; empty where the answer is as expected."""
    about: frozenset[str] = frozenset()
    """The capabilities that this part of the walk is about; empty for the verbs that every adapter has."""

    raised: bool = False
    """Whether the verb raised, so that it answered nothing at all."""

    @property
    def verb(self) -> str:
        """The name of the verb."""
        return self.asked.partition("(")[0]

    @property
    def as_expected(self) -> bool:
        """Whether nothing is to be done."""
        return not self.fix


class NotAsExpected(Exception):
    """A step ended otherwise than expected, and what follows builds on it."""


def is_nothing(answer: Any) -> bool:
    """What verbs that only do something answer."""
    return answer is None


class Probe:
    """Asks an adapter one verb after the other, and hands each step to `report` as soon as it is known."""

    def __init__(self, adapter: Adapter, report: Callable[[Step], None], watchdog: Watchdog | None = None):
        self.adapter = adapter
        self.about: frozenset[str] = frozenset()
        """The capabilities that the steps from here on are about."""
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
        """Call a verb; NotAsExpected where it raises or `check` refuses its answer.

        With `eventually`, it is asked again until the check holds or the adapter's `eventually_ms` are over.
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
        except Exception as error:  # the adapter is what is looked at: whatever it raises is shown, and ends the walk
            self.say(asked, in_words(error), expected, fix if isinstance(error, (AdapterError, TidegateError)) else
                     f"mend what is raised at {place_of(error)}; then: {fix}", raised=True)  # fmt: skip
            raise NotAsExpected(verb) from error
        after = f", after {waited} ms" if waited else ""
        self.say(asked, f"{shown(answer)}{after}", expected, "" if fine else fix)
        if not fine:
            raise NotAsExpected(verb)
        return answer

    def require(self, asked: str, answer: str, expected: str, *, kept: bool, fix: str) -> None:
        """Report a step that calls nothing; NotAsExpected where it is not kept."""
        self.say(asked, answer, expected, "" if kept else fix)
        if not kept:
            raise NotAsExpected(asked)

    def say(self, asked: str, answer: str, expected: str, fix: str = "", *, raised: bool = False) -> None:
        """Report a step."""
        self._report(Step(asked, answer, expected, fix, self.about, raised))

    def close(self) -> None:
        """Let the watchdog go."""
        self._watchdog.close()

    def _call(self, verb: str, *arguments: Any) -> Any:
        return self._watchdog.call(getattr(self.adapter, verb), *arguments)


def shown(value: Any) -> str:
    """A value as it would be typed; of a dataclass only the fields that are not their default."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        told = ((field, getattr(value, field.name)) for field in fields(value))
        parts = [f"{field.name}={shown(one)}" for field, one in told if one != field.default]
        return f"{type(value).__name__}({', '.join(parts)})"
    return repr(value)


def in_words(error: BaseException) -> str:
    """What was raised, on one line."""
    return f"raised {type(error).__name__}: {' '.join(str(error).split())}"


def place_of(error: BaseException) -> str:
    """File and line where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"
