"""The process of the clients, and its producers."""

import re
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Any

from tidegate.adapters.base import AdapterError, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.adapters.jvm.clients import Clients
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.process.brokers import coordinates
from tidegate.adapters.process.maven import fetched
from tidegate.adapters.qpid_jms.broker import Broker
from tidegate.adapters.qpid_jms.kind import QPID, Kind

LOOK_MS = 20
END_MS = 5000
PATIENCE_MS = 5000
"""The longest wait, in ms, for a call that is not seen to wait for the order to be lifted."""
ENDLESS_MS = 365 * 24 * 3_600_000
"""The ms that a send waits which is to wait without end: a year."""
LOGGED = re.compile(r"^\S+ \S+ [A-Z]+ +\[(?P<thread>[^\]]*)\]")


class JmsProducer:
    """One producer: its sends, whether one of its calls still waits, and the outcomes of the messages that the call
    decides on."""

    def __init__(self, name: str, process: JvmProcess, log: "ClientLog", *, transacted: bool) -> None:
        self._name = name
        self._process = process
        self._log = log
        self._transacted = transacted
        self._waiting: str | None = None
        """The id of the message whose send waits."""
        self._settlements: list[Settlement] = []

    def send(self, message_id: str, body_bytes: int) -> Outcome:
        """Send a message. Blocked while the last call waits: a session is for one thread."""
        if self.waits():
            return Outcome.BLOCKED
        ended = self._made("send", message_id, body_bytes)
        if ended is None:
            self._waiting = message_id
            return Outcome.UNSETTLED
        if ended.reason:
            self._settlements.append(Settlement(message_id, Outcome.REJECTED, ended.reason))
            return Outcome.REJECTED
        return Outcome.UNSETTLED if self._transacted else Outcome.ACCEPTED

    def commit(self) -> Outcome:
        """Commit the transaction. Blocked while a send waits: a session is for one thread."""
        if self.waits():
            return Outcome.BLOCKED
        ended = self._end_transaction("commit")
        return Outcome.REJECTED if ended.reason else Outcome.ACCEPTED

    def rollback(self) -> None:
        """Roll the transaction back. AdapterError while a send waits, or if the rollback fails."""
        ended = self._end_transaction("rollback")
        if ended.reason:
            raise AdapterError(f"the rollback of {self._name!r} failed: {ended.reason}")

    def send_aside(self, queue: str, body_bytes: int) -> None:
        """Send a message in its session to another queue. AdapterError while a send waits."""
        if self.waits():
            raise Unsupported(f"a send of {self._name!r} still waits: no other call can be made in its session")
        self._process.call("send_aside", self._name, queue, body_bytes)

    def stopped(self) -> bool:
        """Whether a send of the producer waits, or would wait."""
        return self.waits() or bool(self._process.call("stopped", self._name))

    def waits(self) -> bool:
        """Whether a send of the producer still waits."""
        if self._waiting is not None and (ended := self._process.call("ended", self._name, 0)) is not None:
            message_id, self._waiting = self._waiting, None
            if ended.reason:
                self._settlements.append(Settlement(message_id, Outcome.REJECTED, ended.reason))
            elif not self._transacted:
                self._settlements.append(Settlement(message_id, Outcome.ACCEPTED))
        return self._waiting is not None

    def settlements(self) -> Sequence[Settlement]:
        """The outcomes of unsettled messages since the last call, and the reasons of refusals."""
        self.waits()
        settled, self._settlements = self._settlements, []
        return settled

    def state(self) -> ClientState:
        """The state of its client."""
        found: ClientState = self._process.call("state", self._name)
        return found

    def warnings(self) -> Sequence[str]:
        """The notices that its client logged on its thread since the last call."""
        return self._log.warnings(self._name)

    def close(self) -> None:
        """Close it, its session, and its connection if nobody else uses it."""
        self._process.call("close_producer", self._name)

    def _made(self, verb: str, *arguments: Any) -> Any:
        """Make a call, and wait until it returns; None if it is seen to wait for the order to be lifted."""
        ended = self._process.call(verb, self._name, *arguments, LOOK_MS)
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while ended is None and time.monotonic() < deadline:
            if self._process.call("waits", self._name):
                return None
            ended = self._process.call("ended", self._name, LOOK_MS)
        return ended

    def _end_transaction(self, verb: str) -> Any:
        if self.waits():
            raise Unsupported(f"a send of {self._name!r} still waits: no other call can be made in its session")
        ended = self._made(verb)
        if ended is None:
            raise AdapterError(f"the {verb} of {self._name!r} did not come back within {PATIENCE_MS} ms")
        return ended


