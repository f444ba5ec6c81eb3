"""What management may show of a producer, and of the use of a limit, for all producers and limits."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.general_shown import is_shown_rightly, shown_stopped


@theorem("SH-T1", serves=("GENERAL-50",))
def a_percentage_that_is_rounded_down_is_right(percent: int, used: int, limit: int) -> None:
    """SH-T1: 999 of 1000 bytes may be shown as 99 per cent."""
    assume(percent * limit <= 100 * used < percent * limit + limit)
    possible(percent == 99 and used == 999 and limit == 1000)
    prove(is_shown_rightly(percent, used, limit))


@theorem("SH-T2", serves=("GENERAL-50",))
def a_percentage_that_is_rounded_up_is_right(percent: int, used: int, limit: int) -> None:
    """SH-T2: 999 of 1000 bytes may be shown as 100 per cent."""
    assume(percent * limit - limit < 100 * used <= percent * limit)
    possible(percent == 100 and used == 999 and limit == 1000)
    prove(is_shown_rightly(percent, used, limit))


@theorem("SH-T3", serves=("GENERAL-50",))
def a_percentage_shows_each_hundredth_of_a_limit(used: int, limit: int) -> None:
    """SH-T3: with a limit of 100 bytes, 49 and 51 used bytes are wrong as 50 per cent."""
    assume(limit == 100)
    possible(used == 49)
    prove(is_shown_rightly(50, used, limit) == (used == 50))


@theorem("SH-T4", serves=("GENERAL-50",))
def an_unused_limit_is_shown_as_used_to_0_per_cent(percent: int, limit: int) -> None:
    """SH-T4: 1 per cent is already wrong once everything was consumed."""
    assume(limit > 0)
    possible(percent == 1)
    prove(is_shown_rightly(percent, 0, limit) == (percent == 0))


@theorem("SH-T5", serves=("GENERAL-50",))
def a_limit_that_is_reached_may_be_shown_as_full(used: int, limit: int) -> None:
    """SH-T5: 100 per cent are right however far the limit is passed; 99 per cent are wrong."""
    assume(used >= limit)
    possible(used == 3000 and limit == 1000)
    prove(is_shown_rightly(100, used, limit))
    prove(not is_shown_rightly(99, used, limit))


@theorem("SH-T6", serves=("GENERAL-49",))
def a_producer_is_shown_as_it_is_whatever_happened_before(stopped: bool, topic: bool, send_failed: bool) -> None:
    """SH-T6: a flag that a topic does not set, or that a failed send does not clear, would be wrong."""
    possible(stopped and topic)
    possible(not stopped and send_failed)
    prove(shown_stopped(stopped, topic, send_failed) == stopped)


@refuted("SH-R1", because="999 of 1000 bytes may be shown as 100 per cent", serves=("GENERAL-50",))
def a_limit_that_is_shown_as_full_is_reached(used: int, limit: int) -> None:
    """SH-R1: the percentage does not tell whether producers are stopped."""
    assume(limit > 0 and used >= 0 and is_shown_rightly(100, used, limit))
    prove(used >= limit)
