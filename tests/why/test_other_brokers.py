"""The C++ broker of Qpid, and brokers without rules in the model that refuse producers at a limit."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.show import shown

QUEUE = "qpid.max_count or qpid.max_size"
BUSY = "busy, start flow control for a while"
DISK_FULL = "no space left on device"
REFUSED = [
    # line, setting, place
    ("resource-limit-exceeded: Maximum depth exceeded on sales: current=[count: 7, size: 70], max=[count: 7, size: 90]",
     QUEUE, "queue sales"),
    ("resource-limit-exceeded: resource-limit-exceeded: Policy exceeded on sales, policy: size: max=70, current=69",
     QUEUE, "queue sales"),
    ("qpid.messaging.exceptions.TargetCapacityExceeded: (None, None)", QUEUE, ""),
    ('2026-11-25 10:00:00 warning Journal "sales": Enqueue capacity threshold exceeded on queue "sales".',
     "the journal of the queue", "queue sales"),
    ('error Journal full on queue "sales".', "the journal of the queue", "queue sales"),
    ("RHM_IORES_ENQCAPTHRESH", "the journal of the queue", ""),
    (f"org.apache.rocketmq.client.exception.MQBrokerException: CODE: 2  DESC: [REJECTREQUEST]system {BUSY}",
     "osPageCacheBusyTimeOutMills or the transient store pool", ""),
    (f"[PC_SYNCHRONIZED]broker {BUSY}", "osPageCacheBusyTimeOutMills", ""),
    (f"[PCBUSY_CLEAN_QUEUE]broker {BUSY}, period in queue: 7ms", "osPageCacheBusyTimeOutMills", ""),
    (f"CODE: 2  DESC: [TIMEOUT_CLEAN_QUEUE]broker {BUSY}, period in queue: 7ms, size of queue: 3",
     "waitTimeMillsInSendQueue", ""),
    (f"[OVERLOAD]system {BUSY}", "sendThreadPoolQueueCapacity", ""),
    (f"CODE:2 DESC:[TIMEOUT_CLEAN_QUEUE] broker {BUSY}, period in queue: 7ms", "waitTimeMillsInSendQueue", ""),
    ("[7] [ERR] JetStream failed to store a msg on stream 'A > sales' -  maximum messages exceeded",
     "max_msgs, discard new", "stream A > sales"),
    ("Nov 30 10:00:00 till nats-server[7]: [7] [ERR] JetStream failed to store a msg on stream 'A > sales' -  maximum "
     "bytes exceeded", "max_bytes, discard new", "stream A > sales"),
    ("ERROR physic disk maybe full soon 0.93, so mark disk full",
     "diskSpaceWarningLevelRatio (diskMaxUsedSpaceRatio deletes old files before)", ""),
    ("CODE: 14  DESC: service not available now. It may be caused by one of the following reasons: the broker's "
     "disk is full", "diskSpaceWarningLevelRatio (diskMaxUsedSpaceRatio deletes old files before)", ""),
    ("CODE: 1  DESC: create mapped file failed, server is busy or broken.", "the disk of the broker", ""),
    ("nats: maximum messages exceeded", "max_msgs, discard new", ""),
    ("nats: maximum bytes exceeded", "max_bytes, discard new", ""),
    ("nats: maximum messages per subject exceeded", "max_msgs_per_subject, discard new", ""),
    ("[ERR] JetStream out of File resources, will be DISABLED", "max_file_store or max_memory_store", ""),
    (f"[ERR] JetStream failed to store a msg on stream 'A > sales': write 7.blk: {DISK_FULL}",
     "the disk of the server", "stream A > sales"),
    (f"nats: write /data/jetstream/A/streams/sales/msgs/7.blk: {DISK_FULL}", "the disk of the server", "stream sales"),
    ("nats: resource limits exceeded for account", "max_mem, max_file of the account or server", ""),
    ("[B4120]: Can not add message 7 to destination sales.", "maxNumMsgs", ""),
    ("[B4121]: Can not add message 7 to destination sales.", "maxTotalMsgBytes", ""),
    ("[B4024]: The Maximum Number of messages currently in the system", "imq.system.max_count", ""),
    ("[B4025]: The Maximum Size limit for the messages currently in the system", "imq.system.max_size", ""),
    ("WARNING [B2076]: Broker is rejecting new producers", "imq.red.threshold", ""),
    ("com.ibm.mq.MQException: JMSCMQ0001: IBM MQ call failed with compcode '2' ('MQCC_FAILED') reason '2053' "
     "('MQRC_Q_FULL').", "MAXDEPTH", ""),
    ("com.ibm.mq.MQException: MQJE001: Completion Code '2', Reason '2053'.", "MAXDEPTH", ""),
    ("reason '2051' ('MQRC_PUT_INHIBITED')", "PUT(DISABLED)", ""),
    ("javax.jms.ResourceAllocationException: Queue limit exceeded", "maxbytes or maxmsgs", ""),
    ("javax.jms.ResourceAllocationException: Topic limit exceeded", "maxbytes or maxmsgs", ""),
    ("503: Spool Over Quota. Queue or Topic endpoint limit exceeded", "the quota of the message spool", ""),
    ("[7] 2026/11/25 10:00:00.000000 [WRN] JETSTREAM - JetStream resource limits exceeded for account: \"SHOP\"",
     "max_mem, max_file of the account or server", ""),
    ("the message store is not writable. It may be caused by one of the following reasons: the broker's disk is full",
     "diskSpaceWarningLevelRatio (diskMaxUsedSpaceRatio deletes old files before)", ""),
    ("The maximum entity size has been reached or exceeded for Queue: 'eu:shop:sales'. Size of entity in bytes:70",
     "maxSizeInMegabytes", "entity sales"),
    ('{"error":"bad_request","reason":"rejected Unable to publish message. Check queue limits."}',
     "max-length or max-length-bytes", ""),
    ("amqp:resource-limit-exceeded: queue 'sales' exceeded maximum length", "max-length or max-length-bytes",
     "queue sales"),
    ("pika.exceptions.NackError: 1 message(s) NACKed", "", ""),
    ("org.springframework.amqp.rabbit.core.AmqpNackReceivedException: sales", "", ""),
    ("aiormq.exceptions.DeliveryError: (<Basic.Nack object>, None)", "", ""),
    ("javax.jms.ResourceAllocationException: SystemUsage memory limit reached", "memoryLimit or memoryUsage", ""),
    ("javax.jms.ResourceAllocationException: Can not send message on transaction with id: 'TX:ID:till-1', Transaction "
     "has reached the maximum allowed number of pending send operations before commit of '70'",
     "maxUncommittedCount", ""),
    ("WARN | ConnectionId:ID:till-1 exceeded maxUncommittedCount:70 for destination:queue://SALES in transactionId:TX",
     "maxUncommittedCount", ""),
    ('AMQ222703: Address "sales" is full. Bridge eu will disconnect',
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold", "address sales"),
    ("org.apache.activemq.artemis.api.core.ActiveMQAddressFullException: null",
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold", ""),
    ("[con:3(till@/10.0.0.9:4000/shop)/ch:1] CHN-1012 : Flow Control Ignored. Channel will be closed.", "capacity", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place"), REFUSED, ids=lambda one: str(one)[:60])
def test_a_send_that_a_broker_refuses_does_not_hang(line: str, setting: str, place: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    found = held(line)
    assert found.setting == setting
    assert found.place == place
    assert found.sends.startswith("fail")


FLOW = 'Queue "sales": has reached 70 enqueued messages. Producer flow control activated.'
STOPPED = [
    # line, setting, place
    (f"2026-11-25 10:00:00 [Broker] info {FLOW}", "qpid.flow_stop_count or qpid.flow_stop_size", "queue sales"),
    ("flowStopped = True", "qpid.flow_stop_count or qpid.flow_stop_size", ""),
    ("WARN | Usage(b:memory:topic://T:memory) percentUsage=100%, usage=910, limit=900, percentUsageMinDelta=1%;"
     "Parent:Usage(b:memory) percentUsage=1%, usage=910, limit=90000, percentUsageMinDelta=1%, Usage Manager memory "
     "limit reached for topic://T. Producers will be throttled to the rate", "memoryLimit", "destination topic://T"),
    ("WARN | queue://SALES, subscriptions=0, memory=100%, size=7, pending=0 cursor blocked, no space available to page "
     "in messages; usage: Usage(b:memory:queue://SALES:memory) percentUsage=100%, usage=910, limit=900, "
     "percentUsageMinDelta=1%", "memoryLimit", "destination queue://SALES"),
    ("INFO | Destination is full: SALES | org.apache.activemq.broker.util.LoggingBrokerPlugin",
     "memoryLimit or memoryUsage", "destination SALES"),
    ("AMQ229119: Disk Capacity is Low, cannot produce more messages.", "max-disk-usage", ""),
    ("AMQ601754: User till(shop)@10.0.0.9:4000 is blocking target resource: AddressControlImpl@7",
     "the operation block()", ""),
    ("Memory Threshold Exceeded. Session '7' Will Be Flow Controlled",
     "globalMemoryThreshold, globalMemoryRecoveryThreshold", ""),
    ("Blocking connection 10.0.0.9:4000 -> 10.0.0.2:5552 after resource alarm",
     "vm_memory_high_watermark or disk_free_limit", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place"), STOPPED, ids=lambda one: str(one)[:60])
def test_what_holds_producers_up_is_told(line: str, setting: str, place: str) -> None:
    assert ask(line).state is State.BLOCKED
    found = held(line)
    assert found.setting == setting
    assert found.place == place


RELEASES = [
    (FLOW, 'Queue "sales": has drained below the flow control resume level. Producer flow control deactivated.'),
    ("AMQ601754: User till is blocking target resource: A", "AMQ601755: User till is unblocking target resource: A"),
    ("Memory Threshold Exceeded. Session '7' Will Be Flow Controlled",
     "Memory Threshold Is Recovered. Session '7' Is Continued"),
    ("memory resource limit alarm set on node rabbit@till",
     "memory resource limit alarm cleared for dead node rabbit@till"),
]  # fmt: skip


@pytest.mark.parametrize(("stop", "release"), RELEASES, ids=lambda one: str(one)[:60])
def test_the_release_of_each_ends_it(stop: str, release: str) -> None:
    assert ask(stop).state is State.BLOCKED
    assert ask(stop, release).state is State.NOT_BLOCKED


def test_a_queue_that_takes_no_messages_loses_them() -> None:
    line = "AMQ224149: Messages are being dropped on address sales / queue eu. PurgeOnNoConsumers=true and there are"
    assert ask(line).state is State.NOT_BLOCKED
    assert held(line).sends.endswith("lost")


def test_where_names_the_product_as_its_makers_write_it() -> None:
    assert held("nats: maximum messages exceeded").where == "NATS"
    assert held("reason '2053' ('MQRC_Q_FULL')").where == "IBM MQ"
    assert held("redis.exceptions.ResponseError: OOM command not allowed when used memory > 'maxmemory'.").where == (
        "Redis"
    )


def test_a_busy_broker_needs_no_amount_to_go() -> None:
    stop = held(f"[TIMEOUT_CLEAN_QUEUE]broker {BUSY}, period in queue: 7ms, size of queue: 3")
    assert not stop.goes
    assert held("nats: maximum messages exceeded").goes


def test_a_refused_send_tells_what_to_ask_the_broker() -> None:
    told = shown(ask("reason '2053' ('MQRC_Q_FULL')")).splitlines()
    assert told[-1] == "ask      `DISPLAY QSTATUS(QUEUE) CURDEPTH`, `DISPLAY QUEUE(QUEUE) MAXDEPTH PUT`"
