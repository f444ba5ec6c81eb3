"""Each form of a line, with the figures that stand in it, and the answer that one such line gives."""

import json
from typing import Any

import pytest

from tests.why.asking import ask, held
from tidegate.catalogue import catalogue
from tidegate.why.answer import State
from tidegate.why.lines import andes, artemis, artemis_client, classic, qpid, qpid_client, rabbitmq
from tidegate.why.notices import Cause

OLD = "size is currently: {} bytes; max-size-bytes on address: {}, global-max-size is {}"
NEW = (
    "size={0} bytes ({1} messages); maxSize={2} bytes ({3} messages); "
    "globalSize={4} bytes ({5} messages); globalMaxSize={6} bytes ({7} messages);"
)
BLOCKING = "AMQ222183: Blocking message production on address '{}'; "
OWN = BLOCKING.format("orders") + NEW.format(1200, 5, 1000, -1, 1200, 5, 20971520, -1)
MEMORY = (
    "Usage(default:memory:queue://A:memory) percentUsage={}%, usage={}, limit={}, percentUsageMinDelta=1%;"
    "Parent:Usage(default:memory) percentUsage={}%, usage={}, limit={}, percentUsageMinDelta=1%: "
    "Usage Manager Memory Limit reached. Producer (ID:a-1:1:2:1) stopped to prevent flooding queue://A. "
    "See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 301s)"
)
QUEUE = "[vh(/test)/qu(orders)] [vh(/test)/qu(orders)] "
CHANNEL = "[con:2(guest@anonymous(713889609)/test)/ch:1] [con:2(guest@anonymous(713889609)/test)/ch:1] "
USAGE = "Usage(default:store:queue://A:store) percentUsage=99%, usage=1000, limit=1000: "
END = "Stopping producer (ID:a-1:1:2:1) to prevent flooding queue://A. See http://x for more info (blocking for: 60s)"

