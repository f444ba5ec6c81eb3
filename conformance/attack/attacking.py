"""Strategies that fill a destination as far as producers can, through the verbs of the adapter contract alone.

What a producer is told decides its next step: no producer sends without credit, past an order to stop, or while an
earlier send still waits. An implementation that exceeds its bound does so with well-behaved producers.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any

from tidegate.adapters.base import Adapter, AdapterError, Outcome, ProducerOptions
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import ClosesClients
from tidegate.conformance.answers import check_answer
from tidegate.conformance.attack.aim import AMQP_CREDIT, CORE_WINDOW, Aim, Attack
from tidegate.conformance.watchdog import Watchdog
from tidegate.record.counts import counted
from tidegate.record.errors import TidegateError

GOES_ON = (Outcome.ACCEPTED, Outcome.SENT)
CALL_MS = 30_000
POLL_MS = 20
RANDOM_STEPS = 120
TAKES = 0.3
"""The probability that a random step takes a message."""
BURSTS = (1, 1, 3, 20)
FURTHER = 5
"""The number of further messages, from 0, with which the moment is searched at which a client asks for credit again."""


class NotDriven(TidegateError):
    """The implementation could not be driven, so nothing is known of its highest level."""


def begun(adapter: Adapter) -> None:
    """Start an implementation. NotDriven if that fails."""
    try:
        adapter.start()
    except AdapterError as error:
        raise NotDriven(str(error)) from error


def attacks(adapter: Adapter, aim: Aim, seeds: int) -> list[Attack]:
    """Every strategy, each on its own destination. NotDriven if the implementation cannot be driven."""
    watchdog = Watchdog(None if getattr(adapter, "answers_at_once", False) else CALL_MS)
    try:
        return list(_attacks(adapter, watchdog, aim, seeds))
    except AdapterError as error:
        raise NotDriven(str(error)) from error
    finally:
        watchdog.close()


def _attacks(adapter: Adapter, watchdog: Watchdog, aim: Aim, seeds: int) -> Iterator[Attack]:
    strategies: list[tuple[str, Callable[[_Producers], None]]] = [
        ("one fills, then all", _Producers.fill_up),
        ("all in turn", _Producers.in_turn),
    ]
    if aim.mechanism == CORE_WINDOW:
        strategies.append(("credit asked for ahead", partial(_Producers.ask_ahead, anew=False)))
        strategies.append(("the same, and one comes anew", partial(_Producers.ask_ahead, anew=True)))
        strategies += [
            (f"credit asked for again after {further} further messages", partial(_Producers.ask_again, further=further))
            for further in range(FURTHER)
        ]
        if aim.moments is not None:
            strategies.append(("credit asked for again when the model says", _Producers.ask_when_the_model_says))
    strategies += [(f"at random ({seed})", partial(_Producers.at_random, seed=seed)) for seed in range(seeds)]
    for number, (name, strategy) in enumerate(strategies):
        producers = _Producers(adapter, watchdog, aim, f"attack-{number}")
        strategy(producers)
        yield Attack(name, producers.most, producers.most_messages, tuple(producers.steps()))
        watchdog.call(adapter.end_scenario)


class _Producers:
    """All producers of one destination, and its consumer."""

    def __init__(self, adapter: Adapter, watchdog: Watchdog, aim: Aim, destination: str):
        self.adapter, self.watchdog, self.aim, self.destination = adapter, watchdog, aim, destination
        self.names = [f"p{number}" for number in range(1, aim.producers + 1)]
        self.most = self.most_messages = 0
        self._ids = count(1)
        self._waiting: set[str] = set()
        """Producers with a send that still waits."""
        self._said: list[tuple[str, int, str]] = []
        """The runs of equal steps so far, each as the producer, the number of messages, and any other action."""
        self.ask("declare", destination, aim.limits)
        self.ask("open_consumer", self._name("consumer"), self._name("consumers"), destination)

    def ask(self, verb: str, *arguments: Any) -> Any:
        answer = self.watchdog.call(getattr(self.adapter, verb), *arguments)
        check_answer(verb, answer)
        return answer

    def _name(self, name: str) -> str:
        return f"{self.destination}-{name}"

    def fill_up(self) -> None:
        """One producer fills the destination while it takes more, the others come, and all use up their credit."""
        first, others = self.names[0], self.names[1:]
        self.open(first)
        self.send(first, self.aim.open_messages, patiently=True)
        self.come_anew(first)
        for name in others:
            self.open(name)
        for name in self.names:
            self.spend(name)

    def in_turn(self) -> None:
        """All producers send one message in turn, until none may."""
        for name in self.names:
            self.open(name)
        while [name for name in self.names if self.send(name, 1)]:
            pass
        self.look()

    def ask_ahead(self, *, anew: bool) -> None:
        """The others get credit by a first message, one fills the rest, may come anew, and all use up their credit."""
        first, others = self.names[0], self.names[1:]
        for name in self.names:
            self.open(name)
        for name in others:
            self.send(name, 1)
        self.send(first, self.aim.open_messages - len(others), patiently=True)
        if anew:
            self.come_anew(first)
        for name in self.names:
            self.spend(name)

    def ask_again(self, *, further: int) -> None:
        """The others have two messages consumed, one fills the rest and has `further` consumed, and all use up their
        credit.

        A client that asks for more before it has spent its credit is granted most at one moment, which is searched.
        """
        first, others = self.names[0], self.names[1:]
        for name in self.names:
            self.open(name)
        for name in others:
            self.send(name, 2)
            self.take()
            self.take()
        self.send(first, self.aim.open_messages, patiently=True)
        self.exchange(first, further)
        for name in self.names:
            self.spend(name)

    def ask_when_the_model_says(self) -> None:
        """The same at the moments at which, by the rules of the version, each producer has most credit.

        A client asks with the next message that it sends, so each other producer sends one that stays.
        """
        if self.aim.moments is None:
            raise AdapterError("expected the moments at which the model says that a producer has most credit")
        before, further = self.aim.moments
        first, others = self.names[0], self.names[1:]
        for name in self.names:
            self.open(name)
        for name in others:
            for _ in range(before):
                self.send(name, 1, patiently=True)
                self.take()
        for name in others:
            self.send(name, 1, patiently=True)
        self.send(first, self.aim.open_messages - len(others), patiently=True)
        self.exchange(first, further + len(others))
        for name in self.names:
            self.spend(name)

    def exchange(self, name: str, messages: int) -> None:
        """Have so many messages consumed, and send a new one for each."""
        for _ in range(messages):
            self.take()
            self.send(name, 1, patiently=True)

    def come_anew(self, name: str) -> None:
        """Close and reopen a producer, which then has a whole window, if the adapter can close producers."""
        closing = offered(self.adapter, ClosesClients)
        if closing is not None and self.aim.mechanism in (AMQP_CREDIT, CORE_WINDOW):
            self.watchdog.call(closing.close_producer, self._name(name))
            self._said.append((name, 0, "closes and opens again"))
            self.open(name)

    def at_random(self, seed: int) -> None:
        """Send and acknowledge in random order."""
        choice = random.Random(seed)  # noqa: S311 (an order that can be repeated)
        for name in self.names:
            self.open(name)
        for _ in range(RANDOM_STEPS):
            if choice.random() < TAKES:
                self.take()
            else:
                self.send(choice.choice(self.names), choice.choice(BURSTS))
                self.look()
        for name in self.names:
            self.spend(name)

    def open(self, name: str) -> None:
        options = ProducerOptions(window_bytes=self.aim.window)
        self.ask("open_producer", self._name(name), self._name(f"of-{name}"), (self.destination,), options)

    def spend(self, name: str) -> None:
        """Send as long as the producer may."""
        most = 10 * (self.aim.bound // self.aim.size + 1)
        if self.send(name, most) == most:
            raise AdapterError(
                f"{name} sent {counted(most, 'messages')}, ten times the stated number, and may still send"
            )
        self.look()

    def send(self, name: str, messages: int, *, patiently: bool = False) -> int:
        """Send up to `messages`; the number sent before the producer was stopped. `patiently`, it waits for credit."""
        for sent in range(messages):
            if not self._may_send(name, patiently=patiently):
                return self._sent(name, sent)
            told = self.ask("send", self._name(name), f"{self.destination}-m{next(self._ids)}", self.aim.size)
            if told is Outcome.UNSETTLED:
                self._waiting.add(name)
            if told not in GOES_ON:
                return self._sent(name, sent)
        return self._sent(name, messages)

    def _may_send(self, name: str, *, patiently: bool) -> bool:
        """Whether the producer may send now or soon: an answer to it may be under way."""
        if name in self._waiting:
            return False
        parameters = self.adapter.parameters
        left = parameters.eventually_ms if patiently else min(parameters.eventually_ms, parameters.never_ms)
        while self.ask("standing", self._name(name)).stopped:
            if left <= 0:
                return False
            self.ask("advance", POLL_MS)
            left -= POLL_MS
        return True

    def _sent(self, name: str, messages: int) -> int:
        if messages and self._said and self._said[-1][0] == name and not self._said[-1][2]:
            messages += self._said.pop()[1]
            self._said.append((name, messages, ""))
        elif messages:
            self._said.append((name, messages, ""))
        return messages

    def take(self) -> None:
        """Hand out a message and acknowledge it."""
        self.look()
        found = self.ask("take", self._name("consumer"))
        if found is not None:
            self.ask("acknowledge", self._name("consumer"), found.message_id)
            self._said.append(("the consumer", 0, "takes a message"))

    def look(self) -> None:
        """Note the level of the destination."""
        depth = self.ask("depth", self.destination)
        self.most, self.most_messages = max(self.most, depth.bytes), max(self.most_messages, depth.messages)

    def steps(self) -> Iterator[str]:
        """The steps in words; producers that do the same one after another share a line."""
        told: list[tuple[str, int]] = []
        for words in self._in_groups():
            if told and told[-1][0] == words:
                told[-1] = (words, told[-1][1] + 1)
            else:
                told.append((words, 1))
        for words, times in told:
            yield words if times == 1 else f"{words}, {times:,} times over"

    def _in_groups(self) -> Iterator[str]:
        rest = self._said
        while rest:
            name, messages, other = rest[0]
            alike = [name]
            for next_name, next_messages, next_other in () if other else rest[1:]:
                follows = self.names.index(next_name) - self.names.index(alike[-1]) == 1 if not next_other else False
                if not follows or next_messages != messages:
                    break
                alike.append(next_name)
            rest = rest[len(alike) :]
            yield f"{name} {other}" if other else _sends(alike, messages, self.aim.size)


def _sends(names: list[str], messages: int, size: int) -> str:
    noun = "message" if messages == 1 else "messages"
    if len(names) == 1:
        return f"{names[0]} sends {messages:,} {noun} of {counted(size, 'bytes')}"
    who = " and ".join(names) if len(names) == 2 else f"{names[0]} to {names[-1]}"
    return f"{who} send {messages:,} {noun} each of {counted(size, 'bytes')}"
