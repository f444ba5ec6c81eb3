package mybroker;

/** The two levels that are in force for a queue, in bytes. */
record Levels(long capacityBytes, long resumeBytes) {

    /** QPID-QUEUE-3: a capacity of 0 is no limit. */
    boolean areLimits() {
        return capacityBytes != Limits.NO_LIMIT;
    }

    /** QPID-QUEUE-1: overfull is exactly what exceeds the capacity. */
    boolean areExceededBy(long bytes) {
        return areLimits() && bytes > capacityBytes;
    }

    /** QPID-QUEUE-2: not underfull until there are fewer bytes than the resume level; so at 0 it never is. */
    boolean haveRoomAt(long bytes) {
        return bytes < resumeBytes;
    }
}
