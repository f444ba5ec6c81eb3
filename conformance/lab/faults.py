"""Causes the faults around producers: orders of management, full disks, halts, kills and cut connections."""

from tidegate.adapters.base import Outcome
from tidegate.adapters.groups import BlocksByManagement, CutsConnections, FillsDisk, PausesBroker, RestartsBroker
from tidegate.conformance.lab.limiting import Limiting
from tidegate.model.traces.general_causes import LIFTED, ORDERED

RESTART, PAUSE, STALL, CUT = "restart", "pause", "stall", "cut"
"""The names of the faults as causes of events."""


class Faults(Limiting):
    """Stops producers by management, fills the disk, halts and kills the broker, and cuts connections."""

    def block(self, destination: str) -> None:
        """Stop the producers of a destination, by management."""
        self._call(self._offered(BlocksByManagement, "to block by management").block, self._full(destination))
        self._level_after(destination, "block")

    def unblock(self, destination: str) -> None:
        """Release the producers that `block` stopped."""
        self._call(self._offered(BlocksByManagement, "to block by management").unblock, self._full(destination))
        self._level_after(destination, "unblock")

    def use_small_disk(self) -> None:
        """Have the broker keep its data on a disk that can be filled, from now on."""
        self._call(self._offered(FillsDisk, "a disk that can be filled").use_small_disk)

    def fill_disk(self) -> None:
        """Fill the disk. In the trace this is an order to stop, since no level explains it."""
        self._call(self._offered(FillsDisk, "a disk that can be filled").fill_disk)
        for destination in self.destinations:
            self._level_after(destination, ORDERED)

    def free_disk(self) -> None:
        """Delete the data that filled the disk."""
        for destination in self.destinations:
            self.before_room(destination)
        self._call(self._offered(FillsDisk, "a disk that can be filled").free_disk)
        for destination in self.destinations:
            self._level_after(destination, LIFTED)

    def restart_broker(self) -> None:
        """Kill the broker and start it again; every client is gone."""
        self._call(self._offered(RestartsBroker, "to start the broker again").restart_broker)
        producers, self.producers = self.producers, {}
        for name, targets in producers.items():
            self.messages.lose_connection(self._full(name))
            self.recorder.gone(self._full(name), targets, RESTART)
        for consumer in list(self._consumers):
            self.recorder.given_back(self._full(self._consumers.pop(consumer)))
        self.messages.give_all_back()
        for destination in map(self._full, self.destinations):
            self.recorder.started(destination)
            self._level(destination, cause=RESTART)

    def pause_broker(self, ms: int) -> None:
        """Halt the broker for `ms`."""
        adapter = self._offered(PausesBroker, "to halt the broker")
        self._call(adapter.pause_broker)
        try:
            self.pass_time(ms)
        finally:
            self._call(adapter.unpause_broker)
        for destination in self.destinations:
            self._level_after(destination, PAUSE)

    def make_cuttable(self, name: str) -> None:
        """Make the connection of a client, which is opened afterwards, one that can be stalled and cut."""
        self._call(self._cutting.make_cuttable, self._full(name))

    def stall(self, name: str) -> None:
        """Let no byte pass on a client's connection; the client is not looked at until `unstall`."""
        self._call(self._cutting.stall, self._connections[name])
        self._stalled.add(name)
        for target in self.producers[name]:
            self._level(target, cause=STALL)

    def unstall(self, name: str) -> None:
        """Let bytes pass again on a stalled connection."""
        self._call(self._cutting.unstall, self._connections[name])
        self._stalled.discard(name)
        self._look_at_all()

    def cut_in_send(self, name: str, size: int, *, arrives: bool) -> Outcome:
        """Send one message and cut the connection, before the answer (`arrives`) or in the middle of the message."""
        message_id, size_bytes = self.messages.new(), self.real(size)
        producer, line = self._full(name), self._connections[name]
        self.change_before_first_message(*self.producers[name])
        outcome = self._call(self._cutting.cut_in_send, producer, message_id, size_bytes, arrives)
        self.recorder.sent(producer, self.producers[name], message_id, size_bytes, outcome, CUT)
        self._all_gone(line, CUT)
        return outcome

    @property
    def _cutting(self) -> CutsConnections:
        return self._offered(CutsConnections, "to cut connections")
