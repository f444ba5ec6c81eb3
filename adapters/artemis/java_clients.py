"""The common part of Artemis adapters with Java clients, which run in one process with a JVM."""

from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from tidegate.adapters.artemis.managed import ManagedArtemis
from tidegate.adapters.base import AdapterError
from tidegate.adapters.jvm.clients import Clients
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.process.brokers import Coordinates
from tidegate.adapters.process.maven import fetched
from tidegate.record.errors import Unavailable

END_MS = 5000
"""How long the clients of a scenario may take to end, in ms, before their process is replaced."""


class ArtemisWithJavaClients(ManagedArtemis):
    """Artemis, and clients in one process with a JVM."""

    client = ""
    """The name of the clients' process in errors."""
    client_process = ""
    """The module that the process runs."""

    def __init__(self, version: str, name: str, profile: str, protocol: str, jars: Coordinates) -> None:
        """`jars` are the clients' artifacts; `ManagedArtemis` has the other arguments."""
        super().__init__(version, name, profile, protocol)
        self._jars = jars
        self._folder: TemporaryDirectory[str] | None = None
        self._clients = Clients(self._clients_process, self._meet)
        self._processes = 0

    def start(self) -> None:
        """Fetch broker and client, start them, and measure what the broker charges."""
        if find_spec("jpype") is None:
            raise Unavailable(f"the {self._kind} adapter needs JPype: {self._how_to_install()}")
        super().start()

    def stop(self) -> None:
        """End broker and clients, and remove the log. A hanging client is not waited for."""
        with ExitStack() as every:
            if self._folder is not None:
                every.callback(self._folder.cleanup)
                self._folder = None
            every.callback(self._clients.stop)
            every.callback(super().stop)

    @property
    def clients_pid(self) -> int:
        """The process id of the clients."""
        return self._clients.process.pid

    def _connections(self) -> int:
        return int(self._managed.attribute("broker", "ConnectionCount"))

    def _start_clients(self) -> None:
        self._folder = TemporaryDirectory(prefix=f"tidegate-{self._kind}-")
        self._clients.start()

    def _clients_process(self) -> JvmProcess:
        if self._folder is None:
            raise AdapterError("the adapter was not started")
        self._processes += 1
        home = Path(self._folder.name)
        place = home / f"clients-{self._processes}"
        log, socket = place.with_suffix(".log"), place.with_suffix(".socket")
        return JvmProcess(self.client, self.client_process, home, log, socket, str(fetched(self._jars)))

    def order_by_priority(self) -> None:
        """Send messages with priorities; every queue of this broker hands out the higher ones first."""
        self._clients.call("order_by_priority")

    def _how_to_install(self) -> str:
        """The command that installs the libraries of the clients."""
        raise NotImplementedError

    def _meet(self, clients: JvmProcess) -> None:
        """Tell the clients the broker's port."""
        raise NotImplementedError

    def _close_clients(self) -> None:
        self._clients.end_all(END_MS)

    def _drop_clients(self) -> None:
        if self._folder is not None:
            self._clients.end_all(END_MS)
