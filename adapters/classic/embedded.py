"""One Classic broker inside the JVM of this process: configures, starts, inspects and changes it.

Differences before 5.0 are in separate methods, which `embedded_4` overrides.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tidegate.adapters.base import Depth, Limits
from tidegate.adapters.classic.held import Held
from tidegate.adapters.classic.policies import journal_bytes, sets_policy
from tidegate.adapters.groups import Traffic, Usage
from tidegate.adapters.jvm.machine import first_of_type, hidden, java_class, locked, stacks
from tidegate.adapters.process.ports import LOOPBACK

KINDS = ("org.apache.activemq.command.ActiveMQQueue", "org.apache.activemq.command.ActiveMQTopic")
TEMPORARY_QUEUE = "org.apache.activemq.command.ActiveMQTempQueue"
EVERY_MESSAGE = "1 = 1"
"""A selector that every message matches."""
ANY_WORDS = ">"
"""A pattern that matches any rest of a name after a dot."""
MESSAGE = "org.apache.activemq.command.Message"
REGION = "org.apache.activemq.broker.region"
USAGE = ("org.apache.activemq.usage.", "org.apache.activemq.memory.")
"""The packages of the classes that hold limits: since 5.0, and before."""
TRANSPORT_THREAD = "ActiveMQ Transport: tcp:"
CLIENT_PORT = re.compile(rf"{re.escape(LOOPBACK)}:(\d+)")
REMOVAL_MS = 1000
"""How long, in ms, the removal of a destination waits for its users, as management does."""
CLEANUP_MS = 500
"""How often, in ms, empty journal files are removed; Classic's own 30 s are longer than a scenario."""


