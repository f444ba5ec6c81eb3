package mybroker;

import java.util.OptionalLong;

/** The limits of a queue as they are configured, in bytes; an empty one is not configured. */
record Limits(OptionalLong capacityBytes, OptionalLong resumeBytes) {
    static final Limits NONE = new Limits(OptionalLong.empty(), OptionalLong.empty());

    /** QPID-QUEUE-3: what a capacity is that limits nothing. */
    static final long NO_LIMIT = 0;

    /**
     * The levels that a queue with these limits has in a virtual host with those.
     *
     * <p>QPID-QUEUE-6: a limit that the queue sets itself is used instead of the virtual host's, level by level.
     */
    Levels within(Limits virtualHost) {
        // QPID-QUEUE-4: where neither sets a capacity, it is 0.
        long capacity = first(capacityBytes, virtualHost.capacityBytes).orElse(NO_LIMIT);
        // QPID-QUEUE-5: where no resume level is set, it is the capacity.
        long resume = first(resumeBytes, virtualHost.resumeBytes).orElse(capacity);
        return new Levels(capacity, resume);
    }

    private static OptionalLong first(OptionalLong own, OptionalLong inherited) {
        return own.isPresent() ? own : inherited;
    }
}
