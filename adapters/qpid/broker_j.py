"""Broker-J (7 and later): its distribution, or its jars alone, as a separate process, managed by REST."""

import json
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from tidegate.adapters.base import AdapterError, Depth, Limits, Unsupported
from tidegate.adapters.charge import Charge
from tidegate.adapters.faults.processes import kill
from tidegate.adapters.faults.small_disk import MOST_PERCENT, SCAN_MS, SmallDisk
from tidegate.adapters.groups import Traffic, Usage
from tidegate.adapters.priorities import PRIORITIES
from tidegate.adapters.process.brokers import coordinates
from tidegate.adapters.process.java import LOCALE, java, memory
from tidegate.adapters.process.maven import fetched
from tidegate.adapters.process.ports import LOOPBACK, free_ports
from tidegate.adapters.process.progress import progress
from tidegate.adapters.process.server import Server
from tidegate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from tidegate.adapters.qpid.model_version import model_version
from tidegate.adapters.qpid.rest import Rest
from tidegate.adapters.qpid.resume_percent import percent_for, resume_level
from tidegate.record.errors import Unavailable

MAIN_CLASS = "org.apache.qpid.server.Main"
KEPT_HOST = "kept"
"""The virtual host of a broker that keeps its data."""
MEMORY = (*memory(512), "-XX:MaxDirectMemorySize=256m")
OPENED = ("java.lang", "java.nio", "sun.nio.ch")
"""Packages of java.base that versions before 9.2 need to open."""
READY = r"BRK-1004 : Qpid Broker Ready"
READY_MS = 60_000
HANDSHAKE_MS = 30_000
"""The timeout of a handshake: the broker's own 2 s are short where many processes share few processors."""
FILE_SYSTEM = "store.filesystem.maxUsagePercent"
RESUME = "queue.queueFlowResumeLimit"
CAPACITY = "maximumQueueDepthBytes"
COUNT = "maximumQueueDepthMessages"
POLICY = "overflowPolicy"
UNSET: dict[str, Any] = {CAPACITY: None, COUNT: None, POLICY: None, "context": {}}
"""The attributes that reset a queue to the broker's defaults."""
GATED = "PRODUCER_FLOW_CONTROL"
COUNTED_IN_6 = {
    "came": "totalEnqueuedMessages",
    "left": "totalDequeuedMessages",
    "in_hand": "unacknowledgedMessages",
    "held_bytes": "queueDepthBytes",
    "came_bytes": "totalEnqueuedBytes",
    "left_bytes": "totalDequeuedBytes",
    "in_hand_bytes": "unacknowledgedBytes",
}
TRAFFIC = COUNTED_IN_6 | {"expired": "totalExpiredMessages", "expired_bytes": "totalExpiredBytes"}
"""The fields of `Traffic`, and their statistics of a queue."""
AMQP_091 = "AMQP_0_9_1"
"""Management's name for the protocol of a connection with one producer on each channel."""
NO_QUEUES: Mapping[str, Limits] = {}
POLICIES = {GATED: "BLOCK", "NONE": "NONE", "REJECT": "FAIL", "RING": "DROP", "FLOW_TO_DISK": "PAGE"}
"""The broker's overflow policies, and their words in `Limits`."""
OVERFLOWS = {word: policy for policy, word in POLICIES.items()}


