"""Thread dumps: what jstack wrote of real producers that hang (folder `dumps`), and how other tools write them."""

from pathlib import Path

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import Asked, State
from tidegate.why.waits import WAITS

DUMPS = Path(__file__).parent / "dumps"
SAID = {
    # dump, client, a word of the reason, setting
    "core-credit-artemis-2.44.0": ("thread main", "waits in a Core client for credit", ""),
    "classic-answer-6.3.1": ("thread main", "for the broker's answer to a message", ""),
    "classic-window-6.3.1": ("thread main", "for its producer window", ""),
    "classic-socket-6.3.1": ("thread main", "to write to its connection", ""),
    "classic-broker-6.3.1": (
        "thread ActiveMQ Transport: tcp:///127.0.0.1:48094@26617",
        "until messages take less memory",
        "memoryLimit or memoryUsage",
    ),
    "qpid-order-6.4.0": ("thread main", "ordered its channel to stop", ""),
    "qpid-credit-6.4.0": ("thread main", "AMQP 0-10 for credit", ""),
    "qpid-jms-1.11.0": ("thread main", "AMQP 1.0 client", ""),
}


def lines(name: str) -> list[str]:
    return (DUMPS / f"{name}.txt").read_text().splitlines()


def test_every_dump_is_asked_for() -> None:
    assert {path.stem for path in DUMPS.iterdir()} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_a_thread_that_hangs_says_what_it_waits_for(name: str) -> None:
    found = ask(*lines(name))
    told = found.held
    assert told is not None
    assert found.state is (State.BLOCKED if SAID[name][2] else State.LIMIT_UNKNOWN)
    assert (told.clients[0], told.setting) == (SAID[name][0], SAID[name][2])
    assert SAID[name][1] in told.reason
    assert str(told.since).startswith("2026-11-25 2")
    assert found.others == 0


@pytest.mark.parametrize("front", ["broker-1  | ", "2026-11-25T10:00:01.123456789Z stdout F ", "    "])
def test_a_dump_in_the_log_of_a_container_is_read_too(front: str) -> None:
    stack = [line for line in lines("qpid-order-6.4.0")[3:] if line]
    found = ask(*(f"{front}{line}" for line in stack))
    assert found.held is not None
    assert found.held.clients == ("thread main",)


def test_a_stack_without_the_name_of_its_thread_is_read_where_it_begins_with_a_wait() -> None:
    stack = [line for line in lines("core-credit-artemis-2.44.0") if line.startswith("\tat ")]
    assert ask(*stack).state is State.LIMIT_UNKNOWN
    assert ask("java.lang.IllegalStateException: x", *stack[5:]).state is State.UNKNOWN


def test_a_thread_that_runs_through_a_send_does_not_wait() -> None:
    running = [line.replace("TIMED_WAITING (parking)", "RUNNABLE") for line in lines("core-credit-artemis-2.44.0")]
    assert ask(*running).state is State.UNKNOWN


def test_a_thread_that_waits_no_more_in_the_next_dump_is_released() -> None:
    first, later = lines("qpid-order-6.4.0"), lines("core-credit-artemis-2.44.0")
    assert ask(*first, "", *first).others == 0
    found = ask(*first, "", *(line.replace("TIMED_WAITING (parking)", "RUNNABLE") for line in later))
    assert found.state is State.NOT_BLOCKED


