package mybroker;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A producer, on a channel of its own; what stops it is the channel. */
final class Producer {
    private final String name;
    private final String connection;
    private final List<MessageQueue> queues;
    private final Set<MessageQueue> stoppedBy = new LinkedHashSet<>();

    Producer(String name, String connection, List<MessageQueue> queues) {
        this.name = name;
        this.connection = connection;
        this.queues = queues;
    }

    String connection() {
        return connection;
    }

    List<MessageQueue> queues() {
        return queues;
    }

    boolean isStopped() {
        return !stoppedBy.isEmpty();
    }

    /** Returns whether it was not stopped by this queue before. */
    boolean stop(MessageQueue queue) {
        return stoppedBy.add(queue);
    }

    /** Returns whether this was the last queue that stopped it. */
    boolean letGo(MessageQueue queue) {
        return stoppedBy.remove(queue) && stoppedBy.isEmpty();
    }

    /** As the log names it. */
    String inLog() {
        return "con:" + connection + "/ch:" + name;
    }
}