class EmbeddedBroker:
    """A broker, made with its folder; every other call needs `boot` first."""

    def __init__(self, folder: str) -> None:
        """`folder` is the folder of messages on disk."""
        self._folder = Path(folder)
        self._service: Any = None
        self._limits_at_start: dict[str, int] = {}
        self._destinations: dict[str, Any] = {}
        self._subscriptions: dict[str, tuple[str, str]] = {}
        """The topic, and the broker's name, of each of several subscriptions, by its name."""
        self._policies: Any = None
        self._is_configured_elsewhere = self._by_priority = False

    def boot(
        self,
        usage: Usage,
        elsewhere: Sequence[tuple[str, Limits]],
        declared: Sequence[tuple[str, bool, Limits]],
    ) -> int:
        """Start the broker, with Classic's defaults for limits that `usage` does not set; the result is the TCP port
        for OpenWire.

        All policies are set before it starts, since it may find destinations in its data: the policies of `elsewhere`
        by prefix of names, and the policies of `declared`.
        """
        service = java_class("org.apache.activemq.broker.BrokerService")()
        service.setBrokerName("tidegate")
        service.setUseJmx(False)
        service.setAdvisorySupport(False)
        service.setUseShutdownHook(False)
        self._configure(service, usage)
        self._policies = java_class("org.apache.activemq.broker.region.policy.PolicyMap")()
        service.setDestinationPolicy(self._policies)
        for policy in elsewhere:
            self.configure(*policy)
        for each in declared:
            self._set_policy(*each)
        connector = service.addConnector(f"tcp://{LOOPBACK}:0")
        service.start()
        self._service = service
        return int(connector.getConnectUri().getPort())

    def version(self) -> str:
        """The version in the broker's own jar; empty if it has none."""
        package = java_class("org.apache.activemq.broker.BrokerService").class_.getPackage()
        return str(package.getImplementationVersion() or "")

    def order_by_priority(self) -> None:
        """Set prioritized messages in each policy entry from now on."""
        self._by_priority = True

    def configure(self, beginning: str, limits: Limits) -> None:
        """Set a policy entry for every destination, or for a wildcard."""
        self._is_configured_elsewhere = True
        if not beginning:
            self._policies.setDefaultEntry(self._entry(limits))
        for kind in KINDS if beginning else ():
            self._put(java_class(kind)(beginning + ANY_WORDS), limits)

    def declare(self, name: str, topic: bool, limits: Limits) -> None:
        """Create a destination with a policy of its own; limits that `limits` does not set are Classic's defaults."""
        self._destinations[name] = self._created(self._set_policy(name, topic, limits))

    def expect_temporary(self, limits: Limits) -> None:
        """Set the policy entry of temporary queues that clients create from now on."""
        self._put(java_class(TEMPORARY_QUEUE)(ANY_WORDS), limits)

    def adopt_temporary(self, name: str, physical_name: str) -> None:
        """Know a temporary queue of a client by this name."""
        self._destinations[name] = self._created(java_class(TEMPORARY_QUEUE)(physical_name))

    def _set_policy(self, name: str, topic: bool, limits: Limits) -> Any:
        """Set the policy entry of a destination, unless one from elsewhere holds; the result is the broker's
        destination."""
        destination = java_class(KINDS[topic])(name)
        if sets_policy(limits) or not self._is_configured_elsewhere:
            self._put(destination, limits)
        return destination

    def _put(self, destination: Any, limits: Limits) -> None:
        """Set the policy entry of a destination or a wildcard; the entry holds its destination as entries of a file
        do."""
        entry = self._entry(limits)
        # the broker uses it to find the closest of several entries
        entry.setDestination(destination)
        self._policies.put(destination, entry)

    def _entry(self, limits: Limits) -> Any:
        entry = java_class("org.apache.activemq.broker.region.policy.PolicyEntry")()
        if limits.limit_bytes is not None:
            entry.setMemoryLimit(max(limits.limit_bytes, 0))
        self._set_flow_control(entry, limits)
        self._set_cursor(entry, limits)
        if self._by_priority:
            entry.setPrioritizedMessages(True)
        return entry

    def change(self, name: str, limits: Limits) -> None:
        """Set the limit of a destination in use, and its flow control, which is on unless it is switched off."""
        destination = self._destinations[name]
        self._set_flow_control(destination, replace(limits, policy=limits.policy or "BLOCK"))
        if limits.limit_bytes is not None:
            self._memory(destination).setLimit(max(limits.limit_bytes, 0))

    def change_usage(self, usage: Usage) -> None:
        """Set limits of all destinations while the broker runs, as the operations of its management do."""
        _set_usage(self._service.getSystemUsage(), usage)

    def bind(self, topic: str, name: str, subscription: str) -> None:
        """Note the name of one of several subscriptions of a topic.

        A durable one has a name in the broker too, and one that is not durable has the id of its consumer.
        """
        self._subscriptions[name] = topic, subscription

    def unbind(self, name: str) -> None:
        """Forget the name of a subscription."""
        del self._subscriptions[name]

    def depth(self, name: str) -> Depth:
        """The memory usage and message count of a destination; for a topic, the count of its subscriptions' messages.

        For one of several subscriptions, the memory usage of the topic and the count of the subscription's messages.
        """
        if name in self._subscriptions:
            topic, _ = self._subscriptions[name]
            own = self._own(name)
            messages = sum(each.getPendingQueueSize() + each.getDispatchedQueueSize() for each in own)
            return Depth(int(self._memory(self._destinations[topic]).getUsage()), int(messages))
        destination = self._destinations[name]
        messages = destination.getDestinationStatistics().getMessages().getCount()
        if _is_topic(destination):
            subscriptions = destination.getConsumers()
            messages = sum(each.getPendingQueueSize() + each.getDispatchedQueueSize() for each in subscriptions)
        return Depth(int(self._memory(destination).getUsage()), int(messages))

    def waiting(self, name: str) -> int:
        """The messages of a destination that are not delivered."""
        if name in self._subscriptions:
            return int(sum(each.getPendingQueueSize() for each in self._own(name)))
        destination = self._destinations[name]
        if _is_topic(destination):
            return int(sum(each.getPendingQueueSize() for each in destination.getConsumers()))
        statistics = destination.getDestinationStatistics()
        return int(statistics.getMessages().getCount() - statistics.getInflight().getCount())

    def traffic(self, name: str) -> Traffic:
        """The counters of a destination's statistics; none for one of several subscriptions, which have no statistics.

        For a topic, `left` and `in_hand` are None: an acknowledgement in a subscription also settles all earlier
        messages, a matter of GENERAL-42.
        """
        if name in self._subscriptions:
            return Traffic()
        destination = self._destinations[name]
        statistics = destination.getDestinationStatistics()
        return Traffic(
            came=int(statistics.getEnqueues().getCount()),
            left=None if _is_topic(destination) else int(statistics.getDequeues().getCount()),
            in_hand=None if _is_topic(destination) else self._in_hand(destination),
            expired=int(statistics.getExpired().getCount()) if hasattr(statistics, "getExpired") else None,
        )

    def shown_percent(self, name: str) -> int | None:
        """MemoryPercentUsage of a destination; nothing of one of several subscriptions, which take their topic's."""
        return None if name in self._subscriptions else int(self._memory(self._destinations[name]).getPercentUsage())

    def shown_stopped(self, producer_id: str) -> bool:
        """ProducerBlocked of a producer, as its view in management finds it; not so before it has sent anything."""
        commands = "org.apache.activemq.command"
        known_by = java_class(f"{commands}.ProducerInfo")(java_class(f"{commands}.ProducerId")(producer_id))
        exchange = self._service.getProducerBrokerExchange(known_by)
        return exchange is not None and bool(exchange.isBlockedForFlowControl())

    def _in_hand(self, destination: Any) -> int:
        """The messages that were sent to consumers."""
        return int(destination.getDestinationStatistics().getInflight().getCount())

    def _own(self, name: str) -> list[Any]:
        """The broker's object for one of several subscriptions, if it exists."""
        topic, subscription = self._subscriptions[name]
        of_topic = self._destinations[topic].getDurableTopicSubs()
        durable = [of_topic.get(key) for key in list(of_topic.keySet()) if key.getSubscriptionName() == subscription]
        consumers = self._destinations[topic].getConsumers()
        return durable or [each for each in consumers if str(each.getConsumerInfo().getConsumerId()) == subscription]

    def limits(self, name: str) -> Limits:
        """The limits in force for a destination, and the cursor of a queue."""
        destination = self._destinations[name]
        limit = int(self._memory(destination).getLimit())
        policy = "BLOCK" if destination.isProducerFlowControl() else "NONE"
        cursor = None
        if not _is_topic(destination):
            cursor = "memory" if str(destination.getMessages().getClass().getSimpleName()).startswith("VM") else "file"
        return Limits(limit_bytes=limit or -1, policy=policy, cursor=cursor)

    def usage(self) -> Usage:
        """The limits that all destinations share; a limit that the broker lowered at its start is returned as it was
        before.

        It lowers a limit above the heap or disk of this machine; the lowered limit is a figure of the machine.
        """
        now = _shared_limits(self._service)
        limits = {kind: max(limit, now[kind]) for kind, limit in self._limits_at_start.items()}
        return Usage(memory_bytes=limits["memory"], store_bytes=limits["store"], temp_bytes=limits["temp"])

    def purge(self, name: str) -> None:
        """Remove all waiting messages of a queue."""
        self._destinations[name].purge()

    def delete(self, name: str) -> None:
        """Remove a queue as management does."""
        context = self._service.getAdminConnectionContext()
        self._service.getBroker().removeDestination(context, java_class(KINDS[0])(name), REMOVAL_MS)

    def move(self, name: str, to: str) -> None:
        """Move all waiting messages of a queue to another one."""
        context, target = self._service.getAdminConnectionContext(), java_class(KINDS[0])(to)
        self._destinations[name].moveMatchingMessagesTo(context, EVERY_MESSAGE, target)

    def list_messages(self, name: str) -> int:
        """The number of messages that a destination shows."""
        return len(self._destinations[name].browse())

    def held(self) -> Held:
        """The producers and connections that wait for space now."""
        producers = {producer for each in self._destinations.values() for producer in self._held_of(each)}
        ports = {
            int(port[1])
            for name, stack in stacks(TRANSPORT_THREAD).items()
            if (port := CLIENT_PORT.search(name)) and any(_waits_for_space(frame) for frame in stack)
        }
        return Held(frozenset(producers), frozenset(ports))

    def clients(self) -> frozenset[int]:
        """The TCP ports of the clients that the broker counts as connected."""
        (connector,) = self._service.getTransportConnectors()
        addresses = (CLIENT_PORT.search(str(each.getRemoteAddress())) for each in connector.getConnections())
        return frozenset(int(port[1]) for port in addresses if port)

    def close_client(self, port: int) -> None:
        """Begin to stop the connection of the client on this TCP port."""
        (connector,) = self._service.getTransportConnectors()
        for connection in list(connector.getConnections()):
            found = CLIENT_PORT.search(str(connection.getRemoteAddress()))
            if found is not None and int(found[1]) == port:
                connection.stopAsync()

    def halt(self) -> None:
        """End this process at once, as a crash does."""
        java_class("java.lang.Runtime").getRuntime().halt(0)

    def _configure(self, service: Any, usage: Usage) -> None:
        """Configure a service before it starts."""
        service.setDataDirectory(str(self._folder))
        self._set_store(service, usage)
        _set_usage(service.getSystemUsage(), usage)
        self._limits_at_start = _shared_limits(service)

    def _set_flow_control(self, of: Any, limits: Limits) -> None:
        """Set, for a policy entry or a destination, whether it holds back senders when full."""
        if limits.policy is not None:
            of.setProducerFlowControl(limits.policy != "NONE")

    def _set_cursor(self, entry: Any, limits: Limits) -> None:
        """Set where a destination keeps waiting messages."""
        policies = f"{REGION}.policy"
        if limits.cursor == "memory":
            entry.setPendingQueuePolicy(java_class(f"{policies}.VMPendingQueueMessageStoragePolicy")())
            entry.setPendingSubscriberPolicy(java_class(f"{policies}.VMPendingSubscriberMessageStoragePolicy")())
            in_memory = java_class(f"{policies}.VMPendingDurableSubscriberMessageStoragePolicy")()
            entry.setPendingDurableSubscriberPolicy(in_memory)
        elif limits.cursor not in (None, "file"):
            # Classic's default is the cursor on disk
            raise ValueError(f"a cursor is memory or file, not {limits.cursor!r}")

    def _created(self, destination: Any) -> Any:
        """The broker's own object for a destination at its first use."""
        return _innermost(self._service.getDestination(destination))

    def _memory(self, destination: Any) -> Any:
        """The counter of the bytes of a destination's messages."""
        return destination.getMemoryUsage()

    def _held_of(self, destination: Any) -> Iterator[str]:
        """The ids of the producers with an unanswered message that the destination holds."""
        waiting = hidden(destination, "messagesWaitingForSpace")
        with locked(waiting):
            kept = waiting.values() if hasattr(waiting, "values") else waiting
            sends = list(java_class("java.util.ArrayList")(kept))
        for send in sends:
            yield str(first_of_type(send, MESSAGE).getProducerId())

    def _set_store(self, service: Any, usage: Usage) -> None:
        journal = journal_bytes(usage)
        store = self._new_store(journal)
        store.setDirectory(java_class("java.io.File")(str(self._folder / "store")))
        store.setCheckpointInterval(CLEANUP_MS)
        store.setCleanupInterval(CLEANUP_MS)
        service.setPersistenceAdapter(store)
        temp = service.getTempDataStore()
        if hasattr(temp, "setMaxDataFileLength"):
            temp.setMaxDataFileLength(journal)
        else:
            temp.setJournalMaxFileLength(journal)
            if hasattr(temp, "setCleanupInterval"):  # 5.4 has none, and its own 30 s
                temp.setCleanupInterval(CLEANUP_MS)

    def _new_store(self, journal_bytes: int) -> Any:
        """The store of persistent messages on disk, in files of at most `journal_bytes`."""
        store = java_class("org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter")()
        store.setJournalMaxFileLength(journal_bytes)
        store.setEnableJournalDiskSyncs(False)
        return store


