package mybroker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A broker in memory that is asked over stdin and answers on stdout: one JSON object a line, one request at a time. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        // Neither stream goes by the charset of the machine: the protocol is in UTF-8.
        var stdin = new FileInputStream(FileDescriptor.in);
        var stdout = new FileOutputStream(FileDescriptor.out);
        var requests = new BufferedReader(new InputStreamReader(stdin, StandardCharsets.UTF_8));
        var responses = new OutputStreamWriter(stdout, StandardCharsets.UTF_8);
        var verbs = new Verbs(new Broker(new OperationalLog()));
        for (var line = requests.readLine(); line != null; line = requests.readLine()) {
            Request request;
            try {
                request = Request.read(line);
            } catch (IllegalArgumentException error) {
                // Without an id there is nothing to respond to, and stdout is for responses only.
                System.err.println(error.getMessage() + ": " + line);
                continue;
            }
            write(responses, Json.write(verbs.respond(request)));
            if (request.verb().equals(Verbs.STOP)) {
                return;
            }
        }
    }

    /** Writes a whole line and flushes it: what is held back looks like a program that hangs. */
    private static void write(Writer responses, String line) throws IOException {
        responses.write(line);
        responses.write('\n');
        responses.flush();
    }
}
