"""A blocking AMQP 0-9-1 client with a watchdog on every call; by itself it only answers orders to stop."""

from typing import Any

import pika  # type: ignore[import-untyped]  # pika ships no types

from tidegate.adapters.amqp091.channel import Channel
from tidegate.adapters.amqp091.engine import Engine
from tidegate.adapters.errors import ConnectionLost, NoAnswer

WATCHDOG_MS = 5000
"""How long a call may hang, in ms, before that counts as a result."""


class Connection:
    """One AMQP connection with its channels. For one thread at a time; every call ends within its watchdog."""

    def __init__(
        self,
        host: str,
        port: int,
        name: str,
        *,
        vhost: str = "/",
        user: str = "guest",
        password: str = "guest",  # noqa: S107  # what brokers ship with
        watchdog_ms: int = WATCHDOG_MS,
    ) -> None:
        """Open the connection, named `name` at the broker. Raises `ConnectionLost`, `NoAnswer`."""
        self.name = name
        self._watchdog_ms = watchdog_ms
        parameters = pika.ConnectionParameters(
            host=host,
            port=port,
            virtual_host=vhost,
            credentials=pika.PlainCredentials(user, password),
            heartbeat=0,  # a stopped process is found by the watchdog
            connection_attempts=1,
            # the watchdog comes first
            socket_timeout=watchdog_ms / 1000 + 1,
            stack_timeout=watchdog_ms / 1000 + 1,
            client_properties={"connection_name": name, "instance": name},  # RabbitMQ's word for it, and Qpid's
        )
        self._engine = Engine(parameters, name)
        try:
            self._engine.wait(lambda: self._engine.opened, within_ms=watchdog_ms, what="answer to the AMQP open")
        except NoAnswer:
            self.kill()
            raise
        except ConnectionLost as error:
            raise ConnectionLost(f"no AMQP connection to {host}:{port}: {self._engine.lost}") from error

    @property
    def lost(self) -> str | None:
        """Why the connection ended; None while it is open."""
        return self._engine.lost

    @property
    def server(self) -> dict[str, Any]:
        """The broker's properties: `product`, `version` and so on. Raises `NoAnswer`, `ConnectionLost`."""
        return self._engine.order(lambda connection: dict(connection.server_properties), within_ms=self._watchdog_ms)

    def channel(self, *, confirms: bool = False, obeys: bool = True, answers_flow: bool = True) -> Channel:
        """Open a channel; with `confirms` the broker confirms each message.

        With `obeys` it publishes nothing between an order to stop and the order to resume, and answers both orders,
        unless the broker does not tolerate the answer (`answers_flow`); without `obeys` it is a client that does not
        know these orders. Raises `Failed` where the broker has no confirms, `NoAnswer`, `ConnectionLost`.
        """
        channel = Channel(self._engine, obeys=obeys, answers_flow=answers_flow, watchdog_ms=self._watchdog_ms)
        channel.open(confirms=confirms)
        return channel

    def close(self) -> None:
        """Close the connection and wait for its end; a lost connection is left as it is.

        Raises `NoAnswer` when the broker does not answer; the connection is then dropped.
        """

        def close(connection: Any) -> None:
            connection.close()

        try:
            if self._engine.lost is None:
                self._engine.order(close, within_ms=self._watchdog_ms)
            self._engine.join(within_ms=self._watchdog_ms)
        except NoAnswer:
            self.kill()
            raise

    def kill(self) -> None:
        """Drop the socket without an AMQP close, as a killed client does. Raises `NoAnswer`."""
        self._engine.drop()
