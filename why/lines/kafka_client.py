"""Forms of lines in logs of Apache Kafka producers: a send waited or failed because the client had no room.

A Kafka broker names no producer that it holds up: it answers late, and the client reaches its own limit. The texts are
those of the Java client 0.8.2 to 4.x, of kafka-python before 2.1, of librdkafka 0.8 to 2.x, which the clients of
Confluent, Node.js, PHP and others use too, and of franz-go.
"""

from collections.abc import Callable
from dataclasses import replace

from tidegate.why.lines.form import Fields, form, number
from tidegate.why.notices import Blocked, Cause, Figures, Said

BUFFER = Cause(
    family="kafka client memory",
    setting="buffer.memory",
    where="the producer's configuration (buffer_memory in Python)",
    reason="records without the broker's answer take as much memory as the producer's buffer.memory allows, so a send "
    "waited for max.block.ms and failed",
    frees="brokers answer records that were sent",
    change="look up why brokers answer slowly or not at all (also quotas: produce-throttle-time-avg), or raise "
    "buffer.memory",
    ask="the producer's metrics buffer-available-bytes, bufferpool-wait-ratio, produce-throttle-time-avg, "
    "request-latency-avg",
    tells_release=False,
)
REFUSED = replace(
    BUFFER,
    family="kafka client memory, refused",
    reason="records without the broker's answer take as much memory as the producer's buffer.memory allows, and "
    "block.on.buffer.full is off: a send fails at once, it does not hang",
    holds=False,
    sends="fail",
)
QUEUE = replace(
    REFUSED,
    family="kafka client queue",
    setting="queue.buffering.max.messages or queue.buffering.max.kbytes",
    where="the producer's configuration",
    reason="the producer (librdkafka) has as many messages without a delivery report as its queue takes: to produce "
    "another fails at once, it does not hang",
    frees="brokers answer messages that were sent, and the program takes the delivery reports (poll)",
    change="call poll() between messages, look up why brokers answer slowly or not at all, or raise the limits",
    ask="librdkafka's statistics (statistics.interval.ms): msg_cnt, msg_max, msg_size, and rtt of each broker",
)
RECORDS = replace(
    REFUSED,
    family="kafka client records",
    setting="MaxBufferedRecords or MaxBufferedBytes",
    where="the options of the client (franz-go)",
    reason="the client has as many records without the broker's answer as it may: TryProduce fails at once",
    change="look up why brokers answer slowly or not at all, or raise the limits",
)
EXPIRED = replace(
    BUFFER,
    family="kafka client expired",
    setting="",
    where="",
    reason="brokers did not answer records within the producer's delivery.timeout.ms (request.timeout.ms before 2.1, "
    "message.timeout.ms of librdkafka): they are slow, limit the client by a quota, or do not answer at all",
    frees="brokers answer the records that wait",
    change="look up the brokers' logs, and whether a quota holds the client up (produce-throttle-time-avg)",
    tells_limit=False,
    gave_up=True,
    place_is="topic",
)
WAITING = replace(
    RECORDS,
    family="kafka client records wait",
    reason="the client has as many records without the broker's answer as it may, so Produce waits",
    holds=True,
    sends="go on",
)


def _says(cause: Cause) -> Callable[[Fields], Said]:
    def said(fields: Fields) -> Said:
        limit = number(fields.get("limit"))
        topic = fields.get("topic") or ""
        return Blocked(cause, topic, "" if topic else "a producer", Figures(limit=limit, resume=limit))

    return said


FORMS = (
    form(
        "within the configured max blocking time",
        r"Failed to allocate (?:memory|\d{1,12} bytes) within the configured max blocking time"
        r"(?: \d{1,12} ms\.?)?(?: Total memory: (?P<limit>\d{1,15}) bytes)?",
        _says(replace(BUFFER, gave_up=True)),
    ),
    form(
        "of memory you configured for the client",
        r"You have exhausted the (?P<limit>\d{1,15}) bytes of memory you configured for the client",
        _says(REFUSED),
    ),
    form(
        " record(s) for ",
        r"Expiring \d{1,9} record\(s\) for (?P<topic>[\w.-]{1,249}?)(?:-\d{1,6})?(?:: ?| due to )"
        r"(?P<waited>\d{1,12}) {1,2}ms has passed since",
        lambda fields: Blocked(EXPIRED, fields["topic"], seconds=int(fields["waited"]) // 1000),
    ),
    form(
        "TimeoutException: Batch Expired",
        r"(?:org\.apache\.kafka\.common\.errors\.)?TimeoutException: Batch Expired",
        lambda fields: Blocked(EXPIRED, "", "a producer"),
    ),
    form(
        "record(s) expired due to",
        r"Batch containing \d{1,9} record\(s\) expired due to (?:batch creation )?timeout while requesting metadata "
        r"from brokers for (?P<topic>[\w.-]{1,249}?)-\d{1,6}",
        lambda fields: Blocked(EXPIRED, fields["topic"]),
    ),
    form(
        "Local: Message timed out",
        r"(?:(?:% )?Message delivery failed: |Delivery failed: |message failed: )?Local: Message timed out",
        lambda fields: Blocked(EXPIRED, "", "a producer"),
    ),
    form(
        "Local: Queue full",
        r"(?:(?:% )?(?:Failed to produce|Produce failed|produce failed)(?: to topic:? '?(?P<topic>[\w.-]{1,249})'?"
        r"(?: \[?partition \S{1,12}|\[\S{1,12}\])?)?: )?Local: Queue full",
        _says(QUEUE),
    ),
    form(
        "the maximum amount of records are buffered",
        r"the maximum amount of records are buffered, cannot buffer more",
        _says(RECORDS),
    ),
    form(
        "blocking Produce because we are",
        r"blocking Produce because we are either over max buffered records or max buffered bytes",
        _says(WAITING),
    ),
)
