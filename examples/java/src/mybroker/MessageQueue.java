package mybroker;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** A queue: its messages in the order in which they came, those that are handed out and not acknowledged included. */
final class MessageQueue {
    private final String name;
    private final Set<Message> messages = new LinkedHashSet<>();
    private Levels levels;
    private long bytes;
    private boolean overfull;

    MessageQueue(String name, Levels levels) {
        this.name = name;
        this.levels = levels;
    }

    String name() {
        return name;
    }

    long bytes() {
        return bytes;
    }

    int messages() {
        return messages.size();
    }

    Levels levels() {
        return levels;
    }

    void setLevels(Levels levels) {
        this.levels = levels;
    }

    /** Whether it became overfull and did not become underfull since. */
    boolean isOverfull() {
        return overfull;
    }

    void setOverfull(boolean overfull) {
        this.overfull = overfull;
    }

    void add(Message message) {
        messages.add(message);
        bytes += message.sizeBytes();
    }

    void remove(Message message) {
        messages.remove(message);
        bytes -= message.sizeBytes();
    }

    /** The first message that waits. One that was given back has kept its place. */
    Optional<Message> next() {
        return messages.stream().filter(message -> !message.isHandedOut()).findFirst();
    }

    /** Removes all messages that wait; those that a consumer has in hand stay. Returns whether there were any. */
    boolean purge() {
        var waiting = messages.stream().filter(message -> !message.isHandedOut()).toList();
        waiting.forEach(this::remove);
        return !waiting.isEmpty();
    }
}
