"""A real Qpid Java broker of the generation configured by XML files, on free loopback ports, under guard."""

import re
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from packaging.version import Version

from tidegate.adapters.base import AdapterError, Depth, Limits, Unsupported
from tidegate.adapters.charge import Charge
from tidegate.adapters.groups import Traffic, Usage
from tidegate.adapters.process.brokers import coordinates, tried_versions
from tidegate.adapters.process.java import LOCALE, java, memory
from tidegate.adapters.process.maven import fetched
from tidegate.adapters.process.ports import LOOPBACK, free_ports
from tidegate.adapters.process.progress import progress
from tidegate.adapters.process.server import Server
from tidegate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from tidegate.adapters.qpid.old_charge import BODY_ONLY
from tidegate.adapters.qpid.old_console import OldConsole
from tidegate.record.errors import BadInput, Unavailable
from tidegate.record.releases import release

PACKAGE = "tidegate.adapters.qpid"
VIRTUAL_HOSTS = "old_virtualhosts.xml"
CONFIGURED_OTHERWISE = Version("0.21.dev0")
"""The first version configured by JSON; from 6 on brokers have a REST interface."""
MEMORY = memory(512)
CONSOLE_READY = re.compile(r"tidegate console: (?P<version>\S+) on port (?P<port>\d+)")
READY_MS = 60_000
Elements = Mapping[str, object]
NO_ELEMENTS: Elements = {}
NO_XML: Mapping[str, str] = {}
IN_MEMORY: Elements = {"class": "org.apache.qpid.server.store.MemoryMessageStore"}
ON_DISK = "org.apache.qpid.server.store.derby.DerbyMessageStore"


