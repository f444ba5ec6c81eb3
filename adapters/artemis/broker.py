"""A real Artemis broker from its Maven artifacts, on free loopback ports, under guard."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from string import Template

from tidegate.adapters.artemis.generation import has_main_class
from tidegate.adapters.artemis.small_disk import SmallDisk, stores_in
from tidegate.adapters.faults.processes import kill
from tidegate.adapters.process.brokers import coordinates, usual_version
from tidegate.adapters.process.java import LOCALE, java, memory
from tidegate.adapters.process.maven import fetched
from tidegate.adapters.process.ports import LOOPBACK, free_ports
from tidegate.adapters.process.progress import progress
from tidegate.adapters.process.server import Server
from tidegate.record.errors import Unavailable

DEFAULT_VERSION = usual_version("artemis")
CREDIT = 100
"""Credits issued on the windowed acceptor, in messages: the documented figure, configured."""
CREDIT_LOW = 30
"""The credits left at which this acceptor refills, in messages."""
MAIN_CLASS = "org.apache.activemq.artemis.core.server.embedded.Main"
OPENED = ("java.lang", "java.net", "java.nio", "java.util", "sun.nio.ch", "jdk.internal.ref")
"""Packages of java.base that versions without a main class need to open."""
NO_LARGE_MESSAGES = ";amqpMinLargeMessageSize=-1"
"""A setting for a broker that keeps data: larger messages would be separate files, not charged to their address."""
ANY_DISK = "<max-disk-usage>100</max-disk-usage>"
"""A setting by which the fill level of this machine's disk stops nobody."""
LARGEST_RECORD = 8 * 1024 * 1024
LONG_RECORDS = f"<journal-buffer-size>{LARGEST_RECORD}</journal-buffer-size>"
"""A setting for protocols whose longer messages would be separate files: the bytes of a message in one record."""
READY = r"AMQ221007: "
READY_MS = 60_000


class Broker:
    """One broker process, without security. `start` before anything else."""

    pinned = "artemis"
    """The name under which its artifacts are pinned."""
    heap_mb = 512
    """The heap of its virtual machine, in MiB. Unless configured, all addresses together may take half of it."""
    further_protocol = ""
    """The protocol of one more acceptor."""
    further_options: tuple[str, ...] = ()
    """Options of that acceptor, beside its protocol."""
    journal = ""
    """Elements of broker.xml about the journal of kept data, unless the data are on a small disk."""

    def __init__(
        self, version: str = DEFAULT_VERSION, *, durable: bool = False, limits: str = "", disk: SmallDisk | None = None
    ):
        """A broker that is not `durable` keeps nothing on disk, which is faster. `limits` are elements of its
        broker.xml.

        Data are kept on `disk`, which is mounted from `start` to `stop`.
        """
        self.version = version
        self._disk = disk
        self.durable = durable
        self._limits = limits
        self.host = LOOPBACK
        self.unconfigured_port = 0
        """The TCP port of the acceptor with Artemis' own defaults."""
        self.windowed_port = 0
        """The TCP port of the acceptor that issues `CREDIT` and refills at `CREDIT_LOW`."""
        self.core_port = 0
        """TCP port of the acceptor for Artemis' own clients."""
        self.further_port = 0
        """TCP port of the acceptor for the further protocol, if there is one."""
        self.jars = Path()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Server | None = None
        self._starts = 0

    @property
    def log(self) -> Path:
        """The broker's log, which exists until `stop`."""
        if self._folder is None:
            raise Unavailable("Artemis was not started")
        return Path(self._folder.name) / f"artemis{self._starts or ''}.log"

    def start(self) -> None:
        """Fetch the broker if necessary, start it and wait until it is ready. `Unavailable` if it cannot be fetched."""
        java()  # what cannot run is not fetched
        self.jars = fetched(coordinates(self.pinned, self.version))
        self._folder = tempfile.TemporaryDirectory(prefix="tidegate-artemis-")
        self.unconfigured_port, self.windowed_port, self.core_port, self.further_port = free_ports(4)
        if self._disk is not None:
            self._disk.mount(Path(self._folder.name) / "disk")
        self._configure(Path(self._folder.name))
        self._start_process()

    def kill_and_start(self) -> None:
        """Kill the process, and start another one with the same data and ports, and a new log."""
        if self._server is None:
            raise Unavailable("Artemis is not running")
        kill(self._server.pid)
        self._server.stop()
        self._starts += 1
        self._start_process()

    def _start_process(self) -> None:
        home, runtime = self.log.parent, java()
        logging = f"-Dlog4j2.configurationFile={home / 'etc' / 'log4j2.properties'}"
        classes = ("-cp", f"{self.jars}/*")
        with progress(f"starting Artemis {self.version}"), self._main() as main:
            command = (runtime, *memory(self.heap_mb), *LOCALE, logging, *classes, *main, str(home))
            self._server = Server(f"Artemis {self.version}", command, self.log, folder=home)
            self._server.wait_ready(READY, READY_MS)
            further = (self.further_port,) if self.further_protocol else ()
            for port in (self.unconfigured_port, self.windowed_port, self.core_port, *further):
                # the broker starts without an acceptor whose port was taken meanwhile
                self._server.wait_ready(rf"AMQ221020: .* at {LOOPBACK}:{port} ", READY_MS)

    @contextmanager
    def _main(self) -> Iterator[tuple[str, ...]]:
        """The part of the command line that starts the broker."""
        if has_main_class(self.version):
            yield (MAIN_CLASS,)
        else:
            opened = (f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED)
            with as_file(files("tidegate.adapters.artemis").joinpath("EmbeddedMain.java")) as program:
                yield (*opened, str(program))

    def stop(self) -> None:
        """End the broker's process and remove its folder. Stopping twice is harmless."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._disk is not None:
            self._disk.unmount()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    @property
    def pid(self) -> int:
        """The process id of the broker's JVM."""
        if self._server is None:
            raise Unavailable("Artemis is not running")
        return self._server.pid

    def _stores(self, home: Path) -> str:
        """Elements of broker.xml about the place and form of kept data."""
        if self._disk is not None:
            return self._disk.elements
        return stores_in(home / "data") + self.journal + ANY_DISK

    def _further_acceptor(self) -> str:
        if not self.further_protocol:
            return ""
        options = ";".join((f"protocols={self.further_protocol}", *self.further_options))
        address = f"tcp://{LOOPBACK}:{self.further_port}?{options}"
        return f'<acceptor name="{self.further_protocol.lower()}">{address}</acceptor>'

    def _configure(self, home: Path) -> None:
        etc = home / "etc"
        etc.mkdir()
        shipped = files("tidegate.adapters.artemis")
        template = Template(shipped.joinpath("broker.xml").read_text(encoding="utf-8"))
        broker_xml = template.substitute(
            unconfigured_port=self.unconfigured_port,
            windowed_port=self.windowed_port,
            core_port=self.core_port,
            further=self._further_acceptor(),
            durable=str(self.durable).lower(),
            limits=self._limits + self._stores(home),
            beside=NO_LARGE_MESSAGES if self.durable else "",
            credit=CREDIT,
            credit_low=CREDIT_LOW,
        )
        (etc / "broker.xml").write_text(broker_xml, encoding="utf-8")
        (etc / "log4j2.properties").write_bytes(shipped.joinpath("log4j2.properties").read_bytes())
