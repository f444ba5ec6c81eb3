"""Which per cent of a limit management may show, for all limits and all that may be charged."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.general_shown import is_shown_rightly


@theorem("SH-T1", serves=("GENERAL-50",))
def whole_per_cent_that_are_cut_are_right(percent: int, used: int, limit: int) -> None:
    """SH-T1: 999 of 1000 bytes may be shown as 99 per cent."""
    assume(percent * limit <= 100 * used < percent * limit + limit)
    possible(percent == 99 and used == 999 and limit == 1000)
    prove(is_shown_rightly(percent, used, limit))


@theorem("SH-T2", serves=("GENERAL-50",))
def whole_per_cent_that_are_raised_are_right(percent: int, used: int, limit: int) -> None:
    """SH-T2: 999 of 1000 bytes may be shown as 100 per cent."""
    assume(percent * limit - limit < 100 * used <= percent * limit)
    possible(percent == 100 and used == 999 and limit == 1000)
    prove(is_shown_rightly(percent, used, limit))


@theorem("SH-T3", serves=("GENERAL-50",))
def a_hundredth_that_is_used_or_not_is_seen(used: int, limit: int) -> None:
    """SH-T3: one more or less than the half of a limit of 100 bytes is no longer 50 per cent."""
    assume(limit == 100)
    possible(used == 49)
    prove(is_shown_rightly(50, used, limit) == (used == 50))


@theorem("SH-T4", serves=("GENERAL-50",))
def a_limit_of_which_nothing_is_used_is_shown_as_used_to_none(percent: int, limit: int) -> None:
    """SH-T4: what stays after all was consumed is wrong, be it one per cent."""
    assume(limit > 0)
    possible(percent == 1)
    prove(is_shown_rightly(percent, 0, limit) == (percent == 0))


@theorem("SH-T5", serves=("GENERAL-50",))
def a_limit_that_is_reached_may_be_shown_as_full(used: int, limit: int) -> None:
    """SH-T5: whatever is past it, and no less than 100 per cent is right then."""
    assume(used >= limit)
    possible(used == 3000 and limit == 1000)
    prove(is_shown_rightly(100, used, limit))
    prove(not is_shown_rightly(99, used, limit))


@refuted("SH-R1", because="999 of 1000 bytes may be shown as 100 per cent", serves=("GENERAL-50",))
def a_limit_that_is_shown_as_full_is_reached(used: int, limit: int) -> None:
    """SH-R1: whether producers are stopped is not told by the per cent."""
    assume(limit > 0 and used >= 0 and is_shown_rightly(100, used, limit))
    prove(used >= limit)
