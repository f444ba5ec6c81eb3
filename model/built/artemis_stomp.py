"""Artemis 2.44.0 as built, for STOMP clients: no policy of an address stops a producer.

The defaults of an unconfigured address, and the effect of limits of pages, are the same for clients of every protocol.
"""

from tidegate.model.built.artemis import LIMITS, PAGES_FULL, PAGES_ON, STOMP_2_44
from tidegate.model.built.profile import Replacement, profile_of, seen
from tidegate.model.mechanisms import artemis

STOPPING: tuple[str, ...] = ()
"""The policies under which a full address stops its producers."""
REPLACEMENTS = (
    LIMITS,
    PAGES_FULL,
    PAGES_ON,
    Replacement(
        (artemis, "STOPPING"),
        STOPPING,
        since="2.44.0",
        until="2.44.0",
        evidence=(
            *seen(
                "whoever_goes_on_sending_to_a_destination_with_a_limit_is_stopped[1]",
                "not stopped at 120,000 bytes (really 240,000,000): producer",
                STOMP_2_44,
            ),
            *seen(
                "a_full_topic_stops_its_producer_and_an_empty_one_lets_it_go",
                "the producer free at 120,000 bytes (really 240,000,000)",
                STOMP_2_44,
            ),
        ),
        rules=("GENERAL-20",),
        says="A full address stops no producer, whatever its policy.",
    ),
)
"""All replacements; a version has those whose versions include it."""

ARTEMIS_STOMP_2_44_0 = profile_of(STOMP_2_44, REPLACEMENTS)
PROFILES = (ARTEMIS_STOMP_2_44_0,)
