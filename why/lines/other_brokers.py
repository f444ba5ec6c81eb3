"""Forms of lines of other brokers that refuse producers at a limit.

The brokers are RocketMQ, NATS JetStream, Open MQ, IBM MQ, TIBCO EMS, Solace and Azure Service Bus. Each text is one row
with its pattern and its limit. The model has no rules of these brokers.
"""

import re
from dataclasses import dataclass

from tidegate.why.lines.form import Fields, LineForm, form, number
from tidegate.why.notices import Blocked, Cause, Figures, Said

PRODUCTS = {
    "amqp": "an AMQP client", "artemis": "Artemis", "azure": "Azure Service Bus", "classic": "ActiveMQ Classic",
    "emqx": "EMQX", "ems": "TIBCO EMS", "flume": "Flume", "hivemq": "HiveMQ", "ibm": "IBM MQ", "kafka": "Kafka",
    "lavinmq": "LavinMQ", "moquette": "Moquette", "mosquitto": "Mosquitto", "mqtt": "an MQTT client", "nats": "NATS",
    "openmq": "Open MQ", "pulsar": "Pulsar", "qpid": "Qpid Broker-J", "qpidd": "qpidd", "rabbitmq": "RabbitMQ",
    "redis": "Redis", "rocketmq": "RocketMQ", "router": "Qpid Dispatch or Skupper", "smallrye": "SmallRye",
    "solace": "Solace",
}  # fmt: skip
"""The names of products, under which an operator knows where a setting is."""


@dataclass(frozen=True)
class Row:
    """A text of a broker: its mark, its pattern, and the limit that it tells."""

    product: str
    mark: str
    pattern: str
    setting: str
    reason: str
    frees: str
    change: str
    ask: str
    place_is: str = ""
    """The kind of the place in the pattern's group `place`."""
    goes: bool = True
    """Whether messages or bytes must leave before sends go on."""


