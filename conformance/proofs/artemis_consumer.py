"""The consumer window of Artemis, for all windows and sizes and any number of consumers."""

from collections.abc import Mapping

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis_consumer import (
    Consumer,
    ConsumerName,
    after_buffering,
    after_handing_out,
    has_room,
    has_room_below_window,
    is_next,
)


@theorem("CONSUMER-T1", serves=("ARTEMIS-CONSUMER-1",))
def a_message_is_sent_ahead_exactly_if_the_buffer_stays_within_the_window(
    window: int, buffered: int, size: int
) -> None:
    """CONSUMER-T1: a message that exactly fills the window is sent; one byte more is not."""
    assume(window != -1)
    possible(window == 1000 and buffered == 600 and size == 400)
    possible(window == 1000 and buffered == 600 and size == 401)
    possible(window == 1 and buffered == 0 and size == 1)
    prove(has_room(window, buffered, size) == (buffered + size <= window))


@theorem("CONSUMER-T2", serves=("ARTEMIS-CONSUMER-3",))
def without_a_limit_everything_is_sent_ahead(buffered: int, size: int) -> None:
    """CONSUMER-T2: -1 stands for no limit."""
    possible(buffered > 1_000_000_000)
    prove(has_room(-1, buffered, size))


@theorem("CONSUMER-T3", serves=("ARTEMIS-CONSUMER-4", "ARTEMIS-CONSUMER-10"))
def without_a_window_nothing_is_sent_ahead(buffered: int, size: int) -> None:
    """CONSUMER-T3: not even a message of one byte into an empty buffer."""
    assume(buffered >= 0 and size > 0)
    possible(buffered == 0 and size == 1)
    prove(not has_room(0, buffered, size))


@theorem("CONSUMER-T4", serves=("ARTEMIS-CONSUMER-5", "ARTEMIS-CONSUMER-6"))
def a_message_takes_its_bytes_of_the_window_until_it_is_handed_out(consumer: Consumer, size: int, turn: int) -> None:
    """CONSUMER-T4: and its consumer's turn as well, which handing out leaves alone."""
    sent = after_buffering(consumer, size, turn)
    possible(consumer.buffered == 0 and size == 500)
    prove(sent.buffered == consumer.buffered + size and sent.window == consumer.window and sent.last_turn == turn)
    prove(after_handing_out(sent, size).buffered == consumer.buffered)
    prove(after_handing_out(sent, size).last_turn == turn and after_handing_out(sent, size).window == consumer.window)


@theorem("CONSUMER-T5", serves=("ARTEMIS-CONSUMER-1", "ARTEMIS-CONSUMER-11"))
def a_buffer_never_holds_more_than_its_window(consumer: Consumer, size: int, turn: int) -> None:
    """CONSUMER-T5: step of an invariant; it begins with an empty buffer, and handing out only makes it smaller."""
    assume(consumer.window >= 0)
    assume(has_room(consumer.window, consumer.buffered, size))
    possible(consumer.buffered + size == consumer.window)
    prove(after_buffering(consumer, size, turn).buffered <= consumer.window)


@theorem("CONSUMER-T6", serves=("ARTEMIS-CONSUMER-6",))
def handing_a_message_out_makes_room_for_one_that_is_no_larger(consumer: Consumer, taken: int, size: int) -> None:
    """CONSUMER-T6: so a buffer that is within its window is refilled with every message taken."""
    assume(consumer.buffered <= consumer.window and size <= taken)
    after = after_handing_out(consumer, taken)
    possible(not has_room(consumer.window, consumer.buffered, size) and taken == size == 500)
    prove(has_room(after.window, after.buffered, size))


@theorem("CONSUMER-T7", serves=("ARTEMIS-CONSUMER-7", "ARTEMIS-CONSUMER-8"))
def a_message_goes_only_to_a_consumer_with_room_and_to_nobody_with_room_later(
    consumers: Mapping[ConsumerName, Consumer], candidate: ConsumerName, other: ConsumerName, size: int
) -> None:
    """CONSUMER-T7: only its own window and its own buffer say whether a consumer has room."""
    chosen = consumers[candidate]
    passed = consumers[other]
    assume(is_next(consumers, candidate, size))
    possible(candidate != other and has_room(passed.window, passed.buffered, size))
    possible(passed.last_turn < chosen.last_turn)
    prove(has_room(chosen.window, chosen.buffered, size))
    prove(not has_room(passed.window, passed.buffered, size) or chosen.last_turn <= passed.last_turn)


@theorem("CONSUMER-T8", serves=("ARTEMIS-CONSUMER-8",))
def whoever_has_room_and_waited_the_longest_is_next(
    consumers: Mapping[ConsumerName, Consumer], candidate: ConsumerName, size: int
) -> None:
    """CONSUMER-T8: the converse: nothing else keeps a consumer from its turn."""
    assume(has_room(consumers[candidate].window, consumers[candidate].buffered, size))
    assume(
        all(consumers[candidate].last_turn < consumers[other].last_turn or other == candidate for other in consumers)
    )
    possible(consumers[candidate].last_turn == 0)
    prove(is_next(consumers, candidate, size))


@theorem("CONSUMER-T9", serves=("ARTEMIS-CONSUMER-9",))
def a_message_is_sent_to_one_consumer_only(
    consumers: Mapping[ConsumerName, Consumer], one: ConsumerName, other: ConsumerName, size: int
) -> None:
    """CONSUMER-T9: as no two consumers had their last turn together, nobody shares a message with another."""
    assume(consumers[one].last_turn != consumers[other].last_turn)
    possible(is_next(consumers, one, size))
    prove(not (is_next(consumers, one, size) and is_next(consumers, other, size)))


@refuted(
    "CONSUMER-R1",
    because="a slow consumer whose buffer has room is sent every other message, which a fast one then waits for",
    serves=("ARTEMIS-CONSUMER-9",),
)
def a_consumer_with_an_empty_buffer_is_always_next(
    consumers: Mapping[ConsumerName, Consumer], fast: ConsumerName, size: int
) -> None:
    """CONSUMER-R1: a consumer with a filled buffer may be next, before one with an empty buffer."""
    assume(consumers[fast].buffered == 0 and has_room(consumers[fast].window, 0, size) and size > 0)
    prove(is_next(consumers, fast, size))


@refuted(
    "CONSUMER-R2",
    because="one byte of the window is left, and a message of two bytes is sent all the same",
    serves=("ARTEMIS-CONSUMER-1",),
)
def in_the_other_reading_a_buffer_never_holds_more_than_its_window(window: int, buffered: int, size: int) -> None:
    """CONSUMER-R2: the first message that does not fit distinguishes the two readings of the window."""
    assume(window > 0 and 0 <= buffered <= window and size > 0)
    assume(has_room_below_window(window, buffered))
    prove(buffered + size <= window)


@theorem("CONSUMER-T10", serves=("ARTEMIS-CONSUMER-1",))
def the_other_reading_exceeds_the_window_by_less_than_one_message(window: int, buffered: int, size: int) -> None:
    """CONSUMER-T10: so for all messages of one byte the two readings are the same."""
    assume(window >= 0)
    possible(buffered == window - 1 and size > 1)
    prove(has_room_below_window(window, buffered) == (buffered + size < window + size))
    prove(has_room_below_window(-1, buffered))