def _shared_limits(service: Any) -> dict[str, int]:
    of_all = service.getSystemUsage()
    kinds = {"memory": of_all.getMemoryUsage(), "store": of_all.getStoreUsage(), "temp": of_all.getTempUsage()}
    return {kind: int(usage.getLimit()) for kind, usage in kinds.items()}


def _set_usage(of_all: Any, usage: Usage) -> None:
    for kind, limit in (
        (of_all.getMemoryUsage(), usage.memory_bytes),
        (of_all.getStoreUsage(), usage.store_bytes),
        (of_all.getTempUsage(), usage.temp_bytes),
    ):
        if limit is not None:
            kind.setLimit(limit)
    if usage.fail_at_once is not None:
        of_all.setSendFailIfNoSpace(usage.fail_at_once)
    if usage.fail_after_ms is not None:
        if not hasattr(of_all, "setSendFailIfNoSpaceAfterTimeout"):
            raise ValueError("before 5.3.1 no send fails after a time that it waited for space")
        of_all.setSendFailIfNoSpaceAfterTimeout(usage.fail_after_ms)


def _innermost(destination: Any) -> Any:
    """The destination without the filters that interceptors put around it."""
    while hasattr(destination, "getNext"):
        destination = destination.getNext()
    return destination


def _is_topic(destination: Any) -> bool:
    return bool(destination.getActiveMQDestination().isTopic())


def _waits_for_space(frame: Any) -> bool:
    return frame.getMethodName() == "waitForSpace" and str(frame.getClassName()).startswith(USAGE)
