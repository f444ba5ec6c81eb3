package mybroker;

import java.util.Collection;

/** The gate: when the producers of a queue are stopped, and when they are let go. */
final class FlowControl {
    private final Collection<Producer> producers;
    private final OperationalLog log;

    /** {@code producers} is looked at whenever a queue lets go: it has all that are open then. */
    FlowControl(Collection<Producer> producers, OperationalLog log) {
        this.producers = producers;
        this.log = log;
    }

    /**
     * Looks at a queue on which a message of this sender was just stored.
     *
     * <p>QPID-QUEUE-8: the check follows the storing, so the message that makes a queue overfull stops its own sender.
     * QPID-QUEUE-7: so does any later one to a queue that is overfull. QPID-QUEUE-9: and it stops nobody else.
     */
    void afterSend(MessageQueue queue, Producer sender) {
        if (!queue.levels().areExceededBy(queue.bytes())) {
            return;
        }
        becomesOverfull(queue, sender.inLog());
        if (sender.stop(queue)) {
            log.channelStopped(sender, queue);
        }
    }

    /** Looks at a queue that a message just left, in whichever way. */
    void afterRemoval(MessageQueue queue, String cause) {
        if (queue.isOverfull() && queue.levels().haveRoomAt(queue.bytes())) {
            log.queueUnderfull(cause, queue);
            release(queue, cause);
        }
        // QPID-QUEUE-10: a queue that is above or at its resume level leaves everyone as they are.
    }

    /** Looks at a queue whose levels were just changed, with the levels that are in force now. */
    void afterChange(MessageQueue queue, String cause) {
        // GENERAL-5: a raised limit lets go at once, though no message leaves.
        afterRemoval(queue, cause);
        if (queue.isOverfull() && !queue.levels().areLimits()) {
            // QPID-QUEUE-3: without a limit it stops nobody. It is not below a resume level either, so there is
            // nothing to say of the queue.
            release(queue, cause);
        }
        // GENERAL-6: a lowered limit counts for messages that are here; whom it stops shows when they send.
        if (queue.levels().areExceededBy(queue.bytes()) && !queue.levels().haveRoomAt(queue.bytes())) {
            becomesOverfull(queue, cause);
        }
    }

    /** One line in the log until the queue is underfull, however often it passes its capacity in between. */
    private void becomesOverfull(MessageQueue queue, String cause) {
        if (!queue.isOverfull()) {
            queue.setOverfull(true);
            log.queueOverfull(cause, queue);
        }
    }

    /** QPID-QUEUE-11: a producer is free once each queue that stopped it has let go, each in its own time. */
    private void release(MessageQueue queue, String cause) {
        queue.setOverfull(false);
        for (var producer : producers) {
            if (producer.letGo(queue)) {
                log.channelReleased(cause, producer);
            }
        }
    }
}
