package mybroker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A consumer of one queue, and what it was handed and did not acknowledge. */
final class Subscription {
    private final String name;
    private final String connection;
    private final MessageQueue queue;
    private final Map<String, Message> inHand = new LinkedHashMap<>();

    Subscription(String name, String connection, MessageQueue queue) {
        this.name = name;
        this.connection = connection;
        this.queue = queue;
    }

    String connection() {
        return connection;
    }

    MessageQueue queue() {
        return queue;
    }

    Optional<Message> take() {
        var next = queue.next();
        next.ifPresent(message -> {
            message.handOut();
            inHand.put(message.id(), message);
        });
        return next;
    }

    /** The message is no longer in hand, and is off its queue. */
    void settle(String messageId) {
        var message = inHand.remove(messageId);
        if (message == null) {
            throw Trouble.refused(messageId + " was not handed out to " + name);
        }
        queue.remove(message);
    }

    /** GENERAL-11 and GENERAL-12: what a consumer leaves unacknowledged goes back, and took space all the time. */
    void giveBackAll() {
        inHand.values().forEach(Message::giveBack);
        inHand.clear();
    }

    /** As the log names it. */
    String inLog() {
        return "con:" + connection + "/sub:" + name;
    }
}
