"""Texts that only some releases write, each as the source of a release has it, with figures and names made up."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

SEE = "See http://activemq.apache.org/producer-flow-control.html for more info"
ALARM = "alarm_handler: {{set,{}}}"
OLD_USAGE = "Usage(default:store:queue://TILL:store) percentUsage=100%, usage=900 limit=800 percentUsageMinDelta=1%"
BLOCKS = [
    # line, setting, words of who is blocked
    ("=INFO REPORT==== 3-Mar-2011::10:00:01 ===\n    " + ALARM.format("{vm_memory_high_watermark,[]}"),
     "vm_memory_high_watermark", ""),
    (ALARM.format("{{vm_memory_high_watermark,rabbit@till},[]}"), "vm_memory_high_watermark", "rabbit@till"),
    ("Disk free space limit now exceeded. Free bytes:700 Limit:900", "disk_free_limit", ""),
    (f"INFO | {OLD_USAGE}: Persistent store is Full, 100% of 800. Stopping producer (ID:till-7:1:1:1) to prevent "
     f"flooding queue://TILL. {SEE} (blocking for: 9s)", "storeUsage", "queue://TILL"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "whom"), BLOCKS)
def test_an_old_release_tells_what_is_reached(line: str, setting: str, whom: str) -> None:
    assert ask(line).state is State.BLOCKED
    told = held(line)
    assert told.setting == setting
    assert whom in told.place


UNKNOWN_LIMIT = [
    # line, place, client
    (f"AMQ222193: Memory Limit reached. Producer (ID:till-7:1:1:1) stopped to prevent flooding till (blocking for "
     f"30s). {SEE}.", "address till", "ID:till-7:1:1:1"),
    (f"Memory Limit reached. Producer (ID:till-7:1:1:1) stopped to prevent flooding till {SEE} (blocking for 30s",
     "address till", "ID:till-7:1:1:1"),
    ("HQ214024: Destination address=till is blocked. If the system is configured to block make sure you consume "
     "messages on this configuration.", "address till", "a Core client"),
    ("HornetQConnectionTimedOutException[errorType=CONNECTION_TIMEDOUT message=HQ119014: Timed out waiting for "
     "response when sending packet 71]", "", "a Core client"),
    ("HornetQException[errorCode=3 message=Timed out waiting for response when sending packet 71]", "",
     "a Core client"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "place", "client"), UNKNOWN_LIMIT)
def test_who_waits_is_told_where_the_limit_is_not(line: str, place: str, client: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    told = held(line)
    assert told.place == place
    assert told.clients == (client,)


GOES_ON = [
    # line, place, what sends do
    ("HQ222038: Starting paging on till, size = 900, maxSize=800", "address till", "go on"),
    ("HQ222076: Starting paging on till, size = 900, maxSize=800", "address till", "go on"),
    ("HQ222077: Messages are being dropped on address till", "address till", "go on, and their messages are lost"),
    ("WARN [org.hornetq.core.paging.impl.PagingStoreImpl] Messages are being dropped on address till", "address till",
     "go on, and their messages are lost"),
    ('HornetQException[errorType=ADDRESS_FULL message=HQ119139: Address "till" is full. Message encode size = 7B]',
     "address till", "fail"),
    (f"javax.jms.ResourceAllocationException: Usage Manager Memory Limit reached on queue://TILL. {SEE}",
     "destination queue://TILL", "fail"),
    ("javax.jms.JMSException: Send transaction completed while waiting for space", "", "fail"),
    (f"DEBUG Discarding message ID:till-7:1:1:1:7 due to full temporary storage {OLD_USAGE}", "",
     "go on, and messages that are not persistent are lost"),
    ("[Broker] BRK-1014 : Message flow to disk active :  Message memory use 9KB exceeds threshold 8KB", "",
     "go on, but more slowly"),
    ("[vh(/till)/qu(till)] QUE-1014 : Message flow to disk active :  Message memory use 9 kB exceeds threshold 8 kB",
     "", "go on, but more slowly"),
    ("VirtualHost 'till' direct memory allocation threshold (8) exceeded : 9 bytes. Flow to disk enforced.", "",
     "go on, but more slowly"),
    ("[con:1(guest@/10.0.0.7:9/till)] CON-1009 : Uncommitted transaction(s) contains 9 bytes of incoming message data "
     "exceeding 8 bytes limit. Messages will be flowed to disk.", "", "go on, but more slowly"),
    ('[info] <0.7.0> Cannot create publisher 7 on stream <<"till">>, connection is blocked because of resource alarm',
     "stream till", "fail"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "place", "sends"), GOES_ON)
def test_what_holds_nobody_up_is_told_apart(line: str, place: str, sends: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    told = held(line)
    assert told.place == place
    assert told.sends == sends


STREAM = '<<"10.0.0.7:9 -> 10.0.0.1:5552">>'
OVER = [
    (ALARM.format("{vm_memory_high_watermark,[]}"), "alarm_handler: {clear,vm_memory_high_watermark}"),
    (ALARM.format("{{vm_memory_high_watermark,rabbit@till},[]}"),
     "alarm_handler: {clear,{vm_memory_high_watermark,rabbit@till}}"),
    (f"Blocking connection {STREAM} after resource alarm", f"Unblocking connection {STREAM}"),
    (f"Connection {STREAM} received resource alarm. Alarm on? true",
     f"Connection {STREAM} had blocked status set to true, new blocked status is now false"),
    ("vm_memory_high_watermark set. Memory used:900 allowed:800", "Starting RabbitMQ 3.6.9 on Erlang 19.3"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "end"), OVER)
def test_the_end_of_it_is_told(line: str, end: str) -> None:
    assert ask(line).state is State.BLOCKED
    found = ask(line, end)
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert found.held.until is not None


NOTHING = [
    "Memory high watermark set to 700 MiB (734003200 bytes) of 900 MiB (943718400 bytes) total",
    "Memory limit set to 700MB of 900MB total.",
    f"Connection {STREAM} received resource alarm. Alarm on? false",
    "alarm_handler: {set,{system_memory_high_watermark,[]}}",
    "AMQ142009: The File Storage Attic is full, as the file till does not have the configured size",
]


@pytest.mark.parametrize("line", NOTHING)
def test_an_everyday_line_of_the_same_kind_tells_of_no_wait(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.held is None
    assert found.quoted is None


def test_a_text_of_classic_is_not_taken_for_one_of_artemis() -> None:
    text = f"Usage Manager Memory Limit reached. Producer (ID:till-7:1:1:1) stopped to prevent flooding till. {SEE}"
    found = ask(f"it says {text} and no more")
    assert found.quoted is not None
    assert found.quoted.setting == "memoryLimit or memoryUsage"
