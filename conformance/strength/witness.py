"""Witnesses: a short script of verbs to which a faulty broker answers otherwise than the right one.

Both are stepped side by side by random verbs. A combination without a difference does not count as a fault, as far as
the search went.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions, Usage
from tidegate.conformance.strength.faults import SERIES, Fault
from tidegate.conformance.strength.playing import Call, Player, answer_of, looks

SEQUENCES = 80
STEPS = 14
FILE = "witnesses.json"
VALUES = {one.__name__: one for one in (Limits, Usage, ProducerOptions, ConsumerOptions)}
OPENS = ("open_producer", "open_anonymous_producer")
DECLARES = ("declare", "declare_topic")


class Differs(Exception):
    """The two brokers answered differently."""


@dataclass(frozen=True)
class Witnesses:
    """The witness of each fault, by its name, and the names of the combinations that showed no difference."""

    scripts: Mapping[str, tuple[Call, ...]]
    same: frozenset[str]


class Pair:
    """The right broker and the broken one, stepped side by side."""

    def __init__(self, right: Any, broken: Any, *, wide: bool = False):
        self._wide = wide
        """Whether what management shows of its work is compared too."""
        self._right = right
        self._broken = broken
        self.calls: list[Call] = []
        self._producers: list[str] = []
        self._destinations: list[str] = []
        self._connection: dict[str, str] = {}

    def begin(self) -> None:
        """Begin a new scenario."""
        for adapter in (self._right, self._broken):
            adapter.end_scenario()
            adapter.stop()
            adapter.start()  # a log begins anew, and stays short
        self.calls, self._producers, self._destinations = [], [], []

    def do(self, verb: str, arguments: tuple[Any, ...]) -> Any:
        """Do a verb on both; the right answer. Raises Differs if the answers differ."""
        call = verb, arguments
        self.calls.append(call)
        answer = answer_of(self._right, call)
        if answer_of(self._broken, call) != answer:
            raise Differs
        self._keep(verb, arguments)
        return answer

    def look(self) -> None:
        """Raises Differs if the reports of the two differ."""
        seen = (
            list(looks(one, self._producers, self._destinations, wide=self._wide))
            for one in (self._right, self._broken)
        )
        if next(seen) != next(seen):
            raise Differs

    def shows(self, script: Sequence[Call]) -> bool:
        """Whether the two first differ at the last call of the script."""
        return self.first_difference(script) == len(script)

    def first_difference(self, script: Sequence[Call], *, looks_at_end: bool = False) -> int | None:
        """The number of calls of a script after which the two differ; None if they never do.

        With `looks_at_end` their reports are compared after the last call only, which is faster.
        """
        self.begin()
        for number, (verb, arguments) in enumerate(script, start=1):
            try:
                self.do(verb, arguments)
                if number == len(script) or not looks_at_end:
                    self.look()
            except Differs:
                return number
            except (KeyError, ValueError, AttributeError):  # without an earlier call this one has no meaning
                return None
        return None

    def _keep(self, verb: str, arguments: tuple[Any, ...]) -> None:
        if verb in OPENS:
            self._producers.append(arguments[0])
            self._connection[arguments[0]] = arguments[1]
        elif verb in DECLARES:
            self._destinations.append(arguments[0])
        elif verb == "restart_broker":
            self._producers = []
        elif verb == "close_producer":
            self._producers.remove(arguments[0])
        elif verb in ("kill", "close_connection"):
            self._producers = [name for name in self._producers if self._connection[name] != arguments[0]]


def witness_of(fault: Fault, cls: type) -> tuple[Call, ...] | None:
    """A short script that shows a fault; None if none was found."""
    right, broken = cls(), fault.make(cls)
    try:
        wide = fault.series == SERIES[1]
        pair = Pair(right, broken, wide=wide)
        for number in range(SEQUENCES):
            random = Random(f"{fault.name} {number}")  # noqa: S311
            pair.begin()
            try:
                Player(random, cls.capabilities, pair.do, pair.look, wide=wide).play(STEPS)  # type: ignore[attr-defined]
            except Differs:
                calls = pair.calls
                return _shortened(pair, calls[: pair.first_difference(calls)])
        return None
    finally:
        right.stop()
        broken.stop()


def _shortened(pair: Pair, calls: list[Call]) -> tuple[Call, ...]:
    """The script without calls that can be left out."""
    script, size = list(calls), max(len(calls) // 2, 1)
    while True:
        start = len(script) - 1
        while start > 0:
            shorter = script[: max(start - size, 0)] + script[start:]
            found = pair.first_difference(shorter, looks_at_end=True) if len(shorter) < len(script) else None
            if found is not None:
                script = shorter[:found]
            start -= size
        if size == 1:
            return tuple(script[: pair.first_difference(script)])
        size //= 2


@cache
def known() -> Witnesses:
    """The committed witnesses."""
    content = json.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
    scripts = {name: tuple(map(_read, script)) for name, script in content["faults"].items()}
    return Witnesses(scripts, frozenset(content["same"]))


def written(witnesses: Witnesses) -> str:
    """The text of the file of witnesses."""
    scripts = (
        f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(_written(call))}" for call in script) + "\n ]"
        for name, script in sorted(witnesses.scripts.items())
    )
    return '{"faults": {\n' + ",\n".join(scripts) + f'\n}},\n"same": {json.dumps(sorted(witnesses.same), indent=1)}}}\n'


def in_words(script: Sequence[Call]) -> Iterator[str]:
    """A script as lines, the last one followed by its effect."""
    for verb, arguments in script:
        yield " ".join([verb, *(json.dumps(_value(value)) for value in arguments)])
    yield "and the right broker answers, or stands, otherwise"


def _written(call: Call) -> list[Any]:
    verb, arguments = call
    return [verb, *map(_value, arguments)]


def _value(value: Any) -> Any:
    kind = type(value).__name__
    if kind not in VALUES:
        return value
    plain = asdict(VALUES[kind]())
    return {kind: {name: found for name, found in asdict(value).items() if found != plain[name]}}


def _read(content: list[Any]) -> Call:
    verb, *arguments = content
    return verb, tuple(map(_read_value, arguments))


def _read_value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        ((kind, found),) = value.items()
        return VALUES[kind](**found)
    return value
