"""Recognises programs of Go, Python, .NET and C++ that wait in a send; `waits.py` does the same for the JVM."""

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
    RABBITMQ_CONFIRM,
    RABBITMQ_SOCKET,
    Wait,
)

RABBITMQ_PYTHON = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client python",
    reason="the program waits in a RabbitMQ client to write a message, or for its confirm: of a blocked connection the "
    "broker reads nothing and confirms nothing; without an alarm it cannot keep up (flow), or does not answer at all",
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
    *(  # the state of the goroutine says that it waits; a stack that is cut at its top lacks the frames of the socket
        Wait((f"{client}.(*Channel).{publish}",), RABBITMQ_SOCKET)
        for client in ("amqp091-go", "streadway.amqp")
        for publish in PUBLISH
    ),
    Wait(("amqp.(*Sender).Send",), AMQP_ANSWER),
    Wait(("amqp.(*Sender).send",), AMQP_ANSWER),
    Wait(("amqp091-go.(*DeferredConfirmation).Wait",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*DeferredConfirmation).WaitContext",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("streadway.amqp.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("(*partitionProducer).reserveMem",), PULSAR_MEMORY),
    Wait(("(*partitionProducer).reserveSemaphore",), PULSAR_QUEUE),
    Wait(("pulsar.(*partitionProducer).Send",), PULSAR_ANSWER),
    Wait(("blocking_connection.basic_publish", "blocking_connection._flush_output"), RABBITMQ_PYTHON),
    Wait(("amqp.channel._basic_publish", "amqp.transport.write"), RABBITMQ_PYTHON),
    Wait(("amqp.channel._basic_publish", "amqp.method_framing.write_frame"), RABBITMQ_PYTHON),
    Wait(("amqp.channel.basic_publish_confirm", "amqp.abstract_channel.wait"), RABBITMQ_PYTHON),
    *(Wait((f"proton.{utils}.send", f"proton.{utils}.wait"), AMQP_ANSWER) for utils in ("_utils", "utils")),
    Wait(("stomp.transport.send",), STOMP_SOCKET),
    Wait(("ModelBase.WaitForConfirms",), RABBITMQ_CONFIRM),
    Wait(("ModelBase.WaitForConfirmsOrDie",), RABBITMQ_CONFIRM),
    Wait(("BlockingCell`1.WaitForValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("BlockingCell.GetValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrame"), RABBITMQ_SOCKET),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrameSet"), RABBITMQ_SOCKET),
    Wait(("ActiveMQ.MessageProducer.Send", "ActiveMQ.Connection.SyncRequest"), CLASSIC_ANSWER),
    Wait(("Amqp.SenderLink.SendInternal",), AMQP_ANSWER),
    Wait(("Amqp.SenderLink.Send",), AMQP_ANSWER),
    Wait(("ActiveMQProducerKernel.send", "util.MemoryUsage.waitForSpace"), CLASSIC_WRITES),
    *(
        Wait((f"core.{producer}.send", "core.ActiveMQConnection.syncRequest"), CLASSIC_ANSWER)
        for producer in ("kernels.ActiveMQProducerKernel", "ActiveMQProducer")
    ),
    Wait(("amqp_basic_publish", "amqp_poll"), RABBITMQ_SOCKET),
    Wait(("amqp0_10.SenderImpl.waitForCapacity",), QPID_CAPACITY),
    Wait(("ConnectionContext.send", "ConnectionContext.wait"), QPID_CAPACITY),
)
"""amqp091-go and its predecessor, go-amqp, the Go client of Pulsar; pika, py-amqp under Celery and kombu, Proton and
stomp.py; RabbitMQ.Client, Apache.NMS and AmqpNetLite of .NET; ActiveMQ-CPP, rabbitmq-c and Qpid C++.
"""
