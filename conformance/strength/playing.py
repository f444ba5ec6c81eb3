"""A user who plays with a broker: random verbs that fill and empty destinations in rounds, guided by its answers."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from tidegate.adapters.base import AdapterError, Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions, Usage

Call = tuple[str, tuple[Any, ...]]
"""A verb and its arguments."""
Some = TypeVar("Some")

SIZES = (1, 1, 50, 99, 100, 200, 200, 400, 400, 500, 500, 1000, 1001, 3000)
LARGE_SIZES = ((1 << 31) - 400, 1 << 31, (1 << 31) + 200)
LEVELS = (1000, 1000, 1000, 2000, 5000)
LARGE_LEVELS = ((1 << 31) + 500, (1 << 32) + 500)
TIMES_MS = (1, 500, 999, 1000, 1001, 5000, 70_000, 130_000)
LIVES_MS = 200
PATTERN = "pattern."
ENDINGS = ("drain", "purge", "close_producer", "kill", "give_back")
MOST_IN_A_ROW = 30
MOST_MESSAGES = 400


class Player:
    """One sequence of verbs.

    `do` makes a call and gives the right broker's answer; `look` is called after each step of several calls. Both may
    raise to end the play. A `wide` player also moves, lists, browses and gives up messages, restarts the broker, and so
    on.
    """

    def __init__(
        self,
        random: Random,
        capabilities: Collection[str],
        do: Callable[[str, tuple[Any, ...]], Any],
        look: Callable[[], None],
        *,
        wide: bool = False,
    ):
        self._random = random
        self._wide = wide
        self._look = look
        self._can = frozenset(capabilities)
        self._do = do
        self._numbers: dict[str, int] = {}
        self._producers: dict[str, tuple[str, tuple[str, ...], ProducerOptions]] = {}
        """The connection, destinations (none for an anonymous one) and options of each producer."""
        self._consumers: dict[str, tuple[str, str]] = {}
        """The connection and destination of each consumer."""
        self._held: dict[str, list[str]] = {}
        self._destinations: list[str] = []
        self._large = random.random() < 0.1
        self._topics: set[str] = set()

    def play(self, steps: int) -> None:
        """Set up, and take `steps` steps."""
        self._set_up()
        for _ in range(steps):
            self._step()
            self._look()

    def _set_up(self) -> None:
        self._keeps = self._wide and "restarts-broker" in self._can and self._random.random() < 0.2
        if self._keeps:
            self._do("keep_data", ())
        if "usage-limits" in self._can and self._random.random() < 0.6:
            self._do("declare_usage", (self._usage(),))
        if "default-limits" in self._can and self._random.random() < 0.3:
            self._do("declare_defaults", (self._limits(),))
        self._has_pattern = self._wide and "pattern-limits" in self._can and self._random.random() < 0.3
        if self._has_pattern:
            self._do("declare_pattern", (PATTERN, self._limits()))
        for _ in range(self._random.choice((1, 1, 2, 3))):
            self._declare()
        for _ in range(self._random.choice((1, 2, 3, 4))):
            self._open_producer()
        self._open_consumer()

    def _step(self) -> None:
        steps = [self._fill, self._fill, self._send, self._consume, self._drain, self._drain, self._advance]
        steps += [self._round, self._round, self._round, self._open_producer, self._open_consumer]
        if "changed-limits" in self._can:
            steps += [self._change, self._change]
        if "close-clients" in self._can:
            steps += [lambda: self._end("close_producer"), lambda: self._end("give_back")]
        if {"management-block", "stop-and-start"} & self._can:
            steps.append(lambda: self._do(self._random.choice(("block", "unblock")), (self._destination(),)))
        if "purge" in self._can:
            steps.append(lambda: self._end("purge"))
        if "kill-clients" in self._can:
            steps += [lambda: self._end("kill"), self._kill_consumer]
        if "transactions" in self._can:
            steps.append(self._end_transaction)
        if self._wide:
            steps += 2 * [step for needs, step in self._further_steps() if needs in self._can]
        if self._random.random() < 0.02:
            steps = [self._many]
        self._random.choice(steps)()

    def _further_steps(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The steps of a wide player, each with the capability that it needs."""
        yield "moves-messages", self._move
        yield "lists-messages", lambda: self._do("list_messages", (self._queue(),))
        yield "browsed-messages", lambda: self._do("browse", (self._queue(),))
        yield "dead-letters", self._give_up
        yield "returned-messages", self._give_back
        yield "recreated-destinations", self._recreate
        yield "expiring-messages", self._expire
        yield (
            "filtering-consumers",
            lambda: self._do(
                "open_filtering_consumer", (name := self._new("f"), f"connection of {name}", self._queue())
            ),
        )
        if self._keeps:
            yield "restarts-broker", self._restart
        yield "pauses-broker", self._pause

    def _queue(self) -> str:
        """A destination that is no topic, if there is one."""
        queues = [name for name in self._destinations if name not in self._topics]
        return self._random.choice(queues or self._destinations)

    def _move(self) -> None:
        while len(queues := [name for name in self._destinations if name not in self._topics]) <= 1:
            self._declare()
        self._fill()
        self._do("move", tuple(self._random.sample(queues, 2)))

    def _give_up(self) -> None:
        self._fill()
        for name in self._some(self._consumers):
            if self._consumers[name][1] not in self._topics and (self._held.get(name) or self._take(name)):
                self._do("give_up", (name, self._held[name].pop(0)))

    def _give_back(self) -> None:
        self._fill()
        for name in self._some(self._consumers):
            self._take(name)
            self._do("give_back", (name,))
            self._held.pop(name, None)

    def _recreate(self) -> None:
        name = self._queue()
        if name in self._topics:
            return
        for consumer in [one for one, (_, its) in self._consumers.items() if its == name]:
            del self._consumers[consumer]
            self._held.pop(consumer, None)
            self._do("close_consumer", (consumer,))
        for producer in [one for one, (_, its, _) in self._producers.items() if name in its or not its]:
            del self._producers[producer]
            self._do("close_producer", (producer,))
        self._do("recreate", (name, self._limits()))
        while not self._producers:
            self._open_producer()
        if not self._consumers:
            self._open_consumer()

    def _expire(self) -> None:
        plain = [
            name for name, (_, of, options) in self._producers.items() if of and not options.transacted
        ]  # fmt: skip
        if plain:
            name, size = self._random.choice(plain), self._size()
            for _ in range(self._random.choice((1, 2, 10))):
                self._do("send_expiring", (name, self._new("m"), size, LIVES_MS))
            self._do("advance", (2 * LIVES_MS,))
            for consumer in self._some(self._consumers):
                self._take(consumer)

    def _restart(self) -> None:
        self._fill()
        self._do("restart_broker", ())
        self._producers, self._consumers, self._held = {}, {}, {}
        self._open_producer()
        self._open_consumer()

    def _pause(self) -> None:
        self._do("pause_broker", ())
        self._do("unpause_broker", ())

    def _round(self) -> None:
        """Fill a destination by a producer, and free its space."""
        ending = self._random.choice(ENDINGS)
        for _ in range(self._random.choice((1, 1, 2, 4))):
            name = self._fill()
            self._end(ending, name)
            self._drain()
            while len(self._producers) < 2:
                self._open_producer()

    def _fill(self) -> str:
        name = self._pick(self._producers)
        size = self._size()
        for _ in range(MOST_IN_A_ROW):
            if self._send_one(name, size) not in (Outcome.ACCEPTED, Outcome.SENT):
                break
        return name

    def _many(self) -> None:
        name = self._pick(self._producers)
        for _ in range(60):
            self._send_one(name, 1)
            if self._random.random() < 0.2:
                self._drain()

    def _send(self) -> None:
        self._send_one(self._pick(self._producers), self._size())

    def _send_one(self, name: str, size: int) -> Any:
        _, destinations, options = self._producers[name]
        message = self._new("m")
        if destinations:
            answer = self._do("send", (name, message, size))
        else:
            answer = self._do("send_to", (name, self._destination(), message, size))
        if options.transacted and answer is Outcome.UNSETTLED:
            end = self._random.choice(("commit", "commit", "commit", "commit", "rollback", ""))
            return self._do(end, (name,)) if end else answer
        return answer

    def _consume(self) -> None:
        name = self._pick(self._consumers)
        held = self._held.setdefault(name, [])
        for _ in range(self._random.choice((1, 2, 3))):
            self._take(name)
        self._random.shuffle(held)
        for _ in range(min(len(held), self._random.choice((0, 1, 2)))):
            self._do("acknowledge", (name, held.pop()))

    def _drain(self) -> None:
        for destination in self._destinations:
            names = [name for name, (_, its) in self._consumers.items() if its == destination]
            if not names:
                names = [self._open_consumer(destination)]
            for _ in range(MOST_MESSAGES):
                took = [self._take_and_settle(name) for name in names]
                if not any(took):
                    break

    def _take_and_settle(self, name: str) -> bool:
        took = self._take(name)
        held = self._held.setdefault(name, [])
        while held:
            self._do("acknowledge", (name, held.pop(0)))
        return took

    def _take(self, name: str) -> bool:
        delivery = self._do("take", (name,))
        if delivery is not None:
            self._held.setdefault(name, []).append(delivery.message_id)
        return delivery is not None

    def _end(self, ending: str, producer: str | None = None) -> None:
        """Free space, or end a client, in one way."""
        name = producer or self._pick(self._producers)
        if ending == "purge" and "purge" in self._can:
            targets = self._producers[name][1] or tuple(self._destinations)
            self._do("purge", (targets[0],))
        elif ending == "close_producer" and "close-clients" in self._can and len(self._producers) > 1:
            del self._producers[name]
            self._do("close_producer", (name,))
        elif ending == "kill" and "kill-clients" in self._can and len(self._producers) > 1:
            self._kill(self._producers[name][0])
        elif ending == "give_back" and "close-clients" in self._can:
            consumer = self._pick(self._consumers)
            for _ in range(self._random.choice((1, 3, 30))):
                if not self._take(consumer):
                    break
            del self._consumers[consumer]
            self._held.pop(consumer, None)
            self._do("close_consumer", (consumer,))
            self._open_consumer()

    def _kill_consumer(self) -> None:
        consumer = self._pick(self._consumers)
        self._take(consumer)
        self._kill(self._consumers[consumer][0])

    def _kill(self, connection: str) -> None:
        self._do("kill", (connection,))
        self._producers = {name: of for name, of in self._producers.items() if of[0] != connection}
        self._consumers = {name: of for name, of in self._consumers.items() if of[0] != connection}
        self._held = {name: held for name, held in self._held.items() if name in self._consumers}
        while not self._producers:
            self._open_producer()
        if not self._consumers:
            self._open_consumer()

    def _end_transaction(self) -> None:
        names = [name for name, (_, _, options) in self._producers.items() if options.transacted]
        if names:
            self._do(self._random.choice(("commit", "rollback")), (self._random.choice(names),))

    def _advance(self) -> None:
        self._do("advance", (self._random.choice(TIMES_MS),))

    def _change(self) -> None:
        self._do("change_limits", (self._destination(), self._limits()))

    def _declare(self) -> None:
        name = self._new("d")
        if self._has_pattern and self._random.random() < 0.6:
            self._do("declare", (PATTERN + name, Limits()))
            self._destinations.append(PATTERN + name)
            return
        topic = "topics" in self._can and self._random.random() < 0.35
        limits = Limits() if "default-limits" in self._can and self._random.random() < 0.3 else self._limits()
        self._do("declare_topic" if topic else "declare", (name, limits))
        self._destinations.append(name)
        if topic:
            self._topics.add(name)

    def _open_producer(self) -> None:
        if len(self._producers) > 7:
            return
        name = self._new("p")
        connection = self._connection(name)
        if "anonymous-producers" in self._can and self._random.random() < 0.15:
            self._do("open_anonymous_producer", (name, connection))
            self._producers[name] = connection, (), ProducerOptions()
            return
        several = "several-queues" in self._can and self._random.random() < 0.2
        chosen = tuple(self._random.sample(self._destinations, min(2, len(self._destinations)))) if several else (
            self._destination(),)  # fmt: skip
        options = self._options()
        if options.session:
            connection = "shared connection"
        self._do("open_producer", (name, connection, chosen, options))
        self._producers[name] = connection, chosen, options

    def _open_consumer(self, destination: str | None = None) -> str:
        name = self._new("c")
        connection, target = self._connection(name), destination or self._destination()
        if "consumer-window" in self._can and self._random.random() < 0.5:
            options = ConsumerOptions(self._maybe((-1, 0, 500, 1000, 1000)), self._maybe((-1, 1, 2, 3)))
            self._do("open_consumer_with", (name, connection, target, options))
        else:
            self._do("open_consumer", (name, connection, target))
        self._consumers[name] = connection, target
        return name

    def _connection(self, name: str) -> str:
        known = [of[0] for of in self._producers.values()] + [of[0] for of in self._consumers.values()]
        shared = known and "shared-connections" in self._can and self._random.random() < 0.3
        return self._random.choice(known) if shared else f"connection of {name}"

    def _limits(self) -> Limits:
        random = self._random
        level = random.choice(LARGE_LEVELS if self._large else LEVELS)
        kind = random.choice(("bytes", "bytes", "messages", "both", "far"))
        has_messages = "message-limit" in self._can and kind != "bytes"
        in_bytes = level if not has_messages or kind != "messages" else None
        gate = "queue-gate" in self._can and in_bytes is not None
        credit = "amqp-credit" in self._can
        window = random.choice(((10, 3), (4, 1), (100, 30)))
        return Limits(
            limit_bytes=in_bytes if random.random() < 0.95 else None,
            resume_bytes=random.choice((None, level * 8 // 10, level // 2)) if gate else None,
            limit_messages=(random.choice((2, 3, 5)) if kind != "far" else 1_000_000) if has_messages else None,
            policy=random.choice(("BLOCK", "BLOCK", "BLOCK", "PAGE")) if {"address-limit", "core-window"} & self._can
            else random.choice((None, None, None, "NONE")) if "memory-limit" in self._can else None,
            reject_bytes=random.choice((None, -1, 3000)) if "reject-threshold" in self._can else None,
            credit=window[0] if credit else None,
            credit_low=window[1] if credit else None,
            cursor=random.choice(("memory", "memory", "file", None)) if "file-cursor" in self._can else None,
        )  # fmt: skip

    def _usage(self) -> Usage:
        memory = {"memory-limit", "memory-ratio"} & self._can
        classic, quota, ratio = "file-cursor" in self._can, "disk-quota" in self._can, "memory-ratio" in self._can
        levels = LARGE_LEVELS if self._large else (1000, 2000)
        level = self._random.choice(levels)
        return Usage(
            memory_bytes=self._maybe(levels) if memory else None,
            store_bytes=self._maybe(levels) if classic else None,
            temp_bytes=self._maybe(levels) if classic else None,
            fail_at_once=self._random.choice((None, None, True)) if "memory-limit" in self._can else None,
            fail_after_ms=self._maybe((1000, 3000)) if "memory-limit" in self._can else None,
            quota_bytes=level if quota else None,
            quota_resume_bytes=self._random.choice((level // 2, level * 8 // 10)) if quota else None,
            block_percent=self._maybe((20, 40)) if ratio else None,
            resume_percent=self._maybe((50, 60)) if ratio else None,
            connection_messages=self._maybe((2, 3)) if "connection-count" in self._can else None,
        )

    def _options(self) -> ProducerOptions:
        core = "core-window" in self._can
        asynchronous = "asynchronous-sends" in self._can and self._random.random() < 0.3
        windowed = core or ("producer-window" in self._can and asynchronous)
        waits = "client-wait" in self._can and self._random.random() < 0.5
        chosen = ProducerOptions(
            asynchronous=asynchronous,
            unconfigured="default-sends" in self._can and not asynchronous and self._random.random() < 0.1,
            window_bytes=self._maybe((300, 500, 1000)) if windowed else None,
            transacted="transactions" in self._can and self._random.random() < 0.2,
            persistent="persistent-messages" in self._can and self._random.random() < 0.4,
            wait_ms=self._random.choice((-1, 1000, 3000)) if waits else None,
            notify_ms=self._maybe((500, 1000)) if waits else None,
            rate=self._maybe((-1, 1, 2)) if "producer-rate" in self._can and self._random.random() < 0.4 else None,
            protocol=self._random.choice(("", "AMQP 1.0")) if "several-protocols" in self._can else "",
        )
        if self._wide and "message-properties" in self._can and self._random.random() < 0.2:
            chosen = replace(chosen, properties=5)
        if self._wide and "shared-sessions" in self._can and self._random.random() < 0.3:
            chosen = replace(chosen, session="session")
        return chosen

    def _maybe(self, values: Sequence[Some]) -> Some | None:
        return self._random.choice(values) if self._random.random() < 0.7 else None

    def _size(self) -> int:
        return self._random.choice(LARGE_SIZES if self._large and self._random.random() < 0.4 else SIZES)

    def _destination(self) -> str:
        return self._random.choice(self._destinations)

    def _some(self, names: Collection[str]) -> list[str]:
        """All names in a random order."""
        return self._random.sample(sorted(names), len(names))

    def _pick(self, names: Collection[str]) -> str:
        return self._random.choice(sorted(names))

    def _new(self, kind: str) -> str:
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        return f"{kind}{self._numbers[kind]}"


def looks(adapter: Any, producers: Sequence[str], destinations: Sequence[str], *, wide: bool = False) -> Iterator[Any]:
    """Everything that a broker reports between two verbs; with `wide` also what management shows of its work."""
    for name in producers:
        yield adapter.standing(name)
        for verb in ("settlements", "client_state", "client_warnings", *(("shown_stopped",) if wide else ())):
            if hasattr(adapter, verb):
                yield getattr(adapter, verb)(name)
    for name in destinations:
        yield adapter.depth(name)
        if hasattr(adapter, "limits_in_force"):
            yield adapter.limits_in_force(name)
        for verb in ("traffic", "shown_percent") if wide else ():
            if hasattr(adapter, verb):
                yield getattr(adapter, verb)(name)
    if hasattr(adapter, "log_lines"):
        yield adapter.log_lines()


def answer_of(adapter: Any, call: Call) -> Any:
    """The answer of a verb; the error as text if the adapter raises AdapterError."""
    verb, arguments = call
    try:
        return getattr(adapter, verb)(*arguments)
    except AdapterError as error:
        return f"error: {error}"
