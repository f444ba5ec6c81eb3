"""Where a program of Go, Python or .NET stands that waits in a send; `waits.py` has the same of the JVM."""

from dataclasses import replace

from tidegate.why.waits import (
    AMQP_ANSWER,
    CLASSIC_ANSWER,
    PULSAR_ANSWER,
    PULSAR_MEMORY,
    PULSAR_QUEUE,
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
NOT_SENDING = (
    "ModelBase.Close",
    "ModelBase.Abort",
    "ModelBase.BasicConsume",
    "ModelBase.BasicGet",
    "ModelBase.BasicCancel",
)
"""Methods of the .NET client that wait for an answer and send nothing."""
OTHER_WAITS = (
    Wait(("poll.(*FD).Write", "amqp091-go.(*Channel).sendOpen"), RABBITMQ_SOCKET),
    Wait(("poll.(*FD).Write", "streadway.amqp.(*Channel).sendOpen"), RABBITMQ_SOCKET),
    Wait(("amqp091-go.(*DeferredConfirmation).Wait",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*DeferredConfirmation).WaitContext",), RABBITMQ_CONFIRM),
    Wait(("amqp091-go.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("streadway.amqp.(*Channel).call",), RABBITMQ_ANSWER),
    Wait(("(*partitionProducer).reserveMem",), PULSAR_MEMORY),
    Wait(("(*partitionProducer).reserveSemaphore",), PULSAR_QUEUE),
    Wait(("pulsar.(*partitionProducer).Send",), PULSAR_ANSWER),
    Wait(("blocking_connection.basic_publish", "blocking_connection._flush_output"), RABBITMQ_PYTHON),
    Wait(("amqp.channel._basic_publish", "amqp.transport.write"), RABBITMQ_PYTHON),
    Wait(("amqp.channel.basic_publish_confirm", "amqp.abstract_channel.wait"), RABBITMQ_PYTHON),
    Wait(("ModelBase.WaitForConfirms",), RABBITMQ_CONFIRM),
    Wait(("ModelBase.WaitForConfirmsOrDie",), RABBITMQ_CONFIRM),
    Wait(("BlockingCell`1.WaitForValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("BlockingCell.GetValue",), RABBITMQ_ANSWER, unless=NOT_SENDING),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrame"), RABBITMQ_SOCKET),
    Wait(("ModelBase.BasicPublish", "SocketFrameHandler.WriteFrameSet"), RABBITMQ_SOCKET),
    Wait(("ActiveMQ.MessageProducer.Send", "ActiveMQ.Connection.SyncRequest"), CLASSIC_ANSWER),
    Wait(("Amqp.SenderLink.SendInternal",), AMQP_ANSWER),
    Wait(("Amqp.SenderLink.Send",), AMQP_ANSWER),
)
"""amqp091-go and the library it came from, the Go client of Pulsar; pika, and py-amqp under Celery and kombu;
RabbitMQ.Client, Apache.NMS and AmqpNetLite of .NET.
"""
