package mybroker;

/** One message on one queue; a message that goes to several queues is one of these on each. */
final class Message {
    private final String id;
    private final long sizeBytes;
    private boolean handedOut;

    Message(String id, long sizeBytes) {
        this.id = id;
        this.sizeBytes = sizeBytes;
    }

    String id() {
        return id;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    boolean isHandedOut() {
        return handedOut;
    }

    void handOut() {
        handedOut = true;
    }

    void giveBack() {
        handedOut = false;
    }
}
