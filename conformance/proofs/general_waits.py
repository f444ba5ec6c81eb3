"""When a send that waits has failed, for all times."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.general_waits import has_waited_its_time


@theorem("GW-T1", serves=("GENERAL-51",))
def a_send_fails_exactly_from_its_time_on(timeout_ms: int, waited_ms: int) -> None:
    """GW-T1: one ms before it still waits."""
    assume(timeout_ms >= 0)
    possible(timeout_ms == 3000 and waited_ms == 2999)
    possible(timeout_ms == 3000 and waited_ms == 3000)
    prove(has_waited_its_time(timeout_ms, waited_ms) == (waited_ms >= timeout_ms))


@theorem("GW-T2", serves=("GENERAL-51",))
def a_send_without_a_time_never_fails(waited_ms: int) -> None:
    """GW-T2: -1 stands for no time."""
    possible(waited_ms > 3_600_000)
    prove(not has_waited_its_time(-1, waited_ms))


@refuted("GW-R1", because="at its time a send no longer waits", serves=("GENERAL-51",))
def a_send_fails_once_more_than_its_time_is_over(timeout_ms: int, waited_ms: int) -> None:
    """GW-R1: one ms later than GW-T1: at its time a send would still wait."""
    assume(timeout_ms >= 0)
    prove(has_waited_its_time(timeout_ms, waited_ms) == (waited_ms > timeout_ms))
