package mybroker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The broker: its queues, and the producers and consumers that are attached to them. */
final class Broker {
    private static final String MANAGEMENT = "mng";

    private final Map<String, MessageQueue> queues = new LinkedHashMap<>();
    private final Map<String, Producer> producers = new LinkedHashMap<>();
    private final Map<String, Subscription> consumers = new LinkedHashMap<>();
    private final OperationalLog log;
    private final FlowControl flowControl;
    private Limits virtualHost = Limits.NONE;

    Broker(OperationalLog log) {
        this.log = log;
        this.flowControl = new FlowControl(producers.values(), log);
    }

    OperationalLog log() {
        return log;
    }

    void declareDefaults(Limits limits) {
        virtualHost = limits;
    }

    void declare(String name, Limits limits) {
        open(queues, name, new MessageQueue(name, limits.within(virtualHost)));
    }

    void changeLimits(String name, Limits limits) {
        var queue = queue(name);
        queue.setLevels(limits.within(virtualHost));
        flowControl.afterChange(queue, MANAGEMENT);
    }

    void purge(String name) {
        var queue = queue(name);
        if (queue.purge()) {
            flowControl.afterRemoval(queue, MANAGEMENT);
        }
    }

    void openProducer(String name, String connection, List<String> destinations) {
        open(producers, name, new Producer(name, connection, destinations.stream().map(this::queue).toList()));
    }

    void openConsumer(String name, String connection, String destination) {
        open(consumers, name, new Subscription(name, connection, queue(destination)));
    }

    /** Sends one message to every queue of the producer; false if it is stopped, and its message not taken. */
    boolean send(String producerName, String messageId, long sizeBytes) {
        var producer = producer(producerName);
        if (producer.isStopped()) {
            // GENERAL-1: a message that is not taken is nowhere.
            return false;
        }
        producer.queues().forEach(queue -> queue.add(new Message(messageId, sizeBytes)));
        producer.queues().forEach(queue -> flowControl.afterSend(queue, producer));
        return true;
    }

    void acknowledge(String consumerName, String messageId) {
        var consumer = consumer(consumerName);
        consumer.settle(messageId);
        flowControl.afterRemoval(consumer.queue(), consumer.inLog());
    }

    void closeProducer(String name) {
        producer(name);
        producers.remove(name);
    }

    void closeConsumer(String name) {
        consumer(name).giveBackAll();
        consumers.remove(name);
    }

    /** GENERAL-9 and GENERAL-10: those who remain stand as they stood; a queue keeps no account of who is gone. */
    void kill(String connection) {
        producers.values().removeIf(producer -> producer.connection().equals(connection));
        consumers.values().removeIf(consumer -> {
            var dropped = consumer.connection().equals(connection);
            if (dropped) {
                consumer.giveBackAll();
            }
            return dropped;
        });
    }

    /** Nothing is left but lines of the log that nobody has read yet. */
    void endScenario() {
        producers.clear();
        consumers.clear();
        queues.clear();
        virtualHost = Limits.NONE;
    }

    MessageQueue queue(String name) {
        return found(queues, name);
    }

    Producer producer(String name) {
        return found(producers, name);
    }

    Subscription consumer(String name) {
        return found(consumers, name);
    }

    private static <T> T found(Map<String, T> all, String name) {
        var one = all.get(name);
        if (one == null) {
            throw Trouble.refused("there is no " + name);
        }
        return one;
    }

    private static <T> void open(Map<String, T> all, String name, T one) {
        if (all.putIfAbsent(name, one) != null) {
            throw Trouble.refused("there is a " + name + " already");
        }
    }
}
