import java.nio.file.Path;
import java.nio.file.Paths;

import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** Starts the broker that `etc/broker.xml` in a folder describes, as Artemis' own main class does from 2.29 on. */
public class EmbeddedMain {
    public static void main(String[] arguments) throws Exception {
        Path folder = Paths.get(arguments[0]);
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
        broker.setConfigResourcePath(folder.resolve("etc").resolve("broker.xml").toUri().toString());
        broker.start();
    }
}
