"""Forms of lines in the log of a program with an Artemis client; the client knows the blocked address, but not the
reason."""

from dataclasses import replace

from tidegate.why.lines.artemis import ASK, coded, cut
from tidegate.why.lines.form import form
from tidegate.why.notices import Blocked, Cause

CLIENT_FAMILY = "artemis client"
NO_CREDIT = Cause(
    family=CLIENT_FAMILY,
    setting="",
    reason="the broker grants no credit for the address: full under BLOCK, disk full, or blocked by management",
    frees="at a full address consume and acknowledge, at a full disk free space, after an order call unblock()",
    change="look up AMQ222183 (address), AMQ222210, AMQ222212 (disk), AMQ224114 (management) in the broker's log",
    ask=ASK + "; of broker: DiskStoreUsage and MaxDiskUsage",
    rule="ARTEMIS-CORE-8",
    tells_release=False,
    tells_limit=False,
    place_is="address",
)
REFUSED = replace(
    NO_CREDIT,
    family="artemis client refused",
    reason="the broker refuses credit, so a send fails at once and does not hang: the address is full under FAIL, the "
    "disk is full under FAIL, or an operator blocked the address by management; the client does not know which",
    rule="",
    holds=False,
    sends="fail",
)
WRITES = replace(
    NO_CREDIT,
    family="artemis client write",
    reason="the client sends a large message and its connection takes no more: the broker reads too slowly, or not at "
    "all",
    frees="the broker reads from the connection again",
    rule="",
    change="look at what the broker does: its disk, its thread dump, AMQ222210 and AMQ222212 in its log; without these "
    "at the network",
    place_is="",
)
BRIDGE = replace(
    NO_CREDIT,
    family="artemis bridge",
    reason="a bridge has no credit from the broker that it sends to: there its address is full under BLOCK, the disk "
    "is full, or an operator blocked the address",
    change="look up AMQ222183 (address), AMQ222210, AMQ222212 (disk), AMQ224114 (management) in the log of the broker "
    "that the bridge sends to",
    place_is="bridge",
)
FORMS = (
    coded(
        212057,
        r"Large Message Streaming is taking too long to flush on back pressure",
        lambda fields: Blocked(WRITES, "", "a Core client"),
    ),
    *(  # HornetQ 2.4
        coded(code, r"TCP Connection Is Probably Blocked\.", lambda fields: Blocked(WRITES, "", "a Core client"))
        for code in (119061, 219061)
    ),
    form(
        "ms on a not writable connection",
        r"try to write \d+ bytes after blocked (?P<ms>\d+) ms on a not writable connection",
        lambda fields: Blocked(WRITES, "", "a Core client", seconds=int(fields["ms"]) // 1000),
    ),
    form(
        "is blocked on flow control, cannot receive",
        r"Bridge (?P<bridge>.{1,300}?) is blocked on flow control, cannot receive ",
        lambda fields: Blocked(BRIDGE, fields["bridge"]),
    ),
    *(  # HornetQ 2.3 has another code
        coded(
            code,
            r"Destination address=(?P<address>.{1,500}?) is blocked\.",
            lambda fields: Blocked(NO_CREDIT, fields["address"], "a Core client"),
        )
        for code in (212054, 214024)
    ),
    cut(
        212054,
        r"Destination address=(?P<address>\S{1,500}?)(?:\s|$)",
        lambda fields: Blocked(NO_CREDIT, fields["address"], "a Core client"),
    ),
    *(  # before 2.5, and in the first releases of HornetQ with codes, the code was another one
        coded(
            code,
            r'Address "(?P<address>[^"]{1,500})" is full',
            lambda fields: Blocked(REFUSED, fields["address"]),
        )
        for code in (219058, 119058, 119139)
    ),
)
