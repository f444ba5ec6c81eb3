"""Where goroutines and Python programs wait in a send, and which stacks tell of no send; and exceptions with a wait."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

GO = "github.com/rabbitmq/amqp091-go"
OLD_GO = "github.com/streadway/amqp"
PULSAR_GO = "github.com/apache/pulsar-client-go/pulsar"
GOROUTINES = [
    # frames, the innermost first, and words of the reason
    (["internal/poll.(*FD).Write(0x1)", f"{GO}.(*Channel).sendOpen(0x1)", f"{GO}.(*Channel).Publish(0x1)"], "to write"),
    (["internal/poll.(*FD).Write(0x1)", f"{OLD_GO}.(*Channel).sendOpen(0x1)"], "to write"),
    (["internal/poll.(*FD).Write(0x1)", f"{GO}.(*Channel).PublishWithContext(...)"], "to write"),
    (["net.(*conn).Write(0x1)", f"{GO}.(*Channel).PublishWithDeferredConfirmWithContext(0x1, {{0x2}})"], "to write"),
    ([f"{OLD_GO}.(*Channel).Publish(0x1)"], "to write"),
    (["github.com/Azure/go-amqp.(*Sender).send(0x1)", "github.com/Azure/go-amqp.(*Sender).Send(0x1)"], "for credit"),
    (["pack.ag/amqp.(*Sender).Send(0x1)"], "for credit"),
    ([f"{GO}.(*DeferredConfirmation).Wait(0x1)"], "confirms"),
    ([f"{GO}.(*DeferredConfirmation).WaitContext(0x1)"], "confirms"),
    ([f"{GO}.(*Channel).call(0x1, 0x2)"], "answer to a method"),
    ([f"{OLD_GO}.(*Channel).call(0x1)"], "answer to a method"),
    ([f"{PULSAR_GO}.(*partitionProducer).reserveMem(0x1)"], "memoryLimit"),
    ([f"{PULSAR_GO}.(*partitionProducer).reserveSemaphore(0x1)"], "maxPendingMessages"),
    ([f"{PULSAR_GO}.(*partitionProducer).Send(0x1)"], "answer to a message"),
]
PIKA = "pika/adapters/blocking_connection.py"
AMQP = "amqp/channel.py"
PYTHON = [
    # frames, the outermost first, as path and function
    [(PIKA, "basic_publish"), (PIKA, "_flush_output")],
    [(AMQP, "_basic_publish"), ("amqp/transport.py", "write")],
    [(AMQP, "_basic_publish"), ("amqp/method_framing.py", "write_frame")],
    [(AMQP, "basic_publish_confirm"), ("amqp/abstract_channel.py", "wait")],
]


@pytest.mark.parametrize(("frames", "words"), GOROUTINES)
def test_a_goroutine_is_told_by_its_frames(frames: list[str], words: str) -> None:
    lines = [line for frame in frames for line in (frame, "\t/go/pkg/mod/x.go:7 +0x1d")]
    told = held("goroutine 18 [IO wait, 5 minutes]:", *lines, "main.main()", "\t/srv/main.go:20 +0x1d")
    assert told.clients == ("goroutine 18",)
    assert words in told.reason


def test_a_goroutine_tells_for_how_long_it_has_waited() -> None:
    lines = ["goroutine 18 [select, 5 minutes]:", f"{GO}.(*DeferredConfirmation).Wait(0x1)"]
    assert held("2026-11-25 10:30:00.000 SIGQUIT: quit", *lines).since == "2026-11-25 10:25:00"


def test_stacks_of_pprof_are_told_by_their_frames() -> None:
    frames = [
        f"#\t0x8a2f5c\t{GO}.(*Channel).Publish+0x1bc\t/go/pkg/mod/x.go:7",
        "#\t0x8b\tmain.main+0x1d\t/srv/main.go:2",
    ]
    told = held("goroutine profile: total 9", "4 @ 0x43ab25 0x4059fa 0x8a2f5c", *frames)
    assert told.clients == ("4 goroutines",)
    assert "to write" in told.reason


def test_a_goroutine_that_runs_waits_for_nothing() -> None:
    assert ask("goroutine 18 [running]:", f"{GO}.(*DeferredConfirmation).Wait(0x1)").state is State.UNKNOWN


def _traceback(frames: list[tuple[str, str]]) -> list[str]:
    return [
        line
        for path, function in frames
        for line in (f'  File "/venv/lib/python3.12/site-packages/{path}", line 7, in {function}', "    call()")
    ]


@pytest.mark.parametrize("frames", PYTHON)
@pytest.mark.parametrize("end", ["KeyboardInterrupt", "SystemExit: 1", "socket.timeout: timed out",
                                 "billiard.exceptions.SoftTimeLimitExceeded: SoftTimeLimitExceeded()"])  # fmt: skip
def test_a_traceback_of_a_program_that_waited_tells_in_what(frames: list[tuple[str, str]], end: str) -> None:
    found = ask("Traceback (most recent call last):", *_traceback(frames), end)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert "waits in a RabbitMQ client" in found.held.reason


OF_OTHERS = [
    # frames, words of the reason
    (
        [("proton/_utils.py", "send"), ("proton/_utils.py", "wait"), ("proton/_reactor.py", "process")],
        "AMQP 1.0 client",
    ),
    ([("proton/utils.py", "send"), ("proton/utils.py", "wait")], "AMQP 1.0 client"),
    (
        [("stomp/connect.py", "send"), ("stomp/protocol.py", "send_frame"), ("stomp/transport.py", "send")],
        "STOMP client",
    ),
]


@pytest.mark.parametrize(("frames", "words"), OF_OTHERS)
def test_other_clients_of_python_are_told_by_their_frames(frames: list[tuple[str, str]], words: str) -> None:
    told = held("Traceback (most recent call last):", *_traceback(frames), "KeyboardInterrupt")
    assert told.gave_up
    assert words in told.reason
    lost = ask("Traceback (most recent call last):", *_traceback(frames), "BrokenPipeError: [Errno 32] Broken pipe")
    assert lost.state is State.UNKNOWN


def test_a_consumer_of_proton_sends_nothing() -> None:
    frames = [("proton/_utils.py", "receive"), ("proton/_utils.py", "wait")]
    assert ask("Traceback (most recent call last):", *_traceback(frames), "KeyboardInterrupt").state is State.UNKNOWN


@pytest.mark.parametrize("end", ["ValueError: no", "pika.exceptions.StreamLostError: Stream connection lost"])
def test_a_traceback_of_an_error_tells_of_no_wait(end: str) -> None:
    assert ask("Traceback (most recent call last):", *_traceback(PYTHON[0]), end).state is State.UNKNOWN


def test_a_program_that_closes_or_consumes_sends_nothing() -> None:
    frames = [(PIKA, "close"), (PIKA, "_flush_output")]
    assert ask("Traceback (most recent call last):", *_traceback(frames), "KeyboardInterrupt").state is State.UNKNOWN


def test_other_tools_show_threads_of_python_in_other_ways() -> None:
    py_spy = ['Thread 7 (idle): "MainThread"', f"    _flush_output ({PIKA}:7)", f"    basic_publish ({PIKA}:7)"]
    faulthandler = [
        "Current thread 0x00007f10 (most recent call first):",
        f'  File "/venv/{PIKA}", line 7 in _flush_output',
        f'  File "/venv/{PIKA}", line 7 in basic_publish',
    ]
    assert held(*py_spy).clients == ("thread MainThread",)
    assert held(*faulthandler).clients == ("thread 0x00007f10",)
    assert ask(py_spy[0].replace("idle", "active"), *py_spy[1:]).state is State.UNKNOWN


DOTNET = [
    # frames, the innermost first, and words of the reason
    (["RabbitMQ.Client.Impl.ModelBase.WaitForConfirms(TimeSpan timeout)"], "confirms"),
    (
        [
            "RabbitMQ.Util.BlockingCell`1.WaitForValue(TimeSpan timeout)",
            "RabbitMQ.Client.Impl.ModelBase.ModelRpc(MethodBase method, ContentHeaderBase header, Byte[] body)",
            "RabbitMQ.Client.Framing.Impl.Model._Private_TxCommit()",
        ],
        "answer to a method",
    ),
    (
        [
            "RabbitMQ.Client.Impl.SocketFrameHandler.WriteFrame(OutboundFrame frame)",
            "RabbitMQ.Client.Impl.ModelBase.BasicPublish(String exchange, String routingKey)",
        ],
        "to write",
    ),
    (
        [
            "Apache.NMS.ActiveMQ.Connection.SyncRequest(Command command, TimeSpan requestTimeout)",
            "Apache.NMS.ActiveMQ.MessageProducer.Send(IDestination destination, IMessage message)",
        ],
        "Classic client",
    ),
    (["Amqp.SenderLink.SendInternal(Message message, Int32 waitMilliseconds)"], "AMQP 1.0 client"),
]


@pytest.mark.parametrize(("frames", "words"), DOTNET)
def test_a_wait_of_dotnet_that_ends_is_told_by_its_frames(frames: list[str], words: str) -> None:
    stack = [f"   at {frame} in C:\\till\\X.cs:line 7" for frame in frames]
    found = ask("System.TimeoutException: The operation has timed out.", *stack)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert words in found.held.reason


@pytest.mark.parametrize("method", ["BasicConsume", "BasicGet", "BasicCancel", "Close", "Abort"])
def test_a_program_of_dotnet_that_consumes_or_closes_sends_nothing(method: str) -> None:
    frames = [*DOTNET[1][0][:2], f"RabbitMQ.Client.Impl.ModelBase.{method}(String queue)"]
    found = ask("System.TimeoutException: The operation has timed out.", *(f"   at {frame}" for frame in frames))
    assert found.state is State.UNKNOWN


HEADS = [
    "System.TimeoutException: The operation has timed out.",
    "Exception Message: The operation has timed out.",
    "I get an exception when I declare a queue:",
]


@pytest.mark.parametrize("head", HEADS)
def test_a_stack_of_dotnet_tells_without_its_end_or_head(head: str) -> None:
    found = ask(head, "   at RabbitMQ.Util.BlockingCell.GetValue(TimeSpan timeout)")
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert "answer to a method" in found.held.reason


def test_a_stack_in_one_line_of_a_record_is_read() -> None:
    stack = r"   at RabbitMQ.Util.BlockingCell.GetValue(TimeSpan timeout)\r\n   at Till.Send()"
    found = ask("{", '  "exceptionType": "System.TimeoutException",', f'  "stacktrace": "{stack}"', "}, sent by hand")
    assert found.state is State.LIMIT_UNKNOWN


RABBITMQ = "com.rabbitmq.client.impl"
JAVA = [
    (["AMQChannel.privateRpc", "ChannelN.txCommit"], "answer to a method"),
    (["SocketFrameHandler.flush", "AMQCommand.transmit", "ChannelN.txSelect"], "to write"),
    (["NettyFrameHandler.writeFrame", "AMQCommand.transmit", "ChannelN.basicPublish"], "to write"),
    (["nio.SocketChannelFrameHandlerState.write", "AMQCommand.transmit", "ChannelN.basicPublish"], "to write"),
    (["AMQChannel.quiescingTransmit", "ChannelN.basicPublish"], "stopped its channel"),
]


@pytest.mark.parametrize(("frames", "words"), JAVA)
def test_a_thread_of_the_java_client_of_rabbitmq_is_told_by_its_frames(frames: list[str], words: str) -> None:
    stack = [f"\tat {RABBITMQ}.{frame}(X.java:1)" for frame in frames]
    head = ['"till-4" #31 prio=5 tid=0x1 nid=0x2', "   java.lang.Thread.State: WAITING (on object monitor)"]
    assert words in held(*head, "\tat java.lang.Object.wait(Native Method)", *stack).reason


@pytest.mark.parametrize("method", ["ChannelN.basicConsume", "ChannelN.basicGet", "AMQConnection.start"])
def test_a_thread_that_consumes_or_connects_is_no_producer(method: str) -> None:
    stack = [f"\tat {RABBITMQ}.{frame}(X.java:1)" for frame in ("AMQChannel.privateRpc", method)]
    assert (
        ask('"till-4" #31 prio=5 tid=0x1', "\tat java.lang.Object.wait(Native Method)", *stack).state is State.UNKNOWN
    )


GAVE_UP = [
    "java.util.concurrent.TimeoutException",
    "2026-11-25 10:00:01.123 ERROR [main] app.Till : java.lang.InterruptedException: shutdown",
]


@pytest.mark.parametrize("head", GAVE_UP)
def test_an_exception_that_ends_a_wait_tells_in_what(head: str) -> None:
    found = ask(head, f"\tat {RABBITMQ}.ChannelN.waitForConfirms(X.java:1)", "2026-11-25 10:00:02.123 INFO next line")
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.clients == ("a thread that gave up",)
    assert found.held.gave_up


def test_an_exception_ends_with_its_stack() -> None:
    later = f"\tat {RABBITMQ}.ChannelN.waitForConfirms(X.java:1)"
    found = ask("java.util.concurrent.TimeoutException", "\tat app.Till.read(X.java:1)", "INFO next line", later)
    assert found.state is State.UNKNOWN


WAITS_IN_DOTNET = [
    ("Thread (0x2B):", "  RabbitMQ.Client!RabbitMQ.Client.Impl.ModelBase.WaitForConfirms(value class System.TimeSpan)"),
    ("OS Thread Id: 0x2b (3)", "00007F01AB 00007F02CD RabbitMQ.Client.Impl.ModelBase.WaitForConfirms(System.TimeSpan)"),
]


@pytest.mark.parametrize(("head", "frame"), WAITS_IN_DOTNET)
def test_a_stack_of_dotnet_tells_of_a_wait_for_confirms(head: str, frame: str) -> None:
    told = held(head, frame, "  Shop!Shop.Till.Send()")
    assert told.clients[0].lower() == "thread 0x2b"
    assert "confirms" in told.reason


@pytest.mark.parametrize(("head", "frame"), WAITS_IN_DOTNET)
def test_a_stack_of_dotnet_without_a_send_tells_nothing(head: str, frame: str) -> None:
    assert ask(head, frame.replace("WaitForConfirms", "BasicQos")).held is None


def test_the_name_of_a_thread_is_read_from_a_page_with_entities() -> None:
    head = "&quot;till-4&quot; #7 prio=5 tid=0x1 nid=0x2 waiting on condition"
    frame = "\tat org.apache.activemq.artemis.core.client.impl.ClientProducerCreditsImpl.acquireCredits(X.java:7)"
    assert held(head, frame).clients == ("thread till-4",)
