"""Forms of lines in the log of a program with an AMQP 1.0 client: a send waits for credit, or failed for lack of it.

The texts are those of Qpid JMS, Proton of Python, ProtonJ2, SmallRye Reactive Messaging (Quarkus), Hono, and of the
routers Qpid Dispatch and Skupper.
"""

from dataclasses import replace

from tidegate.why.lines.form import Fields, form
from tidegate.why.notices import Blocked, Cause, Notice, Released, Said

NO_CREDIT = Cause(
    family="amqp client",
    setting="",
    reason="the broker granted no credit for as long as the client's send timeout: a limit of the destination, of the "
    "broker or of its disk is reached, or an operator blocked the address",
    frees="at a full destination consume and acknowledge, at a full disk free space; an order of an operator must be "
    "lifted",
    change="look up in the log of the broker which limit is reached; jms.sendTimeout says how long a send waits",
    ask="Artemis: AddressSize and getAddressSettingsAsJSON of the address; Broker-J: GET /api/latest/queue",
    tells_limit=False,
    tells_release=False,
)
NONE_LEFT = replace(
    NO_CREDIT,
    family="amqp client credit",
    reason="the other end of the link (a broker, or a router whose consumers take no more) granted the client no "
    "credit: a limit of the destination, of the broker or of its disk is reached, or nobody consumes",
    change="look up in the log of the broker which limit is reached, and of a router who consumes",
    place_is="address",
)
CHANNEL = replace(NONE_LEFT, family="amqp client channel", tells_release=True, place_is="channel")
NO_OUTCOME = Cause(
    family="amqp client outcome",
    setting="",
    reason="the message was sent, and the broker did not answer whether it took the message: ActiveMQ Classic waits "
    "so while a limit is reached; another broker has a slow store, or does not answer at all",
    frees="the broker's answer; under a limit of ActiveMQ Classic it comes once there is room",
    change="look up in the log of the broker which limit is reached; without one look at its disk and its thread dump",
    ask="a thread dump of the broker (jstack PID)",
    tells_limit=False,
    tells_release=False,
    gave_up=True,
)
ROUTER = replace(
    NONE_LEFT,
    family="amqp router link",
    reason="the other end of a link of the router, a broker or a consumer, grants the router no credit: what producers "
    "send there goes no further, and they get no credit either",
    frees="the other end takes messages and grants credit",
    change="look up whose link that is; of a broker look up its limit, of a consumer why it takes no more",
    ask="`qdstat -l` or `skstat -l`: links with blk yes",
    place_is="link",
)


def _retrieved(fields: Fields) -> Said:
    """The statement of SmallRye's line; it asks for credit repeatedly, and may get none."""
    if int(fields["credits"]) > 0:
        return Released((CHANNEL.family,), fields["channel"])
    return Notice("amqp client figures")


FORMS = (
    form(
        "waiting for credit to send",
        r"Timed out waiting for credit to send\b",
        lambda fields: Blocked(replace(NO_CREDIT, gave_up=True), "", "a client"),
    ),
    *(
        form(
            mark,
            rf"(?:[Tt]imed out|[Tt]imeout|(?:context )?deadline exceeded)\b[^\n]{{0,40}}?waiting {mark}s?\b"
            r"(?! (?:card|check|limit))",
            lambda fields: Blocked(replace(NO_CREDIT, gave_up=True), "", "a client"),
        )
        for mark in ("for credit", "for link credit", "for sender credit")
    ),
    *(
        form(
            mark,
            rf"(?:[Ss]ender|[Pp]roducer|[Ll]ink|(?i:client)) (?:is )?(?:blocked|stalled|paused)[,:;]? "
            rf"(?:is )?waiting {mark}s?\b",
            lambda fields: Blocked(NONE_LEFT, "", "a client"),
        )
        for mark in ("for credit", "for link credit")
    ),
    form(
        "send until credit is available",
        r"Holding Message send until credit is available",
        lambda fields: Blocked(NO_CREDIT, "", "a client"),
    ),
    form(
        "timed out: Sending on sender",
        r"Timeout: Connection \S{1,300} timed out: Sending on sender"
        r"(?P<credit> \S{1,200} waiting for (?:\w+ )?credit)?",
        lambda fields: Blocked(replace(NO_CREDIT, gave_up=True) if fields["credit"] else NO_OUTCOME, "", "a client"),
    ),
    form(
        "waiting for disposition of sent",
        r"Timed out waiting for disposition of sent",
        lambda fields: Blocked(NO_OUTCOME, "", "a client"),
    ),
    *(
        form(mark, mark, lambda fields: Blocked(NO_OUTCOME, "", "a client"))
        for mark in ("Timed out waiting for remote settlement", "Timed out waiting for remote Accepted outcome")
    ),
    form(
        "Link blocked with zero credit",
        r"(?P<link>\[C\d{1,12}\]\[L\d{1,12}\]) Link blocked with zero credit for (?P<seconds>\d{1,9}) seconds",
        lambda fields: Blocked(ROUTER, fields["link"], seconds=int(fields["seconds"])),
    ),
    *(
        form(
            mark,
            rf"SRMSG16\d{{3}}: {text}",
            lambda fields: Blocked(CHANNEL, fields["channel"]),
        )
        for mark, text in (
            ("requesting more credits", r"No more credit for channel (?P<channel>\S{1,200}), requesting more credits"),
            ("periodically for credits", r"No credits for channel (?P<channel>\S{1,200}), checking periodically"),
        )
    ),
    form(
        "Retrieved credits for channel",
        r"SRMSG16222: Retrieved credits for channel `(?P<channel>[^`]{1,200})`: (?P<credits>-?\d{1,12})",
        _retrieved,
    ),
    form(
        "no credit left for link",
        r"cannot send request to peer, no credit left for link \[link target: (?P<address>[^\[\],]{1,400})\]",
        lambda fields: Blocked(NONE_LEFT, fields["address"]),
    ),
    form(
        "no credit available",
        r"(?:error sending message \[ID: .{1,200}?, address: (?P<address>[^\[\],]{1,400})\], )?no credit available",
        lambda fields: Blocked(NONE_LEFT, fields["address"] or "", "" if fields["address"] else "a client"),
    ),
    *(
        form(mark, mark, lambda fields: Blocked(NONE_LEFT, "", "a client"))
        for mark in (
            "Link has no credit",
            "NotEnoughCreditsToSend",
            "The link does not have enough credits to send a message",
        )
    ),
    *(
        form(
            mark,
            rf"(?:[Tt]he )?(?:[Ss]ender|[Ll]ink|[Pp]roducer)(?: link)? (?:has|had) no {mark}s?\b",
            lambda fields: Blocked(NONE_LEFT, "", "a client"),
        )
        for mark in ("credit", "link credit", "more credit")
    ),
    form(
        ", credit: -",
        r"(?:reusing existing |existing )?message sender \[target: (?P<address>[^\[\],]{1,400}), credit: -\d{1,9}\]",
        lambda fields: Blocked(NONE_LEFT, fields["address"]),
    ),
)
