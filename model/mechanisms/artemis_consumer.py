"""The consumer window of Artemis: the bytes of messages that a client prefetches for its program.

Composes the gate over the bytes in a client's buffer, for each consumer separately.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NewType

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.gate import Gate, past_high

ConsumerName = NewType("ConsumerName", str)

UNBOUNDED = -1
"""A window without a limit."""
DEFAULT_WINDOW = 1024 * 1024
"""ARTEMIS-CONSUMER-2: bytes, one MiB."""


@dataclass(frozen=True)
class Consumer:
    """The window and the buffer of a consumer in bytes, and the turn in which it was last sent a message.

    `owed` are the bytes handed out and not yet given back; the document knows of none.
    """

    window: int
    buffered: int
    last_turn: int
    owed: int = 0


@rule
def has_room(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: a message is prefetched if the buffer stays within its window with the message."""
    return consumer_window == UNBOUNDED or not past_high(Gate(consumer_window, consumer_window), buffered + size)


@rule
def has_room_below_window(consumer_window: int, buffered: int) -> bool:
    """ARTEMIS-CONSUMER-1: the other reading, in which messages are prefetched as long as the window is not used up."""
    return consumer_window == UNBOUNDED or buffered < consumer_window


@rule
def after_buffering(consumer: Consumer, size: int, turn: int) -> Consumer:
    """ARTEMIS-CONSUMER-5: a prefetched message takes its bytes of the window, and its consumer's turn."""
    return replace(consumer, buffered=consumer.buffered + size, last_turn=turn)


@rule
def after_handing_out(consumer: Consumer, size: int) -> Consumer:
    """ARTEMIS-CONSUMER-6: a message that the program takes gives its bytes back to the window."""
    return replace(consumer, buffered=consumer.buffered - size)


@rule
def after_asking(consumer: Consumer, size: int, passes: bool) -> Consumer:
    """ARTEMIS-RATE-5: a message that the rate holds back stays in the buffer, and still takes its bytes there."""
    return after_handing_out(consumer, size) if passes else consumer


@rule
def has_room_itself(consumer: Consumer, size: int) -> bool:
    """ARTEMIS-CONSUMER-7: only a consumer's own window and own buffer decide whether a message has room."""
    return has_room(consumer.window, consumer.buffered, size)


@rule
def is_next(consumers: Mapping[ConsumerName, Consumer], candidate: ConsumerName, size: int) -> bool:
    """ARTEMIS-CONSUMER-8: a message goes to the consumer with room whose last turn is the longest ago."""
    chosen = consumers[candidate]
    return has_room_itself(chosen, size) and all(
        not has_room_itself(consumers[other], size) or chosen.last_turn <= consumers[other].last_turn
        for other in consumers
    )
