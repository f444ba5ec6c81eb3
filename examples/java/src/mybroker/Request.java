package mybroker;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One request: an id, a verb, and the arguments of the verb beside these. */
record Request(long id, String verb, Map<String, Object> fields) {
    /** The protocol's word for no limit, whatever the word of the broker is. */
    private static final long UNLIMITED = -1;

    /** Throws {@link IllegalArgumentException} where the line is no request. */
    static Request read(String line) {
        if (Json.read(line) instanceof Map<?, ?> object
                && object.get("id") instanceof Long id
                && object.get("verb") instanceof String verb) {
            return new Request(id, verb, namesOf(object));
        }
        throw new IllegalArgumentException("expected an object with an id and a verb");
    }

    String text(String name) {
        return expected(name, "a text", fields.get(name) instanceof String text ? text : null);
    }

    long whole(String name) {
        return expected(name, "a whole number", fields.get(name) instanceof Long number ? number : null);
    }

    List<String> texts(String name) {
        var list = expected(name, "a list", fields.get(name) instanceof List<?> found ? found : null);
        return list.stream()
                .map(each -> expected(name, "a list of texts", each instanceof String text ? text : null))
                .toList();
    }

    /** The levels among the limits; a limit that is left out, or null, is not configured. */
    Limits limits() {
        var found = expected("limits", "an object", fields.get("limits") instanceof Map<?, ?> object ? object : null);
        var capacity = level(found, "limit_bytes");
        boolean unlimited = capacity.isPresent() && capacity.getAsLong() == UNLIMITED;
        return new Limits(unlimited ? OptionalLong.of(Limits.NO_LIMIT) : capacity, level(found, "resume_bytes"));
    }

    private static OptionalLong level(Map<?, ?> limits, String name) {
        var level = limits.get(name);
        if (level == null) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(expected(name, "a whole number", level instanceof Long number ? number : null));
    }

    private static <T> T expected(String name, String what, T found) {
        if (found == null) {
            throw new Trouble(Trouble.Kind.UNSUPPORTED, name + ": expected " + what);
        }
        return found;
    }

    /** The names in a JSON object are texts: {@link Json} reads no others. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> namesOf(Map<?, ?> object) {
        return (Map<String, Object>) object;
    }
}
