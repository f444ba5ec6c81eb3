package mybroker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The verbs of the protocol, and which method of the broker each of them is. */
final class Verbs {
    static final String STOP = "stop";

    private static final int PROTOCOL = 1;
    private static final String NAME = "mybroker-java";
    private static final String VERSION = "1.0";
    private static final List<String> CAPABILITIES = List.of(
            "queue-gate", "several-queues", "default-limits", "changed-limits", "limits-readable", "purge",
            "close-clients", "kill-clients", "shared-connections", "qpid-log");

    private final Broker broker;
    private final Map<String, Function<Request, Object>> verbs = new LinkedHashMap<>();

    Verbs(Broker broker) {
        this.broker = broker;
        answers("start", request -> handshake());
        does(STOP, request -> broker.endScenario());
        does("declare", request -> broker.declare(request.text("destination"), request.limits()));
        does("open_producer", request -> broker.openProducer(
                request.text("producer"), request.text("connection"), request.texts("destinations")));
        does("open_consumer", request -> broker.openConsumer(
                request.text("consumer"), request.text("connection"), request.text("destination")));
        answers("send", this::send);
        answers("take", this::take);
        does("acknowledge", request -> broker.acknowledge(request.text("consumer"), request.text("message_id")));
        answers("depth", this::depth);
        answers("standing", request -> Map.of("stopped", broker.producer(request.text("producer")).isStopped()));
        // Nothing here happens by itself: what follows from a request has happened when its response is written.
        does("advance", request -> request.whole("ms"));
        does("end_scenario", request -> broker.endScenario());
        answers("limits_in_force", this::limitsInForce);
        does("declare_defaults", request -> broker.declareDefaults(request.limits()));
        does("change_limits", request -> broker.changeLimits(request.text("destination"), request.limits()));
        does("purge", request -> broker.purge(request.text("destination")));
        does("close_producer", request -> broker.closeProducer(request.text("producer")));
        does("close_consumer", request -> broker.closeConsumer(request.text("consumer")));
        does("kill", request -> broker.kill(request.text("connection")));
        answers("log_lines", request -> broker.log().linesSinceLastAsked());
    }

    /** The response to a request; whatever goes wrong is an error in it. */
    Map<String, Object> respond(Request request) {
        var response = new LinkedHashMap<String, Object>();
        response.put("id", request.id());
        try {
            response.put("answer", verb(request.verb()).apply(request));
        } catch (Trouble trouble) {
            response.put("error", error(trouble.kind(), trouble.getMessage()));
        } catch (RuntimeException defect) {
            defect.printStackTrace();
            response.put("error", error(Trouble.Kind.FAILED, defect.toString()));
        }
        return response;
    }

    private Function<Request, Object> verb(String name) {
        var verb = verbs.get(name);
        if (verb == null) {
            throw new Trouble(Trouble.Kind.UNSUPPORTED, "there is no verb " + name);
        }
        return verb;
    }

    private static Map<String, Object> handshake() {
        return Map.of(
                "protocol", PROTOCOL,
                "identity", Map.of("name", NAME, "version", VERSION),
                "capabilities", CAPABILITIES,
                "parameters", Map.of());
    }

    private Object send(Request request) {
        boolean taken = broker.send(
                request.text("producer"), request.text("message_id"), request.whole("size_bytes"));
        return taken ? "accepted" : "blocked";
    }

    private Object take(Request request) {
        var consumer = broker.consumer(request.text("consumer"));
        return consumer.take()
                .map(message -> Map.of("message_id", message.id(), "destination", consumer.queue().name()))
                .orElse(null);
    }

    private Object depth(Request request) {
        var queue = broker.queue(request.text("destination"));
        return Map.of("bytes", queue.bytes(), "messages", queue.messages());
    }

    private Object limitsInForce(Request request) {
        var levels = broker.queue(request.text("destination")).levels();
        return Map.of("limit_bytes", levels.capacityBytes(), "resume_bytes", levels.resumeBytes());
    }

    private static Map<String, Object> error(Trouble.Kind kind, String message) {
        return Map.of("kind", kind.word(), "message", message);
    }

    private void answers(String name, Function<Request, Object> verb) {
        verbs.put(name, verb);
    }

    private void does(String name, Consumer<Request> verb) {
        verbs.put(name, request -> {
            verb.accept(request);
            return null;
        });
    }
}
