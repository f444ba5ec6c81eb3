"""Artemis 2.44.0 as built, for JMS clients that speak OpenWire.

The defaults of an unconfigured address, and the effect of limits of pages, are the same for clients of every protocol.
"""

from tidegate.model.built.artemis import LIMITS, OPENWIRE_2_44, PAGES_FULL, PAGES_ON
from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import general_address, general_transactions


@as_built
def waiting_message_charged_for_good(waiting: int, room: bool) -> int:
    """GENERAL-16: a message whose send waits at the end of its transaction takes its space for good."""
    return waiting


@as_built
def full_disk_stops_nobody_who_is_refused(refuses: bool) -> bool:
    """GENERAL-37: if an address refuses messages, a full disk refuses them too, and stops no producer."""
    return not refuses


REPLACEMENTS = (
    LIMITS,
    PAGES_FULL,
    PAGES_ON,
    Replacement(
        general_transactions.charged_after_rollback,
        waiting_message_charged_for_good,
        since="2.44.0",
        until="2.44.0",
        evidence=seen(
            "a_transaction_that_would_go_past_the_limit_and_is_rolled_back_stops_nobody",
            "400 bytes (really 1,000,000) in 1 messages",
            OPENWIRE_2_44,
        ),
    ),
    Replacement(
        general_address.full_disk_stops,
        full_disk_stops_nobody_who_is_refused,
        since="2.44.0",
        until="2.44.0",
        evidence=seen(
            "a_full_disk_stops_a_producer_whatever_its_destination_does_once_it_is_full[FAIL]",
            "the producer free at 0 bytes (really 0)",
            OPENWIRE_2_44,
        ),
    ),
)
"""All replacements; a version has those whose versions include it."""

ARTEMIS_OPENWIRE_2_44_0 = profile_of(OPENWIRE_2_44, REPLACEMENTS)
PROFILES = (ARTEMIS_OPENWIRE_2_44_0,)
