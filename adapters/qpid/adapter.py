"""The adapter contract on a real Qpid Java broker: AMQP verbs through the clients, observation through management."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
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
)
from tidegate.adapters.charge import Charge, calibrated
from tidegate.adapters.faults.processes import Halting
from tidegate.adapters.faults.small_disk import SmallDisk
from tidegate.adapters.groups import ClientState, Settlement, Traffic, Usage
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.process.brokers import coordinates, tell_untried, usual_version
from tidegate.adapters.process.log_tail import LogTails
from tidegate.adapters.qpid.broker import DISK_SCALE, QpidBroker
from tidegate.adapters.qpid.broker_j import BrokerJ
from tidegate.adapters.qpid.generation import broker_of
from tidegate.adapters.qpid.reproduce import recording, script_template
from tidegate.adapters.selectors import NO_MESSAGE
from tidegate.record.errors import Unavailable
from tidegate.record.extras import how_to_install
from tidegate.record.report import Recording, ScriptTemplate

try:
    from tidegate.adapters.amqp091.channel import Channel, Taken
    from tidegate.adapters.qpid.clients import AMQP_010, AMQP_091, AMQP_10, Clients, by_jms
    from tidegate.adapters.qpid.producers import Producer, Producer010, Producer091, Route
    from tidegate.adapters.qpid_jms.clients import JmsProducer
except ImportError as error:
    raise Unavailable(
        f"the qpid adapter needs pika and python-qpid-proton: {how_to_install('qpid')}, which takes "
        f"a C compiler and the headers of Python ({error})"
    ) from error

EVENTUALLY_MS = 2000
NEVER_MS = 100
CLOCK_MS = 300
POLL_SECONDS = 0.001
SCRATCH = "tidegate-calibration"
ADMIN = "tidegate-admin"
STORE = "Derby"
"""The store of messages in scenarios about a quota."""
EXACT = Charge(0, 0)
"""No charge beyond body and message id, for measuring the real charge."""


class QpidAdapter:
    """The Qpid adapter: each destination is a queue. A producer has its own channel, or link in AMQP 1.0."""

    def __init__(self, version: str = ""):
        usual = usual_version("qpid")
        version = version or usual
        coordinates("qpid", version)
        profile = "qpid" if version == usual else f"qpid:{version}"
        self._broker: QpidBroker = broker_of(version)
        protocols = (AMQP_091, AMQP_10) if "several-protocols" in self._broker.capabilities else (AMQP_091,)
        self.capabilities = self._broker.capabilities
        self.identity = Identity("Qpid", version, AMQP_091, profile)
        self.parameters = Parameters(
            self._broker.scale,
            smallest_message_bytes=self._broker.scale,
            eventually_ms=EVENTUALLY_MS,
            never_ms=NEVER_MS,
            clock_ms=CLOCK_MS,
            disk_scale=DISK_SCALE,
            protocols=protocols,
        )
        self.log_path = Path()
        self._logs = LogTails()
        self._charges: dict[str, Charge] = {}
        self._routes: dict[str, Route] = {}
        self._exchanges: list[str] = []
        self._defaults_set = False
        self._stores = 0
        """The number of virtual hosts with a store on disk so far."""
        self._usual = self._broker
        self._keeping: BrokerJ | None = None
        """A separate broker process that keeps data, from the first scenario that asks for it."""
        self._limited: BrokerJ | None = None
        """A broker process for this scenario alone, started with limits."""
        self._in_file: set[str] = set()
        """The queues that this broker has had since its start."""
        self._priorities = Priorities()
        self._clients = self._usual_clients = Clients(self._broker, self._priorities)
        self._lines: dict[str, str] = {}
        """The connection of each producer."""
        self._halting = Halting()
        self._disk = SmallDisk()
        """The small disk of the scenario, if it asks for one."""
        self._producers: dict[str, tuple[Producer, Route | None]] = {}
        self._consumers: dict[str, tuple[Channel, str]] = {}
        self._taken: dict[tuple[str, str], Taken] = {}

    def start(self) -> None:
        """Fetch and start the broker, and measure what it charges."""
        if find_spec("jpype") is None:
            raise Unavailable(f"the qpid adapter needs JPype for the broker's JMS client: {how_to_install('qpid')}")
        tell_untried("qpid", self._broker.version)
        try:
            self._clients.start()
            self._broker.start()
            self.log_path = self._broker.log
            self._logs = LogTails()
            self.identity = replace(self.identity, version=self._broker.version)
            self._calibrate()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the broker and remove its log. The client does not wait for a hanging broker."""
        with ExitStack() as every:
            every.callback(self._disk.unmount)
            every.callback(self._usual.stop)
            for other in filter(None, (self._keeping, self._limited)):
                every.callback(other.stop)
            if self._clients is not self._usual_clients:
                every.callback(self._clients.drop_all)
            every.callback(self._usual_clients.stop)
            self._use(self._usual, self._usual_clients)
            self._keeping = self._limited = None
            self._forget()

    def declare(self, destination: str, limits: Limits) -> None:
        """Create a queue, unless the broker has it from its file."""
        if destination not in self._in_file:
            self._broker.create_queue(destination, limits, by_priority=self._priorities.in_use)
        self._routes[destination] = Route("", destination)

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """Create a topic exchange, and a queue with these limits that gets every message sent there."""
        self.declare(destination, limits)
        self._bind(destination, destination, kind="topic")
        self._routes[destination] = Route(destination, destination)

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Create a topic exchange, and queues that get every message sent there, bound in this order."""
        queues = {**before, destination: limits, after: Limits()}
        for queue, its in queues.items():
            self.declare(queue, its)
        self._bind(destination, *queues, kind="topic")
        self._routes[destination] = Route(destination, destination)

    def unbind(self, destination: str, queue: str) -> None:
        """Delete the queue."""
        self._broker.delete_queue(queue)
        del self._routes[queue]

    def declare_usage(self, usage: Usage) -> None:
        """Create a virtual host for this scenario, with a store on disk and this quota."""
        if usage != Usage(quota_bytes=usage.quota_bytes, quota_resume_bytes=usage.quota_resume_bytes):
            raise Unsupported(f"Qpid has a quota for its message store, and no {usage}")
        self._stores += 1
        self._broker.set_quota(f"quota-{self._stores}", usage)

    def declare_defaults(self, limits: Limits) -> None:
        """Set the limits of the virtual host."""
        self._defaults_set = True
        self._broker.set_defaults(limits)

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        """Start another broker, with the queue in its initial configuration. AdapterError for a broker without such
        a file."""
        if not isinstance(self._usual, BrokerJ):
            raise Unsupported("queues stand in no file that this broker reads")
        self._limited = type(self._usual)(self._usual.version, queues={destination: limits})
        self._limited.start()
        self._in_file.add(destination)
        self._use(self._limited, Clients(self._limited, self._priorities))

    def limits_in_force(self, destination: str) -> Limits:
        """The limits of the queue, from their names in the broker's REST interface."""
        return self._broker.limits_in_force(destination)

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Set other limits by management."""
        self._broker.set_limits(destination, limits)

    def purge(self, destination: str) -> None:
        """Remove every message of the queue by REST."""
        self._broker.purge(destination)

    def move(self, destination: str, to: str) -> None:
        """Move the messages of the queue by REST."""
        self._broker.move(destination, to)

    def list_messages(self, destination: str) -> int:
        """The number of messages in a listing of the queue by REST."""
        return self._broker.list_messages(destination)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a channel, a link, or a session of the JMS client where sends must wait or a transaction is wanted.

        Several destinations are bound to one exchange with the producer's name.
        """
        if len(destinations) == 1:
            route = self._route_to(destinations[0])
        else:
            self._bind(producer, *destinations, kind="fanout")
            route = Route(producer, "")
        self._producers[producer] = self._opened(producer, connection, options, route), route

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Open a channel: a publisher of AMQP 0-9-1 names a destination with each message anyway."""
        self._producers[producer] = self._opened(producer, connection, DEFAULT_OPTIONS, None), None

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a channel that asks for one message at a time."""
        self._route_to(destination)
        self._consumers[consumer] = self._clients.channel(connection), destination

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message; unsettled in a transaction, or as soon as the JMS client is seen to let the call wait."""
        sender, route = self._producers[producer]
        if route is None:
            raise AdapterError(f"the producer {producer!r} names a destination with each message")
        return sender.send(message_id, size_bytes, route)

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message that expires after `lives_ms`. AdapterError for a producer that is not on a channel."""
        sender, route = self._producers[producer]
        if route is None or not isinstance(sender, Producer091):
            raise Unsupported("only what a channel of AMQP 0-9-1 publishes is given a time to live")
        return sender.send(message_id, size_bytes, route, lives_ms)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message with a destination."""
        return self._producers[producer][0].send(message_id, size_bytes, self._route_to(destination))

    def take(self, consumer: str) -> Delivery | None:
        """The next message; None if management counts no waiting message, or none comes in `EVENTUALLY_MS`."""
        channel, destination = self._consumers[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while (taken := self._clients.get(channel, destination)) is None:
            if self._waiting(destination) <= 0 or time.monotonic() > deadline:
                return None
            time.sleep(POLL_SECONDS)
        self._taken[consumer, taken.message_id] = taken
        return Delivery(taken.message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message and wait until the broker has done so."""
        channel, _ = self._consumers[consumer]
        taken = self._taken.pop((consumer, message_id), None)
        if taken is None:
            raise AdapterError(f"message {message_id!r} was not handed out to {consumer!r}")
        channel.acknowledge(taken)
        channel.barrier()

    def acknowledge_all(self, consumer: str) -> None:
        """Acknowledge up to the last message, and wait until the broker has done so."""
        channel, _ = self._consumers[consumer]
        taken = [self._taken.pop(key) for key in [key for key in self._taken if key[0] == consumer]]
        channel.acknowledge_up_to(max(taken, key=lambda each: each.tag))
        channel.barrier()

    def give_up(self, consumer: str, message_id: str) -> None:
        """Reject a message while its queue gives up each message that was handed out once.

        Otherwise the broker would hand a rejected message out again. Unsupported for a broker before 7.
        """
        if not isinstance(self._broker, BrokerJ):
            raise Unsupported("this broker has no number of deliveries that can be changed in use")
        channel, destination = self._consumers[consumer]
        taken = self._taken.pop((consumer, message_id))
        self._broker.set_most_deliveries(destination, 1)
        channel.reject(taken)
        channel.barrier()
        self._broker.set_most_deliveries(destination, 0)

    def give_back(self, consumer: str) -> None:
        """Have the messages queued again, the last one first, and wait until the broker has done so."""
        channel, _ = self._consumers[consumer]
        for key in reversed([key for key in self._taken if key[0] == consumer]):
            channel.give_back(self._taken.pop(key))
        channel.barrier()

    def depth(self, destination: str) -> Depth:
        """The messages and bytes of the queue, from management."""
        return self._broker.depth(destination)

    def traffic(self, destination: str) -> Traffic:
        """The counters of the broker's statistics of the queue."""
        return self._broker.traffic(destination)

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: by an order to stop, or, in AMQP 1.0, without credit."""
        return Standing(self._producers[producer][0].stopped())

    def shown_stopped(self, producer: str) -> bool | None:
        """Whether management shows its channel as blocked; None for other protocols, where several share a session."""
        sender = self._producers[producer][0]
        if not isinstance(sender, Producer091):
            return None
        return self._broker.shown_blocked(self._lines[producer], sender.channel)

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        return self._jms(producer).commit()

    def rollback(self, producer: str) -> None:
        """Roll the transaction back."""
        self._jms(producer).rollback()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The outcomes of sends of the JMS client that waited; other sends are answered at once."""
        sender = self._producers[producer][0]
        return sender.jms.settlements() if isinstance(sender, Producer010) else ()

    def client_state(self, producer: str) -> ClientState:
        """The state of the JMS client."""
        return self._jms(producer).state()

    def client_warnings(self, producer: str) -> Sequence[str]:
        """The warnings that the JMS client logged on the producer's own thread."""
        return self._jms(producer).warnings()

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a receiver link of AMQP 1.0 with a selector that no message matches, and with credit."""
        self._route_to(destination)
        self._clients.receiver(connection, destination, selector=NO_MESSAGE).wait_for_one()

    def browse(self, destination: str) -> int:
        """Attach a receiver link of AMQP 1.0 that gets copies, on a separate connection; the result is their number."""
        receiver = self._clients.receiver(ADMIN, destination, browses=True)
        seen = receiver.copies(self._waiting(destination), EVENTUALLY_MS)
        receiver.close()
        return seen

    def recreate(self, destination: str, limits: Limits) -> None:
        """Delete the queue by REST, and create it again. AdapterError for a queue that the broker has from its file."""
        if destination in self._in_file:
            raise Unsupported("a queue of the file is not created again")
        self._broker.delete_queue(destination)
        self.declare(destination, limits)

    def close_producer(self, producer: str) -> None:
        """Close its channel, or its links."""
        self._producers.pop(producer)[0].close()

    def close_consumer(self, consumer: str) -> None:
        """Close its channel."""
        channel, _ = self._consumers.pop(consumer)
        self._forget_taken(consumer)
        channel.close()

    def kill(self, connection: str) -> None:
        """Drop the sockets of the connection, and forget its consumers."""
        self._clients.kill(connection)
        for consumer in [name for name, (channel, _) in self._consumers.items() if channel.closed is not None]:
            del self._consumers[consumer]
            self._forget_taken(consumer)

    def order_by_priority(self) -> None:
        """Create queues by priority from now on, and send messages with priorities."""
        self._priorities.begin()

    def keep_data(self) -> None:
        """Switch to a broker process that keeps its data, until the scenario ends."""
        if not isinstance(self._usual, BrokerJ):
            raise Unsupported(f"Qpid {self._usual.version} is started without a store")
        if self._keeping is None:
            self._keeping = type(self._usual)(self._usual.version, durable=True)
            self._keeping.start()
        self._use(self._keeping, Clients(self._keeping, self._priorities))

    def restart_broker(self) -> None:
        """Kill the broker that keeps its data, and start it again."""
        if self._keeping is None or self._broker is self._usual:
            raise AdapterError("only a broker that keeps its data can be restarted")
        self._clients.drop_all()
        self._keeping.kill_and_start()
        for known in (self._producers, self._consumers, self._taken, self._lines):
            known.clear()

    def use_small_disk(self) -> None:
        """Create a virtual host for this scenario, with its store on a small file system in memory."""
        if not isinstance(self._broker, BrokerJ):
            raise Unsupported(f"Qpid {self._usual.version} does not watch its disk")
        self._stores += 1
        self._disk.mount(self._broker.log.with_name(f"disk-{self._stores}"))
        self._broker.use_disk(f"disk-{self._stores}", self._disk)

    def fill_disk(self) -> None:
        """Fill the small disk with one large file."""
        self._disk.fill()

    def free_disk(self) -> None:
        """Delete the large file that fills the small disk."""
        self._disk.free()

    def pause_broker(self) -> None:
        """Halt the broker's process by SIGSTOP."""
        self._halting.halt(self._broker.pid)

    def unpause_broker(self) -> None:
        """Let the broker's process go on by SIGCONT."""
        self._halting.go_on()

    def make_cuttable(self, connection: str) -> None:
        """Route the connection through a proxy of its own."""
        self._clients.cuttable.add(connection)

    def stall(self, connection: str) -> None:
        """Have the connection's proxy forward nothing more."""
        self._clients.cuttable.stall(connection)

    def unstall(self, connection: str) -> None:
        """Have the connection's proxy forward the bytes that it held back, and every later byte."""
        self._clients.cuttable.unstall(connection)

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        """Cut the connection at its proxy while the message is sent, and drop the client's end too."""
        connection = self._lines[producer]
        outcome = self._clients.cuttable.cut_in(
            connection, lambda: self.send(producer, message_id, size_bytes), size_bytes, arrives=arrives
        )
        self.kill(connection)
        return outcome

    def advance(self, ms: int) -> None:
        """Sleep for this number of ms."""
        time.sleep(ms / 1000)

    def end_scenario(self) -> None:
        """Close all connections, delete all queues and exchanges, and reset default limits; a failure does not stop
        the others."""
        self._halting.go_on()
        with ExitStack() as every:
            every.callback(self._use, self._usual, self._usual_clients)
            every.callback(self._forget)
            if self._limited is not None:
                every.callback(self._limited.stop)
                self._limited = None
            every.callback(self._disk.unmount)
            every.callback(self._broker.end_quota)
            if self._defaults_set:
                every.callback(self._broker.set_defaults, Limits())
            for destination in self._routes:
                every.callback(self._broker.delete_queue, destination)
            every.callback(self._clients.close)
            every.callback(self._delete_exchanges)

    def log_lines(self) -> list[str]:
        """Whole lines that the broker in use wrote since the last call."""
        return self._logs.lines(self._broker.log)

    def script_template(self) -> ScriptTemplate:
        """The template, with the names of a queue's limits in this version's REST."""
        return script_template(self.identity.version)

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with pika and the JMS client repeats them; AdapterError if never started."""
        if AMQP_010 not in self._charges:
            raise AdapterError("the adapter was not started")
        body_bytes, jms_body_bytes = (self._charges[protocol].body_bytes for protocol in (AMQP_091, AMQP_010))
        return recording(self.identity.version, calls, body_bytes, jms_body_bytes)

    def _use(self, broker: QpidBroker, clients: Clients) -> None:
        """Use this broker and these clients from now on."""
        self._broker, self._clients = broker, clients
        if isinstance(broker, BrokerJ):
            broker.renew_management()

    def _opened(self, producer: str, connection: str, options: ProducerOptions, route: Route | None) -> Producer:
        self._lines[producer] = connection
        if self._broker is not self._usual and by_jms(options):
            raise Unsupported("the JMS client is led to no other broker than the usual one")
        if self._broker is self._keeping:
            options = replace(options, persistent=True)
        asked = replace(
            DEFAULT_OPTIONS,
            obeys=options.obeys,
            protocol=options.protocol,
            persistent=options.persistent,
            settled=options.settled,
        )
        if by_jms(options):
            asked = replace(asked, transacted=options.transacted, wait_ms=options.wait_ms, notify_ms=options.notify_ms)
        if options != asked:
            raise Unsupported(f"this adapter has no producer with {options}")
        protocol = options.protocol or (AMQP_010 if by_jms(options) else AMQP_091)
        if protocol not in self._charges or (by_jms(options) and protocol != AMQP_010):
            raise Unsupported(f"this adapter has no producer of {protocol!r} with {options}")
        return self._clients.producer(producer, connection, protocol, self._charges[protocol], options, route)

    def _jms(self, producer: str) -> JmsProducer:
        sender = self._producers[producer][0]
        if not isinstance(sender, Producer010):
            raise AdapterError(f"the producer {producer!r} does not belong to the JMS client")
        return sender.jms

    def _bind(self, exchange: str, *destinations: str, kind: str) -> None:
        """Declare an exchange that routes every message to all of these destinations."""
        admin = self._clients.channel(ADMIN)
        admin.declare_exchange(exchange, kind)
        self._exchanges.append(exchange)
        for destination in destinations:
            self._route_to(destination)
            admin.bind_queue(destination, exchange, "#")
        admin.close()

    def _delete_exchanges(self) -> None:
        if self._exchanges:
            admin = self._clients.channel(ADMIN)
            for exchange in self._exchanges:
                admin.delete_exchange(exchange)

    def _route_to(self, destination: str) -> Route:
        if destination not in self._routes:
            raise AdapterError(f"the destination {destination!r} was not declared")
        return self._routes[destination]

    def _waiting(self, destination: str) -> int:
        """The messages in a queue that are not delivered."""
        handed = sum(self._consumers[consumer][1] == destination for consumer, _ in self._taken)
        return self._broker.depth(destination).messages - handed

    def _calibrate(self) -> None:
        """Measure what messages are charged, for each protocol."""
        for protocol in (*self.parameters.protocols, AMQP_010):
            self._charges[protocol] = self._broker.charge or self._measured(protocol)
        notes: dict[str, str | int] = {
            f"charge_beyond_body_id_and_route_bytes_{protocol}": charge.short
            for protocol, charge in self._charges.items()
        }
        notes |= {"JMS client": self._clients.jms_version}
        if "disk-quota" in self.capabilities:
            notes |= {"message store": STORE}
        self.parameters = replace(self.parameters, notes=notes)

    def _measured(self, protocol: str) -> Charge:
        """The charge of messages sent to a queue by its name, and through an exchange; AdapterError where it
        differs."""
        self.declare(SCRATCH, Limits())
        self._bind(ADMIN, SCRATCH, kind="fanout")
        found = {calibrated(self._charge_of(protocol, route)) for route in (self._routes[SCRATCH], Route(ADMIN, ""))}
        self.end_scenario()
        if len(found) != 1:
            raise AdapterError(f"{protocol} is charged {found}; expected the same charge by every route")
        return found.pop()

    def _charge_of(self, protocol: str, route: Route) -> Callable[[str, int], int]:
        """A function that gives the charge of a message, from its id and body size, beyond the names of its route."""
        name = f"{SCRATCH}-{route.address}"
        producer = self._clients.producer(name, SCRATCH, protocol, EXACT, DEFAULT_OPTIONS, route)
        beside = 0 if protocol == AMQP_10 else route.bytes

        def charged(message_id: str, body_bytes: int) -> int:
            before = self.depth(SCRATCH).bytes
            outcome = producer.send(message_id, body_bytes + len(message_id.encode()) + beside, route)
            if outcome is not Outcome.ACCEPTED:
                raise AdapterError(f"a message to measure its charge was not accepted: it was {outcome}")
            return self.depth(SCRATCH).bytes - before - beside

        return charged

    def _forget_taken(self, consumer: str) -> None:
        for key in [key for key in self._taken if key[0] == consumer]:
            del self._taken[key]

    def _forget(self) -> None:
        for known in (self._routes, self._producers, self._consumers, self._taken, self._lines):
            known.clear()
        self._exchanges.clear()
        self._in_file.clear()
        self._priorities.end()
        self._defaults_set = False