class BrokerJ:
    """One broker process with a memory store, or with a virtual host that keeps its data."""

    has_confirms = True
    answers_flow = True
    get_converts = True
    jms_client = "6.4.0"
    """The last version of the client for AMQP 0-9-1 and 0-10."""
    scale = 200
    """The size of the smallest messages, in bytes, since the broker charges for more than the body."""
    charge: Charge | None = None
    capabilities = frozenset(
        {
            "queue-gate",
            "several-queues",
            "default-limits",
            "file-limits",
            "limits-readable",
            "qpid-log",
            "changed-limits",
            "purge",
            "topics",
            "ignored-orders",
            "shared-connections",
            "close-clients",
            "kill-clients",
            "anonymous-producers",
            "several-protocols",
            "message-limit",
            "client-wait",
            "disk-quota",
            "usage-limits",
            "persistent-messages",
            "ordered-messages",
            "late-answers",
            "transactions",
            "restarts-broker",
            "pauses-broker",
            "cuts-connections",
            "refusing-policy",
            "dropping-policy",
            "several-bindings",
            "moves-messages",
            "lists-messages",
            "expiring-messages",
            "browsed-messages",
            "returned-messages",
            "dead-letters",
            "acknowledges-together",
            "settled-sends",
            "recreated-destinations",
            "filtering-consumers",
            "traffic-readable",
            "counts-expired",
            "counts-bytes",
            "stops-shown",
            "full-disk",
            "priority-queues",
        }
    )

    def __init__(self, version: str, *, durable: bool = False, queues: Mapping[str, Limits] = NO_QUEUES):
        """`queues` are in the file that the broker reads at its start, with their limits."""
        self._coordinates = coordinates("qpid", version)
        self.version = version
        self.host = LOOPBACK
        self.amqp_port = 0
        self.amqp10_port: int | None = None
        self.http_port: int | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Server | None = None
        self._rest: Rest | None = None
        self._defaults = Limits()
        self._queues = queues
        self.durable = durable
        """Whether messages and settings survive the process."""
        self._usual_host = KEPT_HOST if durable else VIRTUAL_HOST
        self.virtual_host = self._usual_host
        self._ports: tuple[int, ...] = ()
        self._starts = 0

    @property
    def log(self) -> Path:
        """The broker's console output with its operational log, which exists until `stop`."""
        if self._folder is None:
            raise Unavailable("Broker-J was not started")
        return Path(self._folder.name) / f"qpid{self._starts or ''}.log"

    @property
    def pid(self) -> int:
        """The process id of the broker's JVM."""
        if self._server is None:
            raise Unavailable("Broker-J is not running")
        return self._server.pid

    def start(self) -> None:
        """Fetch the broker if necessary, start it and wait until it is ready. `Unavailable` if it cannot be fetched."""
        self._folder = tempfile.TemporaryDirectory(prefix="tidegate-qpid-")
        self._ports = free_ports(3)
        self._start_process()
        self.virtual_host = self._usual_host
        if self.durable:
            self._create_host(KEPT_HOST, "JSON", {})

    def kill_and_start(self) -> None:
        """Kill the process, and start another one with the same data and ports, and a new log."""
        if self._server is None or self._rest is None:
            raise Unavailable("Broker-J is not running")
        kill(self._server.pid)
        self._rest.close()
        self._server.stop()
        self._starts += 1
        self._start_process()

    def renew_management(self) -> None:
        """Use a new connection from now on: the broker drops one that was idle for long."""
        if self._rest is not None:
            self._rest.close()

    def _start_process(self) -> None:
        runtime = java()
        library = fetched(self._coordinates)
        if self._coordinates.archive is not None:
            (library,) = library.glob("*/*/lib")
        folder = self.log.parent
        self.amqp_port, self.amqp10_port, self.http_port = ports = self._ports
        shipped = files("tidegate.adapters.qpid").joinpath("initial-config.json")
        configuration = folder / "initial-config.json"
        written = json.loads(shipped.read_text(encoding="utf-8"))
        written["modelVersion"] = model_version(self.version)
        if self._queues:
            queues = [{"name": name, **self._attributes(limits)} for name, limits in self._queues.items()]
            host = {"type": "Memory", "queues": queues}
            written["virtualhostnodes"][0]["virtualHostInitialConfiguration"] = json.dumps(host)
        configuration.write_text(json.dumps(written), encoding="utf-8")
        settings = {
            "qpid.amqp_port": self.amqp_port,
            "qpid.amqp10_port": self.amqp10_port,
            "qpid.http_port": self.http_port,
            "qpid.port.protocol_handshake_timeout": HANDSHAKE_MS,
        }
        command = [
            *(runtime, *MEMORY, *LOCALE, f"-DQPID_HOME={library.parent}", f"-DQPID_WORK={folder / 'work'}"),
            f"-Dderby.stream.error.file={folder / 'derby.log'}",
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
            *("-cp", f"{library}/*", MAIN_CLASS, "--store-type", "JSON" if self.durable else "Memory"),
            *("--initial-config-path", str(configuration)),
        ]
        for name, value in settings.items():
            command += ["-prop", f"{name}={value}"]
        with progress(f"starting Qpid Broker-J {self.version}"):
            self._server = Server(f"Qpid Broker-J {self.version}", command, self.log, folder=folder)
            self._server.wait_ready(READY, READY_MS)
            for port in ports:
                # the broker gets ready even without a port that was taken meanwhile
                self._server.wait_ready(rf"Listening on TCP port {port}$", READY_MS)
        self._rest = Rest(self.host, self.http_port, USER, PASSWORD)
        self.version = str(self._managed.get("broker")["productVersion"])
        self._defaults = Limits()

    def stop(self) -> None:
        """End the broker's process and remove its folder. Stopping twice is harmless."""
        if self._rest is not None:
            self._rest.close()
            self._rest = None
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def create_queue(self, queue: str, limits: Limits, *, by_priority: bool = False) -> None:
        """Create a queue, durable where messages are kept on disk. A capacity comes with the policy that makes it a
        gate."""
        durable = self.virtual_host != VIRTUAL_HOST
        kind = {"type": "priority", "priorities": PRIORITIES} if by_priority else {}
        self._managed.put(*self._queue(queue), attributes={"durable": durable, **kind, **self._attributes(limits)})

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages."""
        self._managed.delete(*self._queue(queue))

    def depth(self, queue: str) -> Depth:
        """The broker's statistics of the queue."""
        names = ("queueDepthBytes", "queueDepthMessages")
        asked = "&".join(f"statistics={name}" for name in names)
        answer = self._managed.get(*self._queue(queue), "getStatistics", query=asked)
        return Depth(*(int(answer[name]) for name in names))

    def traffic(self, queue: str) -> Traffic:
        """The broker's statistics of the queue."""
        asked = "&".join(f"statistics={name}" for name in TRAFFIC.values())
        answer = self._managed.get(*self._queue(queue), "getStatistics", query=asked)
        return Traffic(**{field: int(answer[name]) for field, name in TRAFFIC.items()})

    def shown_blocked(self, client: str, channel: int) -> bool | None:
        """The attribute `producerFlowBlocked` of a session; None if the client has no such channel."""
        asked = urlencode({"clientId": client, "depth": 1}, quote_via=quote)
        for connection in self._managed.listed("connection", query=asked):
            for session in connection.get("sessions", ()) if connection["protocol"] == AMQP_091 else ():
                if session["channelId"] == channel:
                    return bool(session["producerFlowBlocked"])
        return None

    def limits_in_force(self, queue: str) -> Limits:
        """The limits in management, with inherited ones: -1 means no capacity, and then there is no resume level."""
        seen = self._managed.get(*self._queue(queue), query="excludeInheritedContext=false")
        capacity = int(seen[CAPACITY])
        resume = resume_level(float(seen["context"][RESUME]), capacity)
        return Limits(limit_bytes=capacity, resume_bytes=resume, policy=POLICIES[seen[POLICY]])

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Change the limits of a queue in use; a limit that is None gets the broker's default."""
        self._managed.post(*self._queue(queue), attributes=UNSET | self._attributes(limits))

    def set_most_deliveries(self, queue: str, most: int) -> None:
        """Set how often a message may be handed out before the queue gives it up; 0: without end."""
        self._managed.post(*self._queue(queue), attributes={"maximumDeliveryAttempts": most})

    def purge(self, queue: str) -> None:
        """Remove all messages of a queue."""
        self._managed.post(*self._queue(queue), "clearQueue", attributes={})

    def move(self, queue: str, to: str) -> None:
        """Move all messages of a queue to another one."""
        self._managed.post(*self._queue(queue), "moveMessages", attributes={"destination": to})

    def list_messages(self, queue: str) -> int:
        """List the messages of a queue; the result is their number."""
        return len(self._managed.listed(*self._queue(queue), "getMessageInfo", query="first=0&last=-1"))

    def set_defaults(self, limits: Limits) -> None:
        """Set the context of the virtual host, the source of its queues' defaults."""
        host = self.virtual_host
        self._managed.post("virtualhost", host, host, attributes={"context": context_of_defaults(limits)})
        self._defaults = limits

    def set_quota(self, virtual_host: str, usage: Usage) -> None:
        """Create a virtual host with a Derby store and this quota, and switch to it.

        It outlives the broker where the usual one does.
        """
        levels = {"storeOverfullSize": usage.quota_bytes, "storeUnderfullSize": usage.quota_resume_bytes}
        settings = "JSON" if self.durable else "Memory"
        attributes = {level: str(size) for level, size in levels.items() if size is not None}
        self._create_host(virtual_host, settings, attributes)
        self.virtual_host = virtual_host

    def use_disk(self, virtual_host: str, disk: SmallDisk) -> None:
        """Use a new virtual host from now on, whose store is on this disk and may fill a part of it."""
        watched = {"context": {FILE_SYSTEM: str(MOST_PERCENT)}, "housekeepingCheckPeriod": str(SCAN_MS)}
        self._create_host(virtual_host, "Memory", watched, at=disk.mounted)
        self.virtual_host = virtual_host

    def end_quota(self) -> None:
        """Delete the virtual host with its store."""
        if self.virtual_host != self._usual_host:
            name, self.virtual_host = self.virtual_host, self._usual_host
            self._managed.delete("virtualhostnode", name)

    def _create_host(self, name: str, settings: str, attributes: Mapping[str, Any], *, at: Path | None = None) -> None:
        """Create a virtual host that keeps messages in Derby, and its settings in a store of the type `settings`.

        The messages are in the folder `at`, or beside the log.
        """
        host = {"type": "DERBY", "storePath": str((at or self.log.parent) / name), **attributes}
        node = {"type": settings, "virtualHostInitialConfiguration": json.dumps(host)}
        self._managed.put("virtualhostnode", name, attributes=node)

    def _attributes(self, limits: Limits) -> dict[str, Any]:
        """The attributes of a queue for these limits, none for a limit that is None."""
        return attributes_of(limits, self._defaults.limit_bytes)

    @property
    def _managed(self) -> Rest:
        if self._rest is None:
            raise AdapterError("Broker-J was not started")
        return self._rest

    def _queue(self, name: str) -> tuple[str, ...]:
        return ("queue", self.virtual_host, self.virtual_host, name)


