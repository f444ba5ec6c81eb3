"""Recognises programs of Go, Python, .NET, C++, Ruby, PHP and Rust that wait in a send, as `waits.py` those of the JVM.

The clients are amqp091-go and its predecessor, go-amqp, the Go client of Pulsar; pika, py-amqp under Celery and kombu,
aiormq, Proton and stomp.py; Bunny; php-amqplib; lapin; RabbitMQ.Client, Apache.NMS and AmqpNetLite of .NET;
ActiveMQ-CPP, rabbitmq-c and Qpid C++.
"""

from dataclasses import replace

from tidegate.why.waits import (
    AMQP_ANSWER,
    CLASSIC_ANSWER,
    CLASSIC_WINDOW,
    PULSAR_ANSWER,
    PULSAR_MEMORY,
    PULSAR_QUEUE,
    QPID_CREDIT,
    RABBITMQ_ANSWER,
    RABBITMQ_CHANNEL,
    RABBITMQ_CONFIRM,
    RABBITMQ_SOCKET,
    RABBITMQ_TURN,
    Wait,
)

RABBITMQ_PUBLISH = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client publish",
    reason="the program waits in a RabbitMQ client to write a message, or for its confirm: of a blocked connection the "
    "broker reads nothing and confirms nothing; without an alarm it cannot keep up (flow), or does not answer at all",
)
OWN_CONFIRMS = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client own channel",
    setting="the Go channel given to NotifyPublish, NotifyReturn or another Notify method",
    where="the program",
    reason="the program does not take what the client has to tell it (a confirm, a returned message, another notice), "
    "so the client reads no more from the broker, and keeps the lock that publishing needs: a deadlock of the program, "
    "no limit of the broker",
    frees="the program reads from that Go channel",
    change="read that Go channel in a goroutine of its own until it is closed, or give it a larger buffer",
    ask="the goroutine that should read from the Go channel, in the same dump",
    tells_limit=True,
    figure=False,
    goes=False,
)
OTHER_AMQP_ANSWER = replace(
    AMQP_ANSWER,
    change="look up in the log of the broker which limit is reached; give the send a timeout, which ends the wait",
)
CLASSIC_WRITES = replace(
    CLASSIC_WINDOW,
    family="classic client c++ window",
    reason="the thread waits in a Classic client of C++ for its producer window: what was sent is not acknowledged yet",
)
QPID_CAPACITY = replace(
    QPID_CREDIT,
    family="qpid client capacity",
    reason="the thread waits in a Qpid client of C++: as many messages as the sender's capacity are not accepted by "
    "the broker yet, which grants no credit or stores slowly",
)
STOMP_SOCKET = replace(
    RABBITMQ_SOCKET,
    family="stomp client thread",
    reason="the thread waits in a STOMP client (stomp.py) to write to its connection, or for its turn: the broker "
    "reads no more from it, as at a limit of a destination, of the store or of memory",
    frees="at a full destination consume and acknowledge, at a full store or disk free space",
    change="look up in the log of the broker which limit is reached",
    ask="Classic: MemoryPercentUsage, StorePercentUsage, TempPercentUsage; RabbitMQ: `rabbitmq-diagnostics alarms`",
)
NOT_SENDING = (
    "ModelBase.Close",
    "ModelBase.Abort",
    "ModelBase.BasicConsume",
    "ModelBase.BasicGet",
    "ModelBase.BasicCancel",
)
"""Methods of the .NET client that wait for an answer although they send nothing."""
PUBLISH = (
    "sendOpen",
    "Publish",
    "PublishWithContext",
    "PublishWithDeferredConfirm",
    "PublishWithDeferredConfirmWithContext",
)
"""Methods of the Go clients that write a message."""
OTHER_WAITS = (
    *(
        Wait((f"{client}.{method}",), OWN_CONFIRMS, enters=True)
        for client in ("amqp091-go", "streadway.amqp")
        for method in ("(*confirms).confirm", "(*Channel).dispatch", "(*Connection).dispatch0")
    ),
    *(  # the lock that publishing needs is held by another goroutine
        Wait((f"{client}.(*Channel).{publish}", lock), RABBITMQ_TURN)
        for client in ("amqp091-go", "streadway.amqp")
        for publish in PUBLISH
        for lock in ("sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow", "sync.(*RWMutex).Lock")
    ),
    *(  # the state of the goroutine says that it waits; a stack that is cut at its top lacks the frames of the socket
        Wait((f"{client}.(*Channel).{publish}",), RABBITMQ_SOCKET)
        for client in ("amqp091-go", "streadway.amqp")
        for publish in PUBLISH
    ),
    Wait(("amqp.(*Sender).Send",), OTHER_AMQP_ANSWER),
    Wait(("amqp.(*Sender).send",), OTHER_AMQP_ANSWER),
    Wait(("amqp091-go.(*DeferredConfirmation).Wait",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*DeferredConfirmation).WaitContext",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("streadway.amqp.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("(*partitionProducer).reserveMem",), PULSAR_MEMORY),
    Wait(("(*partitionProducer).reserveSemaphore",), PULSAR_QUEUE),
    Wait(("pulsar.(*partitionProducer).Send",), PULSAR_ANSWER),
    Wait(("blocking_connection.basic_publish", "blocking_connection._flush_output"), RABBITMQ_PUBLISH),
    Wait(("amqp.channel._basic_publish", "amqp.transport.write"), RABBITMQ_PUBLISH),
    Wait(("amqp.channel._basic_publish", "amqp.method_framing.write_frame"), RABBITMQ_PUBLISH),
    Wait(("amqp.channel.basic_publish_confirm", "amqp.abstract_channel.wait"), RABBITMQ_PUBLISH),
    *(Wait((f"proton.{utils}.send", f"proton.{utils}.wait"), OTHER_AMQP_ANSWER) for utils in ("_utils", "utils")),
    Wait(("aiormq.channel.basic_publish",), RABBITMQ_PUBLISH),
    Wait(("aio_pika.exchange.publish",), RABBITMQ_PUBLISH),
    Wait(("stomp.transport.send",), STOMP_SOCKET),
    Wait(("bunny.channel.wait_for_confirms",), RABBITMQ_CONFIRM),
    Wait(("bunny.channel.basic_publish", "bunny.transport.write"), RABBITMQ_SOCKET),
    Wait(("bunny.channel.wait_on_continuations",), RABBITMQ_ANSWER, unless=("bunny.channel.basic_get",)),
    *(
        Wait((f"AMQPChannel.{method}", "AbstractChannel.wait"), cause)
        for method, cause in (
            ("wait_for_pending_acks", RABBITMQ_CONFIRM),
            ("wait_for_pending_acks_returns", RABBITMQ_CONFIRM),
            ("tx_commit", RABBITMQ_ANSWER),
            ("confirm_select", RABBITMQ_ANSWER),
            ("queue_declare", RABBITMQ_ANSWER),
            ("exchange_declare", RABBITMQ_ANSWER),
        )
    ),
    *(Wait(("AMQPChannel.basic_publish", f"{io}.write"), RABBITMQ_SOCKET) for io in ("StreamIO", "SocketIO")),
    Wait(("AMQPExchange.publish",), RABBITMQ_PUBLISH),
    Wait(("lapin.publisher_confirm.PublisherConfirm.wait",), RABBITMQ_CONFIRM),
    Wait(("lapin.channel.Channel.wait_for_confirms",), RABBITMQ_CONFIRM),
    Wait(("Channel.BasicPublishAsync", "SocketFrameHandler.WriteAsync"), RABBITMQ_SOCKET),
    Wait(("Channel.BasicPublishAsync", "Channel.EnforceFlowControlAsync"), RABBITMQ_CHANNEL),
    Wait(("Channel.BasicPublishAsync",), RABBITMQ_PUBLISH),
    *(
        Wait((f"Channel.{method}Async",), RABBITMQ_ANSWER)
        for method in ("Open", "ConfirmSelect", "QueueDeclare", "ExchangeDeclare", "QueueBind", "TxCommit")
    ),
    Wait(("ModelBase.BasicPublishAsync",), RABBITMQ_PUBLISH),
    Wait(("ModelBase.WaitForConfirms",), RABBITMQ_CONFIRM),
    Wait(("ModelBase.WaitForConfirmsOrDie",), RABBITMQ_CONFIRM),
    Wait(("BlockingCell`1.WaitForValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("BlockingCell.GetValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrame"), RABBITMQ_SOCKET),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrameSet"), RABBITMQ_SOCKET),
    Wait(("ActiveMQ.MessageProducer.Send", "ActiveMQ.Connection.SyncRequest"), CLASSIC_ANSWER),
    Wait(("Amqp.SenderLink.SendInternal",), OTHER_AMQP_ANSWER),
    Wait(("Amqp.SenderLink.Send",), OTHER_AMQP_ANSWER),
    Wait(("ActiveMQProducerKernel.send", "util.MemoryUsage.waitForSpace"), CLASSIC_WRITES),
    *(
        Wait((f"core.{producer}.send", "core.ActiveMQConnection.syncRequest"), CLASSIC_ANSWER)
        for producer in ("kernels.ActiveMQProducerKernel", "ActiveMQProducer")
    ),
    Wait(("amqp_basic_publish", "amqp_poll"), RABBITMQ_SOCKET),
    Wait(("amqp0_10.SenderImpl.waitForCapacity",), QPID_CAPACITY),
    Wait(("ConnectionContext.send", "ConnectionContext.wait"), QPID_CAPACITY),
)
