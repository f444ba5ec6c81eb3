"""Which of several limits is reached first."""

from collections.abc import Mapping

from tidegate.explain.vocabulary import Traffic, amount


def first_of(in_bytes: Mapping[str, int], in_messages: Mapping[str, int], traffic: Traffic) -> str:
    """The first limit for messages of the traffic's size, and above which size it is another; limits go by name."""
    if not in_bytes and not in_messages:
        return "none"
    if not in_bytes:
        return min(in_messages, key=lambda name: in_messages[name])
    by_bytes = min(in_bytes, key=lambda name: in_bytes[name])
    if not in_messages:
        return by_bytes
    by_messages = min(in_messages, key=lambda name: in_messages[name])
    level, count = in_bytes[by_bytes], in_messages[by_messages]
    turn = level // count if count else 0
    first = by_bytes if traffic.size * count > level else by_messages
    size = amount(traffic.size, "bytes")
    return f"{first} for {size} a message; {by_messages} up to {turn:,} bytes a message, {by_bytes} above"
