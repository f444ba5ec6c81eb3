"""Stacks in the layouts of tools and runtimes other than jstack: who waits, and for what."""

import json

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

CORE = "org.apache.activemq.artemis.core.client.impl"
CREDIT = (
    ("java.util.concurrent.Semaphore", "acquire"),
    (f"{CORE}.ClientProducerCreditsImpl", "actualAcquire"),
    (f"{CORE}.AbstractProducerCreditsImpl", "acquireCredits"),
)
LINES = [f"{name}.{method}({name.rpartition('.')[2]}.java:7)" for name, method in CREDIT]
IDLE = ("java.util.concurrent.ThreadPoolExecutor", "getTask")


def _actuator(indent: int | None = None) -> str:
    threads = [
        {"threadName": name, "threadId": 7, "threadState": "WAITING", "lockInfo": {"className": "Lock"},
         "stackTrace": [{"className": of, "methodName": method, "lineNumber": 7} for of, method in frames]}
        for name, frames in (("idle", (IDLE,)), ("till-1", CREDIT))
    ]  # fmt: skip
    return json.dumps({"threads": threads}, indent=indent)


def _jcmd(indent: int | None = None) -> str:
    thread = {"tid": "7", "name": "till-1", "stack": [f"app//{line}" for line in LINES]}
    return json.dumps(
        {"threadDump": {"threadContainers": [{"container": "<root>", "threads": [thread]}]}}, indent=indent
    )


OF_JVM = {
    "actuator": (_actuator(),),
    "actuator, many lines": _actuator(2).splitlines(),
    "actuator, without its end": (_actuator()[:-40],),
    "jolokia": (json.dumps({"request": {"type": "exec"}, "value": json.loads(_actuator())["threads"]}),),
    "jcmd, JSON": (_jcmd(),),
    "jcmd, JSON in many lines": _jcmd(2).splitlines(),
    "jcmd, text": ('#7 "till-1" virtual', *(f"      {line}" for line in LINES)),
    "jcmd of newer JVMs": ('#7 "till-1" virtual WAITING 2026-11-25T10:00:01Z', *(f"      {line}" for line in LINES)),
    "Eclipse": (
        "Daemon Thread [till-1] (Suspended)",
        "\tSemaphore.acquire() line: 7",
        "\tClientProducerCreditsImpl.actualAcquire(int) line: 7",
        "\tClientProducerCreditsImpl(AbstractProducerCreditsImpl).acquireCredits(int) line: 7",
        "\tClientProducerCreditsImpl.acquireCredits(int) line: 7",
    ),
    "a thread bean": ("till-1, WAITING", "Stacktrace:", *(f"  {line}" for line in LINES)),
    "WebSphere": (
        '[11/25/26 10:12:45:871 CET] 0000002c ThreadMonitor W   WSVR0605W: Thread "till-1" (0000001d) has been active '
        "for 612345 milliseconds and may be hung.",
        *(f"\tat {line}" for line in LINES),
    ),
}


@pytest.mark.parametrize("lines", OF_JVM.values(), ids=OF_JVM.keys())
def test_a_thread_of_the_jvm_is_read_in_the_layout_of_each_tool(lines: tuple[str, ...]) -> None:
    told = held(*lines)
    assert told.clients == ("thread till-1",)
    assert "for credit" in told.reason


def test_a_record_with_the_name_of_its_thread_is_no_dump() -> None:
    record = json.dumps({
        "threadName": "main", "level": "WARN",
        "message": "AMQ222183: Blocking message production on address 'till'; size is currently: 90 bytes; "
        "max-size-bytes: 80",
    })  # fmt: skip
    assert held(record).place == "address till"


def test_a_thread_that_runs_waits_for_nothing_in_a_dump_of_json() -> None:
    assert ask(_actuator().replace("WAITING", "RUNNABLE")).state is State.UNKNOWN


