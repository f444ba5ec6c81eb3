"""The wait, for every timeout and period: when it ends, and how often it is reported."""

from dataclasses import replace

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.wait import Wait, Waiting, after_notice, after_time, begun, expired, notice_due


@notion
def on_time(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-I1: no notice is overdue, and none was given before its time."""
    return waiting.next_notice_ms - wait.notify_ms <= waiting.waited_ms < waiting.next_notice_ms


@theorem("WAIT-T1")
def a_wait_has_expired_exactly_from_its_timeout_on(wait: Wait, waited_ms: int) -> None:
    """WAIT-T1: one ms before its timeout a send still waits, at the timeout it does not."""
    assume(wait.timeout_ms != -1)
    possible(waited_ms == wait.timeout_ms)
    possible(waited_ms == wait.timeout_ms - 1)
    prove(expired(wait, waited_ms) == (waited_ms >= wait.timeout_ms))


@theorem("WAIT-T2")
def without_a_timeout_a_send_waits_for_as_long_as_it_takes(wait: Wait, waited_ms: int) -> None:
    """WAIT-T2: -1 stands for no timeout."""
    assume(wait.timeout_ms == -1)
    possible(waited_ms > 1_000_000)
    prove(not expired(wait, waited_ms))


@theorem("WAIT-T3", serves=("ANDES-CLIENT-7",))
def a_notice_is_due_from_its_time_on_while_the_send_still_waits(wait: Wait, waiting: Waiting) -> None:
    """WAIT-T3: at its time a notice is due; at the timeout none is any more; -1 stands for no notices."""
    possible(waiting.waited_ms == waiting.next_notice_ms and notice_due(wait, waiting))
    possible(waiting.waited_ms == waiting.next_notice_ms == wait.timeout_ms)
    prove(
        notice_due(wait, waiting)
        == (
            wait.notify_ms != -1
            and waiting.waited_ms >= waiting.next_notice_ms
            and (wait.timeout_ms == -1 or waiting.waited_ms < wait.timeout_ms)
        )
    )


@theorem("WAIT-T4")
def a_wait_begins_with_its_first_notice_a_period_away(wait: Wait) -> None:
    """WAIT-T4: nothing is said at once, and nothing was said before."""
    possible(wait.notify_ms == 5000)
    waiting = begun(wait)
    prove(waiting.waited_ms == 0 and waiting.next_notice_ms == wait.notify_ms and waiting.notices == 0)


@theorem("WAIT-T5", serves=("ANDES-CLIENT-7", "ANDES-CLIENT-8"))
def as_time_passes_no_notice_is_lost_and_none_comes_early(wait: Wait, waiting: Waiting, ms: int) -> None:
    """WAIT-T5: over at most a period, at most one notice falls due, and giving it leaves none overdue."""
    assume(0 <= ms <= wait.notify_ms)
    assume(on_time(wait, waiting))
    later = after_time(waiting, ms)
    possible(notice_due(wait, later))
    possible(ms > 0 and not notice_due(wait, later))
    said = after_notice(wait, later) if notice_due(wait, later) else later
    prove(expired(wait, said.waited_ms) or on_time(wait, said))
    prove(said.waited_ms == waiting.waited_ms + ms)


@theorem("WAIT-T6")
def notices_are_a_period_apart(wait: Wait, waiting: Waiting) -> None:
    """WAIT-T6: so after n notices the next one is due at n + 1 periods: the step of that count."""
    possible(waiting.notices == 0 and waiting.next_notice_ms == wait.notify_ms)
    said = after_notice(wait, waiting)
    prove(said.notices == waiting.notices + 1)
    prove(said.next_notice_ms - waiting.next_notice_ms == wait.notify_ms)
    prove(said.waited_ms == waiting.waited_ms)


@refuted("WAIT-R1", because="the notice that would come with the timeout is not given any more")
def a_notice_comes_at_every_multiple_of_the_period(wait: Wait, waiting: Waiting) -> None:
    """WAIT-R1: the other reading, in which the last notice and the failure come together."""
    assume(wait.notify_ms > 0 and wait.timeout_ms > 0)
    prove(notice_due(wait, replace(waiting, waited_ms=waiting.next_notice_ms)))
