"""Forms of lines in logs of Apache Pulsar: a topic beyond its backlog quota (broker and clients), and full clients.

The texts are those of the broker and the Java client 2.2 to 4.0, of the Go client 0.6 to 0.14, and of the C++ client
2.x, which Python and Node.js use too.
"""

from collections.abc import Callable
from dataclasses import replace

from tidegate.why.lines.form import Fields, form
from tidegate.why.notices import Blocked, Cause, Notice, Released, Said

EITHER = "in bytes or by age"
PAST = f"a subscription has not acknowledged more messages of the topic than its backlog quota allows, {EITHER}; "
KINDS = {"destination_storage": "in bytes", "message_age": "by age"}
"""What a kind of quota limits."""
BACKLOG = Cause(
    family="pulsar backlog",
    setting="backlog quota",
    where="`pulsar-admin namespaces set-backlog-quota`; broker.conf: backlogQuotaDefaultLimitBytes, "
    "backlogQuotaDefaultLimitSecond",
    reason=PAST + "creating a producer waits or fails, as the policy of the quota says",
    frees="let every subscription of the topic acknowledge its messages, until the backlog is below the quota",
    change="make consumers faster, delete subscriptions that nobody uses (`pulsar-admin topics unsubscribe`), or raise "
    "the quota",
    ask="`pulsar-admin topics stats TOPIC`: backlogSize, and msgBacklog of each subscription; `pulsar-admin namespaces "
    "get-backlog-quotas NAMESPACE`",
    place_is="topic",
    vague=True,
)
HELD = replace(
    BACKLOG,
    reason=PAST + "the policy is producer_request_hold: producers wait until they are created",
    vague=False,
)
REFUSED = replace(
    BACKLOG,
    reason=PAST + "the policy is producer_exception: creating a producer fails, so the topic takes no message",
    vague=False,
)
EVICTED = replace(
    BACKLOG,
    family="pulsar eviction",
    reason=PAST + "the policy is consumer_backlog_eviction: producers go on, and subscriptions lose their "
    "oldest messages",
    holds=False,
    vague=False,
)
PENDING = Cause(
    family="pulsar client queue",
    setting="maxPendingMessages",
    where="the producer's builder in the client",
    reason="the producer has as many messages without the broker's answer as maxPendingMessages allows, and "
    "blockIfQueueFull is off: a send fails at once, it does not hang",
    frees="the broker answers messages that were sent",
    change="look up why the broker answers slowly, raise maxPendingMessages, or set blockIfQueueFull to let sends wait",
    ask=BACKLOG.ask,
    holds=False,
    sends="fail",
)
BUFFER = replace(
    PENDING,
    family="pulsar client memory",
    setting="memoryLimit",
    where="the client's builder",
    reason="messages without the broker's answer take as much memory as the client's memoryLimit allows, and "
    "blockIfQueueFull is off: a send fails at once, it does not hang",
    change="look up why the broker answers slowly, raise memoryLimit, or set blockIfQueueFull to let sends wait",
)
TIMED_OUT = Cause(
    family="pulsar client",
    setting="",
    reason="the broker did not answer a message within the producer's sendTimeout: its topic is past the backlog "
    "quota, its publish rate is limited, its bookies are slow or full, or it does not answer at all",
    frees="at the backlog quota consume and acknowledge; otherwise the broker answers once it keeps up",
    change="look up `Backlog quota` and `Cannot create producer` in the logs of the broker and of the client",
    ask=BACKLOG.ask,
    tells_limit=False,
    tells_release=False,
    place_is="topic",
)
THROTTLED = Cause(
    family="pulsar throttled",
    setting="",
    reason="the broker reads no more from the connection: a publish rate of a topic, a namespace or the broker is "
    "reached, or too many of its messages wait to be stored",
    frees="it goes on as soon as the rate allows, or messages are stored",
    change="look up `pulsar-admin namespaces get-publish-rate NAMESPACE` and `topicPolicies get-publish-rate TOPIC`, "
    "and maxPendingPublishRequestsPerConnection of broker.conf",
    ask="the metric pulsar_publish_rate_limit_times; `pulsar-admin topics stats TOPIC`: msgRateIn",
    tells_limit=False,
)
TOPIC = r"(?:non-)?persistent://[^\s\[\],\"'\\]{1,400}"
NAME = r"[^\[\]]{0,200}"
IN_FRONT = (
    rf"(?:\[(?P<topic>{TOPIC})\] ?\[(?P<producer>{NAME})\] ?|\[(?P<other>{NAME})\] ?\[(?P<its_topic>{TOPIC})\] ?"
    rf"|\[(?P<cpp_topic>{TOPIC}), (?P<cpp>{NAME})\] ?|\[(?P<one_topic>{TOPIC})\] ?)?"
)
"""Names in front of the message: the Java client has topic and producer, in either order; the C++ client has both in
one pair of brackets."""
INTRODUCED = (
    r"(?:Failed to (?:re)?create producer: |Failed to reconnect producer: |Could not get connection to broker: )?"
    r"(?:\{\"errorMsg\":\")?(?:[\w.$]{1,120}BacklogQuotaExceededException: )?(?:server error: )?"
)
POLICY = r"ProducerBlockedQuotaExceeded(?P<policy>Error|Exception)\b"
BEHIND = (
    r"(?:(?=.{0,600}?\bproducer_?[nN]ame\"?[=:] ?\"?(?P<go>[\w./-]{1,200})))?"
    rf"(?:(?=.{{0,600}}?\btopic\"?[=:] ?\\?\"?(?P<go_topic>{TOPIC})))?"
)
"""Names behind the message: the Go client has topic and producer as fields."""
TOPICS = ("topic", "its_topic", "cpp_topic", "one_topic", "go_topic")
PRODUCERS = ("producer", "other", "cpp", "go")
POLICIES = {"Error": HELD, "producer_request_hold": HELD, "Exception": REFUSED, "producer_exception": REFUSED}
RESULT = (
    r"(?:_pulsar\.)?(?:Pulsar error: |Failed to send message: |producer send queue is full: |client memory buffer is "
    r"full: )?(?:Result|Client)?"
)
"""The text in front of a result's name in the C++ client, Python, Node.js and the Go client."""
CREATE = "Cannot create producer on topic with backlog quota exceeded"


