"""The JMS client of WSO2 Message Broker 3.2.12 as it is built.

A publish that fails logs that its connection is closed, and the connection stays.
"""

from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import andes

CLIENT_3_2 = "andes-client-3.2.12"


@as_built
def stays_connected(connected: bool, failed: bool) -> bool:
    """ANDES-CLIENT-3: a client whose publish has failed keeps its connection, though it logs that it closes it."""
    return connected


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
)

ANDES_CLIENT_3_2_12 = profile_of(CLIENT_3_2, REPLACEMENTS)
PROFILES = (ANDES_CLIENT_3_2_12,)