def test_other_tools_write_a_stack_in_other_ways() -> None:
    visualvm = [
        '"main" - Thread t@1',
        "   java.lang.Thread.State: WAITING",
        "\tat java.lang.Object.wait(Native Method)",
        "\tat org.wso2.andes.client.AMQSession_0_8.checkFlowControl(AMQSession_0_8.java:1491)",
    ]
    openj9 = [
        '3XMTHREADINFO      "main" J9VMThread:0x00000000, omrthread_t:0x0, java/lang/Thread:0x0, state:CW, prio=5',
        "4XESTACKTRACE                at java/lang/Object.wait(Native Method)",
        "4XESTACKTRACE                at org/apache/activemq/usage/StoreUsage.waitForSpace(StoreUsage.java:80)",
    ]
    jconsole = [
        "Name: sender",
        "State: TIMED_WAITING on java.util.concurrent.Semaphore$NonfairSync@1",
        "Total blocked: 0  Total waited: 9",
        "",
        "Stack trace: ",
        "java.lang.Thread.sleep(Native Method)",
    ]
    assert "ordered its channel" in str(ask(*visualvm).held)
    told = ask(*openj9).held
    assert told is not None
    assert (told.setting, told.clients) == ("storeUsage", ("thread main",))
    assert ask(*jconsole).state is State.UNKNOWN


@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.frames[-1])
def test_each_wait_is_told_by_its_frames(wait) -> None:
    frames = [f"\tat org.example.{frame}(X.java:1)" for frame in reversed(wait.frames)]
    found = ask('"main" #1 prio=5 tid=0x1', "   java.lang.Thread.State: WAITING (parking)", *frames)
    assert found.held is not None
    assert found.held.reason == wait.cause.reason


CLASSIC = "\tat org.apache.activemq"
TURN = [f"{CLASSIC}.transport.MutexTransport.oneway(X.java:1)", f"{CLASSIC}.ActiveMQSession.send(X.java:1)"]


def test_a_thread_that_waits_for_its_turn_to_write_is_told_unless_no_broker_is_connected() -> None:
    head = ['"main" #1 prio=5 tid=0x1', "   java.lang.Thread.State: WAITING (parking)"]
    assert "for its turn to write" in held(*head, *TURN).reason
    failover = f"{CLASSIC}.transport.failover.FailoverTransport.oneway(X.java:1)"
    assert ask(*head, failover, *TURN).state is State.UNKNOWN


WATCHERS = [
    "2026-11-25 10:30:00,000 WARN [x] Thread Thread[#36,worker-0,5,main] has been blocked for 600000 ms, limit",
    "25-Nov-2026 10:30:00.000 WARNING [x] Thread [worker-0] (id=[38]) has been active for [600,000] milliseconds",
    "<Nov 25, 2026 10:30:00 AM> <Error> <S> <BEA-1> <[STUCK] ExecuteThread: 'worker-0' for queue: 'x' has been busy "
    'for "600" seconds working on',
]


@pytest.mark.parametrize("line", WATCHERS)
def test_a_watcher_s_stack_tells_the_thread_and_since_when(line: str) -> None:
    stack = [
        "\tat java.base@21/jdk.internal.misc.Unsafe.park(Native Method)",
        "\tat app//org.apache.activemq.artemis.core.client.impl.ClientProducerCreditsImpl.actualAcquire(X.java:1)",
    ]
    found = ask(line, *stack)
    assert found.held is not None
    assert found.held.clients[0].endswith("worker-0")
    assert found.held.since == "2026-11-25 10:20:00"


def test_the_line_that_names_address_and_time_is_told_before_a_thread() -> None:
    line = "2026-11-25 10:00:00,000 WARN AMQ212054: Destination address=orders is blocked. If the system is configured"
    told = ask(line, *lines("core-credit-artemis-2.44.0")).held
    assert told is not None
    assert told.place == "address orders"


CALLERS = [
    # frames between the wait and the send, innermost first, and the setting
    (["region.Queue.checkUsage", "region.Queue.doMessageSend", "region.Queue.send"], "storeUsage or tempUsage"),
    (["region.Topic.doMessageSend", "region.Topic.send"], "storeUsage"),
    (["region.Queue.doMessageSend", "region.Queue.send"], ""),
    (["region.Queue.send"], "memoryLimit or memoryUsage"),
    (["region.Topic.send"], "memoryLimit or memoryUsage"),
]


