"""The bounds: a number of messages, no bound, or a bound that is not known."""

from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.record.counts import counted


def of_messages(
    messages: int, traffic: Traffic, because: str, rules: tuple[str, ...], proved: tuple[str, ...]
) -> Bound:
    """The bound for a number of messages of the traffic's size."""
    return Bound(messages * traffic.size, messages, because, rules, proved=proved)


def no_bound(why: str, rules: tuple[str, ...], traffic: Traffic) -> Bound:
    """No bound, with steps that make the destination grow."""
    size = traffic.size
    steps = (
        f"a producer sends {counted(size, 'bytes')}: stored, and the producer may go on",
        f"it sends {counted(size, 'bytes')} again: {counted(2 * size, 'bytes')} are stored, and it may go on",
        f"after k messages {size:,} x k bytes are stored, and nothing has stopped it",
    )
    return Bound(None, None, why, rules, steps)


def unknown(what: str, rules: tuple[str, ...]) -> Bound:
    """An unknown bound, because a placeholder or another gap hides a figure."""
    return Bound(None, None, f"not known, because {what}", rules)


def of_each_producer(traffic: Traffic) -> str:
    """The producers, as a bound names them."""
    return "its only producer" if traffic.producers == 1 else f"each of {counted(traffic.producers, 'producers')}"
