"""Builds witnesses: steps in which producers fill a destination up to its bound, run on the mechanism itself.

The mechanism is the model's, by the rules of the requested version; this module does not know the effect of a step. One
producer fills the destination while it is open; producers that get credit in advance have requested it by then, and
spend it at the end. A consumer that takes messages meanwhile adds nothing. Fewer messages cannot hold as much.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Traffic
from tidegate.model.mechanisms.mechanism import Mechanism
from tidegate.record.counts import counted

MOST_STEPS = 12_000
"""The most messages of a witness that is run while a file is explained."""


@dataclass(frozen=True)
class Course:
    """The filling of a destination: its mechanism and settings, and the way in which producers get permission to
    send."""

    mechanism: Mechanism[Any, Any]
    settings: Any
    open_messages: int
    """The most messages with which the destination is open."""
    asks_ahead: bool = False
    """Whether producers are granted credit only on request."""
    comes_anew: bool = False
    """Whether a producer gets a whole new window when it closes and opens again."""
    at_most: int | None = None
    """The most credit of a producer, as the bytes of one message that uses all of it."""
    in_messages: bool = False
    """Whether the level of the mechanism counts messages, so that each message counts 1."""


@dataclass(frozen=True)
class Witness:
    """Steps in words, and their result: messages and bytes stored."""

    steps: tuple[str, ...]
    messages: int
    bytes: int
    consumed_before: int = 0
    """The number of messages that each other producer, in turn, had consumed until it had the most credit."""
    consumed_when_full: int = 0
    """The number of messages that the first producer, at the limit, had consumed until it had the most credit."""


def witness(course: Course, traffic: Traffic, most_steps: int = MOST_STEPS) -> Witness | None:
    """The shortest steps to the highest level; None if they need more than `most_steps` sends."""
    run = _Run(course, traffic, most_steps)
    try:
        run.all()
    except _TooLong:
        return None
    return Witness(tuple(run.steps()), run.stored, run.level, run.warmed, run.consumed)


def goes_on(course: Course, traffic: Traffic, messages: int = 3) -> Witness:
    """The first messages of one producer that is never stopped, for a destination without a bound."""
    run = _Run(course, traffic, messages)
    run.attach("p1")
    for _ in range(messages):
        run.send("p1")
    return Witness(tuple(run.steps()), run.stored, run.level)


class _TooLong(Exception):
    pass


class _Run:
    def __init__(self, course: Course, traffic: Traffic, most_steps: int):
        self.course, self.mechanism = course, course.mechanism
        self.size, self.bytes_of_one = (1 if course.in_messages else traffic.size), traffic.size
        self.state = course.mechanism.empty(course.settings)
        self.names = [f"p{number}" for number in range(1, traffic.producers + 1)]
        self.left = most_steps
        self.stored = 0
        self.warmed = 0
        """The number of messages that each other producer sent and had consumed until it had the most credit."""
        self.consumed = 0
        """The number of messages that the first producer, at the limit, had consumed until it had the most credit."""
        self.said: list[tuple[str, int, int, str]] = []
        """For each run of equal steps: the producer, its number of messages, the bytes then stored, and any other
        action."""

    @property
    def level(self) -> int:
        level = self.mechanism.level(self.state)
        return level * self.bytes_of_one if self.course.in_messages else level

    def all(self) -> None:
        first, others = self.names[0], self.names[1:]
        if self.course.at_most is not None:
            self.on_top(self.course.at_most)
            return
        self.attach(first)
        if self.course.asks_ahead:
            for name in others:
                self.attach(name)
                self.state = self.mechanism.after_request(self.state, name, self.size)
        self.send_while(first, lambda: self.stored < self.course.open_messages)
        if self.course.comes_anew and self.stored:
            self.state = self.mechanism.after_close(self.state, first)
            self.attach(first)
            self.said.append((first, 0, self.level, "closes and opens again"))
        if not self.course.asks_ahead:
            for name in others:
                self.attach(name)
        for name in self.names:
            self.send_while(name, lambda: True)

    def on_top(self, most: int) -> None:
        """Fill the destination while every producer has the most credit, which a message of `most` bytes would use
        up."""
        for name in self.names:
            self.attach(name)
        for name in self.names[1:]:
            self.warmed = self.warm(name, 0, most)
        self.said.clear()
        first = self.names[0]
        self.consumed = self.warm(first, self.course.open_messages, most)
        if self.consumed:
            had = f"had {counted(self.consumed, 'messages')} of its own consumed meanwhile"
            self.said.append((first, 0, self.level, had))
        for name in self.names:
            self.send_while(name, lambda: True)

    def warm(self, name: str, stored: int, most: int) -> int:
        """Send until `stored` messages are stored and the producer has the most credit; the number of messages consumed
        meanwhile."""
        consumed = 0
        while True:
            self.state = self.mechanism.after_request(self.state, name, self.size)
            if self.stored >= stored and self.mechanism.may_send(self.state, name, most):
                return consumed
            if not self.send(name):
                return consumed
            if self.stored > stored:
                self.state = self.mechanism.after_removal(self.state, name, self.size)
                self.stored -= 1
                consumed += 1

    def attach(self, name: str) -> None:
        self.state = self.mechanism.after_attach(self.state, name)

    def send_while(self, name: str, wanted: Callable[[], bool]) -> None:
        while wanted() and self.send(name):
            pass

    def send(self, name: str) -> bool:
        """Send one message; whether the producer could send it and it was stored."""
        state = self.mechanism.after_request(self.state, name, self.size)
        if not self.mechanism.may_send(state, name, self.size) or not self.mechanism.stores(state, self.size):
            return False
        if self.left == 0:
            raise _TooLong
        self.left -= 1
        self.state = self.mechanism.after_send(state, name, self.size)
        self.stored += 1
        who, count, _, other = self.said[-1] if self.said else ("", 0, 0, "")
        if who == name and not other:
            self.said[-1] = (name, count + 1, self.level, "")
        else:
            self.said.append((name, 1, self.level, ""))
        return True

    def steps(self) -> Iterator[str]:
        """The steps in words; producers with equal steps share a sentence."""
        number = 0
        if self.course.asks_ahead and len(self.names) > 1:
            sent = f"sent {counted(self.warmed, 'messages')}, which were consumed, and " if self.warmed else ""
            yield f"{_who(self.names[1:])} {sent}asked for credit while the destination was empty"
        while number < len(self.said):
            name, count, level, other = self.said[number]
            if other:
                yield f"{name} {other}"
                number += 1
                continue
            alike = [name]
            while number + 1 < len(self.said) and self.said[number + 1][1] == count and not self.said[number + 1][3]:
                number += 1
                alike.append(self.said[number][0])
                level = self.said[number][2]
            number += 1
            verb = "send" if len(alike) > 1 else "sends"
            each = " each" if len(alike) > 1 else ""
            yield (
                f"{_who(alike)} {verb} {counted(count, 'messages')}{each} of {counted(self.bytes_of_one, 'bytes')}: "
                f"{shown(level)} stored"
            )


def _who(names: list[str]) -> str:
    if len(names) <= 2:
        return " and ".join(names)
    return f"{names[0]} to {names[-1]}"
