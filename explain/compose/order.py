"""Orders several limits by which is reached first, and finds the smallest traffic that reaches another one first.

The order of two limits on one level is fixed: whenever the higher one is reached, so is the lower one (EB-T9). The
order of a limit in messages and one in bytes, or of a limit shared with other destinations, depends on the traffic.
"""

from collections.abc import Callable, Iterator, Mapping

from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Traffic
from tidegate.record.counts import counted


def first_of(
    in_bytes: Mapping[str, int],
    in_messages: Mapping[str, int],
    traffic: Traffic,
    shared: Mapping[str, int] | None = None,
    shared_messages: Mapping[str, int] | None = None,
) -> str:
    """The first limit for messages of the traffic's size, and the smallest traffic for each other order.

    Limits are by name; `shared` and `shared_messages` are limits in bytes and in messages that also count what other
    destinations hold.
    """
    if not in_bytes and not in_messages:
        return "none"
    first = _own(in_bytes, in_messages, traffic)
    first += "".join(_once(others, shown) for others in _left(in_bytes, shared or {}))
    return first + "".join(_once(others, _in_messages) for others in _left(in_messages, shared_messages or {}))


def _left(own: Mapping[str, int], shared: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Each shared limit above the own ones, and the amount that other destinations must hold to make it the first."""
    least = min(own.values(), default=0)
    yield from ((name, limit - least) for name, limit in shared.items() if name not in own and least and limit > least)


def _once(others: tuple[str, int], in_words: Callable[[int], str]) -> str:
    name, held = others
    return f"; {name} once other destinations hold {in_words(held)}"


def _in_messages(count: int) -> str:
    return counted(count, "messages")


def _own(in_bytes: Mapping[str, int], in_messages: Mapping[str, int], traffic: Traffic) -> str:
    if not in_bytes:
        return min(in_messages, key=lambda name: in_messages[name])
    by_bytes = min(in_bytes, key=lambda name: in_bytes[name])
    if not in_messages:
        return by_bytes
    by_messages = min(in_messages, key=lambda name: in_messages[name])
    level, count = in_bytes[by_bytes], in_messages[by_messages]
    turn = level // count if count else 0
    first = by_bytes if traffic.size * count > level else by_messages
    size = counted(traffic.size, "bytes")
    if turn == 0:
        return f"{first} for {size} a message, and for messages of any size"
    return (
        f"{first} for {size} a message; {by_messages} for messages of up to {counted(turn, 'bytes')}, as with "
        f"{counted(count, 'messages')} of 1 byte; {by_bytes} for larger messages, as with "
        f"{counted(_fewest(level, count), 'messages')} of {counted(_size(level, count), 'bytes')}"
    )


def _size(level: int, count: int) -> int:
    """The smallest message size that reaches a level, in bytes, before `count` messages do."""
    return level // count + 1


def _fewest(level: int, count: int) -> int:
    """The number of messages of that size that reach the level."""
    return -(-level // _size(level, count))
