"""Recognises threads that wait in a send: the frames of each client and broker, and the cause of each wait."""

from dataclasses import dataclass, replace

from tidegate.why.lines.artemis_client import NO_CREDIT
from tidegate.why.lines.classic import ASK as CLASSIC_ASK
from tidegate.why.lines.classic import EITHER_MEMORY, MEMORY, ROOM, STORE
from tidegate.why.lines.kafka_client import BUFFER as KAFKA_BUFFER_FULL
from tidegate.why.lines.pulsar import PENDING as PULSAR_QUEUE_FULL
from tidegate.why.lines.pulsar import TIMED_OUT as PULSAR_TIMED_OUT
from tidegate.why.lines.qpid_client import WAITS as QPID_WAITS
from tidegate.why.notices import Cause


@dataclass(frozen=True)
class Wait:
    """Frames that a stack must have, each as `Class.method`, and the cause of the thread's wait.

    A stack with a frame in `unless` belongs to a thread that sends nothing.

    `runs` is true if the JVM calls the waiting thread RUNNABLE, as in a write to a socket.
    """

    frames: tuple[str, ...]
    cause: Cause
    runs: bool = False
    unless: tuple[str, ...] = ()
    enters: bool = False
    """Whether the thread waits for a lock to enter the first of `frames`, which is then its innermost frame."""