def times_of(options: ProducerOptions) -> tuple[int | None, int | None]:
    """The ms that a send waits before it fails, and before its client logs a notice, as the client reads them.

    The client has no figure for a send that waits without end, so such a send waits for a year.
    """
    is_endless = options.wait_ms is not None and options.wait_ms < 0
    return ENDLESS_MS if is_endless else options.wait_ms, options.notify_ms


class ClientLog:
    """The log of the process, by thread."""

    def __init__(self, path: Path, kind: Kind = QPID) -> None:
        self.path = path
        self._kind = kind
        self._read = 0
        self._unasked: dict[str, list[str]] = {}

    def warnings(self, thread: str) -> Sequence[str]:
        """The notices that a thread wrote since the last call."""
        with self.path.open("rb") as log:
            log.seek(self._read)
            whole, newline, _ = log.read().rpartition(b"\n")
        self._read += len(whole) + len(newline)
        for line in whole.decode("utf-8", errors="replace").splitlines():
            if (logged := LOGGED.match(line)) and self._kind.notice.search(line):
                self._unasked.setdefault(logged["thread"], []).append(line)
        return self._unasked.pop(thread, [])


class JmsClients:
    """All JMS producers of a run, in one process that starts with the first producer."""

    def __init__(self, version: str, kind: Kind = QPID) -> None:
        """`version` is the client's version. `BadInput` for an invalid one."""
        self._kind = kind
        self._coordinates = coordinates(kind.name, version)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._clients = Clients(self._process)
        self._log: ClientLog | None = None
        """The log of the clients' process, once it runs."""

    @property
    def version(self) -> str:
        """The version of the client."""
        return self._coordinates.version

    def start(self) -> None:
        """Fetch the client if necessary. `Unavailable` if it cannot be fetched."""
        fetched(self._coordinates)
        self._folder = tempfile.TemporaryDirectory(prefix="tidegate-qpid-jms-")

    def producer(
        self, name: str, connection: str, broker: Broker, route: tuple[str, str], options: ProducerOptions
    ) -> JmsProducer:
        """Open a producer for an exchange and a key, with the options' times, transaction and persistence.

        Unsupported while a send waits on the connection.
        """
        if self._log is None:
            self._clients.start()
        assert self._log is not None
        if self._clients.call("line_waits", connection):
            raise Unsupported(f"the JMS client opens no session on {connection!r} while a send waits there")
        times = times_of(options)
        self._clients.call(
            "open_producer", name, connection, broker, *route, options.transacted, options.persistent, *times
        )
        return JmsProducer(name, self._clients.process, self._log, transacted=options.transacted)

    def end_scenario(self) -> None:
        """Close all producers and their connections, if necessary with their process."""
        if self._log is not None:
            self._clients.end_all(END_MS)

    def stop(self) -> None:
        """End the process. Stopping twice is harmless."""
        with ExitStack() as every:
            if self._folder is not None:
                every.callback(self._folder.cleanup)
                self._folder = None
            every.callback(self._clients.stop)
        self._log = None

    def _process(self) -> JvmProcess:
        if self._folder is None:
            raise AdapterError("the JMS clients were not started")
        home = Path(self._folder.name)
        folder = Path(tempfile.mkdtemp(dir=home, prefix=""))
        log4j = folder / "log4j.properties"
        log4j.write_bytes(files("tidegate.adapters.qpid_jms").joinpath("log4j.properties").read_bytes())
        self._log = ClientLog(folder / "client.log", self._kind)
        return JvmProcess(
            f"{self._kind.words} {self.version}",
            "tidegate.adapters.qpid_jms.client_process",
            home,
            self._log.path,
            folder / "socket",
            *(str(fetched(self._coordinates)), str(log4j), self._kind.name),
        )
