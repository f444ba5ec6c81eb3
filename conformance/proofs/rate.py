"""The rate, for all rates and times: how many messages pass in a second, and where its readings differ."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis_consumer import Consumer, after_asking, after_buffering, has_room
from tidegate.model.mechanisms.rate import (
    counts,
    counts_by_clock,
    counts_from,
    is_limited,
    may_pass,
    may_pass_in_step,
    may_pass_unless_zero,
    used_at_first,
)


@theorem("RATE-T1", serves=("ARTEMIS-RATE-1", "ARTEMIS-RATE-6", "ARTEMIS-RATE-7"))
def a_message_passes_exactly_while_fewer_than_the_rate_did_in_the_last_second(
    per_second: int, in_last_second: int
) -> None:
    """RATE-T1: a message passes below a positive rate, and not at it; nothing else matters."""
    assume(per_second > 0)
    possible(per_second == 10 and in_last_second == 9)
    possible(per_second == 10 and in_last_second == 10)
    possible(per_second == 1 and in_last_second == 1)
    prove(is_limited(per_second))
    prove(may_pass(per_second, in_last_second) == (in_last_second < per_second))


@theorem("RATE-T2", serves=("ARTEMIS-RATE-4", "ARTEMIS-RATE-10"))
def without_a_positive_rate_every_message_passes(per_second: int, in_last_second: int, since_last_ms: int) -> None:
    """RATE-T2: -1 switches it off; 0 and other figures are not positive either."""
    assume(per_second <= 0)
    possible(per_second == -1 and in_last_second > 1_000_000)
    possible(per_second == 0)
    prove(not is_limited(per_second))
    prove(may_pass(per_second, in_last_second) and may_pass_in_step(per_second, since_last_ms))


@theorem("RATE-T3", serves=("ARTEMIS-RATE-2", "ARTEMIS-RATE-8"))
def a_message_counts_until_a_second_has_passed_since_it(ago_ms: int) -> None:
    """RATE-T3: at 999 ms it does, at 1,000 it does not any more."""
    possible(ago_ms == 999)
    possible(ago_ms == 1000)
    prove(counts(ago_ms) == (ago_ms <= 999))


@theorem("RATE-T4", serves=("ARTEMIS-RATE-1", "ARTEMIS-RATE-7", "ARTEMIS-RATE-12", "ARTEMIS-RATE-13"))
def no_second_has_more_messages_than_the_rate(per_second: int, in_last_second: int, gone: int) -> None:
    """RATE-T4: step of an invariant: messages pass one at a time, and others cease to count (`gone`)."""
    assume(per_second > 0 and gone >= 0 and in_last_second <= per_second)
    left = in_last_second - gone
    possible(left == per_second - 1)
    possible(left == per_second)
    prove((left + 1 if may_pass(per_second, left) else left) <= per_second)


@theorem("RATE-T10")
def a_message_counts_from_its_own_moment_whenever_a_second_began(passed_ms: int, second_began_ms: int) -> None:
    """RATE-T10: so a second is any second; a client that counts from the beginning of its own lets more pass."""
    possible(second_began_ms < passed_ms)
    prove(counts_from(passed_ms, second_began_ms) == passed_ms)


@theorem("RATE-T11", serves=("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"))
def at_first_a_whole_rate_may_pass(per_second: int) -> None:
    """RATE-T11: at a client's first request, no part of the rate is used."""
    possible(per_second == 1)
    prove(used_at_first(per_second) == 0)
    prove(may_pass(per_second, used_at_first(per_second)))


@theorem("RATE-T5")
def in_even_steps_the_message_as_many_before_as_the_rate_was_a_second_ago(
    per_second: int, steps: int, passed: int, since_last_ms: int
) -> None:
    """RATE-T5: step; `passed` is the rate times the ms of all steps so far, and each step adds 1,000 or more.

    As many steps as the rate thus take a second or more. The first of them then counts no more, so even steps keep the
    rate in any second.
    """
    assume(per_second > 0 and passed >= 1000 * steps)
    assume(may_pass_in_step(per_second, since_last_ms))
    possible(per_second == 10 and since_last_ms == 100 and steps == 9 and passed == 9000)
    prove(passed + since_last_ms * per_second >= 1000 * (steps + 1))
    prove(may_pass_in_step(per_second, since_last_ms) == (since_last_ms * per_second >= 1000))


@theorem("RATE-T6")
def by_the_clock_a_message_counts_from_the_full_second_on(passed_ms: int, second_began_ms: int) -> None:
    """RATE-T6: whatever passed just before it does not count."""
    possible(passed_ms == second_began_ms)
    possible(passed_ms == second_began_ms - 1)
    prove(counts_by_clock(passed_ms, second_began_ms) == (passed_ms >= second_began_ms))


