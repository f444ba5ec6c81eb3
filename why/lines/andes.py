"""Forms of lines in the log of WSO2 Message Broker (Andes): buffers or errors stop one channel or all publishers."""

from dataclasses import replace

from tidegate.model.mechanisms import andes_log
from tidegate.why.lines.form import Fields, LineForm, form, template
from tidegate.why.notices import Blocked, Cause, Notice, Released, Said

CHANNEL = Cause(
    family="andes channel",
    setting="flowControl/bufferBased, highLimit and lowLimit",
    where="broker.xml, flowControl, since 3.0",
    reason="the channel has more messages in the broker's inbound buffer than its high limit",
    frees="the broker stores what the channel has sent, until fewer than the low limit are left",
    change="slow the publisher down, look at the speed of the store, or raise the limits of flowControl/bufferBased",
    ask="the JMX beans of org.wso2.andes and the metrics of the store say how fast messages are stored",
    rule="ANDES-COUNT-1",
    place_is="destination",
)
EVERYONE = replace(
    CHANNEL,
    family="andes global",
    setting="flowControl/global, highLimit and lowLimit",
    reason="all channels together have more messages in the broker's inbound buffers than the high limit",
    frees="the broker stores what was sent, until fewer than the low limit are left",
    place_is="",
    change="slow publishers down, look at the speed of the store, or raise the limits of flowControl/global",
    rule="ANDES-MEMORY-3",
)
ERRORS = replace(
    EVERYONE,
    family="andes errors",
    setting="the message store",
    where="no limit of the configuration",
    reason="the message store fails, so the broker stopped every publisher",
    frees="mend the store (database); the broker tries again without a restart",
    change="look up the errors of the message store in front of this line",
    rule="",
    figure=False,
)
CLUSTER = replace(
    ERRORS,
    family="andes cluster",
    setting="the cluster",
    reason="a node lost the rest of its cluster, so it stopped every publisher",
    frees="mend the network between the nodes (or Hazelcast); the node continues when it finds the other nodes",
    change="look up the errors of the cluster in front of this line",
)
EITHER = replace(
    ERRORS,
    setting="the message store or the cluster",
    reason="the message store fails, or the node lost the rest of its cluster, so it stopped every publisher; this "
    "line does not tell which",
    frees="mend the store (database), or the network between the nodes; the broker then continues without a restart",
    change="look up the errors of the message store and of the cluster in front of this line",
)
HEAP = replace(
    CHANNEL,
    family="andes memory",
    setting="globalMemoryThreshold, globalMemoryRecoveryThreshold",
    where="andes-config.xml, flowControl, before 3.0",
    reason="the JVM of the broker has less memory free than globalMemoryThreshold asks for, so the broker stops "
    "every publisher",
    frees="the JVM has memory free again, as globalMemoryRecoveryThreshold asks for",
    change="give the JVM of the broker more memory, or consume the messages that it holds",
    rule="",
    place_is="",
)
MESSAGES = replace(
    HEAP,
    family="andes connection",
    setting="perConnectionMessageThreshold",
    reason="a connection has more messages in the broker than its threshold, so the broker stops it",
    frees="the broker hands the connection's messages on",
    change="slow the publisher down, or raise the threshold",
    tells_release=False,
)
A_CHANNEL = "a channel"
RENDERED = r"(?:\{rendered\} -\s*)?"
"""The text in front of a line that was rendered from the templates."""


def _stopped(fields: Fields) -> Said:
    return Blocked(CHANNEL, fields.get("destination", ""), _client(fields))


def _released(fields: Fields) -> Said:
    return Released((CHANNEL.family,), None, _client(fields))


def _client(fields: Fields) -> str:
    return f"channel {fields['channel']}"


def _all(stopped: str, released: str, cause: Cause) -> tuple[LineForm, LineForm]:
    return (
        form(stopped, RENDERED + template(stopped), lambda fields: Blocked(cause)),
        form(released, RENDERED + template(released), lambda fields: Released((cause.family,))),
    )


FORMS = (
    form("Flow control enabled for", RENDERED + template(andes_log.CHANNEL_STOPPED), _stopped),
    form("Flow control disabled for", RENDERED + template(andes_log.CHANNEL_RELEASED), _released),
    form("Flow control enabled for", RENDERED + template(andes_log.OLD_CHANNEL_STOPPED), _stopped),
    form("Flow control disabled for", RENDERED + template(andes_log.OLD_CHANNEL_RELEASED), _released),
    *(  # the first builds with flow control name no channel
        form(f"Flow control {verb}abled for channel.", rf"Flow control {verb}abled for channel\.(?=\s|$)", says)
        for verb, says in (
            ("en", lambda fields: Blocked(CHANNEL, "", A_CHANNEL)),
            ("dis", lambda fields: Released((CHANNEL.family,), None, A_CHANNEL)),
        )
    ),
    *_all(andes_log.ALL_STOPPED, andes_log.ALL_RELEASED, EVERYONE),
    *_all(andes_log.OLD_ALL_STOPPED, andes_log.OLD_ALL_RELEASED, EVERYONE),
    form(
        andes_log.ALL_STOPPED_BY_ERRORS,
        RENDERED + template(andes_log.ALL_STOPPED_BY_ERRORS),
        lambda fields: Notice(ERRORS.family, cause=EITHER),
    ),
    form(
        andes_log.ALL_RELEASED_BY_ERRORS,
        RENDERED + template(andes_log.ALL_RELEASED_BY_ERRORS),
        lambda fields: Released((ERRORS.family, CLUSTER.family)),
    ),
    form(
        "Stores became non-operational",
        r"Stores became non-operational\. Enabling error[ -]based flow control",
        lambda fields: Blocked(ERRORS),
    ),
    form(
        "Stores became operational",
        r"Stores became operational\. Disabling error[ -]based flow control",
        lambda fields: Released((ERRORS.family,)),
    ),
    form(
        "Global error based flow control is enabled",
        r"Global error based flow control is enabled\. new connections are not allowed",
        lambda fields: Blocked(EITHER),
    ),
    form(
        "activating error based flow control",
        r"(?:Network partition detected|Clustering outage), activating error based flow control",
        lambda fields: Blocked(CLUSTER),
    ),
    form(
        "deactivating error based flow control",
        r"Network partition resolved, deactivating error based flow control",
        lambda fields: Released((CLUSTER.family, ERRORS.family)),
    ),
    form(
        "Memory Threshold Exceeded. Session",
        r"Memory Threshold Exceeded\. Session '(?P<session>[^']{0,200})' Will Be Flow Controlled",
        lambda fields: Blocked(HEAP, "", f"session {fields['session']}".strip()),
    ),
    form(
        "Memory Threshold Exceeded Notification",
        r"Memory Threshold Exceeded Notification Received",
        lambda fields: Blocked(HEAP),
    ),
    form(
        "Memory Threshold Recovered Notification",
        r"Memory Threshold Recovered Notification Received",
        lambda fields: Released((HEAP.family,)),
    ),
    form(
        "onnection message ",
        r"Per [Cc]onnection message [Tt]hreshold [Ee]xceeded",
        lambda fields: Blocked(MESSAGES, "", "a connection"),
    ),
    form("Starting WSO2 Carbon", "Starting WSO2 Carbon", lambda fields: Notice("andes", started=True)),
    form(
        "Memory Threshold Is Recovered. Session",
        r"Memory Threshold Is Recovered\. Session '(?P<session>[^']{0,200})'",
        lambda fields: Released((HEAP.family,), "", f"session {fields['session']}".strip()),
    ),
)