FIGURES = [
    # line, setting, limit, level, missing, unit, place
    (OWN, "max-size-bytes", 1000, 1200, 201, "bytes", "address orders"),
    (
        BLOCKING.format("a;b") + NEW.format(1000, 5, 1000, -1, 1000, 5, -1, -1),
        "max-size-bytes",
        1000,
        1000,
        1,
        "bytes",
        "address a;b",
    ),
    (
        "AMQ222183: Blocking message production on address orders; " + NEW.format(1000, 5, 1000, -1, 1000, 5, -1, -1),
        "max-size-bytes",
        1000,
        1000,
        1,
        "bytes",
        "address orders",
    ),
    (
        BLOCKING.format("o") + NEW.format(500, 10, -1, 10, 500, 10, -1, -1),
        "max-size-messages",
        10,
        10,
        1,
        "messages",
        "address o",
    ),
    (
        BLOCKING.format("o") + NEW.format(500, 10, -1, -1, 2100, 20, 2000, -1),
        "global-max-size",
        2000,
        2100,
        101,
        "bytes",
        "address o",
    ),
    (
        BLOCKING.format("o") + NEW.format(500, 10, -1, -1, 2100, 20, -1, 20),
        "global-max-messages",
        20,
        20,
        1,
        "messages",
        "address o",
    ),
    (
        BLOCKING.format("o") + OLD.format("12.400", "10.000", "12.400"),
        "max-size-bytes",
        10000,
        12400,
        2401,
        "bytes",
        "address o",
    ),
    (
        BLOCKING.format("o") + OLD.format("12 400", "10 000", "12 400"),
        "max-size-bytes",
        10000,
        12400,
        2401,
        "bytes",
        "address o",
    ),
    (
        BLOCKING.format("o") + OLD.format("1,236", "-1", "1,236"),
        "global-max-size",
        None,
        None,
        None,
        "bytes",
        "address o",
    ),
    (
        "AMQ222210: Storage usage is beyond max-disk-usage. System will start blocking producers.",
        "max-disk-usage",
        None,
        None,
        None,
        "bytes",
        "",
    ),
    (
        "AMQ222210: Free storage space is at 80,8GB of 270,6GB total. Usage rate is 70,1% which is beyond the "
        "configured <max-disk-usage>. System will start blocking producers.",
        "max-disk-usage",
        None,
        None,
        None,
        "bytes",
        "",
    ),
    (
        "AMQ229119: Free storage space is at 828.0MB of 16.8GB total. Usage rate is 95.1% which is beyond the "
        "configured <max-disk-usage>. System will start blocking producers.",
        "max-disk-usage",
        None,
        None,
        None,
        "bytes",
        "",
    ),
    (
        "AMQ222212: Disk Full! Blocking message production on address 'o'. Clients will report blocked.",
        "max-disk-usage",
        None,
        None,
        None,
        "bytes",
        "address o",
    ),
    (
        "AMQ224114: Address control block, blocking message production on address 'o'. Clients will not get further c",
        "the operation block()",
        None,
        None,
        None,
        "bytes",
        "address o",
    ),
    (
        MEMORY.format(100, 1048828, 1048576, 0, 4414167, 1073741824),
        "memoryLimit",
        1048576,
        1048828,
        253,
        "bytes",
        "destination queue://A",
    ),
    (
        MEMORY.format(24, 366732408, 1503238554, 100, 1503321772, 1503238554),
        "memoryUsage",
        1503238554,
        1503321772,
        83219,
        "bytes",
        "destination queue://A",
    ),
    (
        MEMORY.format(24, 24, 100, 99, 99, 100),
        "memoryLimit or memoryUsage",
        None,
        None,
        None,
        "bytes",
        "destination queue://A",
    ),
    (
        "Usage Manager Memory Limit (209715200) reached on queue://PRQ, size 109001. Producers will be throttled to "
        "at which messages are removed",
        "memoryLimit or memoryUsage",
        209715200,
        None,
        None,
        "bytes",
        "destination queue://PRQ",
    ),
    (
        "Usage Manager Memory Limit reached on queue://FOO. Producers will be throttled to the rate",
        "memoryLimit or memoryUsage",
        None,
        None,
        None,
        "bytes",
        "destination queue://FOO",
    ),
    (
        "topic://T, Usage Manager memory limit reached 1024. Producers will be throttled to the rate",
        "memoryLimit or memoryUsage",
        1024,
        None,
        None,
        "bytes",
        "destination topic://T",
    ),
    (
        USAGE + "Persistent store is Full, 100% of 1000. " + END,
        "storeUsage",
        1000,
        1000,
        1,
        "bytes",
        "destination queue://A",
    ),
    (
        "Usage Manager Store is Full, 100% of 1000. " + END,
        "storeUsage",
        1000,
        None,
        None,
        "bytes",
        "destination queue://A",
    ),
    (
        "Waiting for space to send  transacted message - transaction elements = 3 need more space to commit. Me",
        "memoryLimit or memoryUsage",
        None,
        None,
        None,
        "bytes",
        "",
    ),
    ("AMQ222212: Disk Full! Blocking message production", "max-disk-usage", None, None, None, "bytes", ""),
    ("Usage Manager Store is Full. " + END, "storeUsage", None, None, None, "bytes", "destination queue://A"),
    (
        "Temp Store is Full (100% of 1000000). " + END,
        "tempUsage",
        1000000,
        None,
        None,
        "bytes",
        "destination queue://A",
    ),
    ("Usage Manager Temp Store is Full. " + END, "tempUsage", None, None, None, "bytes", "destination queue://A"),
    (
        QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000",
        "capacity",
        1000,
        1200,
        None,
        "bytes",
        "queue test/orders",
    ),
    (
        QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000, Messages : 3, Message Capacity : -1",
        "maximumQueueDepthBytes",
        1000,
        1200,
        None,
        "bytes",
        "queue test/orders",
    ),
    (
        QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : -1, Messages : 11, Message Capacity : 10",
        "maximumQueueDepthMessages",
        10,
        11,
        None,
        "messages",
        "queue test/orders",
    ),
    (
        CHANNEL + "CHN-1005 : Flow Control Enforced (Queue orders)",
        "capacity",
        None,
        None,
        None,
        "bytes",
        "queue test/orders",
    ),
    (
        "[vh(/test)/ms(BDBMessageStore)] MST-1008 : Store overfull, flow control will be enforced",
        "overfull-size",
        None,
        None,
        None,
        "bytes",
        "virtual host test",
    ),
    (
        "memory resource limit alarm set on node rabbit@63e2dc61db9f.",
        "vm_memory_high_watermark",
        None,
        None,
        None,
        "bytes",
        "node rabbit@63e2dc61db9f",
    ),
    (
        "disk resource limit alarm set on node 'rabbit@a.svc.local'.",
        "disk_free_limit",
        None,
        None,
        None,
        "bytes",
        "node rabbit@a.svc.local",
    ),
    *(
        (text, setting, limit, level, missing, "bytes", place)
        for text, setting, limit, level, missing, place in (
            (
                OWN.replace("AMQ", "HQ"),
                "max-size-bytes",
                1000,
                1200,
                201,
                "address orders",
            ),
            (
                "AMQ224128: Free storage space is at 90.0MB which is below the configured <min-disk-free>. System will "
                "start blocking producers.",
                "min-disk-free",
                None,
                None,
                None,
                "",
            ),
            (
                "alarm_handler: {set,{{resource_limit,memory,rabbit@a},[]}}",
                "vm_memory_high_watermark",
                None,
                None,
                None,
                "node rabbit@a",
            ),
            (
                "{alarms,[{resource_limit,disk,'rabbit@a'}]},",
                "disk_free_limit",
                None,
                None,
                None,
                "node rabbit@a",
            ),
            ("Free disk space alarm on node rabbit@a", "disk_free_limit", None, None, None, "node rabbit@a"),
            ("Memory alarm on node rabbit@a", "vm_memory_high_watermark", None, None, None, "node rabbit@a"),
            ("Connection blocked: low on memory", "vm_memory_high_watermark", None, None, None, ""),
            (
                QUEUE + "QUE-1003 : Overfull : Size : 1.200 bytes, Capacity : 1.000",
                "capacity",
                1000,
                1200,
                None,
                "queue test/orders",
            ),
        )
    ),
    (
        "Global buffer based flow control enabled.",
        "flowControl/global, highLimit and lowLimit",
        None,
        None,
        None,
        "bytes",
        "",
    ),
    (
        "Flow control enabled for channel [ ID: 1 , Identifier: a/b , Destination: q ]",
        "flowControl/bufferBased, highLimit and lowLimit",
        None,
        None,
        None,
        "bytes",
        "destination q",
    ),
    (
        "INFO {org.wso2.andes.kernel.AndesChannel} - Flow control enabled for channel.",
        "flowControl/bufferBased, highLimit and lowLimit",
        None,
        None,
        None,
        "bytes",
        "",
    ),
]


