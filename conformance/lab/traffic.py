"""Looks at management's counts of a destination's messages, once the system is at rest."""

from tidegate.adapters.base import Depth, Unsupported
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import ReadsTraffic, Traffic
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.waiting import Waiting

NOTHING = Traffic(came=0, left=0, in_hand=0, expired=0)


class TrafficLooks(Waiting):
    """Looks at the counts of management, and records them."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._watched: set[str] = set()
        """Destinations with a consumer whose filter no message passes."""
        self._traffic_before: dict[str, Traffic] = {}
        """The counts of each destination at the beginning of the scenario itself."""
        self._never_agreed = False
        """Whether some counts of this scenario never agreed; later looks are then not repeated."""

    def traffic(self, destination: str) -> Traffic:
        """The counts of management at a destination; AdapterError if the adapter cannot read them."""
        adapter = self._offered(ReadsTraffic, "to read what management has counted")
        return self._call(adapter.traffic, self._full(destination))

    def counted(self, destination: str, figure: str) -> int:
        """The number of messages that one count of management, a field of `Traffic`, rose by in the scenario itself.

        Unsupported if management has no such count for this kind of destination.
        """
        now, before = (getattr(seen, figure) for seen in (self.traffic(destination), self._before(destination)))
        if now is None or before is None:
            raise Unsupported(f"management does not say of this destination how many messages are {figure}")
        return int(now - before)

    def look_at_traffic(self, destination: str) -> Traffic | None:
        """Record the counts of management at a destination; the counts, or None if adapter or trace have none.

        The counts may lag behind the messages: the look is repeated until they agree, unless some never agreed before.
        """
        full = self._full(destination)
        if offered(self.adapter, ReadsTraffic) is None or full in self._bound:
            return None
        held = ((self._consumers.get(name), ids) for name, ids in self.messages.held.items())
        handed_out = sum(len(ids) for consumed, ids in held if consumed == destination)
        is_consumed = destination in self._watched or destination in self._consumers.values()

        def look() -> tuple[Traffic, Depth]:
            return self.traffic(destination), self._depth(full)

        def agree(seen: tuple[Traffic, Depth]) -> bool:
            return _agree(*seen, handed_out, is_consumed=is_consumed)

        seen = look()
        if not agree(seen) and not self._never_agreed:
            seen = self.comes_to(look, agree)
            self._never_agreed = not agree(seen)
        traffic, depth = seen
        self.recorder.traffic(full, traffic, depth.messages, is_consumed=is_consumed)
        return traffic

    def _before(self, destination: str) -> Traffic:
        return self._traffic_before.get(destination, NOTHING)


def _agree(traffic: Traffic, depth: Depth, handed_out: int, *, is_consumed: bool) -> bool:
    """Whether counts agree with each other and with the number of messages in the hands of the scenario's consumers."""
    rest = None if traffic.came is None or traffic.left is None else traffic.came - traffic.left
    in_hand = depth.messages if traffic.in_hand is None else traffic.in_hand
    most = depth.messages if is_consumed else 0
    empty = [traffic.held_bytes, traffic.in_hand_bytes] if depth.messages == 0 else []
    return (
        rest in (None, depth.messages) and (traffic.in_hand is None or handed_out <= in_hand <= most) and not any(empty)
    )