@theorem("RATE-T7")
def if_only_minus_one_disables_a_rate_zero_lets_nothing_pass(per_second: int, in_last_second: int) -> None:
    """RATE-T7: a positive rate means the same as in the scored reading."""
    assume(in_last_second >= 0)
    possible(per_second == 0)
    possible(per_second > 0 and in_last_second == per_second)
    prove(may_pass_unless_zero(-1, in_last_second) and not may_pass_unless_zero(0, in_last_second))
    prove(per_second <= 0 or may_pass_unless_zero(per_second, in_last_second) == may_pass(per_second, in_last_second))


@refuted(
    "RATE-R1",
    because="with a rate of more than one, two messages may pass at once, and in even steps they may not",
    serves=("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"),
)
def any_second_and_even_steps_say_the_same(per_second: int, in_last_second: int, since_last_ms: int) -> None:
    """RATE-R1: two messages at once distinguish the stricter reading of a rate."""
    assume(per_second > 0 and in_last_second >= 1 and since_last_ms >= 0)
    assume(counts(since_last_ms))
    prove(not may_pass(per_second, in_last_second) or may_pass_in_step(per_second, since_last_ms))


@refuted(
    "RATE-R2",
    because="what passed a moment before the clock's full second does not count after it, though it is a moment ago",
    serves=("ARTEMIS-RATE-2", "ARTEMIS-RATE-8"),
)
def what_counts_in_any_second_counts_by_the_clock(now_ms: int, passed_ms: int, second_began_ms: int) -> None:
    """RATE-R2: by the clock, twice the rate may pass within a moment."""
    assume(0 <= passed_ms <= now_ms and 0 <= second_began_ms <= now_ms < second_began_ms + 1000)
    prove(not counts(now_ms - passed_ms) or counts_by_clock(passed_ms, second_began_ms))


@refuted(
    "RATE-R3",
    because="a rate of 0 is not positive, so it limits nothing; and it is not -1, so nothing may pass",
    serves=("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"),
)
def both_readings_of_zero_say_the_same(per_second: int, in_last_second: int) -> None:
    """RATE-R3: the first message tells them apart."""
    assume(per_second >= -1 and in_last_second >= 0)
    prove(may_pass(per_second, in_last_second) == may_pass_unless_zero(per_second, in_last_second))


# rate and window together


@theorem("RATE-T8", serves=("ARTEMIS-RATE-5",))
def while_the_rate_holds_a_program_back_its_buffer_fills_up_to_the_window(
    consumer: Consumer, per_second: int, in_last_second: int, size: int, turn: int
) -> None:
    """RATE-T8: nothing may be handed out, and messages are sent ahead as long as they fit, never past the window."""
    assume(0 <= consumer.buffered <= consumer.window and not may_pass(per_second, in_last_second))
    held = after_asking(consumer, size, may_pass(per_second, in_last_second))
    sent = after_buffering(held, size, turn)
    possible(has_room(held.window, held.buffered, size) and sent.buffered == consumer.window)
    possible(not has_room(held.window, held.buffered, size))
    prove(held.buffered == consumer.buffered and held.window == consumer.window)
    prove(has_room(held.window, held.buffered, size) == (sent.buffered <= consumer.window))


@theorem("RATE-T9", serves=("ARTEMIS-RATE-5",))
def a_program_has_at_most_its_rate_in_a_second_and_at_most_its_window_before_it(
    consumer: Consumer, per_second: int, in_last_second: int, taken: int, size: int, turn: int
) -> None:
    """RATE-T9: step for both limits; the rate lets a message be taken, the window lets one be sent ahead."""
    assume(per_second > 0 and in_last_second <= per_second)
    assume(0 <= taken <= consumer.buffered <= consumer.window)
    passes = may_pass(per_second, in_last_second)
    left = after_asking(consumer, taken, passes)
    then = after_buffering(left, size, turn) if has_room(left.window, left.buffered, size) else left
    possible(passes and then.buffered == consumer.window)
    possible(not passes and then.buffered == consumer.window and taken > 0)
    prove((in_last_second + 1 if passes else in_last_second) <= per_second and then.buffered <= consumer.window)


@refuted(
    "RATE-R4",
    because="a consumer that may be handed one message a second is sent as many ahead as fit its window",
    serves=("ARTEMIS-RATE-5",),
)
def a_consumer_that_may_be_handed_nothing_is_sent_nothing(
    consumer: Consumer, per_second: int, in_last_second: int, size: int
) -> None:
    """RATE-R4: a rate does not help the other consumers of the queue; a window of 0 does."""
    assume(not may_pass(per_second, in_last_second) and in_last_second >= 0)
    assume(consumer.window > 0 and consumer.buffered >= 0 and size > 0)
    prove(not has_room(consumer.window, consumer.buffered, size))
