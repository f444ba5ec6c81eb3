"""The JMS client of WSO2 Message Broker 3.2.12 as built.

A publish that fails logs that its connection is closed, and the connection stays. It fails only as a period of its
notices ends, and gives one notice more as it does.
"""

from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import andes, wait
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, expired

CLIENT_3_2 = "andes-client-3.2.12"


@as_built
def stays_connected(connected: bool, failed: bool) -> bool:
    """ANDES-CLIENT-3: a client keeps its connection after a failed publish, although it logs the opposite."""
    return connected


@as_built
def noticed_as_it_fails(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-2: a notice is due at the end of each period, also of the period in which the publish fails."""
    return wait.notify_ms != NEVER and waiting.waited_ms >= waiting.next_notice_ms


@as_built
def gives_up_as_a_period_ends(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-1: the client checks its timeout only at the end of a period, so a publish may fail late."""
    ends = wait.notify_ms == NEVER or waiting.next_notice_ms - waiting.waited_ms == wait.notify_ms
    return ends and expired(wait, waiting.waited_ms)


REPLACEMENTS = (
    Replacement(
        andes.connected_after,
        stays_connected,
        since="3.2.12",
        until="3.2.12",
        evidence=seen(
            "a_client_whose_publish_has_failed_ends_its_connection[60000-has no connection any more]",
            "connected",
            CLIENT_3_2,
        ),
    ),
    Replacement(
        wait.notice_due,
        noticed_as_it_fails,
        since="3.2.12",
        until="3.2.12",
        evidence=seen("while_a_publish_waits_its_client_says_so_once_in_each_period[60000-5]", "6 notices", CLIENT_3_2),
        rules=("ANDES-CLIENT-7",),
    ),
    Replacement(
        wait.gives_up,
        gives_up_as_a_period_ends,
        since="3.2.12",
        until="3.2.12",
        evidence=seen("a_publish_fails_at_its_time_also_between_two_notices", "it still waits", CLIENT_3_2),
        rules=("ANDES-CLIENT-2",),
    ),
)

ANDES_CLIENT_3_2_12 = profile_of(CLIENT_3_2, REPLACEMENTS)
PROFILES = (ANDES_CLIENT_3_2_12,)
