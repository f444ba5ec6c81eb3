package mybroker;

import java.util.Locale;

/** Why a request gets no answer. */
final class Trouble extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of error that the protocol knows, by their names there. */
    enum Kind {
        UNSUPPORTED,
        REFUSED,
        FAILED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;

    Trouble(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    static Trouble refused(String message) {
        return new Trouble(Kind.REFUSED, message);
    }

    Kind kind() {
        return kind;
    }
}
