"""A blocking AMQP 1.0 client with a watchdog on every call; it does nothing by itself."""

import itertools
from typing import Any, TypeVar

from proton import Described, Endpoint, Event, Terminus, symbol

from tidegate.adapters.amqp10.coordinator import Coordinator
from tidegate.adapters.amqp10.engine import Engine
from tidegate.adapters.amqp10.links import LinkEnd, Receiver, Sender
from tidegate.adapters.amqp10.native import Native
from tidegate.adapters.errors import NoAnswer

WATCHDOG_MS = 5000
"""How long a call may hang, in ms, before that counts as a result."""

SELECTOR = symbol("apache.org:selector-filter:string")
"""The filter of a source with a JMS selector: the broker sends only messages that match the selector."""

End = TypeVar("End", bound=LinkEnd)


class Connection:
    """One AMQP connection with its links. For one thread at a time; every call ends within its watchdog."""

    def __init__(
        self, host: str, port: int, name: str, *, virtual_host: str = "", watchdog_ms: int = WATCHDOG_MS
    ) -> None:
        """Open the connection under the container id `name`, to the virtual host of that name if one is given.

        Raises `ConnectionLost`, `NoAnswer`.
        """
        self.name = name
        self._watchdog_ms = watchdog_ms
        self._numbers = itertools.count(1)
        self._arrivals = _Arrivals()
        self._engine = Engine((host, port), name, virtual_host or host, self._arrivals, connect_ms=watchdog_ms)
        try:
            self._engine.wait(lambda: self._arrivals.opened, within_ms=watchdog_ms, what="answer to the AMQP open")
        except NoAnswer:
            self.kill()
            raise

    @property
    def lost(self) -> str | None:
        """Why the connection ended; None while it is open."""
        return self._engine.lost

    def sender(
        self,
        address: str | None,
        session: str = "",
        coordinator: Coordinator | None = None,
        *,
        settles: bool = False,
    ) -> Sender:
        """Attach a sender to an address, or an anonymous one for None; in a session of its own unless one is named.

        With a coordinator, each message belongs to its open transaction. A sender that `settles` sends each message
        settled. Raises `Refused`, `NoAnswer`, `ConnectionLost`.
        """
        name = f"{self.name}-{next(self._numbers)}-to-{address or 'any'}"
        transaction = None if coordinator is None else coordinator.transaction
        sender = Sender(self._engine, name, self._watchdog_ms, transaction, settles=settles)

        def attach(native: Native) -> None:
            link = native.session(session).sender(sender.name)
            link.source.address = sender.name
            link.target.address = address
            sender.attach(native, link)

        return self._attached(sender, attach)

    def coordinator(self, session: str) -> Coordinator:
        """Attach a link to the broker's coordinator of transactions, in the named session. No transaction is open yet.

        Raises `Refused`, `NoAnswer`, `ConnectionLost`.
        """
        name = f"{self.name}-{next(self._numbers)}-to-coordinator"
        coordinator = Coordinator(self._engine, name, self._watchdog_ms)

        def attach(native: Native) -> None:
            link = native.session(session).sender(coordinator.name)
            link.source.address = coordinator.name
            coordinator.aim(link)
            coordinator.attach(native, link)

        return self._attached(coordinator, attach)

    def receiver(self, address: str | None, *, browses: bool = False, selector: str = "") -> Receiver:
        """Attach a receiver to an address, or to a temporary queue of the broker's choice for None.

        A receiver that `browses` gets copies; a JMS `selector` chooses the messages that a receiver gets.
        Raises `Refused`, `NoAnswer`, `ConnectionLost`.
        """
        name = f"{self.name}-{next(self._numbers)}-from-{address or 'dynamic'}"
        receiver = Receiver(self._engine, name, self._watchdog_ms)

        def attach(native: Native) -> None:
            link = native.session().receiver(receiver.name)
            link.target.address = receiver.name
            if address is None:
                link.source.dynamic = True
            else:
                link.source.address = address
            if browses:
                link.source.distribution_mode = Terminus.DIST_MODE_COPY
            if selector:
                link.source.filter.put_dict({SELECTOR: Described(SELECTOR, selector)})
            receiver.attach(native, link)

        return self._attached(receiver, attach)

    def close(self) -> None:
        """Close the connection and wait for its end; a lost connection is left as it is.

        Raises `NoAnswer` when the broker does not answer; the connection is then dropped.
        """
        try:
            if self._engine.lost is None:
                self._engine.order(lambda native: native.connection.close(), within_ms=self._watchdog_ms)
            self._engine.join(within_ms=self._watchdog_ms)
        except NoAnswer:
            self.kill()
            raise

    def kill(self) -> None:
        """Drop the socket without an AMQP close, as a killed client does. Raises `NoAnswer`."""
        self._engine.drop()

    def _attached(self, end: End, attach: Any) -> End:
        self._arrivals.ends[end.name] = end
        self._engine.order(attach, within_ms=self._watchdog_ms)
        end.wait_attached()
        return end


class _Arrivals:
    """Passes proton's events to the links that they are about; all on the engine's thread."""

    def __init__(self) -> None:
        self.opened = False
        self.ends: dict[str, LinkEnd] = {}

    def on_connection_remote_open(self, native: Native, event: Event) -> None:
        self.opened = True

    def on_connection_remote_close(self, native: Native, event: Event) -> None:
        _close_too(event.connection)

    def on_link_remote_open(self, native: Native, event: Event) -> None:
        self._end(event).on_attached(_link(event))

    def on_link_remote_close(self, native: Native, event: Event) -> None:
        self._end(event).on_detached(_link(event))
        _close_too(event.link)

    def on_link_flow(self, native: Native, event: Event) -> None:
        self._end(event).on_flow(_link(event))

    def on_delivery(self, native: Native, event: Event) -> None:
        delivery: Any = event.delivery
        self._end(event).on_delivery(native, delivery)

    def _end(self, event: Event) -> LinkEnd:
        return self.ends[_link(event).name]


def _link(event: Event) -> Any:
    """The link of an event that has one; proton's types do not say which events do."""
    return event.link


def _close_too(endpoint: Any) -> None:
    """Answer the broker's close or detach, unless that was itself the answer."""
    if endpoint.state & Endpoint.LOCAL_ACTIVE:
        endpoint.close()
