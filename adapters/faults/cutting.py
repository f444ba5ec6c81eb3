"""Connections of a scenario that can be stalled and cut: each goes over a proxy of its own."""

from collections.abc import Callable
from contextlib import ExitStack

from tidegate.adapters.base import AdapterError, Outcome
from tidegate.adapters.faults.proxy import Proxy

SENT = (Outcome.ACCEPTED, Outcome.SENT, Outcome.UNSETTLED)


class CuttableConnections:
    """The connections with a proxy, by the suite's names."""

    def __init__(self) -> None:
        self._proxies: dict[str, Proxy | None] = {}

    def add(self, connection: str) -> None:
        """Let the connection, which is opened later, go over a proxy."""
        self._proxies[connection] = None

    def port_for(self, connection: str, host: str, port: int) -> int:
        """The TCP port for the connection's client: the port of the broker, or of a proxy in front of the broker."""
        if connection not in self._proxies:
            return port
        proxy = self._proxies[connection] = self._proxies[connection] or Proxy(host, port)
        return proxy.port

    def stall(self, connection: str) -> None:
        """Stop all bytes."""
        self._proxy(connection).stall()

    def unstall(self, connection: str) -> None:
        """Let bytes pass again, in both directions."""
        self._proxy(connection).unstall()

    def cut_in(self, connection: str, send: Callable[[], Outcome], size_bytes: int, *, arrives: bool) -> Outcome:
        """Send, and cut the connection after the message (`arrives`), or after half of its bytes."""
        proxy = self._proxy(connection)
        if arrives:
            proxy.hold_answers()
        else:
            proxy.cut_after(max(1, size_bytes // 2))
        try:
            outcome = send()
        except AdapterError:
            outcome = Outcome.UNSETTLED  # the client found its connection broken: the message's fate is unknown
        proxy.cut()
        return Outcome.UNSETTLED if outcome in SENT else outcome

    def close(self) -> None:
        """Cut every connection and close every proxy; a failure does not stop the others."""
        proxies, self._proxies = self._proxies, {}
        with ExitStack() as every:
            for proxy in proxies.values():
                if proxy is not None:
                    every.callback(proxy.close)

    def _proxy(self, connection: str) -> Proxy:
        proxy = self._proxies.get(connection)
        if proxy is None:
            raise AdapterError(f"the connection {connection!r} was not opened as one that can be cut")
        return proxy
