"""Clients of the Qpid Java broker, for every timeout, period and version: how a send ends, and what outlives it."""

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.qpid_client import (
    Client,
    Version,
    after_rollback,
    after_sending,
    failed,
    flow_controlled,
    held_back,
    keeps_transaction,
    knows_flow_control,
    sent,
    still_waits,
    times_in_ms,
)
from tidegate.model.mechanisms.wait import Wait, Waiting, after_notice, after_time, begun, expired, notice_due


@notion
def told_of_each_period(wait: Wait, waiting: Waiting) -> bool:
    """QPID-CLIENT-9: as many warnings were given as whole periods have passed, and the next is due a period later."""
    return (
        waiting.notices >= 0
        and waiting.next_notice_ms == waiting.notices * wait.notify_ms + wait.notify_ms
        and waiting.next_notice_ms - wait.notify_ms <= waiting.waited_ms < waiting.next_notice_ms
    )


# how a send ends


@theorem("QC-T1", serves=("QPID-CLIENT-1", "QPID-CLIENT-2"))
def a_send_is_sent_or_waits_or_has_failed_and_never_two_of_them(
    wait: Wait, obeys: bool, stopped: bool, waited_ms: int
) -> None:
    """QC-T1: at any moment it is exactly one of the three."""
    goes = sent(obeys, stopped)
    waits = still_waits(wait, obeys, stopped, waited_ms)
    ends = failed(wait, obeys, stopped, waited_ms)
    possible(goes)
    possible(waits)
    possible(ends)
    prove(goes or waits or ends)
    prove(not (goes and waits) and not (goes and ends) and not (waits and ends))


@theorem("QC-T2", serves=("QPID-CLIENT-1", "QPID-OLD-1"))
def only_a_client_that_knows_the_order_is_held_back_and_only_while_it_stands(obeys: bool, stopped: bool) -> None:
    """QC-T2: a client that is not stopped, or does not know the order, sends."""
    possible(stopped and not obeys)
    possible(obeys and not stopped)
    prove(held_back(obeys, stopped) == (obeys and stopped))
    prove(sent(obeys, stopped) == (not obeys or not stopped))


@theorem("QC-T3", serves=("QPID-CLIENT-2",))
def a_wait_ends_by_its_timeout(wait: Wait, obeys: bool, stopped: bool, waited_ms: int) -> None:
    """QC-T3: with 60000 configured a send may wait after 59,999 ms, and after 60,000 it is sent or has failed."""
    assume(wait.timeout_ms == 60_000)
    possible(waited_ms == 59_999 and still_waits(wait, obeys, stopped, waited_ms))
    possible(waited_ms == 60_000 and failed(wait, obeys, stopped, waited_ms))
    prove(waited_ms < 60_000 or not still_waits(wait, obeys, stopped, waited_ms))
    prove(waited_ms >= 60_000 or not failed(wait, obeys, stopped, waited_ms))


@refuted(
    "QC-R1",
    because="without a timeout a send waits for as long as its channel is stopped",
    serves=("QPID-CLIENT-2",),
)
def every_wait_ends_within_a_day(wait: Wait, stopped: bool, waited_ms: int) -> None:
    """QC-R1: the document has no word for a timeout of -1, and names no default."""
    assume(waited_ms >= 86_400_000 and wait.timeout_ms < 86_400_000)
    prove(not still_waits(wait, True, stopped, waited_ms))


@theorem("QC-T12", serves=("QPID-CLIENT-11",))
def the_two_times_are_ms_as_they_stand(stopped: bool, waited_ms: int) -> None:
    """QC-T12: with 60000 and 10000 a send fails after 60,000 ms, and its first warning is due after 10,000."""
    wait = times_in_ms(60_000, 10_000)
    possible(stopped and waited_ms == 60_000)
    prove(failed(wait, True, stopped, waited_ms) == (stopped and waited_ms >= 60_000))
    prove(begun(wait).next_notice_ms == 10_000)


# what outlives it


@theorem("QC-T4", serves=("QPID-CLIENT-4",))
def a_message_counts_exactly_if_it_was_sent_and_nothing_else_changes(
    client: Client, obeys: bool, stopped: bool
) -> None:
    """QC-T4: a send that was held back leaves messages, session and transaction as they were."""
    after = after_sending(client, obeys, stopped)
    possible(obeys and stopped and client.in_transaction and client.messages == 2)
    possible(not stopped)
    prove(after.messages == client.messages + (0 if obeys and stopped else 1))
    prove(after.session_open == client.session_open and after.in_transaction == client.in_transaction)


