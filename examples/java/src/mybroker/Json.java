package mybroker;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads and writes JSON (RFC 8259).
 *
 * <p>Objects are maps, lists are lists, texts are strings; a number that is written as a whole one is a {@link Long},
 * any other a {@link BigDecimal}; null is null.
 */
final class Json {
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Throws {@link IllegalArgumentException}, which says what was expected where, if this is not one JSON value. */
    static Object read(String text) {
        var json = new Json(text);
        var value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.expected("the end");
        }
        return value;
    }

    static String write(Object value) {
        var written = new StringBuilder();
        write(value, written);
        return written.toString();
    }

    private Object value() {
        space();
        if (at == text.length()) {
            throw expected("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::list);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    /** Values in values are read by recursion, which must not go as deep as a stranger likes. */
    private Object nested(Supplier<Object> reading) {
        if (++depth > DEEPEST) {
            throw expected("no more than " + DEEPEST + " levels");
        }
        at++;
        var value = reading.get();
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        var object = new LinkedHashMap<String, Object>();
        if (next('}')) {
            return object;
        }
        do {
            space();
            if (at == text.length() || text.charAt(at) != '"') {
                throw expected("a name");
            }
            var name = string();
            if (!next(':')) {
                throw expected("a colon");
            }
            object.put(name, value());
        } while (next(','));
        if (!next('}')) {
            throw expected("a comma or the end of the object");
        }
        return object;
    }

    private List<Object> list() {
        var list = new ArrayList<>();
        if (next(']')) {
            return list;
        }
        do {
            list.add(value());
        } while (next(','));
        if (!next(']')) {
            throw expected("a comma or the end of the list");
        }
        return list;
    }

    private String string() {
        var string = new StringBuilder();
        at++;
        while (at < text.length()) {
            char character = text.charAt(at++);
            if (character == '"') {
                return string.toString();
            }
            if (character < ' ') {
                at--;
                throw expected("no control character in a text");
            }
            string.append(character == '\\' ? escaped() : character);
        }
        throw expected("the end of the text");
    }

    private char escaped() {
        if (at == text.length()) {
            throw expected("an escaped character");
        }
        char character = text.charAt(at++);
        return switch (character) {
            case '"', '\\', '/' -> character;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> {
                at--;
                throw expected("an escaped character");
            }
        };
    }

    /** One UTF-16 code unit in four digits, as Java has them too: a character beyond the first plane is two. */
    private char codeUnit() {
        int unit = 0;
        for (int digits = 0; digits < 4; digits++) {
            int digit = at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) {
                throw expected("a hexadecimal digit");
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw expected(word);
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        take('-');
        if (!take('0')) {
            digits();
        }
        boolean whole = true;
        if (take('.')) {
            whole = false;
            digits();
        }
        if (take('e') || take('E')) {
            whole = false;
            if (!take('+')) {
                take('-');
            }
            digits();
        }
        var written = text.substring(start, at);
        try {
            return whole ? (Object) Long.valueOf(written) : new BigDecimal(written);
        } catch (NumberFormatException error) {
            throw new IllegalArgumentException("the number " + written + " is too large", error);
        }
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw expected("a digit");
        }
    }

    private boolean take(char character) {
        boolean there = at < text.length() && text.charAt(at) == character;
        at += there ? 1 : 0;
        return there;
    }

    /** Whether this character comes next but for space; if so, it is passed. */
    private boolean next(char character) {
        space();
        return take(character);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException expected(String what) {
        return new IllegalArgumentException("expected " + what + " at column " + (at + 1));
    }

    private static void write(Object value, StringBuilder written) {
        if (value instanceof Map<?, ?> object) {
            var separator = "{";
            for (var field : object.entrySet()) {
                written.append(separator);
                write((String) field.getKey(), written);
                written.append(':');
                write(field.getValue(), written);
                separator = ",";
            }
            written.append(object.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            var separator = "[";
            for (var each : list) {
                written.append(separator);
                write(each, written);
                separator = ",";
            }
            written.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            write(string, written);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            written.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no " + value.getClass());
        }
    }

    private static void write(String string, StringBuilder written) {
        written.append('"');
        for (char character : string.toCharArray()) {
            if (character == '"' || character == '\\') {
                written.append('\\').append(character);
            } else if (character < ' ' || Character.isSurrogate(character)) {
                // Half of a pair could not be written in UTF-8, so both halves are written in digits.
                written.append(String.format("\\u%04x", (int) character));
            } else {
                written.append(character);
            }
        }
        written.append('"');
    }
}
