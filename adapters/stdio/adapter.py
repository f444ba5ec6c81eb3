"""The adapter of a program in any language, which is asked verb by verb over its stdin and stdout."""

from collections.abc import Sequence
from pathlib import Path

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Adapter,
    Call,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
)
from tidegate.adapters.groups import WritesLog
from tidegate.adapters.stdio.driver import Driver
from tidegate.adapters.stdio.group_verbs import with_group_verbs
from tidegate.adapters.stdio.reproduce import recording, script_template
from tidegate.adapters.stdio.settings import Settings
from tidegate.record.report import Recording, ScriptTemplate


@with_group_verbs
class StdioAdapter:
    """Has the verbs of every group; the program's claims decide which of them are asked."""

    def __init__(self, command: Sequence[str], settings: Settings | None = None):
        """`command` is the program and its arguments. `BadInput` if the environment's settings are invalid."""
        self.driver = Driver(command, settings or Settings.of())
        """The driver that runs the program and asks it."""
        self.identity = Identity(self.driver.name, "")
        self.capabilities: frozenset[str] = frozenset()
        self.parameters = Parameters()
        self.log_path = Path()
        self._unread: list[str] = []

    def start(self) -> None:
        handshake = self.driver.start()
        self.identity = handshake.identity
        self.capabilities = handshake.capabilities
        self.parameters = handshake.parameters
        self.log_path = self.driver.folder / "broker.log"
        self._unread.clear()

    def stop(self) -> None:
        self.driver.stop()

    def declare(self, destination: str, limits: Limits) -> None:
        self.driver.ask(Adapter.declare, destination, limits)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        self.driver.ask(Adapter.open_producer, producer, connection, destinations, options)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self.driver.ask(Adapter.open_consumer, consumer, connection, destination)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return self.driver.ask(Adapter.send, producer, message_id, size_bytes)

    def take(self, consumer: str) -> Delivery | None:
        return self.driver.ask(Adapter.take, consumer)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self.driver.ask(Adapter.acknowledge, consumer, message_id)

    def depth(self, destination: str) -> Depth:
        return self.driver.ask(Adapter.depth, destination)

    def standing(self, producer: str) -> Standing:
        return self.driver.ask(Adapter.standing, producer)

    def advance(self, ms: int) -> None:
        self.driver.ask(Adapter.advance, ms)

    def end_scenario(self) -> None:
        self.driver.ask(Adapter.end_scenario)
        if self.driver.claims("log_lines"):
            self._read_log()  # so that the copy in the report has the lines of the last scenario too

    def log_lines(self) -> list[str]:
        self._read_log()
        lines, self._unread = self._unread, []
        return lines

    def script_template(self) -> ScriptTemplate:
        return script_template(self.driver.command, self.parameters.eventually_ms)

    def recording(self, calls: Sequence[Call]) -> Recording:
        return recording(calls)

    def _read_log(self) -> None:
        lines = self.driver.ask(WritesLog.log_lines)
        self._unread += lines
        with self.log_path.open("a", encoding="utf-8") as log:
            log.writelines(f"{line}\n" for line in lines)