class OldBroker:
    """One broker process with messages in memory, except with a quota. `start` before anything else."""

    amqp10_port: int | None = None
    has_confirms = False
    answers_flow = False
    """A client that answers an order to stop is disconnected by this broker, which does not expect the answer."""
    get_converts = False
    jms_client = "0.18"
    scale = 1
    """A message can have any size from one byte on."""
    charge: Charge | None = BODY_ONLY
    capabilities = frozenset(
        {
            "queue-gate",
            "several-queues",
            "limits-readable",
            "default-limits",
            "changed-limits",
            "purge",
            "ignored-orders",
            "shared-connections",
            "topics",
            "anonymous-producers",
            "close-clients",
            "kill-clients",
            "qpid-log",
            "client-wait",
            "disk-quota",
            "usage-limits",
            "persistent-messages",
            "ordered-messages",
            "late-answers",
            "transactions",
            "returned-messages",
            "stops-shown",
        }
    )

    def __init__(self, version: str):
        """`BadInput` for a version with another form of configuration."""
        self.version = version
        if release(version) >= CONFIGURED_OTHERWISE:
            tried = ", ".join(tried_versions("qpid"))
            raise BadInput(f"qpid:{version}: a version up to 0.20 or from 6.0 is expected; tried were {tried}")
        self.host = LOOPBACK
        self.amqp_port = 0
        self.virtual_host = VIRTUAL_HOST
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Server | None = None
        self._console: OldConsole | None = None
        self._own: dict[str, Limits] = {}
        """The limits that each queue sets itself."""

    @property
    def log(self) -> Path:
        """The broker's log, which exists until `stop`."""
        return self._home / "qpid.log"

    @property
    def pid(self) -> int:
        """The process id of the broker's JVM."""
        if self._server is None:
            raise Unavailable("Qpid is not running")
        return self._server.pid

    def start(self) -> None:
        """Fetch the broker if necessary, start it and wait until it is ready. `Unavailable` if it cannot be fetched."""
        runtime = java()
        jars = fetched(coordinates("qpid", self.version))
        self._folder = tempfile.TemporaryDirectory(prefix="tidegate-qpid-")
        (self.amqp_port,) = free_ports(1)
        home = self._configure()
        folders = (f"-DQPID_HOME={home}", f"-DQPID_WORK={home}")
        files_of = ("-c", str(home / "old_config.xml"), "-l", str(home / "old_log4j.xml"))
        with (
            progress(f"starting Qpid {self.version}"),
            as_file(files(PACKAGE).joinpath("OldConsole.java")) as program,
        ):
            command = (runtime, *MEMORY, *LOCALE, *folders, "-cp", f"{jars}/*", str(program), *files_of)
            self._server = Server(f"Qpid {self.version}", command, self.log, folder=home)
            ready = CONSOLE_READY.search(self._server.wait_ready(CONSOLE_READY.pattern, READY_MS))
        if ready is None:
            raise Unavailable(f"Qpid {self.version} did not say where its console is")
        self.version = ready["version"]
        self._console = OldConsole(LOOPBACK, int(ready["port"]), VIRTUAL_HOST)

    def stop(self) -> None:
        """End the broker's process and remove its folder. Stopping twice is harmless."""
        with ExitStack() as every:
            if self._folder is not None:
                every.callback(self._folder.cleanup)
                self._folder = None
            if self._server is not None:
                every.callback(self._server.stop)
                self._server = None
            if self._console is not None:
                every.callback(self._console.close)
                self._console = None

    def create_queue(self, queue: str, limits: Limits, *, by_priority: bool = False) -> None:
        """Create a queue, with capacity and resume level as arguments of the declaration, as a client may do."""
        if by_priority:
            raise Unsupported(f"this adapter creates no queues by priority in Qpid {self.version}")
        durable = self.virtual_host != VIRTUAL_HOST
        self.console.create(queue, limits.limit_bytes, limits.resume_bytes, durable=durable)
        self._own[queue] = limits

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages."""
        self.console.delete(queue)

    def depth(self, queue: str) -> Depth:
        """The bytes of all bodies in the queue, and its messages, with unacknowledged ones."""
        found = self.console.read(queue)
        return Depth(found["bytes"], found["messages"])

    def limits_in_force(self, queue: str) -> Limits:
        """The capacity and resume level; the broker's 0 is a capacity without limit."""
        found = self.console.read(queue)
        return Limits(limit_bytes=found["capacity"], resume_bytes=found["resume"])

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Set the levels; a level that is None and that the queue never set itself stays as it is.

        `Unsupported` if a level that the queue set itself is None: management can change a level, not reset it.
        """
        own = self._own[queue]
        levels = ((limits.limit_bytes, own.limit_bytes), (limits.resume_bytes, own.resume_bytes))
        if any(level is None and before is not None for level, before in levels):
            raise Unsupported(f"Qpid {self.version} cannot take back a level of a queue in use, only change it")
        self.console.change(queue, limits.limit_bytes, limits.resume_bytes)
        self._own[queue] = limits

    def purge(self, queue: str) -> None:
        """Remove every message that is not delivered."""
        self.console.purge(queue)

    def move(self, queue: str, to: str) -> None:
        """AdapterError: the adapter does not claim it for this broker."""
        raise Unsupported("this broker is not asked to move messages")

    def list_messages(self, queue: str) -> int:
        """AdapterError: the adapter does not claim it for this broker."""
        raise Unsupported("this broker is not asked to list messages")

    def traffic(self, queue: str) -> Traffic:
        """AdapterError: the adapter does not claim it for this broker."""
        raise Unsupported("this broker is not asked what it counts")

    def shown_blocked(self, client: str, channel: int) -> bool | None:
        """The attribute `producerFlowBlocked` of a session; None if the client has no such channel."""
        return self.console.is_blocked(client, channel)

    def set_defaults(self, limits: Limits) -> None:
        """Write the levels into the virtual host's XML and have the broker read it for later queues."""
        levels = {"capacity": limits.limit_bytes, "flowResumeCapacity": limits.resume_bytes}
        self.console.configure(self._written_host(IN_MEMORY, levels))

    def set_quota(self, virtual_host: str, usage: Usage) -> None:
        """Switch to a virtual host with a Derby store and this quota."""
        self._go_on_with(virtual_host)
        levels = {"overfull-size": usage.quota_bytes, "underfull-size": usage.quota_resume_bytes}
        store = {"class": ON_DISK, "environment-path": self._home / self.virtual_host, **levels}
        self.console.open(self._written_host(store))

    def end_quota(self) -> None:
        """Close the virtual host with the store, and switch back to the usual one."""
        if self.virtual_host != VIRTUAL_HOST:
            self.console.end()
            self._go_on_with(VIRTUAL_HOST)

    def _go_on_with(self, virtual_host: str) -> None:
        self.virtual_host = self.console.virtual_host = virtual_host

    @property
    def console(self) -> OldConsole:
        """The management of the broker; AdapterError unless it runs."""
        if self._console is None:
            raise AdapterError("the broker was not started")
        return self._console

    @property
    def _home(self) -> Path:
        if self._folder is None:
            raise Unavailable("Qpid was not started")
        return Path(self._folder.name)

    def _configure(self) -> Path:
        home = self._home
        (home / "passwords").write_text(f"{USER}:{PASSWORD}\n", encoding="utf-8")
        self._write("old_log4j.xml")
        self._write(
            "old_config.xml",
            host=self.host,
            port=self.amqp_port,
            work=home,
            passwords=home / "passwords",
            virtualhosts=self._written_host(IN_MEMORY),
        )
        return home

    def _written_host(self, store: Elements, queues: Elements = NO_ELEMENTS) -> Path:
        """Write the file that describes the virtual host; the result is its path."""
        xml = {"store": _elements(store), "queues": _elements(queues)}
        return self._write(VIRTUAL_HOSTS, f"{self.virtual_host}.xml", xml, name=self.virtual_host)

    def _write(self, shipped: str, file_name: str = "", xml: Mapping[str, str] = NO_XML, **texts: object) -> Path:
        """Write one of the files beside this module, under its own name by default, with texts filled in; its path."""
        template = Template(files(PACKAGE).joinpath(shipped).read_text(encoding="utf-8"))
        written = self._home / (file_name or shipped)
        escaped = {key: escape(str(value)) for key, value in texts.items()}
        written.write_text(template.substitute(escaped, **xml), encoding="utf-8")
        return written


def _elements(values: Elements) -> str:
    """An element for each value that is not None."""
    return "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in values.items() if value is not None)
