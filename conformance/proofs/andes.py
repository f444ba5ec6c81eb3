"""WSO2 Message Broker, for all sizes, ratios and connections: which publishers are stopped, and which readings hold."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.andes import (
    Broker,
    ConnectionName,
    Limits,
    Memory,
    after_check,
    after_publish,
    after_removal,
    closed_after,
    closes,
    configured,
    connected_after,
    memory_gate,
    over_count,
    publish_failed,
    publish_waits,
    publisher_stopped,
    recovered,
)
from tidegate.model.mechanisms.andes_readings import (
    lets_go_by_free,
    lets_go_by_free_of_grown,
    lets_go_by_more_used,
    lets_go_by_used,
    stops_by_free,
    stops_by_free_of_grown,
    stops_by_used,
)
from tidegate.model.mechanisms.gate import Gate
from tidegate.model.mechanisms.wait import NEVER, Wait

# the levels


@theorem("AN-T1", serves=("ANDES-MEMORY-1",))
def publishers_are_stopped_exactly_below_the_threshold_of_free_memory(memory: Memory) -> None:
    """AN-T1: with the documented ratios: at 40 % free nobody is stopped, one byte less and everybody is."""
    limits = Limits(40, 50, -1)
    possible(memory.total == 1000 and memory.used == 600)
    possible(memory.total == 1000 and memory.used == 601)
    prove(closes(limits, memory) == (100 * (memory.total - memory.used) < 40 * memory.total))


@theorem("AN-T2", serves=("ANDES-MEMORY-2",))
def the_memory_is_recovered_exactly_above_the_recovery_threshold(memory: Memory) -> None:
    """AN-T2: at 50 % free publishers still wait, one byte more and they go on."""
    limits = Limits(40, 50, -1)
    possible(memory.total == 1000 and memory.used == 500)
    possible(memory.total == 1000 and memory.used == 499)
    prove(recovered(limits, memory) == (100 * (memory.total - memory.used) > 50 * memory.total))


@theorem("AN-T3", serves=("ANDES-MEMORY-2",))
def between_the_two_ratios_nothing_changes(memory: Memory, closed: bool) -> None:
    """AN-T3: from 40 to 50 % free memory, both included, a stopped publisher stays stopped, and a free one free."""
    limits = Limits(40, 50, -1)
    assume(40 * memory.total <= 100 * (memory.total - memory.used) <= 50 * memory.total)
    possible(memory.total == 1000 and memory.used == 600)
    possible(memory.total == 1000 and memory.used == 500)
    prove(closed_after(limits, memory, closed) == closed)


@theorem("AN-T4", serves=("ANDES-MEMORY-1",))
def the_gate_has_the_used_memory_that_each_ratio_leaves(total: int) -> None:
    """AN-T4: 0.4 and 0.5 free of 1,000 bytes are 600 and 500 bytes used, in hundredths."""
    possible(total == 1000)
    prove(memory_gate(Limits(40, 50, -1), total) == Gate(high=60 * total, low=50 * total))


@theorem("AN-T5", serves=("ANDES-COUNT-1",))
def a_connection_is_held_exactly_above_its_count(limits: Limits, messages: int) -> None:
    """AN-T5: as many messages as the count allows hold nobody, one more does; -1 stands for no count."""
    possible(limits.messages == messages == 10)
    possible(limits.messages == 10 and messages == 11)
    possible(limits.messages == -1 and messages > 1_000_000)
    prove(over_count(limits, messages) == (limits.messages != -1 and messages > limits.messages))


@theorem("AN-T13", serves=("ANDES-MEMORY-4", "ANDES-MEMORY-5"))
def what_is_not_configured_is_as_documented(threshold: int, recovery: int, messages: int) -> None:
    """AN-T13: each figure by itself: 0.4, 0.5 and no count where nothing is set (-1), else what is set."""
    possible(threshold == 30 and recovery == -1 and messages == 10)
    possible(threshold == 0)
    now = configured(threshold, recovery, messages)
    prove(now.threshold == (40 if threshold == -1 else threshold))
    prove(now.recovery == (50 if recovery == -1 else recovery))
    prove(now.messages == messages)


# which publishers are stopped and released


@theorem("AN-T6", serves=("ANDES-MEMORY-3", "ANDES-COUNT-2"))
def the_memory_stops_every_publisher_and_the_count_only_those_of_its_connection(
    broker: Broker, connection: ConnectionName
) -> None:
    """AN-T6: also those who did not publish."""
    possible(broker.closed and not broker.held[connection])
    possible(broker.held[connection] and not broker.closed)
    prove(publisher_stopped(broker, connection) == (broker.closed or broker.held[connection]))


@theorem("AN-T7", serves=("ANDES-MEMORY-1",))
def a_message_counts_for_its_connection_and_takes_the_memory_of_all(
    broker: Broker, sender: ConnectionName, other: ConnectionName, size: int
) -> None:
    """AN-T7: so one connection's messages can stop another by the memory, and never by the count."""
    assume(sender != other)
    after = after_publish(broker, sender, size)
    possible(after.closed and not broker.closed)
    possible(after.held[sender] and not broker.held[sender])
    prove(after.memory.used == broker.memory.used + size and after.memory.total == broker.memory.total)
    prove(after.messages[sender] == broker.messages[sender] + 1 and after.messages[other] == broker.messages[other])
    prove(after.held[other] == broker.held[other])
    prove(after.closed == closed_after(broker.limits, after.memory, broker.closed))
    prove(after.held[sender] == over_count(broker.limits, after.messages[sender]))