@theorem("QC-T11", serves=("QPID-CLIENT-6",))
def a_send_that_is_held_back_keeps_the_transaction_and_a_rollback_does_not(client: Client, stopped: bool) -> None:
    """QC-T11: a message that fails was held back until then; messages sent before it can still be committed."""
    assume(client.in_transaction and client.messages > 0)
    possible(stopped and client.messages == 2)
    prove(not stopped or keeps_transaction(client, after_sending(client, True, stopped)))
    prove(not keeps_transaction(client, after_rollback(client)))


@theorem("QC-T5", serves=("QPID-CLIENT-8",))
def a_rollback_takes_back_what_the_transaction_holds_and_nothing_else(client: Client) -> None:
    """QC-T5: outside a transaction there is nothing to take back, and the session is untouched either way."""
    after = after_rollback(client)
    possible(client.in_transaction and client.messages == 2)
    possible(not client.in_transaction and client.messages == 2)
    prove(after.messages == (0 if client.in_transaction else client.messages))
    prove(after.session_open == client.session_open and after.in_transaction == client.in_transaction)


# how often it is reported


@theorem("QC-T6")
def a_wait_begins_with_no_warning_owed(wait: Wait) -> None:
    """QC-T6: initial state of the count of warnings."""
    assume(wait.notify_ms > 0)
    possible(wait.notify_ms == 10_000)
    prove(told_of_each_period(wait, begun(wait)))


@theorem("QC-T7", serves=("QPID-CLIENT-9", "QPID-CLIENT-12"))
def as_long_as_a_send_waits_it_was_told_of_each_period_once(wait: Wait, waiting: Waiting, ms: int) -> None:
    """QC-T7: step: time passes, by a period at most, and the warning that is due by then is given."""
    assume(0 <= ms <= wait.notify_ms)
    assume(told_of_each_period(wait, waiting))
    later = after_time(waiting, ms)
    said = after_notice(wait, later) if notice_due(wait, later) else later
    possible(notice_due(wait, later) and waiting.notices == 4)
    possible(ms > 0 and not notice_due(wait, later))
    possible(expired(wait, said.waited_ms))
    prove(expired(wait, said.waited_ms) or told_of_each_period(wait, said))


@theorem("QC-T8", serves=("QPID-CLIENT-9",))
def a_send_that_fails_was_warned_of_once_for_each_period_before_its_timeout(
    wait: Wait, waiting: Waiting, ms: int
) -> None:
    """QC-T8: the count is exact: n periods are shorter than the timeout, n + 1 are not, and n warnings were given."""
    assume(0 < ms <= waiting.next_notice_ms - waiting.waited_ms)
    assume(told_of_each_period(wait, waiting))
    later = after_time(waiting, ms)
    assume(later.waited_ms == wait.timeout_ms)
    possible(wait.timeout_ms == 60_000 and wait.notify_ms == 10_000 and later.notices == 5)
    possible(wait.timeout_ms == 5 and wait.notify_ms == 10 and later.notices == 0)
    prove(not notice_due(wait, later) and expired(wait, later.waited_ms))
    prove(later.notices * wait.notify_ms < wait.timeout_ms)
    prove(wait.timeout_ms <= later.notices * wait.notify_ms + wait.notify_ms)


@refuted(
    "QC-R2",
    because="the period that ends with the timeout is not warned of",
    serves=("QPID-CLIENT-9",),
)
def a_send_that_fails_was_warned_of_once_for_each_period_with_the_last(wait: Wait, waiting: Waiting, ms: int) -> None:
    """QC-R2: QC-T8 with one warning more."""
    assume(wait.notify_ms > 0 and wait.timeout_ms > 0 and 0 < ms <= waiting.next_notice_ms - waiting.waited_ms)
    assume(told_of_each_period(wait, waiting) and not expired(wait, waiting.waited_ms))
    later = after_time(waiting, ms)
    assume(later.waited_ms == wait.timeout_ms)
    prove(wait.timeout_ms < later.notices * wait.notify_ms + wait.notify_ms)


# which versions take part


@theorem("QC-T9", serves=("QPID-OLD-2",))
def versions_know_flow_control_from_0_6_on(version: Version) -> None:
    """QC-T9: 0.5 does not, 0.6 does, and so does 1.0, although its second figure is smaller."""
    possible(version.major == 0 and version.minor == 5)
    possible(version.major == 0 and version.minor == 6)
    possible(version.major == 1 and version.minor == 0)
    prove(knows_flow_control(version) == (version.major >= 1 or version.minor >= 6))


@theorem("QC-T10", serves=("QPID-OLD-2",))
def a_client_is_stopped_only_if_both_ends_know_how(broker: Version, client: Version) -> None:
    """QC-T10: one old end is enough for no flow control."""
    possible(flow_controlled(broker, client))
    possible(knows_flow_control(broker) and not knows_flow_control(client))
    possible(knows_flow_control(client) and not knows_flow_control(broker))
    prove(flow_controlled(broker, client) == (knows_flow_control(broker) and knows_flow_control(client)))
