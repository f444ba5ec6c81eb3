"""The log of a program with an AMQP 1.0 client (Qpid JMS, ProtonJ2): a send failed after it waited for credit."""

from tidegate.why.lines.form import form
from tidegate.why.notices import Blocked, Cause

NO_CREDIT = Cause(
    family="amqp client",
    setting="",
    reason="the broker granted no credit for as long as the client's send timeout: a limit of the destination, of the "
    "broker or of its disk is reached, or somebody blocked it",
    frees="it depends on the limit",
    change="look up in the log of the broker which limit is reached; jms.sendTimeout says how long a send waits",
    ask="Artemis: AddressSize and getAddressSettingsAsJSON of the address; Broker-J: GET /api/latest/queue",
    tells_limit=False,
    tells_release=False,
)
NO_OUTCOME = Cause(
    family="amqp client outcome",
    setting="",
    reason="the message was sent, and the broker did not say what became of it: ActiveMQ Classic waits so while a "
    "limit is reached; another broker has a slow store, or does not answer at all",
    frees="it depends on the broker",
    change="look up in the log of the broker which limit is reached; without one look at its disk and its thread dump",
    ask="a thread dump of the broker (jstack PID)",
    tells_limit=False,
    tells_release=False,
)
FORMS = (
    form(
        "waiting for credit to send",
        r"Timed out waiting for credit to send",
        lambda fields: Blocked(NO_CREDIT, "", "a client"),
    ),
    form(
        "send until credit is available",
        r"Holding Message send until credit is available",
        lambda fields: Blocked(NO_CREDIT, "", "a client"),
    ),
    form(
        "waiting for disposition of sent",
        r"Timed out waiting for disposition of sent",
        lambda fields: Blocked(NO_OUTCOME, "", "a client"),
    ),
)