FAILS = "; a send fails, it does not hang"
ROCKETMQ_ASK = "`mqadmin brokerStatus`: pageCacheLockTimeMills, sendThreadPoolQueueSize, commitLogDiskRatio"
FASTER = "let the broker store faster: its disk, its page cache, fewer or smaller messages"
CODE = r"(?:CODE: ?\d{1,4} {1,2}DESC: ?)?"
ROCKETMQ_BUSY = (
    ("[REJECTREQUEST]", "system busy", "osPageCacheBusyTimeOutMills or the transient store pool",
     "the page cache of the broker is busy, or its pool of buffers is used up, so it refuses sends for a while"),
    ("[PC_SYNCHRONIZED]", "broker busy", "osPageCacheBusyTimeOutMills",
     "writing one message took the broker longer than osPageCacheBusyTimeOutMills, so it refuses sends for a while"),
    ("[PCBUSY_CLEAN_QUEUE]", "broker busy", "osPageCacheBusyTimeOutMills",
     "the page cache of the broker is busy, so it throws away sends that wait"),
    ("[TIMEOUT_CLEAN_QUEUE]", "broker busy", "waitTimeMillsInSendQueue",
     "sends waited longer in the broker than waitTimeMillsInSendQueue, so it throws them away"),
    ("[OVERLOAD]", "system busy", "sendThreadPoolQueueCapacity",
     "the broker's queue of sends is full, so it refuses more"),
)  # fmt: skip
ROCKETMQ_DISK = "diskSpaceWarningLevelRatio (diskMaxUsedSpaceRatio deletes old files before)"
STORED = r"(?:JetStream failed to store a msg on stream '(?P<place>[^']{1,200})' ?[-:] {1,2})?"
NATS_ASK = "`nats stream info STREAM`, `nats server report jetstream`"
OPENMQ_ASK = "`imqcmd query dst`, `imqcmd query bkr`"
IBM_MQ = r"(?:JMSCMQ0001: [\w ]{{0,40}}call failed with compcode '2' \('MQCC_FAILED'\) )?(?:reason '{0}' \(')?{1}"
IBM_ASK = "`DISPLAY QSTATUS(QUEUE) CURDEPTH`, `DISPLAY QUEUE(QUEUE) MAXDEPTH PUT`"
CONSUME = "consume messages of the destination"
ROWS = (
    *(
        Row("rocketmq", mark, rf"{CODE}{re.escape(mark)} ?{busy}",
            setting, reason + FAILS, FASTER, "spread the load over more brokers, or raise the limit", ROCKETMQ_ASK,
            goes=False)
        for mark, busy, setting, reason in ROCKETMQ_BUSY
    ),
    Row("rocketmq", "so mark disk full", r"(?:physic|logics) disk (?:of commitLog )?maybe full soon",
        ROCKETMQ_DISK, "the disk of the broker is fuller than the ratio allows, so it takes no messages" + FAILS,
        "free space on the disk", "free or enlarge the disk, or lower fileReservedTime", ROCKETMQ_ASK),
    Row("rocketmq", "service not available now",
        r"(?:CODE: 14 {1,2}DESC: )?service not available now[.,] ?(?:It may be caused by one of the following "
        r"reasons: |maybe disk full|disk full)",
        ROCKETMQ_DISK, "the disk of the broker is full, or its store takes no messages for another reason" + FAILS,
        "free space on the disk", "look up `mark disk full` in store.log; without it look up why the store "
        "is not writeable", ROCKETMQ_ASK),
    Row("rocketmq", "message store is not writ", r"(?:the )?message store is not writ(?:e)?able\. It may be caused by",
        ROCKETMQ_DISK, "the disk of the broker is full, or its store takes no messages for another reason" + FAILS,
        "free space on the disk", "look up `mark disk full` in store.log, and errors of its files", ROCKETMQ_ASK),
    Row("rocketmq", "create mapped file failed", r"(?:CODE: 1 {1,2}DESC: )?create mapped file failed, "
        r"(?:please make sure OS and JDK both 64bit|server is busy or broken)",
        "the disk of the broker", "the broker cannot make a file for more messages: its disk is full or fails" + FAILS,
        "free space on the disk", "look at the disk, and for the error in store.log", ROCKETMQ_ASK),
    Row("nats", "maximum messages exceeded", rf"{STORED}(?:nats: )?maximum messages exceeded", "max_msgs, discard new",
        "the stream holds as many messages as it may and discards new ones" + FAILS, CONSUME,
        "consume, raise --max-msgs of the stream, or let it discard old messages", NATS_ASK, "stream"),
    Row("nats", "maximum bytes exceeded", rf"{STORED}(?:nats: )?maximum bytes exceeded", "max_bytes, discard new",
        "the stream takes as many bytes as it may and discards new messages" + FAILS, CONSUME,
        "consume, raise --max-bytes of the stream, or let it discard old messages", NATS_ASK, "stream"),
    Row("nats", "maximum messages per subject exceeded", rf"{STORED}(?:nats: )?maximum messages per subject exceeded",
        "max_msgs_per_subject, discard new", "the subject holds as many messages as it may" + FAILS, CONSUME,
        "consume, or raise --max-msgs-per-subject of the stream", NATS_ASK, "stream"),
    Row("nats", "JetStream out of ", r"JetStream out of \w{1,20} resources, will be DISABLED",
        "max_file_store or max_memory_store", "JetStream has no more storage, so it is switched off" + FAILS,
        "free or enlarge the disk, then restart", "enlarge the disk, or limit streams by --max-bytes", NATS_ASK),
    Row("nats", "JetStream failed to store",
        r"JetStream failed to store a msg on stream '(?P<place>[^']{1,200})': .{0,300}no space left on device",
        "the disk of the server", "the disk of the server is full" + FAILS,
        "free or enlarge the disk", "enlarge the disk, or limit streams by --max-bytes", NATS_ASK, "stream"),
    Row("nats", "/msgs/",
        r"(?:nats: )?write \S{0,200}?/streams/(?P<place>[^/\s]{1,100})/msgs/\S{1,60}: no space left on device",
        "the disk of the server", "the disk of the server is full" + FAILS, "free or enlarge the disk",
        "enlarge the disk, or limit streams by --max-bytes", NATS_ASK, "stream"),
    Row("nats", "resource limits exceeded for",
        r"(?:JETSTREAM - )?(?:nats: )?(?:JetStream (?:\w{1,10} )?)?resource limits exceeded for (?:account|server)",
        "max_mem, max_file of the account or server",
        "the account or server has as much in JetStream as it may" + FAILS, "purge or consume streams",
        "raise the limits of the account", NATS_ASK),
    Row("openmq", "[B4120]", r"\[B4120\]: ", "maxNumMsgs", "the destination holds as many messages as it may" + FAILS,
        CONSUME, "consume, raise maxNumMsgs, or set limitBehavior to FLOW_CONTROL", OPENMQ_ASK, "destination"),
    Row("openmq", "[B4121]", r"\[B4121\]: ", "maxTotalMsgBytes",
        "the destination takes as many bytes as it may" + FAILS, CONSUME,
        "consume, raise maxTotalMsgBytes, or set limitBehavior to FLOW_CONTROL", OPENMQ_ASK, "destination"),
    Row("openmq", "[B4024]", r"\[B4024\]: ", "imq.system.max_count",
        "the broker holds as many messages as it may" + FAILS, "consume messages",
        "consume, or raise imq.system.max_count", OPENMQ_ASK),
    Row("openmq", "[B4025]", r"\[B4025\]: ", "imq.system.max_size", "the broker takes as many bytes as it may" + FAILS,
        "consume messages", "consume, or raise imq.system.max_size", OPENMQ_ASK),
    Row("openmq", "[B2076]", r"\[B2076\]: ", "imq.red.threshold",
        "the broker is out of memory (level RED), so it takes no new producers" + FAILS,
        "consume messages, until the broker has memory", "give the broker's JVM more memory", OPENMQ_ASK),
    Row("ibm", "MQRC_Q_FULL", IBM_MQ.format(2053, "MQRC_Q_FULL"),
        "MAXDEPTH", "the queue holds as many messages as MAXDEPTH allows" + FAILS, CONSUME,
        "consume, or raise MAXDEPTH of the queue", IBM_ASK),
    Row("ibm", "2053",
        r"(?:MQJE001: |MQException: |JMS\w{3,12}: ){0,3}Completion [Cc]ode '?2'?,? [Rr]eason(?: code)? '?2053'?",
        "MAXDEPTH", "the queue holds as many messages as MAXDEPTH allows" + FAILS, CONSUME,
        "consume, or raise MAXDEPTH of the queue", IBM_ASK),
    Row("ibm", "MQRC_PUT_INHIBITED", IBM_MQ.format(2051, "MQRC_PUT_INHIBITED"),
        "PUT(DISABLED)", "somebody disabled puts to the queue" + FAILS, "enable puts: ALTER QLOCAL PUT(ENABLED)",
        "look up who disabled them", IBM_ASK, goes=False),
    Row("ems", "Queue limit exceeded", r"Queue limit exceeded\s*$", "maxbytes or maxmsgs",
        "the queue holds as much as it may" + FAILS, CONSUME, "consume, or raise maxbytes and maxmsgs of the queue",
        "`show queue QUEUE` of tibemsadmin"),
    Row("ems", "Topic limit exceeded", r"Topic limit exceeded\s*$", "maxbytes or maxmsgs",
        "the topic holds as much as it may" + FAILS, CONSUME, "consume, or raise maxbytes and maxmsgs of the topic",
        "`show topic TOPIC` of tibemsadmin"),
    Row("solace", "Spool Over Quota", r"(?:\(?Response )?(?:503: )?Spool Over Quota", "the quota of the message spool",
        "the endpoint, or the message spool, holds as much as it may" + FAILS, CONSUME,
        "consume, or raise max-spool-usage", "`show queue QUEUE`, `show message-spool detail`"),
    Row("azure", "maximum entity size has been reached",
        r"The maximum entity size has been reached or exceeded for (?:Queue|Topic): ?'(?:[^':]{1,100}:){0,2}"
        r"(?P<place>[^']{1,200})'(?:\. Size of entity in bytes: ?(?P<level>\d{1,18}), Max entity size in bytes: ?"
        r"(?P<limit>\d{1,18}))?", "maxSizeInMegabytes", "the queue or topic takes as many bytes as it may" + FAILS,
        CONSUME, "consume, also its dead letters, or raise maxSizeInMegabytes",
        "`az servicebus queue show`: sizeInBytes, countDetails", "entity"),
)  # fmt: skip


def _form(row: Row) -> LineForm:
    cause = Cause(
        family=f"{row.product} {row.setting}",
        setting=row.setting,
        where=PRODUCTS[row.product],
        reason=row.reason,
        frees=row.frees,
        change=row.change,
        ask=row.ask,
        holds=False,
        sends="fail",
        tells_release=False,
        place_is=row.place_is,
        goes=row.goes,
    )

    def said(fields: Fields) -> Said:
        figures = Figures(number(fields.get("level")), number(fields.get("limit")))
        return Blocked(cause, fields.get("place") or "", figures=figures)

    return form(row.mark, row.pattern, said)


FORMS = tuple(_form(row) for row in ROWS)
