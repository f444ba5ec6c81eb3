"""A real Qpid Java broker of the generation that is configured by XML files, on free loopback ports, under guard."""

import re
import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path
from string import Template
from typing import Any
from xml.sax.saxutils import escape

from packaging.version import Version

from headgate.adapters.base import AdapterError, Depth, Limits
from headgate.adapters.charge import Charge
from headgate.adapters.groups import Usage
from headgate.adapters.process.brokers import coordinates, tried_versions
from headgate.adapters.process.java import java
from headgate.adapters.process.maven import fetched
from headgate.adapters.process.ports import LOOPBACK, free_ports
from headgate.adapters.process.progress import progress
from headgate.adapters.process.server import Server
from headgate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from headgate.adapters.qpid.old_charge import BODY_ONLY
from headgate.adapters.qpid.old_console import OldConsole
from headgate.record.errors import BadInput, Unavailable

PACKAGE = "headgate.adapters.qpid"
VIRTUAL_HOSTS = "old_virtualhosts.xml"
CONFIGURED_OTHERWISE = Version("0.21.dev0")
"""From here on the broker is configured by JSON, until it becomes one with a REST interface."""
MEMORY = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LOCALE = ("-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC")
"""The log's numbers and times are to be read by machines."""
CONSOLE_READY = re.compile(r"headgate console: (?P<version>\S+) on port (?P<port>\d+)")
READY_MS = 60_000


class OldBroker:
    """One broker process with messages in memory. `start` before anything else."""

    amqp10_port: int | None = None
    has_confirms = False
    answers_flow = False
    """A client that answers an order to stop is disconnected by this broker, which does not expect the answer."""
    get_converts = False
    jms_client = "0.18"
    disk_scale: int | None = None
    virtual_host = VIRTUAL_HOST
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
            "late-answers",
            "transactions",
        }
    )

    def __init__(self, version: str):
        """`BadInput` for a version that is configured in another way."""
        self.version = version
        if Version(version) >= CONFIGURED_OTHERWISE:
            tried = ", ".join(tried_versions("qpid"))
            raise BadInput(f"qpid:{version}: a version up to 0.20 or from 7.0 is expected; tried were {tried}")
        self.host = LOOPBACK
        self.amqp_port = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Server | None = None
        self._console: OldConsole | None = None

    @property
    def log(self) -> Path:
        """The broker's log, there until `stop`."""
        return self._home / "qpid.log"

    @property
    def pid(self) -> int:
        """Process id of the broker's JVM."""
        if self._server is None:
            raise Unavailable("Qpid is not running")
        return self._server.pid

    def start(self) -> None:
        """Fetch it if need be, start it and wait until it is ready. `Unavailable` if it cannot be had."""
        runtime = java()
        jars = fetched(coordinates("qpid", self.version))
        self._folder = tempfile.TemporaryDirectory(prefix="headgate-qpid-")
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
        """End the broker and remove its folder; its process is then gone. Stopping twice is harmless."""
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

    def create_queue(self, queue: str, limits: Limits) -> None:
        """Create a queue; capacity and resume level go with it as the arguments that a client may declare one with."""
        self.console.create(queue, limits.limit_bytes, limits.resume_bytes)

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages."""
        self.console.delete(queue)

    def depth(self, queue: str) -> Depth:
        """Bytes of all bodies in the queue, and messages; those that a consumer has not acknowledged count."""
        found = self.console.read(queue)
        return Depth(found["bytes"], found["messages"])

    def limits_in_force(self, queue: str) -> Limits:
        """Capacity and resume level; the broker's 0 is a capacity without limit."""
        found = self.console.read(queue)
        return Limits(limit_bytes=found["capacity"], resume_bytes=found["resume"])

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Set both levels. AdapterError where one is None: management can change a level, not take it back."""
        if limits.limit_bytes is None or limits.resume_bytes is None:
            raise AdapterError(f"Qpid {self.version} cannot take back a level of a queue in use, only change it")
        self.console.change(queue, limits.limit_bytes, limits.resume_bytes)

    def purge(self, queue: str) -> None:
        """Remove every message that no consumer was handed."""
        self.console.purge(queue)

    def set_defaults(self, limits: Limits) -> None:
        """Write the levels into the virtual host's XML and have the broker take it for the queues to come."""
        self._write_virtual_host(limits)
        self.console.configure(self._home / VIRTUAL_HOSTS)

    def set_usage(self, usage: Usage) -> None:
        """AdapterError: none of the broker's stores on disk is among its jars."""
        raise AdapterError(f"Qpid {self.version} has no store on disk here")

    def end_usage(self) -> None:
        """There is none to end."""

    @property
    def console(self) -> OldConsole:
        """Its management; AdapterError unless it runs."""
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
        self._write_virtual_host(Limits())
        self._write("old_log4j.xml")
        self._write(
            "old_config.xml",
            host=self.host,
            port=self.amqp_port,
            work=home,
            passwords=home / "passwords",
            virtualhosts=home / VIRTUAL_HOSTS,
        )
        return home

    def _write_virtual_host(self, limits: Limits) -> None:
        levels = {"capacity": limits.limit_bytes, "flowResumeCapacity": limits.resume_bytes}
        queues = "".join(f"<{name}>{level}</{name}>" for name, level in levels.items() if level is not None)
        self._write(VIRTUAL_HOSTS, name=VIRTUAL_HOST, queues=queues)

    def _write(self, shipped: str, *, queues: str = "", **values: Any) -> None:
        """One of the files beside this module, with its values put in; `queues` is XML already."""
        template = Template(files(PACKAGE).joinpath(shipped).read_text(encoding="utf-8"))
        texts = {key: escape(str(value)) for key, value in values.items()}
        (self._home / shipped).write_text(template.substitute(texts, queues=queues), encoding="utf-8")
