"""Opens, closes and kills producers and consumers."""

from dataclasses import replace
from functools import partial

from tidegate.adapters.base import DEFAULT_OPTIONS, ProducerOptions
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import (
    BuffersAhead,
    ClosesByManagement,
    ClosesClients,
    ConsumerOptions,
    GivesMessagesBack,
    KillsClients,
    SendsAnonymously,
)
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.traffic import TrafficLooks

SHARED_CONNECTION = "shared connection"
"""The connection that all producers share if the weave demands one."""


class Clients(TrafficLooks):
    """Opens clients with the options of the weave, closes and kills them."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._connections: dict[str, str] = {}
        """The connection of each client."""
        self._owners: dict[str, str] = {}
        """The client with whose connection a temporary destination ends."""
        self._anonymous: dict[str, str] = {}
        """The destination of each producer that names it with each message only because of the weave."""
        self._committing: set[str] = set()
        """Producers that are transacted only because of the weave: each message is committed at once."""
        self._to_commit: set[str] = set()
        """The producers among these with a message to commit once its send, which waits, has returned."""
        self._untold: set[str] = set()
        """Producers that get no answers to their messages, only because of the weave."""
        self._paced: set[str] = set()
        """Producers that may send one message a second, only because of the weave."""
        self._ever_opened = 0
        """The number of producers opened so far; a history opens producers, too."""

    def open_producer(
        self,
        name: str,
        *destinations: str,
        connection: str | None = None,
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a producer on its own channel, and on its own connection unless one is named."""
        weave = self.weave.of_producer(self._ever_opened)
        self._ever_opened += 1
        if self.weave.one_connection:
            connection = connection or SHARED_CONNECTION
        if weave.anonymous and options == DEFAULT_OPTIONS and len(destinations) == 1:
            self._anonymous[name] = destinations[0]
            self.open_anonymous_producer(name, connection, weave.options(options).session)
            return
        asked, options = options, self._in_protocol(self._figures.times(weave.options(options)), weave.protocol)
        if options.transacted and not asked.transacted:
            self._committing.add(name)
        if (options.asynchronous and not asked.asynchronous) or (options.settled and not asked.settled):
            self._untold.add(name)
        if self.weave.paced:
            self._paced.add(name)
        producer, targets = self._full(name), tuple(map(self._full, destinations))
        line = self._connect(name, connection)
        scaled = replace(options, window_bytes=self._figures.level(options.window_bytes))
        further = () if scaled == DEFAULT_OPTIONS else (scaled,)
        self._call(self.adapter.open_producer, producer, line, targets, *further)
        # only a producer that was opened is looked at
        self.producers[name] = targets
        self._options[name] = options
        self.recorder.opened(producer, targets, line, options)
        for target in targets:
            self._level(target, cause="open")
        self._look_at(name)

    def open_anonymous_producer(self, name: str, connection: str | None = None, session: str = "") -> None:
        """Open a producer that names a destination with each message, in its own session unless one is named."""
        adapter = self._offered(SendsAnonymously, "anonymous producers")
        self.producers[name] = ()
        self._naming.add(name)
        further = (session,) if session else ()
        self._call(adapter.open_anonymous_producer, self._full(name), self._connect(name, connection), *further)

    def open_consumer(self, name: str, destination: str, connection: str | None = None) -> None:
        """Open a consumer, on its own connection unless one is named, or its destination belongs to one."""
        self.before_room(destination)
        self._consumers[name] = destination
        line = self._connect(name, connection or self._owners.get(destination))
        self._call(self.adapter.open_consumer, self._full(name), line, self._full(destination))

    def open_consumer_with(self, name: str, destination: str, options: ConsumerOptions, *, scaled: bool = True) -> None:
        """Open a consumer with a window or a rate, on its own connection."""
        self.before_room(destination)
        adapter = self._offered(BuffersAhead, "consumers that buffer ahead")
        self._consumers[name] = destination
        self._consumer_rates[name] = options.rate
        window = self._figures.level(options.window_bytes) if scaled else options.window_bytes
        with_window = replace(options, window_bytes=window)
        self._call(
            adapter.open_consumer_with,
            self._full(name),
            self._connect(name, None),
            self._full(destination),
            with_window,
        )

    def close_producer(self, name: str) -> None:
        """Close a producer as its client does."""
        self._call(self._offered(ClosesClients, "to close clients").close_producer, self._full(name))
        self._gone(name, "close")

    def close_consumer(self, name: str) -> None:
        """Close a consumer; messages that it did not acknowledge go back to their destination."""
        self._call(self._offered(ClosesClients, "to close clients").close_consumer, self._full(name))
        self.messages.give_back(name)
        destination = self._consumers.pop(name)
        self.recorder.given_back(self._full(destination))
        self._level_after(destination, "close")
        self.look_at_traffic(destination)

    def give_back(self, name: str) -> None:
        """Have a consumer give back its unacknowledged messages; the consumer stays attached."""
        self._call(self._offered(GivesMessagesBack, "to give messages back").give_back, self._full(name))
        self.messages.give_back(name)
        destination = self._consumers[name]
        self.recorder.given_back(self._full(destination))
        self._level_after(destination, "return")
        self.look_at_traffic(destination)

    def kill(self, name: str) -> None:
        """Drop the connection of a client, with all clients on it, without a message to the broker."""
        line = self._connections[name]
        self._call(self._offered(KillsClients, "to kill clients").kill, line)
        self.bystander.lost(line)
        self._all_gone(line, "kill")

    def close_by_management(self, name: str) -> bool:
        """Have management close a client's connection; whether the broker then no longer has the connection.

        The clients on the connection are not looked at afterwards, whether they noticed the close or not.
        """
        adapter, line = self._offered(ClosesByManagement, "to close connections by management"), self._connections[name]
        self._call(adapter.close_connection, line)
        is_there = self.comes_to(partial(self._call, adapter.has_connection, line), lambda seen: not seen)
        self.bystander.lost(line)
        self._all_gone(line, "kill")
        return not is_there

    def is_transacted(self, name: str) -> bool:
        """Whether a producer sends in transactions, because of the scenario or of the weave."""
        return self._options.get(name, DEFAULT_OPTIONS).transacted or self.commits_at_once(name)

    def commits_at_once(self, name: str) -> bool:
        """Whether each message of a producer is committed as soon as it is sent, because of the weave."""
        return name in self._committing

    def is_anonymous(self, name: str) -> bool:
        """Whether the scenario itself, not the weave, made a producer name a destination with each message."""
        return name in self._naming and name not in self._anonymous

    def can_wait(self, name: str) -> bool:
        """Whether a producer can ever be blocked: it waits for answers, has a window, or needs credit in bytes."""
        options = self._options.get(name, DEFAULT_OPTIONS)
        needs_credit = "core-window" in self.adapter.capabilities and options.obeys
        return not options.asynchronous or options.window_bytes is not None or needs_credit

    def waits_for_each_answer(self, name: str) -> bool:
        """Whether each call of a producer waits for the answer to its message, and for no rate."""
        options = self._options.get(name, DEFAULT_OPTIONS)
        is_told = not options.asynchronous and not options.unconfigured and options.window_bytes is None
        return is_told and name not in self._untold and name not in self._paced

    @property
    def can_close_clients(self) -> bool:
        """Whether clients can be closed."""
        return offered(self.adapter, ClosesClients) is not None

    def _connect(self, name: str, connection: str | None) -> str:
        """The connection of a client: the named one, or one with the client's own name."""
        line = self._connections[name] = self._full(connection or name)
        return line

    def _also_sends_to(self, name: str, destination: str) -> None:
        full = self._full(destination)
        if full not in self.producers[name]:
            self.producers[name] = (*self.producers[name], full)
            self.recorder.opened(self._full(name), (full,), self._connections[name])

    def _in_protocol(self, options: ProducerOptions, number: int) -> ProducerOptions:
        """The options, with the protocol of this number if the adapter has it; 0 for the usual one."""
        protocols = self.adapter.parameters.protocols
        return replace(options, protocol=protocols[number]) if 0 < number < len(protocols) else options

    def _gone(self, name: str, cause: str) -> None:
        """Remove a producer that has ended, and record the levels of its destinations."""
        self._record_gone(name, self.producers.pop(name), cause)

    def _record_gone(self, name: str, targets: tuple[str, ...], cause: str) -> None:
        """Record the end of a producer, and the levels of its destinations."""
        self.recorder.gone(self._full(name), targets, cause)
        for target in targets:
            self._level(target, cause=cause)
        self._look_at_all()

    def _all_gone(self, line: str, cause: str) -> None:
        """Remove all clients of a connection that has ended."""
        on_it = [other for other, its in self._connections.items() if its == line]
        # no producer of the connection may be looked at any more, so all are removed first
        ended = {other: self.producers.pop(other) for other in on_it if other in self.producers}
        for other in on_it:
            if other in ended:
                self.messages.lose_connection(self._full(other))
                self._record_gone(other, ended[other], cause)
            elif other in self._consumers:
                self.messages.give_back(other)
                destination = self._consumers.pop(other)
                self.recorder.given_back(self._full(destination), broken=True)
                self.look_at_traffic(destination)