@pytest.mark.parametrize(("frames", "setting"), CALLERS)
def test_the_caller_of_the_wait_in_a_broker_of_classic_tells_the_limit(frames: list[str], setting: str) -> None:
    stack = ["usage.Usage.waitForSpace", "broker.region.BaseDestination.waitForSpace"]
    stack += [f"broker.{frame}" for frame in frames]
    found = ask('"ActiveMQ Transport: tcp:///10.0.0.9:4000" prio=5 tid=0x1 nid=0x2',
                *(f"\tat org.apache.activemq.{frame}(A.java:1)" for frame in stack))  # fmt: skip
    assert found.held is not None
    assert found.held.setting == setting


def test_a_traceback_behind_the_key_that_ended_it_is_read() -> None:
    frames = [("amqp/channel", "_basic_publish"), ("amqp/transport", "write")]
    lines = [f'  File "/usr/lib/{path}.py", line 7, in {name}' for path, name in frames]
    assert ask("^CTraceback (most recent call last):", *lines, "KeyboardInterrupt").state is State.LIMIT_UNKNOWN


def test_a_thread_that_jconsole_shows_keeps_its_name_over_the_empty_line() -> None:
    front = ["Name: till-9", "State: WAITING on java.util.concurrent.CountDownLatch$Sync@7", "Total blocked: 3", ""]
    stack = ["java.base@17/jdk.internal.misc.Unsafe.park(Native Method)",
             "org.apache.qpid.jms.provider.ProviderFuture.sync(ProviderFuture.java:1)",
             "org.apache.qpid.jms.JmsSession.send(JmsSession.java:1)"]  # fmt: skip
    found = ask(*front, "Stack trace: ", *stack)
    assert found.held is not None
    assert found.held.clients == ("thread till-9",)


WRITING = [
    "\tat java.net.SocketOutputStream.socketWrite0(Native Method)",
    "\tat com.rabbitmq.client.impl.SocketFrameHandler.writeFrame(SocketFrameHandler.java:171)",
    "\tat com.rabbitmq.client.impl.ChannelN.basicPublish(ChannelN.java:685)",
]


@pytest.mark.parametrize(
    "head",
    [
        "Caused by: java.net.SocketException: Broken pipe (Write failed)",
        "2026-11-25 10:00:01 ERROR till - not sent: java.net.SocketException: Connection reset",
        "javax.net.ssl.SSLException",
    ],
)
def test_the_stack_of_a_write_that_failed_is_no_wait(head: str) -> None:
    assert ask(*WRITING).state is State.LIMIT_UNKNOWN
    assert ask(head, *WRITING).state is State.UNKNOWN


def test_the_exception_that_vertx_writes_of_a_blocked_thread_was_not_thrown() -> None:
    assert ask("io.vertx.core.VertxException: Thread blocked", *WRITING).state is State.LIMIT_UNKNOWN


PUBLISH = "\tat com.rabbitmq.client.impl.ChannelN.basicPublish(ChannelN.java:631)"
TRANSMIT = "\tat com.rabbitmq.client.impl.AMQChannel.transmit(AMQChannel.java:295)"
QUIESCING = "\tat com.rabbitmq.client.impl.AMQChannel.quiescingTransmit(AMQChannel.java:305)"
PARK = "\tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)"
LOCK = "\tat java.util.concurrent.locks.ReentrantLock.lock(java.base@17/ReentrantLock.java:322)"
AWAIT = (
    "\tat java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await"
    "(java.base@17/AbstractQueuedSynchronizer.java:1625)"
)


def thread(state: str, *frames: str) -> list[str]:
    return ['"worker-9" #51 prio=5 tid=0x1 nid=0x2', f"   java.lang.Thread.State: {state}", *frames]