GO = "github.com/rabbitmq/amqp091-go"
BUNNY = "/gems/bunny-2.22.0/lib/bunny"
PHP = r"PhpAmqpLib\Channel"
OTHERS = {
    # layout: lines, client, words of the reason
    "dlv": (
        ("(dlv) gr 18 bt", " 0  0x000000000043a4c5 in runtime.gopark", "    at /usr/local/go/src/runtime/proc.go:307",
         f" 1  0x0000000000a82d9a in {GO}.(*Channel).PublishWithContext"), "goroutine 18", "to write"),
    "dumpasync": (
        ("STACK 1", "00007f1c8c0d2a10 00007f1ce6d0a1b8 (1) RabbitMQ.Client.Impl.SocketFrameHandler+<WriteAsync>d__3 @",
         "  00007f1c8c0d2a80 00007f1ce6d0a4d8 (0) RabbitMQ.Client.Impl.Channel+<BasicPublishAsync>d__1`1[[X, Y]] @ 7f"),
        "async stack 1", "to write"),
    "Ruby": (
        (f"{BUNNY}/channel.rb:1571:in `wait_for_confirms'", "/srv/till.rb:7:in `publish'"), "a thread", "for confirms"),
    "asyncio": (
        ("Stack for <Task pending name='Task-7' coro=<main() running at till.py:7>> (most recent call last):",
         '  File "/venv/aiormq/channel.py", line 7, in basic_publish'), "task Task-7", "or for its confirm"),
    "Rust": (
        ("Thread 3 (Thread 0x7f0a2b7fe700 (LWP 812)):",
         "#0  0x000055d0c1d0a2b1 in lapin::publisher_confirm::PublisherConfirm::wait (self=...) at src/confirm.rs:7"),
        "thread 3", "for confirms"),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "client", "words"), OTHERS.values(), ids=OTHERS.keys())
def test_other_runtimes_are_read_in_their_layouts(lines: tuple[str, ...], client: str, words: str) -> None:
    told = held(*lines)
    assert told.clients == (client,)
    assert words in told.reason


GAVE_UP = {
    "Ruby": (
        f"{BUNNY}/concurrent/continuation_queue.rb:39:in `block in poll': Timeout::Error (Timeout::Error)",
        f"\tfrom {BUNNY}/channel.rb:1777:in `wait_on_continuations'",
        f"\tfrom {BUNNY}/channel.rb:1010:in `block in queue_declare'",
    ),
    "PHP": (
        "PhpAmqpLib\\Exception\\AMQPTimeoutException: timed out after 3 sec while awaiting incoming data",
        f"#0 /srv/AbstractConnection.php(567): {PHP}\\AbstractChannel->wait(NULL)",
        f"#1 /srv/till.php(88): {PHP}\\AMQPChannel->wait_for_pending_acks(3.0)",
    ),
    ".NET": (
        "System.Threading.Tasks.TaskCanceledException: A task was canceled.",
        "   at RabbitMQ.Client.Impl.SocketFrameHandler.WriteAsync(RentedMemory frames, CancellationToken token)",
        "   at RabbitMQ.Client.Impl.Channel.BasicPublishAsync[TProperties](String exchange, CancellationToken token)",
    ),
    ".NET, a state machine": (
        "System.OperationCanceledException: The operation was canceled.",
        "   at RabbitMQ.Client.Impl.Channel.<BasicPublishAsync>d__95`1.MoveNext()",
    ),
}


@pytest.mark.parametrize("lines", GAVE_UP.values(), ids=GAVE_UP.keys())
def test_an_exception_that_ended_a_wait_tells_in_which_send(lines: tuple[str, ...]) -> None:
    told = held("2026-11-25 10:00:00 sending", *lines)
    assert told.gave_up
    assert told.since == "2026-11-25 10:00:00"