@theorem("AN-T8", serves=("ANDES-MEMORY-6",))
def a_message_that_leaves_changes_nobody_before_the_check(
    broker: Broker, sender: ConnectionName, other: ConnectionName, size: int
) -> None:
    """AN-T8: it gives back its memory and its place in the count."""
    assume(sender != other)
    after = after_removal(broker, sender, size)
    possible(broker.closed)
    prove(after.closed == broker.closed and after.held[sender] == broker.held[sender])
    prove(after.memory.used == broker.memory.used - size and after.memory.total == broker.memory.total)
    prove(after.messages[sender] == broker.messages[sender] - 1 and after.messages[other] == broker.messages[other])


@theorem("AN-T9", serves=("ANDES-MEMORY-6", "ANDES-COUNT-3"))
def after_a_check_nobody_is_stopped_whom_nothing_holds(broker: Broker, connection: ConnectionName) -> None:
    """AN-T9: no publisher is left waiting beside recovered memory and a count within its limit."""
    after = after_check(broker)
    possible(broker.closed and not after.closed)
    possible(broker.held[connection] and not after.held[connection])
    prove(
        publisher_stopped(after, connection)
        == (
            (broker.closed and not recovered(broker.limits, broker.memory))
            or (broker.held[connection] and over_count(broker.limits, broker.messages[connection]))
        )
    )


@theorem("AN-T10", serves=("ANDES-MEMORY-6",))
def an_empty_broker_lets_everybody_go(broker: Broker, connection: ConnectionName) -> None:
    """AN-T10: with the documented ratios, consuming every message releases every publisher."""
    assume(broker.limits.recovery == 50)
    assume(broker.memory.total > 0 and broker.memory.used == 0)
    assume(broker.messages[connection] == 0 and broker.limits.messages >= -1)
    possible(broker.closed and broker.held[connection])
    prove(not publisher_stopped(after_check(broker), connection))


@theorem("AN-T17", serves=("ANDES-CLIENT-1", "ANDES-CLIENT-2"))
def a_publish_of_a_stopped_publisher_waits_until_its_time_is_over(wait: Wait, stopped: bool, waited_ms: int) -> None:
    """AN-T17: with 60000 a stopped publisher's publish waits at 59,999 ms and has failed at 60,000; others never do."""
    assume(wait.timeout_ms == 60_000)
    possible(stopped and waited_ms == 59_999)
    possible(stopped and waited_ms == 60_000)
    prove(publish_waits(wait, stopped, waited_ms) == (stopped and waited_ms < 60_000))
    prove(publish_failed(wait, stopped, waited_ms) == (stopped and waited_ms >= 60_000))


@theorem("AN-T18", serves=("ANDES-CLIENT-1",))
def without_a_timeout_a_publish_waits_as_long_as_its_publisher_is_stopped(
    wait: Wait, stopped: bool, waited_ms: int
) -> None:
    """AN-T18: however long that is."""
    assume(wait.timeout_ms == NEVER)
    possible(stopped and waited_ms > 120_000)
    prove(publish_waits(wait, stopped, waited_ms) == stopped)
    prove(not publish_failed(wait, stopped, waited_ms))


@theorem("AN-T16", serves=("ANDES-CLIENT-3",))
def a_client_keeps_its_connection_until_a_publish_of_it_has_failed(wait: Wait, connected: bool, waited_ms: int) -> None:
    """AN-T16: with 60000 configured it is there after 59,999 ms and gone after 60,000; nothing brings it back."""
    assume(wait.timeout_ms == 60_000)
    possible(connected and waited_ms == 59_999)
    possible(connected and waited_ms == 60_000)
    failed = publish_failed(wait, True, waited_ms)
    prove(connected_after(connected, failed) == (connected and waited_ms < 60_000))


# the base of the ratio