CLASSIC_LINES = "look up lines of `Usage Manager`, `Persistent store is Full`, `Temp Store is Full` in the broker's log"
CORE_CREDIT = replace(
    NO_CREDIT,
    family="artemis client thread",
    reason="the thread waits in a Core client for credit: the broker grants none for the address: full under BLOCK, "
    "disk full, or blocked by management",
)
CORE_ANSWER = replace(
    CORE_CREDIT,
    family="artemis client answer",
    reason="the thread waits in a Core client for the broker's answer to a message that was sent; it has credit",
    frees="the broker's answer, once the broker has stored the message",
    change="look at what the broker does: its disk, a slow store, a connection that failed over, its own thread dump",
    rule="",
)
AMQP_ANSWER = Cause(
    family="amqp client thread",
    setting="",
    reason="the thread waits in an AMQP 1.0 client for credit, or for the broker's answer to its message",
    frees="at a full destination consume and acknowledge, at a full disk free space; otherwise the broker answers once "
    "it has stored the message",
    change="look up in the log of the broker which limit is reached; jms.sendTimeout of the client ends the wait",
    ask="Artemis: AddressSize and getAddressSettingsAsJSON of the address; Broker-J: GET /api/latest/queue",
    tells_limit=False,
    tells_release=False,
)
CLASSIC_ANSWER = Cause(
    family="classic client thread",
    setting="",
    reason="the thread waits in a Classic client for the broker's answer to a message; a broker whose destination, "
    "store or temporary space is full answers when there is room",
    frees=ROOM,
    change=CLASSIC_LINES,
    ask=CLASSIC_ASK,
    tells_limit=False,
    tells_release=False,
)
CLASSIC_SOCKET = replace(
    CLASSIC_ANSWER,
    family="classic client socket",
    reason="the thread waits in a Classic client to write to its connection: the broker reads no more from it, as with "
    "a producer of asynchronous sends whose destination, store or temporary space is full",
)
CLASSIC_TURN = replace(
    CLASSIC_SOCKET,
    family="classic client turn",
    reason="the thread waits in a Classic client for its turn to write to the connection, which another thread holds: "
    "that one writes and the broker reads no more, as where a destination, the store or the temporary space is full",
    of_another=True,
)
CLASSIC_WINDOW = replace(
    CLASSIC_ANSWER,
    family="classic client window",
    reason="the thread waits in a Classic client for its producer window: what was sent is not acknowledged yet",
    frees="the broker acknowledges messages; it does so late where their destination is full",
    change="look up lines of `Usage Manager` in the broker's log, or raise jms.producerWindowSize",
)
CLASSIC_MEMORY = replace(
    EITHER_MEMORY,
    family="classic broker thread",
    reason="a thread of the broker waits until messages take less memory: memoryLimit of the destination, or "
    "memoryUsage of all; a dump does not tell which",
    place_is="",
)
CLASSIC_STORE = replace(
    STORE,
    family="classic broker store",
    reason="a thread of the broker waits until the persistent messages of all destinations take less than storeUsage",
    place_is="",
)
CLASSIC_FILES = replace(
    STORE,
    family="classic broker files",
    setting="storeUsage or tempUsage",
    where="activemq.xml, in systemUsage",
    reason="a thread of the broker waits for space in files: storeUsage for a persistent message, tempUsage for "
    "another; a dump does not tell which",
    frees="consume and acknowledge from any destination until the store, or the temporary space, has room",
    change="consume or purge queues without consumers, or raise storeUsage or tempUsage, whichever is at 100 percent",
    place_is="",
)
CLASSIC_SPACE = replace(
    MEMORY,
    family="classic broker space",
    setting="",
    reason="a thread of the broker waits for space of memory, the store or the temporary store; a dump does not tell "
    "which",
    frees=ROOM,
    change=CLASSIC_LINES,
    rule="",
    tells_limit=False,
    place_is="",
)
QPID_ORDER = replace(
    QPID_WAITS,
    family="qpid client thread",
    reason="the thread waits in a Qpid or WSO2 client: the broker ordered its channel to stop",
    tells_release=False,
)
QPID_TURN = replace(
    QPID_ORDER,
    family="qpid client turn",
    reason="the thread waits in a Qpid or WSO2 client for its turn to send: another producer of its connection sends, "
    "and keeps the turn while the broker's order stops its channel, or while the connection fails over",
    change="look up in the dump which thread holds the lock; CHN-1005, QUE-1003 and MST-1008 in the log of the broker",
    of_another=True,
)
QPID_CREDIT = replace(
    QPID_ORDER,
    family="qpid client credit",
    reason="the thread waits in a Qpid client of AMQP 0-10 for credit: the broker grants none to its session",
)
RABBITMQ_SOCKET = Cause(
    family="rabbitmq client thread",
    setting="",
    reason="the thread waits in a RabbitMQ client to write to its connection: the broker reads no more from it, under "
    "an alarm (blocked) or because it cannot keep up (flow)",
    frees="an alarm ends when consumers or an operator free memory or disk; without an alarm the broker reads on by "
    "itself as soon as its queues keep up",
    change="look up which alarm is set on which node; without an alarm the connection is in flow",
    ask="`rabbitmq-diagnostics alarms`; `rabbitmqctl list_connections name state`: blocked, blocking or flow",
    tells_limit=False,
    tells_release=False,
)
RABBITMQ_CONFIRM = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client confirm",
    reason="the thread waits in a RabbitMQ client for confirms: of a blocked connection the broker reads no messages "
    "and confirms none",
)
RABBITMQ_ANSWER = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client answer thread",
    reason="the thread waits in a RabbitMQ client for the broker's answer to a method, such as a commit or a declare: "
    "under an alarm the broker reads nothing from a connection that published; without one it is slow, or does not "
    "answer at all",
    frees="the broker's answer; an alarm ends when consumers or an operator free memory or disk",
    change="look up which alarm is set on which node; without one look at the network and the log of the broker",
)
RABBITMQ_CHANNEL = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client channel",
    reason="the thread waits in a RabbitMQ client because the broker stopped its channel (channel.flow)",
    frees="the broker lets the channel go on",
    change="look up why the broker stops channels: brokers before 2.0, and others than RabbitMQ, do so at their limits",
)
RABBITMQ_TURN = replace(
    RABBITMQ_SOCKET,
    family="rabbitmq client turn",
    reason="the thread waits in a RabbitMQ client for its turn to publish on its channel: another thread publishes "
    "there, and keeps the turn while the broker reads no more, under an alarm (blocked) or because it cannot keep up",
    change="look up in the dump which thread holds the lock, and which alarm is set on which node",
    of_another=True,
)
OF_EACH_OTHER = replace(
    RABBITMQ_SOCKET,
    family="deadlock of a program",
    setting="no limit: a deadlock of the program",
    reason="the JVM reports a deadlock: these threads of the program wait for each other's locks, whatever the broker "
    "does",
    frees="only an end of the program frees them",
    change="take the locks in one order, and hold none while a client of a broker is called",
    ask="the section `Found one Java-level deadlock` of the dump, which names the locks and the frames",
    tells_limit=True,
    figure=False,
    goes=False,
)
OF_ANOTHER = replace(
    OF_EACH_OTHER,
    family="lock of a program",
    setting="",
    reason="the thread waits for a lock that {holder} holds, which waits itself",
    frees="what lets {holder} go on",
    change="look up what {holder} waits for; hold no lock while a client of a broker is called",
    ask="the stack of {holder} in the same dump",
    tells_limit=False,
    of_another=True,
)
NO_CONNECTION = replace(
    OF_EACH_OTHER,
    family="no limit connection",
    setting="no limit: a connection that is lost",
    reason="the thread waits until the failover transport of its client has a connection again; a limit of the broker "
    "is not the reason",
    frees="a broker that is up and can be reached at one of the addresses of the failover URL",
    change="look at the broker, the network and the URL; timeout of failover: ends the wait with an exception",
    ask="lines of FailoverTransport in the log of the client, which say why it cannot connect",
)
NO_POOLED = replace(
    NO_CONNECTION,
    family="no limit pool",
    setting="no limit: a pool of connections or sessions",
    reason="the thread waits for a connection or session of the program's own pool, all of which are in use; threads "
    "that hold them may wait for the broker",
    frees="another thread gives its connection or session back",
    change="look up in the dump what the threads do that hold them, close what is not used, or enlarge the pool",
    ask="the other threads in the same dump",
    tells_limit=False,
    of_another=True,
)
NO_METADATA = replace(
    NO_CONNECTION,
    family="no limit metadata",
    setting="no limit: metadata of the topic",
    reason="the thread waits in a Kafka producer for the metadata of its topic: the topic does not exist, or no broker "
    "answers; the wait ends after max.block.ms",
    frees="the metadata of the topic arrives",
    change="look up the name of the topic, bootstrap.servers, and whether the brokers can be reached",
    ask="lines of NetworkClient in the log of the client",
)
KAFKA_BUFFER = replace(
    KAFKA_BUFFER_FULL,
    family="kafka client thread",
    reason="the thread waits in a Kafka producer: records without the broker's answer take as much memory as "
    "buffer.memory allows; the wait ends after max.block.ms",
)
PULSAR_QUEUE = replace(
    PULSAR_QUEUE_FULL,
    family="pulsar client thread",
    reason="the thread waits in a Pulsar client: the producer has as many messages without the broker's answer as "
    "maxPendingMessages allows, and blockIfQueueFull is on",
    change="look up why the broker answers slowly or not at all (`Backlog quota` in its log), or raise "
    "maxPendingMessages",
    holds=True,
    tells_release=False,
)
PULSAR_MEMORY = replace(
    PULSAR_QUEUE,
    setting="memoryLimit",
    where="the client's builder",
    reason="the thread waits in a Pulsar client: messages without the broker's answer take as much memory as the "
    "client's memoryLimit allows, and blockIfQueueFull is on",
    change="look up why the broker answers slowly or not at all (`Backlog quota` in its log), or raise memoryLimit",
)
PULSAR_ANSWER = replace(
    PULSAR_TIMED_OUT,
    family="pulsar client answer",
    reason="the thread waits in a Pulsar client for the broker's answer to a message: its topic is past the backlog "
    "quota, its publish rate is limited, its bookies are slow or full, or it does not answer at all",
    place_is="",
)
STREAM_CONFIRMS = replace(
    RABBITMQ_CONFIRM,
    family="rabbitmq stream client",
    setting="maxUnconfirmedMessages",
    where="the builder of the producer",
    reason="the thread waits in a RabbitMQ client of streams: the producer has as many messages without a confirm as "
    "maxUnconfirmedMessages allows",
    frees="the broker confirms messages; under an alarm it reads nothing from the connection, and confirms nothing",
    change="look up which alarm is set on which node; without one see how fast the stream stores, or raise "
    "maxUnconfirmedMessages",
    tells_limit=True,
)
RABBITMQ_CONSUMES = ("AMQConnection.start", "ChannelN.basicConsume", "ChannelN.basicCancel", "ChannelN.basicGet")
"""Methods of connections and consumers that also wait for an answer."""
POOLS = ("jms.pool.ConnectionPool.createSession", "jms.pool.PooledConnectionFactory.createConnection",
         "pool.ConnectionPool.createSession", "pool.PooledConnectionFactory.createConnection",
         "pool.JmsPoolConnectionFactory.createJmsPoolConnection", "connection.CachingConnectionFactory.checkoutPermit",
         "connection.CachingConnectionFactory.obtainPermits")  # fmt: skip