def context_of_defaults(limits: Limits) -> dict[str, str]:
    """The context of a virtual host, with these limits for queues without limits of their own."""
    names = {
        CAPACITY: "queue.defaultMaximumQueueDepthBytes",
        COUNT: "queue.defaultMaximumQueueDepthMessages",
        POLICY: "queue.defaultOverflowPolicy",
    }
    attributes = attributes_of(limits, None)
    context: dict[str, str] = attributes.get("context", {})
    return context | {names[name]: str(attributes[name]) for name in names if name in attributes}


def attributes_of(limits: Limits, default_capacity: int | None) -> dict[str, Any]:
    """The attributes for these limits, none for a limit that is None."""
    attributes: dict[str, Any] = {}
    policy = OVERFLOWS.get(limits.policy or "BLOCK", GATED)
    if limits.limit_bytes is not None:
        attributes |= {CAPACITY: limits.limit_bytes, POLICY: policy}
    if limits.limit_messages is not None:
        attributes |= {COUNT: limits.limit_messages, POLICY: policy}
    if limits.resume_bytes is not None:
        capacity = default_capacity if limits.limit_bytes is None else limits.limit_bytes
        if capacity is None:
            raise Unsupported("a resume level is a percentage of a capacity here, and no capacity is set")
        attributes["context"] = {RESUME: repr(percent_for(limits.resume_bytes, capacity))}
    return attributes
