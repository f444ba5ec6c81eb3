"""Forms of lines in logs of RabbitMQ clients: the texts of each library about connection.blocked and timeouts.

The texts are those of pika, aiormq, AMQPStorm, rabbitpy, py-amqp (Celery, kombu), oslo.messaging, EasyNetQ,
NServiceBus, php-amqplib, Logstash, Rascal, Bunny, go-rabbitmq and the Java client. amqplib, amqp091-go, MassTransit and
the .NET client pass the reason to the program and write nothing of a blocked connection.
"""

import re
from dataclasses import replace

from tidegate.why.lines.form import Fields, form
from tidegate.why.lines.rabbitmq import BOTH, DISK, LOW, MEMORY, TOLD, told
from tidegate.why.notices import Blocked, Figures, Notice, Released, Said

NOT_WRITTEN = replace(
    TOLD,
    family="rabbitmq client write",
    reason="the client could not write to its connection in time: the broker reads no more from it, under an alarm "
    "(blocked) or because it cannot keep up (flow), or the network is slow",
    change="look up which alarm is set on which node; without an alarm the connection is in flow",
    ask="`rabbitmq-diagnostics alarms`; `rabbitmqctl list_connections name state`: blocked, blocking or flow",
    tells_release=False,
)
NOT_ANSWERED = replace(
    NOT_WRITTEN,
    family="rabbitmq client answer",
    reason="the broker did not answer a method of the client in time: under an alarm it reads nothing from a "
    "connection that published; without an alarm it is slow, or does not answer at all",
    change="look up which alarm is set on which node; without one look at the network and the log of the broker",
)
NOT_CONFIRMED = replace(
    NOT_WRITTEN,
    family="rabbitmq client confirm in vain",
    reason="the broker did not confirm a publication in time: under an alarm it reads nothing from a connection that "
    "published; without an alarm it is slow, or does not answer at all",
    change="look up which alarm is set on which node; without one look at the network and the log of the broker",
    gave_up=True,
)
STOPPED = replace(
    TOLD,
    family="rabbitmq client channel order",
    reason="the broker ordered the client's channel to stop (channel.flow)",
    frees="the broker lets the channel go on",
    change="look up why the broker stops channels: RabbitMQ before 2.0 did so, and other brokers do at their limits",
)
FLOW_FRAME = (
    r"(?:(?:[\w.-]{1,30} )?(?:frame )?(?:(?P<out>>>|->|→|SENT|SEND|[Ss]ent:?)|<<|<-|←|RECV|[Rr]eceived:?) )?"
    r"(?:(?:\[?ch(?:annel)?[ =:#]{0,2}\d{1,5}\]?:? )?(?:#method)?<?[Cc]hannel\.flow>? ?\(active="
    r"|<METHOD\(\[.{0,200}?<Channel\.Flow\(\[[\"']active=)(?P<active>true|false|True|False|0|1)\b"
)
"""The frame channel.flow; one that the client sends stops deliveries and not sends."""
WHOSE = (
    r"[Tt]he|[Bb]y|[Rr]abbit(?:MQ|mq)?|RMQ|(?i:publishers?|producers?|amqp|broker|connection|channel)|[Ww]as|[Ii]s|"
    r"[Hh]as been|[Nn]ow|again"
)
REASON = rf"(?:.{{0,60}}?{LOW})?"
CONNECTION = r"Connection <Connection: .{1,200}?>"
"""A connection in texts of aiormq, also under aio-pika."""
FRAME = r"Received <METHOD\(\[.{0,200}?<Connection\."
"""The beginning of a frame in texts of pika."""


GOES_ON = (
    rf"(?<![\w.])(?P<who>(?:(?:{WHOSE})[ :]\s?)*)\b(?:[Uu]nblocked|no longer blocked)(?: (?:the )?(?:{WHOSE}))?"
    rf"(?: by (?:the |remote )*(?:{WHOSE}|server))?(?: after \S{{1,20}})?(?:[.,;:!)\]]|\s*$| - )"
)
"""The end of a stop, in any words in which programs report that connection.blocked came."""


ABOUT_A_CONNECTION = re.compile("rabbit|rmq|amqp|connection|publisher|producer|broker", re.IGNORECASE)


def _unblocked(fields: Fields) -> Released:
    return Released((TOLD.family, MEMORY.family, DISK.family, BOTH.family), "", "a connection")


def _goes_on(fields: Fields) -> Said:
    """The end of a stop; without a word about a connection it ends a stop that was told, and tells nothing alone."""
    return replace(_unblocked(fields), closes=ABOUT_A_CONNECTION.search(fields["who"]) is None)


def _flow(fields: Fields) -> Said:
    """The statement of a frame channel.flow."""
    if fields["out"]:
        return Notice("rabbitmq figures")
    if fields["active"] in ("true", "True", "1"):
        return Released((STOPPED.family,), "", "a channel of a client")
    return Blocked(STOPPED, "", "a channel of a client")


def _no_answer(fields: Fields) -> Said:
    return Blocked(NOT_ANSWERED, "", "a client", Figures(text=f"no answer to {fields['method']}"))


def _blocked(fields: Fields) -> Said:
    return Blocked(TOLD, "", "a connection")


def _not_written(fields: Fields) -> Said:
    return Blocked(NOT_WRITTEN, "", "a client")


def _not_confirmed(fields: Fields) -> Said:
    return Blocked(NOT_CONFIRMED, "", "a client", Figures(text="no confirm"))


