import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.commons.configuration.Configuration;
import org.apache.qpid.common.QpidProperties;
import org.apache.qpid.server.Main;
import org.apache.qpid.server.configuration.ServerConfiguration;
import org.apache.qpid.server.configuration.VirtualHostConfiguration;
import org.apache.qpid.server.model.Connection;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.model.Session;
import org.apache.qpid.server.model.VirtualHost;
import org.apache.qpid.server.registry.ApplicationRegistry;
import org.codehaus.jackson.map.ObjectMapper;

/**
 * Starts the Qpid Java broker with the arguments given, and answers management requests about it on a loopback port.
 *
 * The broker's own management plug-ins (JMX, HTTP) are not among its jars. This speaks to the same management model as
 * they do. A request and its answer are one line of JSON each: {"verb": …, "host": …, "queue": …} is answered by
 * {"answer": …} or {"error": …}. Once the port is there, its number is written to the log.
 */
class OldConsole {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws IOException {
        Main.main(arguments);
        try (ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println("tidegate console: " + QpidProperties.getReleaseVersion() + " on port " + port.getLocalPort());
            while (true) {
                Socket client = port.accept();
                Thread thread = new Thread(() -> serve(client), "console");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(Socket client) {
        try (client;
                BufferedReader requests =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter answers = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
            client.setTcpNoDelay(true);
            for (String request; (request = requests.readLine()) != null; ) {
                answers.println(JSON.writeValueAsString(answered(request)));
            }
        } catch (IOException gone) {
            System.out.println("tidegate console: a client is gone: " + gone);
        }
    }

    private static Map<String, Object> answered(String request) {
        Map<String, Object> answer = new HashMap<>();
        try {
            answer.put("answer", answer(JSON.readValue(request, Map.class)));
        } catch (Exception refused) {
            answer.put("error", refused.toString());
        }
        return answer;
    }

    private static Object answer(Map<?, ?> request) throws Exception {
        String verb = (String) request.get("verb");
        String host = (String) request.get("host");
        String queue = (String) request.get("queue");
        switch (verb) {
            case "open":
                return open(host, new File((String) request.get("file")));
            case "close":
                return close(host);
            case "configure":
                return configure(host, new File((String) request.get("file")));
            case "create":
                return create(host(host), queue, request);
            case "read":
                return read(queue(host, queue));
            case "blocked":
                return blocked(host(host), request);
            case "change":
                return change(queue(host, queue), request);
            case "purge":
                return purge(host(host), queue(host, queue));
            case "delete":
                queue(host, queue).delete();
                return null;
            default:
                throw new IllegalArgumentException("no verb " + verb);
        }
    }

    /** A virtual host beside the others, as a virtualhosts.xml describes it. */
    private static Object open(String host, File file) throws Exception {
        ApplicationRegistry.getInstance().createVirtualHost(new VirtualHostConfiguration(host, settings(host, file)));
        return null;
    }

    /** Ends a virtual host; what its store holds stays on disk. */
    private static Object close(String host) {
        var hosts = ApplicationRegistry.getInstance().getVirtualHostRegistry();
        var ended = hosts.getVirtualHost(host);
        hosts.unregisterVirtualHost(ended);
        ended.close();
        return null;
    }

    /** What a virtualhosts.xml says of a virtual host, in place of what the broker read when it started. */
    private static Object configure(String host, File file) throws Exception {
        ApplicationRegistry.getInstance()
                .getVirtualHostRegistry()
                .getVirtualHost(host)
                .getConfiguration()
                .setConfiguration(settings(host, file));
        return null;
    }

    private static Configuration settings(String host, File file) throws Exception {
        return ServerConfiguration.flatConfig(file).subset("virtualhost." + host);
    }

    private static Object create(VirtualHost host, String name, Map<?, ?> request) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(Queue.NAME, name);
        attributes.put(Queue.DURABLE, request.get("durable"));
        attributes.putAll(limits(request));
        host.createChild(Queue.class, attributes);
        return null;
    }

    private static Map<String, Object> read(Queue queue) {
        Map<String, Object> found = new HashMap<>();
        found.put("bytes", queue.getStatistics().getStatistic(Queue.QUEUE_DEPTH_BYTES));
        found.put("messages", queue.getStatistics().getStatistic(Queue.QUEUE_DEPTH_MESSAGES));
        found.put("capacity", queue.getAttribute(Queue.QUEUE_FLOW_CONTROL_SIZE_BYTES));
        found.put("resume", queue.getAttribute(Queue.QUEUE_FLOW_RESUME_SIZE_BYTES));
        return found;
    }

    private static Object change(Queue queue, Map<?, ?> request) {
        limits(request).forEach((attribute, value) -> queue.setAttribute(attribute, null, value));
        return null;
    }

    private static Object purge(VirtualHost host, Queue queue) {
        host.executeTransaction(
                transaction ->
                        queue.visit(
                                entry -> {
                                    transaction.dequeue(entry);
                                    return false;
                                }));
        return null;
    }

    /** The attributes that a request names, the capacity first: the broker looks at a queue again when the other is set. */
    private static Map<String, Object> limits(Map<?, ?> request) {
        Map<String, Object> limits = new LinkedHashMap<>();
        if (request.get("capacity") instanceof Number) {
            limits.put(Queue.QUEUE_FLOW_CONTROL_SIZE_BYTES, ((Number) request.get("capacity")).longValue());
        }
        if (request.get("resume") instanceof Number) {
            limits.put(Queue.QUEUE_FLOW_RESUME_SIZE_BYTES, ((Number) request.get("resume")).longValue());
        }
        return limits;
    }

    private static VirtualHost host(String name) {
        for (VirtualHost host : ApplicationRegistry.getInstance().getBroker().getVirtualHosts()) {
            if (host.getName().equals(name)) {
                return host;
            }
        }
        throw new IllegalArgumentException("no virtual host " + name);
    }

    /** Whether the channel of a client is told to stop; null where there is no such channel. */
    private static Object blocked(VirtualHost host, Map<?, ?> request) {
        for (Connection connection : host.getConnections()) {
            for (Session session : connection.getSessions()) {
                if (request.get("client").equals(connection.getAttribute(Connection.CLIENT_ID))
                        && request.get("channel").equals(session.getAttribute(Session.CHANNEL_ID))) {
                    return session.getAttribute(Session.PRODUCER_FLOW_BLOCKED);
                }
            }
        }
        return null;
    }

    private static Queue queue(String host, String name) {
        for (Queue queue : host(host).getQueues()) {
            if (queue.getName().equals(name)) {
                return queue;
            }
        }
        throw new IllegalArgumentException("no queue " + name + " on virtual host " + host);
    }
}
