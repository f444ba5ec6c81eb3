"""The broker of one scenario: declared first, started when first needed."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tidegate.adapters.base import AdapterError, Limits
from tidegate.adapters.faults.processes import kill
from tidegate.adapters.groups import Usage
from tidegate.adapters.jvm.process import JvmProcess


class Broker:
    """A broker process. It starts with this object; the broker in it starts with the first call of a verb."""

    def __init__(
        self, version: str, generation: str, jars: Path, folder: Path, log: Path, booted: Callable[[int], None]
    ) -> None:
        """`booted` is called with the TCP port as soon as the broker runs and has all destinations."""
        self._folder = folder
        self._starts = 0
        self._what = f"ActiveMQ Classic {version}", generation, str(jars), log
        self._process = self._started()
        self._booted = booted
        self.runs = False
        """Whether the broker was started."""
        self.port = 0
        """The TCP port for OpenWire of a running broker."""
        self._usage = Usage()
        self._declared: list[tuple[str, bool, Limits]] = []
        self._elsewhere: list[tuple[str, Limits]] = []
        """Policies, by the prefix of names, for destinations without one of their own."""
        self._by_priority = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def declare_usage(self, usage: Usage) -> None:
        """Set the limits that all destinations share. AdapterError once the broker runs."""
        if self.runs:
            raise AdapterError("limits that all destinations share are declared before anything else")
        self._usage = usage

    def order_by_priority(self) -> None:
        """Have each destination hand out messages by priority. AdapterError once the broker runs."""
        if self.runs:
            raise AdapterError("whether messages are ordered by priority is declared before anything else")
        self._by_priority = True

    def configure(self, beginning: str, limits: Limits) -> None:
        """Set a policy, by the prefix of names ('' for all), for later destinations without one of their own."""
        self._elsewhere.append((beginning, limits))
        if self.runs:
            self._process.call("configure", beginning, limits)

    def declare(self, name: str, topic: bool, limits: Limits) -> None:
        """Declare a destination, which is created with the broker, or at once if it runs."""
        self._declared.append((name, topic, limits))
        if self.runs:
            self._process.call("declare", name, topic, limits)

    def change(self, name: str, limits: Limits) -> None:
        """Change the limits of a destination in use; it keeps them after a new start."""
        self.call("change", name, limits)
        self._declared = [
            (each, topic, replace(limits, cursor=its.cursor) if each == name else its)
            for each, topic, its in self._declared
        ]

    def kill(self) -> None:
        """Kill the process."""
        self.boot()
        kill(self.pid)
        self._process.stop()

    def start_again(self) -> None:
        """Start another process that boots a broker over the same data, on another port."""
        self._process = self._started()
        self.runs = False
        self.boot()

    def call(self, verb: str, *arguments: Any) -> Any:
        """The result of a verb of `EmbeddedBroker`; the broker is started if it does not run yet."""
        self.boot()
        return self._process.call(verb, *arguments)

    def stop(self) -> None:
        """End the process, and remove its data on disk. Stopping twice is harmless."""
        self._process.stop()
        if self._folder.is_dir():
            shutil.rmtree(self._folder)

    def boot(self) -> None:
        """Start the broker if it does not run yet."""
        if self.runs:
            return
        if self._by_priority:
            self._process.call("order_by_priority")
        self.port = self._process.call("boot", self._usage, tuple(self._elsewhere), tuple(self._declared))
        for declared in self._declared:
            self._process.call("declare", *declared)
        self.runs = True
        self._booted(self.port)

    def _started(self) -> JvmProcess:
        what, generation, jars, log = self._what
        self._starts += 1
        address = self._folder / f"socket-{self._starts}"
        module = "tidegate.adapters.classic.broker_process"
        return JvmProcess(what, module, self._folder.parent, log, address, generation, jars, str(self._folder / "data"))
