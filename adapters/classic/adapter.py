"""The adapter contract on a real ActiveMQ Classic: JMS in the clients' process, observation in the broker's."""

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    AdapterError,
    Call,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
    Unsupported,
    only,
)
from tidegate.adapters.charge import ChargeByBody, calibrated_by_body
from tidegate.adapters.classic.broker import Broker
from tidegate.adapters.classic.generation import generation_of
from tidegate.adapters.classic.held import Held
from tidegate.adapters.classic.reproduce import recording, script_template
from tidegate.adapters.faults.processes import Halting
from tidegate.adapters.groups import Created, Settlement, Traffic, Usage
from tidegate.adapters.jvm.clients import Clients
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.openwire.answers import TEMPORARY, Attached
from tidegate.adapters.openwire.sender import LOOK_MS, Sender
from tidegate.adapters.process.brokers import coordinates, tell_untried, usual_version
from tidegate.adapters.process.log_tail import LogTail
from tidegate.adapters.process.maven import fetched
from tidegate.adapters.process.progress import progress
from tidegate.record.errors import Unavailable
from tidegate.record.extras import how_to_install
from tidegate.record.report import Recording, ScriptTemplate

DEFAULT_VERSION = usual_version("classic")
EVENTUALLY_MS = 2000
NEVER_MS = 200
POLL_SECONDS = 0.002
END_MS = 5000
POLICIES = ("BLOCK", "NONE")
SCRATCH = "tidegate-calibration"


