"""The log of a program with an Artemis client: the client knows which address is blocked, and not why."""

from tidegate.why.lines.artemis import ASK, REFUSING, coded
from tidegate.why.notices import Blocked, Cause

CLIENT_FAMILY = "artemis client"
NO_CREDIT = Cause(
    family=CLIENT_FAMILY,
    setting="",
    reason="the broker grants no credit for the address: full under BLOCK, disk full, or blocked by somebody",
    frees="what frees it depends on the limit",
    change="look up AMQ222183 (address), AMQ222210, AMQ222212 (disk), AMQ224114 (management) in the broker's log",
    ask=ASK + "; of broker: DiskStoreUsage and MaxDiskUsage",
    rule="ARTEMIS-CORE-8",
    tells_release=False,
    tells_limit=False,
    place_is="address",
)
FORMS = (
    coded(
        212054,
        r"Destination address=(?P<address>.{1,500}?) is blocked\.",
        lambda fields: Blocked(NO_CREDIT, fields["address"], "a Core client"),
    ),
    *(  # before 2.5 the code was another
        coded(
            code,
            r'Address "(?P<address>[^"]{1,500})" is full',
            lambda fields: Blocked(REFUSING, fields["address"]),
        )
        for code in (219058, 119058)
    ),
)
