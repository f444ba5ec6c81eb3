"""The AMQP 0-9-1 engine of one connection: pika's loop and objects, and the only thread that touches them.

Only plain data leaves this thread. Pika has no public way to drop a socket, nor to answer an order to stop: this module
does both by two private names of pika.
"""

import logging
from collections.abc import Callable
from typing import Any

import pika  # type: ignore[import-untyped]  # pika ships no types
from pika.adapters.select_connection import IOLoop  # type: ignore[import-untyped]

from tidegate.adapters.client_thread import ClientThread, for_another_thread

DROPPED = "the client dropped the socket"

logging.getLogger("pika").setLevel(logging.CRITICAL)  # what it would log is in the errors raised here


class Engine(ClientThread[Any]):
    """One AMQP connection, driven by its own thread."""

    def __init__(self, parameters: pika.ConnectionParameters, name: str) -> None:
        """Start to connect; the result shows in `opened` or `lost`."""
        super().__init__()
        self.opened = False
        self._dropped = False
        self._loop = IOLoop()
        self._connection: Any = None
        self._run_on_its_own(self._run, parameters, name=f"amqp091-{name}")

    def told(self, callback: Callable[..., None]) -> Callable[..., None]:
        """`callback` in the form for pika: it runs with `changed` held, and then wakes waiting threads."""

        def tell(*arguments: Any) -> None:
            with self.changed:
                callback(*arguments)
                self.changed.notify_all()

        return tell

    def drop(self) -> None:
        """End the connection as a killed client does: the socket is closed without an AMQP close."""
        self._soon(lambda _: self._drop_socket())
        self.join(within_ms=5000)

    def _soon(self, work: Callable[[Any], None]) -> None:
        with self.changed:
            if self.lost is None:
                self._loop.add_callback_threadsafe(self.told(lambda: work(self._connection)))

    def _run(self, parameters: pika.ConnectionParameters) -> None:
        reason = ["the connection ended by an error of the client itself"]

        def over(_: Any, error: BaseException) -> None:
            reason[0] = DROPPED if self._dropped else f"the connection was closed: {_in_words(error)}"
            self._loop.stop()

        def opened(_: Any) -> None:
            self.opened = True

        try:
            self._connection = pika.SelectConnection(
                parameters, self.told(opened), over, over, custom_ioloop=self._loop
            )
            self._loop.start()
        except Exception as error:
            # when told to abandon a hanging handshake, pika closes the socket and then fails an assertion of its own
            given_up = self._dropped and not self.opened and isinstance(error, AssertionError)
            reason[0] = DROPPED if given_up else f"{reason[0]}: {for_another_thread(error)}"
            if not given_up:
                raise
        finally:
            with self.changed:
                self.lost = reason[0]
                self._loop.close()
                self.changed.notify_all()

    def _drop_socket(self) -> None:
        self._dropped = True
        if self.opened:
            self._connection._terminate_stream(pika.exceptions.StreamLostError(DROPPED))
        else:
            self._connection.close()  # before the handshake is over this, too, only ends the socket


def answer_flow(channel: Any, active: bool) -> None:
    """Answer an order to stop, or to resume, on a channel of pika's."""
    channel._send_method(pika.spec.Channel.FlowOk(active))


def _in_words(error: BaseException) -> str:
    """The cause of an error of pika, which wraps the errors of its own workflow in one another."""
    inner = [*getattr(error, "exceptions", ()), getattr(error, "exception", None), *error.args]
    causes = [cause for cause in inner if isinstance(cause, BaseException)]
    return _in_words(causes[-1]) if causes else f"{type(error).__name__}: {error}"