class ClassicAdapter:
    """A broker process for each scenario, started by the first verb that needs it; one process for all clients.

    A consumer of a topic takes from the topic's only subscription, which is opened with the topic on a separate
    connection.
    """

    def __init__(self, version: str = DEFAULT_VERSION):
        self._coordinates = coordinates("classic", version)
        profile = "classic" if version == DEFAULT_VERSION else f"classic:{version}"
        self.identity = Identity("ActiveMQ Classic", version, "OpenWire", profile)
        self._generation = generation_of(version)
        self.capabilities = self._generation.capabilities
        self.parameters = Parameters(self._generation.scale, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS)
        self.log_path = Path()
        self._jars = Path()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._processes = 0
        self._clients = Clients(self._clients_process)
        self._broker: Broker | None = None
        self._charge: ChargeByBody | None = None
        self._log = LogTail(self.log_path)
        self._topics: set[str] = set()
        self._unsubscribed: set[str] = set()
        """The topics whose only subscription ended."""
        self._bound: dict[str, str] = {}
        """The topic of each durable subscription, by its name. One subscription has the name of the topic."""
        self._senders: dict[str, Sender] = {}
        self._attached: dict[str, Attached] = {}
        """The broker's name for each producer."""
        self._consumers: dict[str, tuple[str, str]] = {}
        """The name in the clients' process, and the destination, of each consumer."""
        self._lines: defaultdict[str, set[str]] = defaultdict(set)
        """The JMS connections of each connection of the suite."""
        self._keeps = False
        """Whether every message is persistent."""
        self._subscribes_durably = False
        self._halting = Halting()

    def start(self) -> None:
        """Fetch the broker, start it once, and measure what it charges."""
        if find_spec("jpype") is None:
            raise Unavailable(f"the classic adapter needs JPype: {how_to_install('classic')}")
        tell_untried("classic", self._coordinates.version)
        self._jars = fetched(self._coordinates)
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="tidegate-classic-")
            self.log_path = Path(self._folder.name) / "classic.log"
            self._log = LogTail(self.log_path)
            with progress(f"starting ActiveMQ Classic {self._coordinates.version}"):
                self._clients.start()
                self._start_broker()
                self._calibrate()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the processes, and remove the log. A hanging client is not waited for."""
        with ExitStack() as every:
            if self._folder is not None:
                every.callback(self._folder.cleanup)
                self._folder = None
            every.callback(self._clients.stop)
            if self._broker is not None:
                every.callback(self._broker.stop)
                self._broker = None
            self._forget()

    # setting up

    def declare_usage(self, usage: Usage) -> None:
        """Configure the limits of the broker's systemUsage, and its policy for senders.

        With a limit of the store, subscriptions are durable: only these keep messages of a topic in the store.
        """
        self._subscribes_durably = usage.store_bytes is not None
        self._this_broker.declare_usage(usage)

    def change_usage(self, usage: Usage) -> None:
        """Set the limits of the broker's systemUsage, as its management does."""
        self._this_broker.call("change_usage", usage)

    def declare_shared(self, limits: Limits) -> None:
        """Configure the memory limit of the broker's systemUsage. AdapterError for a limit in messages, which
        Classic lacks."""
        if limits.limit_messages is not None:
            raise Unsupported("Classic has no limit in messages")
        self._this_broker.declare_usage(Usage(memory_bytes=limits.limit_bytes))

    def declare_defaults(self, limits: Limits) -> None:
        """Configure the default entry of the policy map."""
        _check_policy(limits)
        self._this_broker.configure("", limits)

    def declare_pattern(self, beginning: str, limits: Limits) -> None:
        """Configure a policy entry for a wildcard."""
        _check_policy(limits)
        self._this_broker.configure(beginning, limits)

    def declare(self, destination: str, limits: Limits) -> None:
        """Create a queue with a policy entry of its own. AdapterError for a policy that Classic does not have."""
        _check_policy(limits)
        self._this_broker.declare(destination, False, limits)

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """Create a topic with a policy entry of its own, and one subscription that is not durable."""
        _check_policy(limits)
        self._topics.add(destination)
        self._this_broker.declare(destination, True, limits)
        if self._this_broker.runs:
            self._subscribe(destination)

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Declare a topic with these limits and several durable subscriptions, which have no limits of their own."""
        self._bound |= dict.fromkeys((*before, destination, after), destination)
        _check_policy(limits)
        self._topics.add(destination)
        self._this_broker.declare(destination, True, limits)
        if self._this_broker.runs:
            self._bind_all(destination)

    def declare_temporary(self, connection: str, limits: Limits) -> Created:
        """Have a client create a temporary queue. A policy entry for all temporary queues sets its limits."""
        _check_policy(limits)
        self._this_broker.call("expect_temporary", limits)
        name: str = self._clients.call("create_temporary", connection)
        self._lines[connection].add(connection)
        self._this_broker.call("adopt_temporary", name, name.removeprefix(TEMPORARY))
        return Created(name)

    def bind(self, destination: str, queue: str) -> None:
        """Add one more durable subscription."""
        self._this_broker.boot()
        self._bound[queue] = destination
        self._subscribe(queue)

    def unbind(self, destination: str, queue: str) -> None:
        """End a durable subscription, with the messages that it holds."""
        self._clients.call("unsubscribe", _subscription(queue))
        self._this_broker.call("unbind", queue)
        del self._bound[queue]

    def subscribe(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer of the topic whose subscription is not durable."""
        self._this_broker.boot()
        self._clients.call("open_consumer", consumer, connection, destination, True)
        self._consumers[consumer] = consumer, consumer
        self._lines[connection].add(connection)
        self._this_broker.call("bind", destination, consumer, self._clients.call("consumer_id", consumer))

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a producer in a session of its own."""
        destination = only(destinations)
        self._this_broker.boot()
        options = replace(options, persistent=options.persistent or self._keeps)
        attached = self._clients.call(
            "open_producer", producer, connection, destination, destination in self._topics, options
        )
        self._lines[connection].add(connection)
        self._attached[producer] = attached
        self._senders[producer] = Sender(
            producer, options, self._clients.process, partial(self._is_held, attached), EVENTUALLY_MS
        )

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer that prefetches nothing, and acknowledges each message separately."""
        self._this_broker.boot()
        if destination in self._topics or destination in self._bound:
            if destination in self._unsubscribed and destination not in self._bound:
                raise Unsupported("the one subscription of a topic ended with the consumer that was closed")
            if destination in self._unsubscribed:
                self._subscribe(destination)
            self._consumers[consumer] = _subscription(destination), destination
            self._lines[connection].add(_subscription(destination))
        else:
            self._clients.call("open_consumer", consumer, connection, destination, False)
            self._consumers[consumer] = consumer, destination
            self._lines[connection].add(connection)

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer of a queue that prefetches, with a selector that no message matches."""
        self._this_broker.boot()
        self._clients.call("open_filtering_consumer", consumer, connection, destination)
        self._consumers[consumer] = consumer, destination
        self._lines[connection].add(connection)

    # acting

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message that is charged this size; unsettled as soon as the broker is seen to let the call wait."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return self._senders[producer].send(message_id, self._charge.body_bytes(size_bytes))

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message that expires after `lives_ms`."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return self._senders[producer].send(message_id, self._charge.body_bytes(size_bytes), lives_ms)

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        return self._senders[producer].commit()

    def rollback(self, producer: str) -> None:
        """Roll the transaction back."""
        self._senders[producer].rollback()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The outcomes of calls that waited at the last look."""
        return self._senders[producer].settlements()

    def take(self, consumer: str) -> Delivery | None:
        """The next message; None if the broker counts no waiting message, or delivers none in `EVENTUALLY_MS`."""
        receiver, destination = self._consumers[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while (message_id := self._clients.call("take", receiver)) is None:
            if not self._this_broker.call("waiting", destination) or time.monotonic() > deadline:
                return None
        return Delivery(message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message, and wait until the broker has handled it, or is seen to read no further."""
        receiver, _ = self._consumers[consumer]
        port = self._clients.call("acknowledge", receiver, message_id)
        self._wait(lambda: self._clients.call("flush", receiver, LOOK_MS) or port in self._held().ports)

    def give_up(self, consumer: str, message_id: str) -> None:
        """Refuse a message as a client does after too many deliveries, and wait for the broker's answer."""
        receiver, destination = self._consumers[consumer]
        if destination in self._topics or destination in self._bound:
            raise Unsupported("what a subscription refuses is no dead letter of its topic")
        self._clients.call("give_up", receiver, message_id)

    def browse(self, destination: str) -> int:
        """Browse a queue. AdapterError for a topic, which clients cannot browse."""
        if destination in self._topics:
            raise Unsupported("a topic of Classic cannot be browsed by a client")
        return int(self._clients.call("browse", destination))

    def recreate(self, destination: str, limits: Limits) -> None:
        """Remove a queue as management does, and create it again."""
        _check_policy(limits)
        self._this_broker.call("delete", destination)
        self._this_broker.call("declare", destination, False, limits)

    def purge(self, destination: str) -> None:
        """Remove all waiting messages of a queue. Unsupported for topics and their subscriptions."""
        if destination in self._topics or destination in self._bound:
            raise Unsupported("a topic of Classic cannot be purged")
        self._this_broker.call("purge", destination)

    def move(self, destination: str, to: str) -> None:
        """Move all waiting messages of a queue. AdapterError for a topic, which has no such operation."""
        if destination in self._topics:
            raise Unsupported("messages of a topic of Classic cannot be moved")
        self._this_broker.call("move", destination, to)

    def list_messages(self, destination: str) -> int:
        """Browse the destination as its management does."""
        listed: int = self._this_broker.call("list_messages", destination)
        return listed

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Change the memory limit, and flow control, as management does. AdapterError for a cursor, which cannot be
        changed."""
        if limits.cursor is not None:
            raise Unsupported("the cursor of a queue in use cannot be changed")
        if limits.limit_bytes is None:
            raise Unsupported("the memory limit of a destination in use cannot be taken back, only changed")
        _check_policy(limits)
        self._this_broker.change(destination, limits)

    def close_producer(self, producer: str) -> None:
        """Close it, its session, and the connection if it is the last user."""
        del self._senders[producer], self._attached[producer]
        self._clients.call("close_producer", producer)

    def close_consumer(self, consumer: str) -> None:
        """Close it, its session, and the connection if it is the last user; for a topic, close the subscription."""
        receiver, destination = self._consumers.pop(consumer)
        if destination in self._topics or destination in self._bound:
            self._unsubscribed.add(destination)
        self._clients.call("close_consumer", receiver)

    def kill(self, connection: str) -> None:
        """Close the socket, and wait until the broker has noticed; a broker that reads no further does not notice."""
        lines = self._lines.pop(connection)
        subscribed = {*self._topics, *self._bound}
        self._unsubscribed |= {name for name in subscribed if _subscription(name) in lines}
        gone = {self._clients.call("kill", line) for line in sorted(lines)}
        self._wait(lambda: not gone & self._this_broker.call("clients"))

    def close_connection(self, connection: str) -> None:
        """Stop the connection as its view in the broker's management does, without waiting for its end."""
        for line in sorted(self._lines[connection]):
            self._this_broker.call("close_client", self._clients.call("port", line))

    def has_connection(self, connection: str) -> bool:
        """Whether the broker's connector has a JMS connection of this connection."""
        ports = {self._clients.call("port", line) for line in sorted(self._lines[connection])}
        return bool(ports & self._this_broker.call("clients"))

    # faults

    def order_by_priority(self) -> None:
        """Give each policy entry of this scenario's broker prioritized messages, and send messages with priorities."""
        self._this_broker.order_by_priority()
        self._clients.call("order_by_priority")

    def keep_data(self) -> None:
        """Send persistent messages from now on; the broker's store is always on disk."""
        self._keeps = True

    def restart_broker(self) -> None:
        """Kill the broker's process, and start another one over the same data."""
        self._this_broker.kill()
        for known in (self._senders, self._attached, self._consumers, self._lines):
            known.clear()
        self._clients.end_all(END_MS)
        self._this_broker.start_again()

    def pause_broker(self) -> None:
        """Halt the broker's process by SIGSTOP."""
        self._halting.halt(self._this_broker.pid)

    def unpause_broker(self) -> None:
        """Let the broker's process go on by SIGCONT."""
        self._halting.go_on()

    # looking

    def depth(self, destination: str) -> Depth:
        """The memory usage and message count."""
        found: Depth = self._this_broker.call("depth", destination)
        return found

    def traffic(self, destination: str) -> Traffic:
        """The statistics of the destination in its view in the broker's management."""
        found: Traffic = self._this_broker.call("traffic", destination)
        return found

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: it is stopped while a call waits."""
        return Standing(self._senders[producer].waits())

    def shown_percent(self, destination: str) -> int | None:
        """The per cent of its memory limit that the view of the destination shows."""
        found: int | None = self._this_broker.call("shown_percent", destination)
        return found

    def shown_stopped(self, producer: str) -> bool | None:
        """Whether the view of the producer shows it as stopped. None for one of several producers on a connection from
        which the broker reads no more: one of them is blocked, and the others wait behind it.
        """
        attached = self._attached[producer]
        shown: bool = self._this_broker.call("shown_stopped", attached.producer_id)
        others = [name for name, its in self._attached.items() if its.port == attached.port and name != producer]
        return None if others and not shown and attached.port in self._held().ports else shown

    def limits_in_force(self, destination: str) -> Limits:
        """The memory limit of the destination, whether it is under flow control, and its cursor."""
        found: Limits = self._this_broker.call("limits", destination)
        return found

    def usage_in_force(self) -> Usage:
        """The limits of the broker's systemUsage, before it lowers them to the heap and disk of this machine."""
        found: Usage = self._this_broker.call("usage")
        return found

    def log_lines(self) -> list[str]:
        """Whole lines that the brokers wrote since the last call."""
        return self._log.lines()

    def script_template(self) -> ScriptTemplate:
        """The template of the version's generation."""
        return script_template(self.identity.version)

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with JPype1 and the client's jars repeats them; AdapterError if never started."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return recording(self.identity.version, calls, self._charge.body_bytes)

    def advance(self, ms: int) -> None:
        """Sleep for this number of ms."""
        time.sleep(ms / 1000)

    def end_scenario(self) -> None:
        """End all clients and the broker, and start the process of the next one."""
        self._halting.go_on()
        self._forget()
        self._clients.end_all(END_MS)
        self._this_broker.stop()
        self._start_broker()

    @property
    def broker_pid(self) -> int:
        """The process id of this scenario's broker."""
        return self._this_broker.pid

    @property
    def clients_pid(self) -> int:
        """The process id of the clients."""
        return self._clients.process.pid

    @property
    def _this_broker(self) -> Broker:
        if self._broker is None:
            raise AdapterError("the adapter was not started")
        return self._broker

    def _is_held(self, attached: Attached) -> bool:
        held = self._held()
        return attached.producer_id in held.producers or attached.port in held.ports

    def _held(self) -> Held:
        found: Held = self._this_broker.call("held")
        return found

    def _clients_process(self) -> JvmProcess:
        folder = self._fresh_folder("clients")
        return JvmProcess(
            "the JMS client",
            "tidegate.adapters.openwire.client_process",
            folder.parent,
            folder.with_suffix(".log"),
            folder / "socket",
            self._generation.name,
            str(self._jars),
        )

    def _start_broker(self) -> None:
        self._broker = Broker(
            self._coordinates.version,
            self._generation.name,
            self._jars,
            self._fresh_folder("broker"),
            self.log_path,
            self._meet,
        )

    def _fresh_folder(self, name: str) -> Path:
        if self._folder is None:
            raise AdapterError("the adapter was not started")
        self._processes += 1
        folder = Path(self._folder.name) / f"{name}-{self._processes}"
        folder.mkdir()
        return folder

    def _meet(self, port: int) -> None:
        """Let clients connect to the running broker, and give topics their subscriptions."""
        self._clients.call("meet", port)
        for topic in sorted(self._topics - set(self._bound)):
            self._subscribe(topic)
        for topic in dict.fromkeys(self._bound.values()):
            self._bind_all(topic)

    def _bind_all(self, topic: str) -> None:
        for name in [name for name, of in self._bound.items() if of == topic]:
            self._subscribe(name)

    def _subscribe(self, name: str) -> None:
        """Attach the subscription of a topic, or of several subscriptions the one with this name."""
        self._unsubscribed.discard(name)
        topic, durably = self._bound.get(name, name), self._subscribes_durably or name in self._bound
        self._clients.call("open_consumer", _subscription(name), _subscription(name), topic, True, durably)
        if name in self._bound:
            self._this_broker.call("bind", topic, name, _subscription(name))

    def _calibrate(self) -> None:
        self.declare(SCRATCH, Limits(cursor="memory"))
        self.open_producer(SCRATCH, SCRATCH, (SCRATCH,))
        self._charge = calibrated_by_body(self._charged)
        self.identity = replace(self.identity, version=self._this_broker.call("version") or self.identity.version)
        notes = {"charge_beyond_body_bytes": self._charge.beyond_body}
        self.parameters = replace(self.parameters, smallest_message_bytes=self._generation.scale, notes=notes)
        self.end_scenario()

    def _charged(self, message_id: str, body_bytes: int) -> int:
        before = self.depth(SCRATCH).bytes
        outcome = self._senders[SCRATCH].send(message_id, body_bytes)
        if outcome is not Outcome.ACCEPTED:
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return self.depth(SCRATCH).bytes - before

    def _wait(self, until: Callable[[], bool]) -> None:
        """Wait at most `EVENTUALLY_MS`: a later look shows it if the condition does not hold then."""
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while not until() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _forget(self) -> None:
        for known in (self._topics, self._unsubscribed, self._bound):
            known.clear()
        for clients in (self._senders, self._attached, self._consumers, self._lines):
            clients.clear()
        self._keeps = self._subscribes_durably = False


def _check_policy(limits: Limits) -> None:
    if limits.policy not in (None, *POLICIES):
        raise Unsupported(f"a full destination of Classic is under flow control or not, not {limits.policy!r}")


def _subscription(topic: str) -> str:
    """The name of a topic's subscription, and of its connection, in the clients' process."""
    return f"subscription-{topic}"