@pytest.mark.parametrize(
    ("state", "frames", "word"),
    [
        ("BLOCKED (on object monitor)", [QUIESCING, TRANSMIT, PUBLISH], "for its turn to publish"),
        ("WAITING (parking)", [PARK, LOCK, TRANSMIT, PUBLISH], "for its turn to publish"),
        ("WAITING (parking)", [PARK, AWAIT, QUIESCING, TRANSMIT, PUBLISH], "stopped its channel"),
        ("BLOCKED", ["\tat org.apache.qpid.client.BasicMessageProducer.send(BasicMessageProducer.java:1)"], "to send"),
        ("BLOCKED", ["\tat org.wso2.andes.client.BasicMessageProducer.send(BasicMessageProducer.java:1)"], "to send"),
    ],
)
def test_a_thread_waits_for_the_turn_that_another_thread_keeps(state: str, frames: list[str], word: str) -> None:
    found = ask(*thread(state, *frames))
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.clients == ("thread worker-9",)
    assert word in found.held.reason


@pytest.mark.parametrize(
    ("state", "frames"),
    [
        ("RUNNABLE", [QUIESCING, TRANSMIT, PUBLISH]),
        # an acknowledgement is no publication
        ("BLOCKED", [QUIESCING, TRANSMIT, "\tat com.rabbitmq.client.impl.ChannelN.basicAck(ChannelN.java:1)"]),
        # a thread that is past the lock waits for something else
        (
            "WAITING",
            [
                "\tat java.lang.Object.wait(Native Method)",
                "\tat org.apache.qpid.transport.Session.sync(Session.java:808)",
                "\tat org.apache.qpid.client.BasicMessageProducer.send(BasicMessageProducer.java:1)",
            ],
        ),
        ("BLOCKED", ["\tat org.apache.activemq.pool.BasicMessageProducer.close(BasicMessageProducer.java:1)"]),
    ],
)
def test_a_thread_that_waits_for_no_turn_to_send_tells_nothing(state: str, frames: list[str]) -> None:
    assert ask(*thread(state, *frames)).state is State.UNKNOWN


LOCK = "<0x00000000c0ffee01>"
CREDIT = "ClientProducerCreditsImpl.acquireCredits(ClientProducerCreditsImpl.java:80)"
CORE = "\tat org.apache.activemq.artemis.core.client.impl."


def _dump(*holder: str) -> list[str]:
    return [
        '"web" #41 prio=5 tid=0x1 nid=0x31 waiting for monitor entry',
        "   java.lang.Thread.State: BLOCKED (on object monitor)",
        "\tat org.example.Pool.session(Pool.java:33)",
        f"\t- waiting to lock {LOCK} (a java.util.LinkedList)",
        "",
        '"batch" #42 prio=5 tid=0x2 nid=0x32 waiting for monitor entry',
        "\tat org.example.Batch.run(Batch.java:3)",
        '\t-  blocked on java.util.LinkedList@1f owned by "web" Id=41',
        "",
        '"mail" prio=5 Id=43 BLOCKED on java.util.LinkedList@1f owned by "batch" Id=42',
        "\tat org.example.Mail.run(Mail.java:3)",
        "",
        '"outbox" #39 prio=5 tid=0x3 nid=0x2f waiting on condition',
        "   java.lang.Thread.State: WAITING (parking)",
        *holder,
    ]


def test_a_thread_that_waits_for_the_lock_of_a_waiting_sender_is_told_beside_it() -> None:
    acquires = "\tat java.util.concurrent.Semaphore.acquire(Semaphore.java:9)"
    dump = _dump(acquires, f"{CORE}{CREDIT}", f"\t- locked {LOCK}")
    found = ask(*dump)
    assert found.held is not None
    assert (found.held.clients, found.others) == (("thread outbox",), 1)
    for client, holder in (("web", "outbox"), ("batch", "web"), ("mail", "batch")):
        found = ask(*dump, asked=Asked(client=client))
        assert found.held is not None
        assert f"that thread {holder} holds" in found.held.reason


def test_a_lock_that_was_given_back_or_whose_holder_waits_for_no_broker_holds_nobody() -> None:
    waiting = ("\tat java.lang.Object.wait(Native Method)", f"{CORE}{CREDIT}", f"\t- locked {LOCK}")
    assert ask(*_dump(*waiting)).others == 0
    assert ask(*_dump("\tat org.example.Job.run(Job.java:9)", f"\t- locked {LOCK}")).state is State.UNKNOWN