def _first(fields: Fields, names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def _producer(fields: Fields) -> str:
    name = _first(fields, PRODUCERS)
    return f"producer {name}" if name and name != "null" else ""


def _says(cause: Cause) -> Callable[[Fields], Said]:
    def said(fields: Fields) -> Said:
        told = POLICIES.get(fields.get("policy") or "", cause)
        return Blocked(told, _first(fields, TOPICS), _producer(fields))

    return said


def _exceeded(fields: Fields) -> Said:
    cause = POLICIES.get(fields["policy"], EVICTED)
    limited = KINDS.get(fields.get("kind") or "", EITHER)
    return Blocked(replace(cause, reason=cause.reason.replace(EITHER, limited)), fields["topic"])


def _created(fields: Fields) -> Said:
    """The release of a topic by a created producer, which needs a backlog below the quota; the line is a routine
    one."""
    return Released((BACKLOG.family, TIMED_OUT.family), _first(fields, TOPICS) or None, closes=True)


def _throttled(fields: Fields) -> Said:
    return Blocked(THROTTLED, "", f"connection {fields['client']}")


def _reads_again(fields: Fields) -> Said:
    return Released((THROTTLED.family,), "", f"connection {fields['client']}")


def _queued(fields: Fields) -> Said:
    """The statement about queued messages; some versions of the C++ client write the line even for no message."""
    return _says(TIMED_OUT)(fields) if int(fields["pending"]) else Notice("pulsar figures")


FORMS = (
    form(CREATE, rf"{IN_FRONT}{INTRODUCED}(?:[\w.$]{{0,100}}?{POLICY}: ?)?{CREATE}{BEHIND}", _says(BACKLOG)),
    form(
        "is blocked on creation because backlog",
        rf"{IN_FRONT}[Pp]roducer(?:\([^()]{{0,200}}\))? is blocked on creation because backlog (?:is )?exceeded",
        _says(HELD),
    ),
    form(
        "opic backlog quota exceeded. Throwing",
        rf"{IN_FRONT}Topic backlog quota exceeded\. Throwing Exception on producer",
        _says(REFUSED),
    ),
    form(
        "Backlog is exceeded on topic",
        rf"{IN_FRONT}Backlog is exceeded on topic\. Sending exception to producer",
        _says(REFUSED),
    ),
    form(
        "The backlog quota of the topic",
        r"The backlog quota of the topic (?P<topic>\S{1,400}) that the producer (?P<producer>\S{1,200}) produces "
        "to is exceeded",
        _says(REFUSED),
    ),
    form(
        "ProducerBlockedQuotaExceeded",
        rf"{IN_FRONT}{INTRODUCED}(?:[\w.$]{{0,100}}?)?{POLICY}{BEHIND}",
        _says(BACKLOG),
    ),
    form(
        "Backlog quota",
        rf"Backlog quota (?:type (?P<kind>\S{{1,60}}) )?exceeded for topic \[(?P<topic>{TOPIC})\]\. "
        r"Applying \[(?P<policy>\w{1,40})\] policy",
        _exceeded,
    ),
    form(
        "has exceeded backlog quota",
        rf"Producer \[(?P<producer>{NAME})\] has exceeded backlog quota on topic \[(?P<topic>{TOPIC})\]",
        _says(BACKLOG),
    ),
    form(
        "Backlog quota exceeded. Cannot create producer",
        rf"(?:\[(?P<topic>{TOPIC})\]\[?)?{NAME}\]? ?Backlog quota exceeded\. Cannot create producer "
        rf"\[(?P<producer>{NAME})\]",
        _says(BACKLOG),
    ),
    form(
        "Created new producer: Producer{",
        rf"Created new producer: Producer\{{topic=PersistentTopic\{{topic=(?P<topic>{TOPIC}?)\}},",
        _created,
    ),
    form("Created producer on cnx ", rf"{IN_FRONT}Created producer on cnx ", _created),
    form("[Created producer]", rf"\[Created producer\]\"{BEHIND}", _created),
    *(
        form(
            f"Setting auto read to {reads}",
            rf"\[\[id: \w{{1,20}}, L:\S{{1,100}} - R:(?P<client>[^\s\]]{{1,100}})\].{{0,100}}\] "
            rf"Setting auto read to {reads}",
            says,
        )
        for reads, says in (("false", _throttled), ("true", _reads_again))
    ),
    form("Producer send queue is full", r"Producer send queue is full", lambda fields: Blocked(PENDING)),
    form("memory buffer is full", r"(?:client|Client) memory buffer is full", lambda fields: Blocked(BUFFER)),
    form(
        "within given timeout",
        r"(?:Could not send message to broker within given timeout|The producer (?P<producer>\S{1,200}) can not "
        r"send message to the topic (?P<topic>\S{1,400}) within given timeout)",
        _says(TIMED_OUT),
    ),
    form(
        "Message send timed out. Failing",
        rf"(?:\[(?P<topic>[^\[\]]{{1,400}})\] ?\[(?P<producer>{NAME})\] ?)?"
        r"Message send timed out\. Failing \d{1,9} messages",
        _says(TIMED_OUT),
    ),
    form("messages on timeout", rf"Failing \d{{1,9}} messages on timeout \S{{1,20}}{BEHIND}", _says(TIMED_OUT)),
    form("message send timeout: TimeoutError", rf"message send timeout: TimeoutError{BEHIND}", _says(TIMED_OUT)),
    form(
        "end timeout due to queueing delay",
        rf"{IN_FRONT}Send timeout due to queueing delay, .{{0,200}}?pending messages: (?P<pending>\d{{1,9}})",
        _queued,
    ),
    form(
        "blocked by quota exceed exception",
        rf"Producer was blocked by quota exceed exception, failing pending messages{BEHIND}",
        _says(REFUSED),
    ),
    *(
        form(mark, rf"{RESULT}{mark}\b", lambda fields, cause=cause: Blocked(cause))  # type: ignore[misc]
        for mark, cause in (("ProducerQueueIsFull", PENDING), ("MemoryBufferIsFull", BUFFER))
    ),
)
