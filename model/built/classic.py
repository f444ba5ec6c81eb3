"""ActiveMQ Classic 4.1.2, 5.3.1 and 6.3.1 as they are built.

Since 5.0 a producer window may be passed by the message that uses it up. The defaults that management reads differ from
release to release, and 6.x has the classes of Jakarta. 4.1.2 does not stop a connection whose producer waits for an
answer.
"""

from tidegate.model.built.profile import Evidence, Profile, Replacement, as_built
from tidegate.model.mechanisms import classic, classic_connection, classic_usage
from tidegate.model.mechanisms.classic import may_transmit_until_used_up
from tidegate.model.mechanisms.classic_usage import GIGABYTE, Disk

V4, V5, V6 = "classic-4.1.2", "classic-5.3.1", "classic-6.3.1"


@as_built
def may_transmit_to_the_end(window_bytes: int, unanswered: int, size: int) -> bool:
    """CLASSIC-WINDOW-1: a message of any size may go as long as those not answered yet have not used the window up."""
    return may_transmit_until_used_up(window_bytes, unanswered, size)


@as_built
def stalls_as_later(suspends: bool, answered: bool, windowed: bool) -> bool:
    """CLASSIC-WINDOW-3: already before 5.0 a message stalls its connection only if its sender waits for no answer."""
    return not (answered or windowed)


def _window(report: str) -> Replacement:
    return Replacement(
        classic.may_transmit,
        may_transmit_to_the_end,
        since="5.3.1",
        until="6.3.1",
        evidence=(
            Evidence(
                report, "a_producer_sends_no_more_bytes_without_an_answer_than_its_window_has[101-waits]", "it was sent"
            ),
            Evidence(
                report, "producers_with_windows_overrun_a_full_queue_by_their_windows_at_most[3-20-150]", "180 bytes"
            ),
        ),
    )


def _disk(report: str, version: str, temp: int) -> Replacement:
    return Replacement(
        (classic_usage, "DEFAULT_DISK"),
        Disk(store=100 * GIGABYTE, temp=temp * GIGABYTE),
        since=version,
        until=version,
        evidence=(
            Evidence(
                report,
                "without_configuration_temporary_messages_may_take_10_gb",
                f"{temp * GIGABYTE} bytes (read, not reached)",
            ),
        ),
        says=f"Temporary messages may take {temp} GiB, as SystemUsage sets it itself.",
    )


CLASSIC_4_1_2 = Profile(
    V4,
    (
        Replacement(
            classic_connection.stalls_connection,
            stalls_as_later,
            since="4.1.2",
            until="4.1.2",
            evidence=(
                Evidence(
                    V4,
                    "before_50_a_full_queue_suspends_the_whole_connection_of_its_sender[1]",
                    "the other producer free at 1,000 bytes (really 1,200,000)",
                ),
                Evidence(
                    V4,
                    "before_50_a_producer_and_a_consumer_on_one_connection_may_wait_for_each_other_for_ever",
                    "the producer free",
                ),
            ),
        ),
    ),
)
CLASSIC_5_3_1 = Profile(V5, (_window(V5), _disk(V5, "5.3.1", 100)))
CLASSIC_6_3_1 = Profile(
    V6,
    (
        _window(V6),
        _disk(V6, "6.3.1", 50),
        Replacement(
            (classic_usage, "DEFAULT_MEMORY"),
            GIGABYTE,
            since="6.3.1",
            until="6.3.1",
            evidence=(
                Evidence(
                    V6,
                    "without_configuration_all_messages_together_may_take_64_mb_of_memory",
                    f"{GIGABYTE} bytes (read, not reached)",
                ),
            ),
            says="All messages together may take 1 GiB of memory, as SystemUsage sets it itself.",
        ),
        Replacement(
            (classic, "REFUSAL"),
            "jakarta.jms.ResourceAllocationException",
            since="6.3.1",
            until="6.3.1",
            evidence=(
                Evidence(
                    V6,
                    "a_send_that_fails_says_so_by_a_resourceallocationexception",
                    "jakarta.jms.ResourceAllocationException",
                ),
                Evidence(V6, "a_send_that_fails_after_a_wait_says_the_same", "jakarta.jms.ResourceAllocationException"),
            ),
            says="A send that fails raises the exception of Jakarta.",
        ),
    ),
)