FORMS = (
    form("<Connection.Blocked(", rf"{FRAME}Blocked\({REASON}", told),
    form("<Connection.Unblocked", rf"{FRAME}Unblocked\b", _unblocked),
    form("> was blocked by: ", rf"{CONNECTION} was blocked by: {REASON}", told),
    form("> was unblocked", rf"{CONNECTION} was unblocked", _unblocked),
    form("The broker has blocked the connection", rf"The broker has blocked the connection{REASON}", told),
    form("The broker has unblocked the connection", r"The broker has unblocked the connection", _unblocked),
    form(" blocked with reason ", rf"Connection \w{{1,40}} blocked with reason {REASON}", told),
    form(" unblocked", r"Connection \w{1,40} unblocked\s*$", _unblocked),
    form("' connection blocked: ", rf"'[^']{{1,200}}' connection blocked: {REASON}", told),
    form("' connection unblocked", r"'[^']{1,200}' connection unblocked", _unblocked),
    form("no longer blocked by remote", r"Connection is no longer blocked by remote server", _unblocked),
    form("is unblocked", r"Connection is unblocked\s*$", _unblocked),
    form(
        "RabbitMQ connection blocked",
        r"RabbitMQ connection blocked(?:!| - please check)",
        lambda fields: Blocked(TOLD, "", "a connection"),
    ),
    form("RabbitMQ connection unblocked", r"RabbitMQ connection unblocked(?:!|\s*(?:\{|$))", _unblocked),
    form("connection flagged as blocked", rf"connection flagged as blocked: `?{REASON}", told),
    form("connection flagged as unblocked", r"connection flagged as unblocked", _unblocked),
    form(
        "is blocked due to low resources",
        r"Connection is blocked due to low resources",
        lambda fields: Blocked(TOLD, "", "a connection"),
    ),
    form(
        "AMQPConnectionBlockedException",
        r"(?<!catch \()(?<!throw new )(?<!use )(?:\\?\w{1,60}\\){0,6}AMQPConnectionBlockedException\b(?=:|\s*$)",
        lambda fields: Blocked(TOLD, "", "a connection"),
    ),
    form(
        "connection blocked, see broker logs",
        r"connection blocked, see broker logs",
        lambda fields: Blocked(TOLD, "", "a connection"),
    ),
    *(form(mark, FLOW_FRAME, _flow) for mark in ("hannel.flow", "hannel.Flow")),
    form(
        "onnection unblocked",
        r"(?:[Rr]abbit(?:MQ|mq)? |AMQP |amqp |(?i:publisher) )?[Cc]onnection unblocked\s*$",
        _unblocked,
    ),
    *(form(mark, GOES_ON, _goes_on) for mark in ("nblocked", "no longer blocked")),
    form("ConnectionUnblockedEvent", r"ConnectionUnblockedEvent(?: ?\[|\s*$)", _unblocked),
    form("Frame enqueuing failed", r"Frame enqueuing failed", _not_written),
    form("Error sending data. Connection timed out", r"Error sending data\. Connection timed out", _not_written),
    form("IO timeout when writing to socket", r"IO timeout when writing to socket", _not_written),
    form(
        "Timed out waiting for publisher confirm",
        r"Timed out waiting for publisher confirms?(?: \((?:batch: \d{1,9}, )?limit: \d{1,9}\))?(?=\.?\s*(?:\(|$))",
        _not_confirmed,
    ),
    form(
        "Timed out waiting for a publisher confirm",
        r"(?:\{?\"error\"\s*:\s*\"\w{1,60}\"\s*,\s*)?(?:\"reason\"\s*:\s*\")?"
        r"Timed out waiting for a publisher confirm\.",
        _not_confirmed,
    ),
    form(
        "publishing due to TCP blocking from server",
        r"pausing publishing due to TCP blocking from server",
        _blocked,
    ),
    form(
        "publishing due to TCP blocking from server",
        r"resuming publishing due to TCP blocking from server",
        _unblocked,
    ),
    form("due to TCP block on the server", r"publishing blocked due to TCP block on the server", _blocked),
    form(
        "publishing due to flow request from server",
        r"pausing publishing due to flow request from server",
        lambda fields: Blocked(STOPPED, "", "a channel of a client"),
    ),
    form(
        "publishing due to flow request from server",
        r"resuming publishing due to flow request from server",
        lambda fields: Released((STOPPED.family,), "", "a channel of a client"),
    ),
    form(
        "due to high flow on the server",
        r"publishing blocked due to high flow on the server",
        lambda fields: Blocked(STOPPED, "", "a channel of a client"),
    ),
    form(
        "confirms timed out after",
        r"Publ?isher confirms timed out after \d{1,9} seconds waiting for ACK or NACK from sequence number \d{1,19}",
        _not_confirmed,
    ),
    form(  # amqp-connection-manager, which gives its error no more words than "timeout"
        "ChannelWrapper.",
        r"at (?:Timeout\._onTimeout|Timeout\.[\w.<>]{1,60}|listOnTimeout) .{0,300}[\\/]amqp-connection-manager[\\/]"
        r".{1,80}ChannelWrapper\.[jt]s",
        _not_confirmed,
    ),
    form(
        "waiting for broker to confirm publication to",
        r"Timedout after \d{1,12}ms waiting for broker to confirm publication to: [\w.:/-]{1,200}",
        _not_confirmed,
    ),
    form(
        "Continuation call for method",
        r"Continuation call for method #method<(?P<method>[\w.-]{1,60})\b.{0,400}?timed? out",
        _no_answer,
    ),
)
