package mybroker;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an operator reads. Before each message stand two brackets: who caused the event, and what it is about. */
final class OperationalLog {
    private final List<String> lines = new ArrayList<>();

    /** QPID-LOG-1. */
    void queueOverfull(String cause, MessageQueue queue) {
        write(cause, about(queue), "QUE-1003 : Overfull : Size : %,d bytes, Capacity : %,d",
                queue.bytes(), queue.levels().capacityBytes());
    }

    /** QPID-LOG-2. */
    void channelStopped(Producer producer, MessageQueue queue) {
        write(producer.inLog(), producer.inLog(), "CHN-1005 : Flow Control Enforced (Queue %s)", queue.name());
    }

    /** QPID-LOG-3. */
    void queueUnderfull(String cause, MessageQueue queue) {
        write(cause, about(queue), "QUE-1004 : Underfull : Size : %,d bytes, Resume Capacity : %,d",
                queue.bytes(), queue.levels().resumeBytes());
    }

    /** QPID-LOG-4. */
    void channelReleased(String cause, Producer producer) {
        write(cause, producer.inLog(), "CHN-1006 : Flow Control Removed");
    }

    List<String> linesSinceLastAsked() {
        var asked = List.copyOf(lines);
        lines.clear();
        return asked;
    }

    private static String about(MessageQueue queue) {
        return "qu:" + queue.name();
    }

    private void write(String cause, String subject, String message, Object... figures) {
        // Sizes have a comma between groups of three digits, whatever the locale of the machine.
        lines.add("[" + cause + "] [" + subject + "] " + String.format(Locale.US, message, figures));
    }
}
