"""The part that adapters of Artemis do by management: the broker's life, destinations, and their contents."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tidegate.adapters.artemis.broker import DEFAULT_VERSION, Broker
from tidegate.adapters.artemis.file import EVERY_ADDRESS, address_settings, global_limits
from tidegate.adapters.artemis.generation import only_by_file, takes_settings_in_json
from tidegate.adapters.artemis.management import Management
from tidegate.adapters.artemis.settings import built_in_settings, limits_in_force, settings_form, settings_of
from tidegate.adapters.artemis.small_disk import SmallDisk
from tidegate.adapters.base import AdapterError, Call, Depth, Identity, Limits, Unsupported
from tidegate.adapters.faults.processes import Halting
from tidegate.adapters.groups import NoScript, Traffic
from tidegate.adapters.process.brokers import tell_untried
from tidegate.adapters.process.log_tail import LogTails

EVENTUALLY_MS = 2000
NEVER_MS = 100
POLL_SECONDS = 0.001
SCRATCH = "tidegate-calibration"


class ManagedArtemis:
    """The side of the broker. Each destination is an address with one queue of its name.

    A subclass is the side of the clients: it connects, calibrates, drops and closes them.
    """

    identity: Identity
    kind_of_broker = Broker
    """The class of the broker."""
    durable_subscriptions = False
    """Whether the queue of a topic is durable also on a broker that keeps no data."""

    def __init__(self, version: str, name: str, profile: str, protocol: str) -> None:
        """`name` is the name in reports; `profile` is the adapter name of the usual version."""
        asked = profile if version == DEFAULT_VERSION else f"{profile}:{version}"
        self.identity = Identity(name, version, protocol, asked)
        self._kind = profile
        self.log_path = Path()
        self._broker = self._usual = self.kind_of_broker(version)
        self._keeping: Broker | None = None
        """A separate broker process that keeps data, from the first scenario that asks for it."""
        self._limited: Broker | None = None
        """A broker process for this scenario alone, started with limits."""
        self._disk: SmallDisk | None = None
        """The small disk with this broker's data, if it has one."""
        self._management: Management | None = None
        self._form: dict[str, object] | None = None
        """The positions of address settings, for a broker that does not take them by name; None until they are read."""
        self._built_in: dict[str, str] | None = None
        """The settings of an address without settings; None until they are read."""
        self._halting = Halting()
        self._logs = LogTails()
        self._declared: set[str] = set()
        self._configured: set[str] = set()
        self._multicast: set[str] = set()

    def start(self) -> None:
        """Fetch and start the broker, and measure what it charges."""
        tell_untried(self._kind, self._broker.version)
        try:
            self._broker.start()
            self.log_path = self._broker.log
            self._logs = LogTails()
            if not takes_settings_in_json(self._broker.version):
                self._form = settings_form(self._broker.jars)
            self._management = Management(self._broker.host, self._broker.unconfigured_port, form=self._form)
            self.identity = replace(self.identity, version=self._management.version())
            self._start_clients()
            self._calibrate()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the broker and remove its log. The clients do not wait for a hanging broker."""
        with ExitStack() as every:
            for broker in filter(None, (self._usual, self._keeping, self._limited)):
                every.callback(broker.stop)
            self._broker, self._keeping, self._limited = self._usual, None, None
            if self._management is not None:
                every.callback(self._management.kill)
                self._management = None
            every.callback(self._drop_clients)
            self._forget()

    def declare(self, destination: str, limits: Limits) -> None:
        """Create an address and its queue."""
        self._configure(destination, self._beside_the_file(destination, limits))
        self._declared.add(destination)
        self._managed.create_queue(destination, address=destination, durable=self._broker.durable)

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """Create an address with multicast routing, and one queue on it that gets a copy of every message."""
        self._configure(destination, self._beside_the_file(destination, limits))
        self._declared.add(destination)
        self._multicast.add(destination)
        durable = self._broker.durable or self.durable_subscriptions
        self._managed.create_queue(destination, address=destination, multicast=True, durable=durable)

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Replace the address's settings in one call; limits that `limits` does not name are then unset."""
        if settings_of(limits):
            self._configure(destination, limits)
        else:
            self._managed.remove_address_settings(destination)

    def declare_defaults(self, limits: Limits) -> None:
        """Add address settings for every name."""
        self._configure_for(EVERY_ADDRESS, limits)

    def declare_pattern(self, beginning: str, limits: Limits) -> None:
        """Add address settings for the words of `beginning` and any words after these."""
        self._configure_for(beginning + EVERY_ADDRESS, limits)

    def change_pattern(self, beginning: str, limits: Limits) -> None:
        """Replace the address settings of a pattern in one call."""
        self.declare_pattern(beginning, limits)

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        """Start another broker, with address settings in its broker.xml."""
        self._start_limited(address_settings({destination: limits}))

    def declare_shared(self, limits: Limits) -> None:
        """Start another broker, with limits for all addresses in its broker.xml."""
        self._start_limited(global_limits(limits, self._usual.version))

    def limits_in_force(self, destination: str) -> Limits:
        """The limits that management reports, and otherwise the defaults of Artemis' own classes."""
        if self._built_in is None:
            self._built_in = built_in_settings(self._broker.jars)
        return limits_in_force(self._managed.address_settings(destination), self._built_in)

    def recreate(self, destination: str, limits: Limits) -> None:
        """Delete the address with its queue, and create both again."""
        self._managed.delete_address(destination)
        self.declare(destination, limits)

    def purge(self, destination: str) -> None:
        """Call removeAllMessages of the destination's queue."""
        self._managed.purge(destination)

    def move(self, destination: str, to: str) -> None:
        """Call moveMessages of the destination's queue."""
        self._managed.move(destination, to)

    def list_messages(self, destination: str) -> int:
        """Call listMessagesAsJSON of the destination's queue."""
        return self._managed.list_messages(destination)

    def block(self, destination: str) -> None:
        """Call the operation `block` of the address."""
        if not self._managed.block(destination):
            raise AdapterError(f"the broker does not block {destination}")

    def unblock(self, destination: str) -> None:
        """Call the operation `unblock` of the address."""
        self._managed.unblock(destination)

    def keep_data(self) -> None:
        """Switch to a broker process that keeps its data, until the scenario ends."""
        if self._keeping is None:
            self._keeping = self.kind_of_broker(self._usual.version, durable=True)
            self._keeping.start()
        self._use(self._keeping)

    def restart_broker(self) -> None:
        """Kill the broker that keeps its data, and start it again."""
        if self._broker is self._usual:
            raise AdapterError("only a broker that keeps its data can be restarted")
        self._drop_clients()
        self._broker.kill_and_start()
        self._use(self._broker)
        self._forget_clients()

    def use_small_disk(self) -> None:
        """Start another broker, with its data on a small file system in memory, until the scenario ends."""
        self._disk = SmallDisk()
        self._limited = self.kind_of_broker(self._usual.version, durable=True, disk=self._disk)
        self._limited.start()
        self._use(self._limited)

    def fill_disk(self) -> None:
        """Fill the small disk with one large file."""
        self._small_disk.fill()

    def free_disk(self) -> None:
        """Delete the large file that fills the small disk."""
        self._small_disk.free()

    @property
    def _small_disk(self) -> SmallDisk:
        if self._disk is None:
            raise AdapterError("the broker does not keep its data on a small disk")
        return self._disk

    def pause_broker(self) -> None:
        """Halt the broker's process by SIGSTOP."""
        self._halting.halt(self._broker.pid)

    def unpause_broker(self) -> None:
        """Let the broker's process go on by SIGCONT."""
        self._halting.go_on()

    def check_script(self, calls: Sequence[Call]) -> None:
        """Raise NoScript where a call set limits that the version takes only from its file."""
        limits = (argument for call in calls for argument in call.arguments if isinstance(argument, Limits))
        if any(only_by_file(self._usual.version, each) for each in limits):
            raise NoScript("limits that the broker read from its file")

    def depth(self, destination: str) -> Depth:
        """The AddressSize and MessageCount of the address."""
        return Depth(self._managed.address_size(destination), self._managed.messages(destination))

    def traffic(self, destination: str) -> Traffic:
        """The counters of the queue."""
        return self._managed.traffic(destination)

    def shown_percent(self, destination: str) -> int | None:
        """AddressLimitPercent of the address."""
        return self._managed.percent_used(destination)

    def advance(self, ms: int) -> None:
        """Sleep for this number of ms."""
        time.sleep(ms / 1000)

    def end_scenario(self) -> None:
        """Close all connections, and delete all addresses and their settings; a failure does not stop the others."""
        self._halting.go_on()
        with ExitStack() as every:
            every.callback(self._forget)
            if self._limited is not None:
                every.callback(self._limited.stop)
                self._limited = None
            if self._broker is not self._usual:
                every.callback(self._use, self._usual)
            for destination in self._configured:
                every.callback(self._managed.remove_address_settings, destination)
            for destination in self._declared:
                every.callback(self._managed.delete_address, destination)
            every.callback(self._close_clients)

    def log_lines(self) -> list[str]:
        """Whole lines that the broker in use wrote since the last call."""
        return self._logs.lines(self._broker.log)

    def _start_clients(self) -> None:
        """Start the clients' process, if any; the broker runs already."""

    def _calibrate(self) -> None:
        """Measure what a message is charged."""
        raise NotImplementedError

    def _close_clients(self) -> None:
        """Close the clients of a scenario."""
        raise NotImplementedError

    def _drop_clients(self) -> None:
        """Drop all clients without asking the broker."""
        raise NotImplementedError

    def _forget_clients(self) -> None:
        """Forget dropped clients."""
        raise NotImplementedError

    def _start_limited(self, limits: str) -> None:
        self._limited = self.kind_of_broker(self._usual.version, limits=limits)
        self._limited.start()
        self._use(self._limited)

    def _use(self, broker: Broker) -> None:
        """Talk to this broker from now on."""
        if self._management is not None:
            self._management.kill()
        self._broker = broker
        self._management = Management(broker.host, broker.unconfigured_port, form=self._form)

    @property
    def _managed(self) -> Management:
        if self._management is None:
            raise AdapterError("the adapter was not started")
        return self._management

    def _beside_the_file(self, destination: str, limits: Limits) -> Limits:
        """The limits of a destination that management must set.

        For a limit that the version takes only from its file, it starts another broker, with all limits in the file.
        """
        by_file = only_by_file(self._broker.version, limits)
        if not by_file:
            return limits
        if self._declared or self._broker is not self._usual:
            raise Unsupported(f"this version takes {', '.join(by_file)} by the file alone that it read when it started")
        self.start_with_limits(destination, replace(limits, credit=None, credit_low=None))
        return Limits(credit=limits.credit, credit_low=limits.credit_low)

    def _configure(self, destination: str, limits: Limits) -> None:
        self._configure_for(destination, limits)

    def _configure_for(self, match: str, limits: Limits) -> None:
        if settings := settings_of(limits):
            self._configured.add(match)
            self._managed.add_address_settings(match, **settings)

    def _wait_removed(self, destination: str, before: Depth, number: int = 1) -> None:
        """Wait until this number of messages is gone and the size is stable, at most `EVENTUALLY_MS`.

        A broker that keeps a message is no error here: a later look at the depth shows it.
        """
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        last, seen = before, self.depth(destination)
        while (seen.messages > before.messages - number or seen != last) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            last, seen = seen, self.depth(destination)

    def _forget(self) -> None:
        for known in (self._declared, self._configured, self._multicast):
            known.clear()