"""Methods of the pools of JMS clients and of Spring that wait for a free connection, session or channel."""
WAITS = (
    *(
        Wait(("FailoverTransport.oneway", wait), NO_CONNECTION)
        for wait in ("Object.wait", "Object.wait0", "ConditionObject.await", "Thread.sleep")
    ),
    *(Wait((pool, "GenericObjectPool.borrowObject"), NO_POOLED) for pool in POOLS),
    *(Wait((pool, "Semaphore.tryAcquire"), NO_POOLED) for pool in POOLS),
    Wait(("KafkaProducer.waitOnMetadata",), NO_METADATA),
    Wait(("ProducerImpl.canEnqueueRequest", "MemoryLimitController.reserveMemory"), PULSAR_MEMORY),
    Wait(("ProducerImpl.canEnqueueRequest", "Semaphore.acquire"), PULSAR_QUEUE),
    Wait(("ProducerBase.send", "CompletableFuture.get"), PULSAR_ANSWER),
    Wait(("TypedMessageBuilderImpl.send", "CompletableFuture.get"), PULSAR_ANSWER),
    Wait(("ClientProducerCreditsImpl.acquireCredits",), CORE_CREDIT),
    Wait(("ClientProducerCreditsImpl.actualAcquire",), CORE_CREDIT),
    Wait(("AbstractProducerCreditsImpl.acquireCredits", "Semaphore.acquire"), CORE_CREDIT),
    Wait(("ClientProducerImpl.send", "ChannelImpl.sendBlocking"), CORE_ANSWER),
    Wait(("ClientSessionImpl.commit", "ChannelImpl.sendBlocking"), CORE_ANSWER),
    Wait(("JmsSession.send", "ProviderFuture.sync"), AMQP_ANSWER),
    Wait(("impl.ClientSender.send", "ClientFuture.get"), AMQP_ANSWER),
    Wait(("ActiveMQMessageProducer.send", "MemoryUsage.waitForSpace"), CLASSIC_WINDOW),
    Wait(("StoreUsage.waitForSpace",), CLASSIC_STORE),
    Wait(("MemoryUsage.waitForSpace",), CLASSIC_MEMORY, unless=("ActiveMQProducerKernel.send",)),
    Wait(("usage.Usage.waitForSpace", "region.Queue.checkUsage"), CLASSIC_FILES),
    Wait(("usage.Usage.waitForSpace", "region.Topic.doMessageSend"), CLASSIC_STORE),
    Wait(("usage.Usage.waitForSpace", "region.Queue.send"), CLASSIC_MEMORY, unless=("region.Queue.doMessageSend",)),
    Wait(("usage.Usage.waitForSpace", "region.Topic.send"), CLASSIC_MEMORY),
    Wait(("usage.Usage.waitForSpace",), CLASSIC_SPACE),
    Wait(("memory.UsageManager.waitForSpace",), CLASSIC_MEMORY),
    Wait(("ActiveMQSession.send", "ActiveMQConnection.syncSendPacket"), CLASSIC_ANSWER),
    Wait(("TransactionContext.commit", "ActiveMQConnection.syncSendPacket"), CLASSIC_ANSWER),
    Wait(("ActiveMQSession.send", "TcpBufferedOutputStream.flush"), CLASSIC_SOCKET, runs=True),
    Wait(("ActiveMQSession.send", "MutexTransport.oneway"), CLASSIC_TURN, unless=("FailoverTransport.oneway",)),
    Wait(("FlowControlIndicator.checkFlowControl",), QPID_ORDER),
    Wait(("AMQSession.checkFlowControl",), QPID_ORDER),
    Wait(("AMQSession_0_8.checkFlowControl",), QPID_ORDER),
    Wait(("BasicMessageProducer.send",), QPID_TURN, enters=True),
    Wait(("transport.Session.acquireCredit",), QPID_CREDIT),
    Wait(("ChannelN.basicPublish", "SocketFrameHandler.writeFrame"), RABBITMQ_SOCKET, runs=True),
    Wait(("ChannelN.basicPublish", "SocketFrameHandler.flush"), RABBITMQ_SOCKET, runs=True),
    Wait(("AMQCommand.transmit", "SocketFrameHandler.writeFrame"), RABBITMQ_SOCKET, runs=True),
    Wait(("AMQCommand.transmit", "SocketFrameHandler.flush"), RABBITMQ_SOCKET, runs=True),
    Wait(("AMQCommand.transmit", "SocketChannelFrameHandlerState.write"), RABBITMQ_SOCKET),
    Wait(("AMQCommand.transmit", "NettyFrameHandler.writeFrame"), RABBITMQ_SOCKET),
    Wait(("Object.wait", "AMQChannel.quiescingTransmit", "ChannelN.basicPublish"), RABBITMQ_CHANNEL),
    Wait(("ConditionObject.await", "AMQChannel.quiescingTransmit", "ChannelN.basicPublish"), RABBITMQ_CHANNEL),
    Wait(("AMQChannel.transmit", "ChannelN.basicPublish"), RABBITMQ_TURN),
    Wait(("ChannelN.waitForConfirms",), RABBITMQ_CONFIRM),
    Wait(("AMQChannel.privateRpc",), RABBITMQ_ANSWER, unless=RABBITMQ_CONSUMES),
    Wait(("stream.impl.StreamProducer.send", "Semaphore.acquire"), STREAM_CONFIRMS),
    Wait(("stream.impl.StreamProducer.send", "Semaphore.tryAcquire"), STREAM_CONFIRMS),
    Wait(("internals.BufferPool.allocate",), KAFKA_BUFFER),
)
"""In the order in which they are tried: the most specific first."""