@pytest.mark.parametrize(("line", "setting", "limit", "level", "missing", "unit", "place"), FIGURES)
def test_one_line_without_a_time_tells_the_limit_and_what_is_missing(
    line: str, setting: str, limit: int | None, level: int | None, missing: int | None, unit: str, place: str
) -> None:
    told = held(line)
    assert (told.setting, told.limit, told.level, told.missing, told.unit, told.place) == (
        setting,
        limit,
        level,
        missing,
        unit,
        place,
    )
    assert ask(line).state is State.BLOCKED
    assert told.since is None


@pytest.mark.parametrize(
    "line",
    [
        "AMQ212054: Destination address=orders is blocked. If the system is configured to block make sure you consume "
        "messages on this configuration.",
        "WARN Message send delayed by 5s due to broker enforced flow control",
        "Message send failed due to timeout waiting on broker enforced flow control",
        "javax.jms.JMSException: Unable to send message for 60 seconds due to broker enforced flow control",
        "Timed out waiting for message send flow to be enabled.",
        "Broker enforced flow control has been enforced",
        "connection.blocked",
        "AMQ219014: Timed out after waiting 30,000 ms for response when sending packet 71",
        "AMQ119014: Timed out after waiting 30000 ms for response when sending packet 71",
        "org.apache.qpid.jms.JmsSendTimedOutException: Timed out waiting for credit to send Message",
        "org.apache.qpid.jms.JmsSendTimedOutException: Timed out waiting for disposition of sent Message",
        "javax.jms.JMSException: org.apache.activemq.RequestTimedOutIOException",
        "*** Publishers will be blocked until this alarm clears ***",
        "127.0.0.1:40572 -> 127.0.0.1:5672\tguest\tblocked",
        "127.0.0.1:40572 -> 127.0.0.1:5672\tflow",
        "pika.exceptions.ConnectionBlockedTimeout: Blocked connection timeout expired",
        BLOCKING.format("o") + NEW.format(10, 1, 1000, -1, 10, 1, 1000, -1),
    ],
)
def test_a_line_that_does_not_know_the_limit_says_so_and_whom_to_ask(line: str) -> None:
    found = ask(line)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.setting == ""
    assert found.held.ask


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("AMQ222038: Starting paging on address 'orders'; " + NEW.format(1, 1, 1, -1, 1, 1, 1, -1), "pages"),
        (
            "AMQ222039: Messages sent to address 'orders' are being dropped; " + NEW.format(1, 1, 1, -1, 1, 1, 1, -1),
            "drops",
        ),
        ("AMQ222039: Messages are being dropped on address orders", "drops"),
        (
            "javax.jms.ResourceAllocationException: Usage Manager Memory Limit reached. Stopping producer (ID:y:1:1) "
            "to prevent flooding orders. See http://x",
            "the address is full and refuses",
        ),
        ('AMQ229102: Address "orders" is full.', "refuses"),
        ("javax.jms.ResourceAllocationException: Address is full: orders", "refuses"),
        ('ActiveMQAddressFullException[errorType=ADDRESS_FULL message=AMQ229102: Address "orders" is full.', "refuses"),
        (
            "AMQ224123: Address a.b has more pages than allowed. System currently has 9 pages, while the estimated max "
            "number of pages is 8 based on the page-limit-bytes (80) / page-size (10)",
            "more pages",
        ),
        (
            "AMQ224127: Message dispatch from paging is blocked. Address a/Queue a will not read any more messages",
            "consumers get nothing",
        ),
        ("Maximum depth exceeded on 'orders' : current=[count: 4, size: 9], max=[count: 3, size: -1]", "REJECT"),
        (
            QUEUE + "QUE-1005 : Dropped : 1 messages, Depth : 9 bytes, 3 messages, Capacity : -1 bytes, 3 messages",
            "RING",
        ),
        ('AMQ119102: Address "orders" is full.', "refuses"),
        ('AMQ219058: Address "orders" is full. Message encode size = 1B, The largest message', "refuses"),
        (
            "AMQ224120: Queue q on Address orders has more messages than configured page limit. PageLimitMessages=1 "
            "currentValue=2",
            "page limit",
        ),
        (
            "com.itko.jms.ResourceAllocationException: Usage Manager memory limit (1000) reached. Stopping producer "
            "(ID:y:1:1) to prevent flooding topic://x. See for more info",
            "does not hang",
        ),
        (
            "Async error occurred: javax.jms.ResourceAllocationException: Usage Manager Memory Limit reached. Stopping "
            "producer (ID:y:1:1) to prevent flooding queue://x. See for more info",
            "does not hang",
        ),
    ],
)
def test_what_looks_like_blocking_and_is_none_is_told_apart(line: str, word: str) -> None:
    found = ask(line)
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert word in found.held.reason