@theorem("AN-T11", serves=("ANDES-MEMORY-1", "ANDES-MEMORY-2"))
def as_a_ratio_of_free_memory_the_documented_figures_never_stop_and_let_go_at_once(memory: Memory) -> None:
    """AN-T11: this reading is coherent: 0.4 and 0.5 leave a band between them in which nothing changes."""
    limits = Limits(40, 50, -1)
    assume(memory.total > 0)
    possible(stops_by_free(limits, memory))
    possible(lets_go_by_free(limits, memory))
    possible(not stops_by_free(limits, memory) and not lets_go_by_free(limits, memory))
    prove(not (stops_by_free(limits, memory) and lets_go_by_free(limits, memory)))
    prove(stops_by_free(limits, memory) == closes(limits, memory))
    prove(lets_go_by_free(limits, memory) == recovered(limits, memory))


@refuted(
    "AN-R1",
    because="as a ratio of used memory, 45 % used are above the one threshold and below the other",
    serves=("ANDES-MEMORY-1",),
)
def as_a_ratio_of_used_memory_the_documented_figures_never_stop_and_let_go_at_once(memory: Memory) -> None:
    """AN-R1: this reading contradicts itself: publishers would be stopped and released without end."""
    limits = Limits(40, 50, -1)
    assume(0 <= memory.used <= memory.total and memory.total > 0)
    prove(not (stops_by_used(limits, memory) and lets_go_by_used(limits, memory)))


@refuted(
    "AN-R2",
    because="an empty broker uses nothing, and by the letter that is not more than the recovery threshold",
    serves=("ANDES-MEMORY-2",),
)
def by_the_letter_of_used_memory_an_empty_broker_lets_go(memory: Memory) -> None:
    """AN-R2: this reading contradicts itself as well: the more is consumed, the further away is the recovery."""
    limits = Limits(40, 50, -1)
    assume(memory.used == 0 and memory.total > 0)
    prove(lets_go_by_more_used(limits, memory))


@theorem("AN-T12", serves=("ANDES-MEMORY-1", "ANDES-MEMORY-2"))
def of_grown_memory_the_documented_figures_are_coherent_too(memory: Memory, grown: int) -> None:
    """AN-T12: a ratio of the memory that the process has taken so far never stops and lets go at once either."""
    limits = Limits(40, 50, -1)
    assume(grown > 0)
    possible(stops_by_free_of_grown(limits, memory, grown))
    possible(lets_go_by_free_of_grown(limits, memory, grown))
    prove(not (stops_by_free_of_grown(limits, memory, grown) and lets_go_by_free_of_grown(limits, memory, grown)))


@refuted(
    "AN-R3",
    because="a process that has taken half of its memory is stopped by a few bytes in one reading only",
    serves=("ANDES-MEMORY-1",),
)
def of_all_memory_and_of_grown_memory_say_the_same(memory: Memory, grown: int) -> None:
    """AN-R3: one message to a freshly started broker distinguishes the two coherent readings."""
    limits = Limits(40, 50, -1)
    assume(0 <= memory.used <= grown <= memory.total and grown > 0)
    prove(stops_by_free_of_grown(limits, memory, grown) == stops_by_free(limits, memory))


@theorem("AN-T14", serves=("ANDES-MEMORY-1", "ANDES-MEMORY-2"))
def the_readings_of_used_memory_in_fractions(memory: Memory) -> None:
    """AN-T14: 0.4 and 0.5 of what is used are two fifths and a half of the memory; the edge is in neither."""
    limits = Limits(40, 50, -1)
    possible(5 * memory.used == 2 * memory.total and memory.total == 1000)
    possible(2 * memory.used == memory.total and memory.total == 1000)
    prove(stops_by_used(limits, memory) == (5 * memory.used > 2 * memory.total))
    prove(lets_go_by_used(limits, memory) == (2 * memory.used < memory.total))
    prove(lets_go_by_more_used(limits, memory) == (2 * memory.used > memory.total))


@theorem("AN-T15", serves=("ANDES-MEMORY-1", "ANDES-MEMORY-2"))
def the_reading_of_grown_memory_in_fractions(memory: Memory, grown: int) -> None:
    """AN-T15: two fifths and a half of what has been taken so far, and the edge itself is in neither."""
    limits = Limits(40, 50, -1)
    possible(5 * (grown - memory.used) == 2 * grown and grown == 1000)
    possible(2 * (grown - memory.used) == grown and grown == 1000)
    prove(stops_by_free_of_grown(limits, memory, grown) == (5 * (grown - memory.used) < 2 * grown))
    prove(lets_go_by_free_of_grown(limits, memory, grown) == (2 * (grown - memory.used) > grown))