NO_SEND = {
    "Bunny closes": (
        f"{BUNNY}/channel.rb:400:in `close': Bunny::ChannelAlreadyClosed (Bunny::ChannelAlreadyClosed)",
        f"\tfrom {BUNNY}/channel.rb:1777:in `wait_on_continuations'",
    ),
    "PHP consumes": (
        "PhpAmqpLib\\Exception\\AMQPTimeoutException: The connection timed out after 3 sec",
        f"#0 /srv/till.php(88): {PHP}\\AMQPChannel->wait(NULL)",
    ),
    "py-amqp connects": (
        'Thread 1 (idle): "MainThread"', "    _read (amqp/transport.py:632)", "    connect (amqp/connection.py:330)",
        "    publish (kombu/messaging.py:190)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lines", NO_SEND.values(), ids=NO_SEND.keys())
def test_a_stack_without_a_wait_in_a_send_tells_nothing(lines: tuple[str, ...]) -> None:
    assert ask(*lines).state is State.UNKNOWN


def _goroutine(number: int, state: str, *frames: str) -> list[str]:
    return [f"goroutine {number} [{state}]:", *(f"{frame}(0x1)" for frame in frames), ""]


@pytest.mark.parametrize("client", [GO, "github.com/streadway/amqp"])
def test_a_program_that_takes_no_confirms_stops_itself(client: str) -> None:
    waits = _goroutine(7, "semacquire", "sync.(*Mutex).Lock", f"{client}.(*Channel).Publish")
    holds = _goroutine(8, "chan send", f"{client}.(*confirms).confirm", f"{client}.(*Channel).dispatch")
    for lines in (waits + holds, holds + waits):
        told = held(*lines)
        assert told.clients == ("goroutine 8",)
        assert "a deadlock of the program" in told.reason


def test_a_goroutine_that_waits_for_another_one_tells_less_than_that_one() -> None:
    writes = _goroutine(7, "IO wait", "internal/poll.(*FD).Write", f"{GO}.(*Channel).PublishWithContext")
    waits = _goroutine(8, "sync.Mutex.Lock", "sync.(*Mutex).Lock", f"{GO}.(*Channel).PublishWithContext")
    assert held(*writes, *waits).clients == ("goroutine 7",)
    assert "its turn" in held(*waits).reason


DUMP = (
    '"till-1" prio=5 tid=0x1 nid=0x1 waiting for monitor entry [0x1]',
    "   java.lang.Thread.State: BLOCKED (on object monitor)",
    "\tat com.rabbitmq.client.impl.AMQChannel.transmit(AMQChannel.java:7)",
    "\tat com.rabbitmq.client.impl.ChannelN.basicPublish(ChannelN.java:7)",
    "",
)
DEADLOCK = (
    "Found one Java-level deadlock:",
    "=============================",
    '"till-1":',
    "  waiting to lock monitor 0x1 (object 0x2, a java.lang.Object),",
    '  which is held by "till-2"',
    '"till-2":',
    "  waiting to lock monitor 0x3 (object 0x4, a java.lang.Object),",
    '  which is held by "till-1"',
)


def test_a_thread_in_a_deadlock_does_not_wait_for_the_broker() -> None:
    assert "its turn to publish" in held(*DUMP).reason
    told = held(*DUMP, *DEADLOCK)
    assert told.clients == ("thread till-1",)
    assert "deadlock" in told.setting
    others = [line.replace("till-1", "pool-9") for line in DEADLOCK]
    assert "its turn to publish" in held(*DUMP, *others).reason


def test_a_producer_of_a_stream_waits_for_confirms() -> None:
    told = held(
        '"till-1" prio=5 tid=0x1 nid=0x1 waiting on condition [0x1]',
        "\tat java.util.concurrent.Semaphore.tryAcquire(Semaphore.java:415)",
        "\tat com.rabbitmq.stream.impl.StreamProducer.send(StreamProducer.java:461)",
    )
    assert told.setting == "maxUnconfirmedMessages"


def test_empty_lines_between_frames_do_not_end_a_stack() -> None:
    lines = [text for line in GAVE_UP[".NET"] for text in (line, "")]
    assert held(*lines).gave_up


def test_a_name_alone_above_a_state_is_a_thread() -> None:
    lines = ['"till-1"', "\tjava.lang.Thread.State: WAITING, on lock=Semaphore@1, cpu=7 nsecs"]
    assert held(*lines, *(f"\t\tat {line}" for line in LINES)).clients == ("thread till-1",)


def test_a_stack_of_gdb_without_a_thread_is_of_the_program() -> None:
    frames = [
        "pthread_cond_wait@@GLIBC_2.3.2 ()",
        "0x7f in qpid::client::amqp0_10::SenderImpl::waitForCapacity (this=0x2)",
    ]
    told = held(*(f"#{number}  {frame}" for number, frame in enumerate(frames)))
    assert told.clients == ("the program",)
    assert "capacity" in told.reason


def test_the_extension_of_php_gives_up_a_publication() -> None:
    end = "AMQPExchangeException: Library error: {} in /srv/till.php:7"
    frames = ("Stack trace:", "#0 /srv/till.php(7): AMQPExchange->publish('a', 'b')", "#1 {main}")
    assert held(end.format("request timed out"), *frames).gave_up
    assert ask(end.format("a socket error occurred"), *frames).state is State.UNKNOWN


ANSWER = (
    "\tat org.apache.activemq.ActiveMQConnection.syncSendPacket(ActiveMQConnection.java:1371)",
    "\tat org.apache.activemq.ActiveMQSession.send(ActiveMQSession.java:1793)",
)
HEAD = '"{}" prio=5 tid=0x1 nid=0x1 waiting on condition [0x1]'
NO_LIMITS = {
    # the inner frames of a wait that no limit of a broker explains, and words of the answer
    "failover": (
        ("\tat java.lang.Object.wait(Native Method)",
         "\tat org.apache.activemq.transport.failover.FailoverTransport.oneway(FailoverTransport.java:580)", *ANSWER),
        "a connection that is lost"),
    "pool": (
        ("\tat org.apache.commons.pool2.impl.GenericObjectPool.borrowObject(GenericObjectPool.java:442)",
         "\tat org.apache.activemq.jms.pool.ConnectionPool.createSession(ConnectionPool.java:164)"), "a pool"),
    "metadata": (
        ("\tat java.lang.Object.wait(Native Method)",
         "\tat org.apache.kafka.clients.producer.KafkaProducer.waitOnMetadata(KafkaProducer.java:1069)"), "metadata"),
}  # fmt: skip


@pytest.mark.parametrize(("frames", "words"), NO_LIMITS.values(), ids=NO_LIMITS.keys())
def test_a_wait_that_no_limit_explains_is_told_as_such(frames: tuple[str, ...], words: str) -> None:
    told = held(HEAD.format("till-1"), *frames)
    assert told.setting.startswith("no limit: ")
    assert words in told.setting


def test_a_thread_that_waits_for_the_pool_tells_less_than_one_that_holds_a_connection() -> None:
    pool = (HEAD.format("till-1"), *NO_LIMITS["pool"][0], "")
    answer = (HEAD.format("till-2"), "\tat java.util.concurrent.ArrayBlockingQueue.take(A.java:7)", *ANSWER, "")
    assert held(*pool, *answer).clients == held(*answer, *pool).clients == ("thread till-2",)


FRAMES = (
    "com.rabbitmq.client.impl.ChannelN.waitForConfirms(ChannelN.java:230)",
    "com.rabbitmq.client.impl.ChannelN.waitForConfirmsOrDie(ChannelN.java:250)",
)
FOLDED = {
    "one line": "2026-11-25 10:00:00 ERROR failed java.util.concurrent.TimeoutException at " + " at ".join(FRAMES),
    "a field": json.dumps(
        {"msg": "failed", "stack": "java.util.concurrent.TimeoutException\n\tat " + "\n\tat ".join(FRAMES)}
    ),
}


@pytest.mark.parametrize("line", FOLDED.values(), ids=FOLDED.keys())
def test_a_stack_in_one_line_is_unfolded(line: str) -> None:
    assert held(line).gave_up
    assert ask(line.replace("TimeoutException", "IOException")).state is State.UNKNOWN


def test_a_stack_of_dotnet_goes_on_behind_the_mark_of_another_one() -> None:
    told = held(
        "System.TimeoutException: The operation has timed out.",
        "   at RabbitMQ.Client.Impl.AsyncRpcContinuation`1.HandleCommandAsync()",
        "--- End of stack trace from previous location ---",
        "   at RabbitMQ.Client.Impl.Channel.ConfirmSelectAsync(Boolean tracking, CancellationToken token)",
    )
    assert "answer to a method" in told.reason


def test_a_client_of_dotnet_that_timed_out_is_told_by_its_frames() -> None:
    head = "Apache.NMS.RequestTimedOutException: {}"
    frames = (
        "   at Apache.NMS.ActiveMQ.Connection.SyncRequest(Command command, TimeSpan requestTimeout)",
        "   at Apache.NMS.ActiveMQ.MessageProducer.Send(IDestination destination, IMessage message)",
    )
    assert "Classic client" in held(head.format("The operation has timed out."), *frames).reason
    assert ask(head.format("The operation has timed out.")).state is State.UNKNOWN