def causes() -> list[Cause]:
    modules = (andes, artemis, artemis_client, classic, qpid, qpid_client, rabbitmq)
    return [cause for module in modules for cause in vars(module).values() if isinstance(cause, Cause)]


@pytest.mark.parametrize("cause", causes(), ids=lambda cause: f"{cause.family}-{cause.setting}")
def test_a_cause_has_a_rule_that_is_there_and_a_setting_whose_place_is_known(cause: Cause) -> None:
    assert not cause.rule or cause.rule in catalogue()
    assert (
        not cause.setting
        or cause.where
        or any(cause.setting == one.key for broker in _settings() for one in broker.settings)
    )


def _settings() -> tuple:
    from tidegate.catalogue.settings import settings

    return settings()


def test_an_address_in_double_quotes_is_the_same_address() -> None:
    figures = "size is currently: 1,200 bytes; max-size-bytes: 1,000"
    retyped = f"{BLOCKING.format('till').replace(chr(39), chr(34))}{figures}"
    client = (
        "AMQ212054: Destination address=till is blocked. If the system is configured to block make sure you consume "
        "messages on this configuration."
    )
    told = held(retyped, client)
    assert (told.place, told.setting, told.limit) == ("address till", "max-size-bytes", 1_000)
    assert held(retyped.partition(";")[0]).place == "address till"


@pytest.mark.parametrize("frame", [{"events": 0, "next": "f/1"}, 0, {"hits": {"hits": 0}}])
@pytest.mark.parametrize("inside", ["", "_source"])
def test_records_in_a_list_of_an_answer_are_read_one_by_one(frame: Any, inside: str) -> None:
    texts = (
        "vm_memory_high_watermark set. Memory used:12 allowed:9",
        "[warning] <0.2.0> memory resource limit alarm set on node 'rabbit@a'.",
    )
    records = [{"timestamp": 1795168800000 + number, "message": text} for number, text in enumerate(texts)]
    listed = json.dumps([{inside: record} if inside else record for record in records])
    told = held(json.dumps(frame).replace("0", listed, 1))
    assert (told.place, told.level, told.since) == ("node rabbit@a", 12, "2026-11-20T10:00:00.001+00:00")
