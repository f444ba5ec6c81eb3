import java.io.File;
import java.util.*;
import org.apache.activemq.artemis.api.core.*;
import org.apache.activemq.artemis.api.core.client.*;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.*;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.*;

public class Lines {
    static void set(Configuration c, String address, AddressSettings s) throws Exception {
        for (String name : new String[] {"addAddressSetting", "addAddressesSetting"})
            try { c.getClass().getMethod(name, String.class, AddressSettings.class).invoke(c, address, s); return; }
            catch (NoSuchMethodException e) { }
        throw new RuntimeException("no way to set address settings");
    }
    static void step(String what, java.util.concurrent.Callable<?> run) {
        try { run.call(); } catch (Throwable e) { System.out.println("STEP " + what + ": " + e); }
    }
    static ClientSession session(ServerLocator l) throws Exception { return l.createSessionFactory().createSession(true, true, 0); }
    static void send(ServerLocator l, String address, int n) throws Exception {
        ClientSession s = session(l);
        ClientProducer p = s.createProducer(address);
        for (int i = 0; i < n; i++) { ClientMessage m = s.createMessage(false); m.getBodyBuffer().writeBytes(new byte[2000]); p.send(m); }
        s.close();
    }
    static void pressed(String address, int n, java.util.concurrent.Callable<?> meanwhile) throws Exception {
        Thread t = new Thread(() -> {
            try {
                ServerLocator w = ActiveMQClient.createServerLocator("vm://0");
                w.setProducerWindowSize(1024); w.setBlockOnNonDurableSend(true); w.setCallTimeout(20000);
                send(w, address, n);
            } catch (Throwable e) { System.out.println("STEP pressed: " + e); }
        });
        t.start(); t.join(2500); meanwhile.call(); t.join(3000);
    }
    static void drain(ServerLocator l, String q) throws Exception {
        ClientSession s = session(l); s.start();
        ClientConsumer c = s.createConsumer(q); ClientMessage m;
        while ((m = c.receive(500)) != null) m.acknowledge();
        s.close();
    }
    static Object monitor(Object server) throws Exception {
        for (Class<?> k = server.getClass(); k != null; k = k.getSuperclass())
            for (java.lang.reflect.Field f : k.getDeclaredFields())
                if (f.getType().getSimpleName().equals("FileStoreMonitor")) { f.setAccessible(true); return f.get(server); }
        throw new RuntimeException("no monitor");
    }
    public static void main(String[] a) throws Exception {
        File dir = new File(a[0]);
        Configuration c = new ConfigurationImpl();
        c.setPersistenceEnabled(true).setSecurityEnabled(false).setJournalType(JournalType.NIO);
        c.setJournalDirectory(dir + "/j").setBindingsDirectory(dir + "/b").setLargeMessagesDirectory(dir + "/l").setPagingDirectory(dir + "/p");
        c.setJournalFileSize(100 * 1024); c.setJournalMinFiles(2); c.setMaxDiskUsage(100); c.setDiskScanPeriod(300);
        c.setGlobalMaxSize(20 * 1024 * 1024);
        c.addAcceptorConfiguration("vm", "vm://0");
        AddressSettings base = new AddressSettings().setAutoCreateAddresses(true).setAutoCreateQueues(true);
        set(c, "blocks.#", new AddressSettings().setMaxSizeBytes(10000).setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK));
        set(c, "pages.#", new AddressSettings().setMaxSizeBytes(20000).setPageSizeBytes(10000).setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE));
        set(c, "drops.#", new AddressSettings().setMaxSizeBytes(10000).setAddressFullMessagePolicy(AddressFullMessagePolicy.DROP));
        set(c, "fails.#", new AddressSettings().setMaxSizeBytes(10000).setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL));
        set(c, "global.#", new AddressSettings().setMaxSizeBytes(-1).setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK));
        EmbeddedActiveMQ e = new EmbeddedActiveMQ().setConfiguration(c);
        e.start();
        ActiveMQServer server = e.getActiveMQServer();
        ServerLocator l = ActiveMQClient.createServerLocator("vm://0");
        l.setProducerWindowSize(-1); l.setBlockOnNonDurableSend(true); l.setCallTimeout(3000); l.setReconnectAttempts(0);
        ClientSession s = session(l);
        for (String q : new String[] {"blocks.orders", "pages.orders", "drops.orders", "fails.orders", "global.orders", "blocks.managed", "blocks.disk"}) s.createQueue(q, RoutingType.ANYCAST, q, false);
        step("block", () -> { pressed("blocks.orders", 8, () -> { drain(l, "blocks.orders"); return 0; }); drain(l, "blocks.orders"); return 0; });
        step("page", () -> { send(l, "pages.orders", 30); drain(l, "pages.orders"); Thread.sleep(1500); return 0; });
        step("drop", () -> { send(l, "drops.orders", 12); drain(l, "drops.orders"); return 0; });
        step("fail", () -> { send(l, "fails.orders", 12); return 0; });
        step("drain fail", () -> { drain(l, "fails.orders"); return 0; });
        step("global", () -> { send(l, "global.orders", 9500); pressed("global.orders", 30, () -> { drain(l, "global.orders"); return 0; }); return 0; });
        step("drain global", () -> { drain(l, "global.orders"); return 0; });
        step("management", () -> {

            Object control = server.getManagementService().getResource("address.blocks.managed");
            System.out.println("BLOCK " + control.getClass().getMethod("block").invoke(control));
            Thread.sleep(200);
            control.getClass().getMethod("unblock").invoke(control); return 0; });
        step("disk", () -> {
            org.apache.activemq.artemis.core.server.files.FileStoreMonitor m = (org.apache.activemq.artemis.core.server.files.FileStoreMonitor) monitor(server);
            m.setMaxUsage(0.0000001);
            Thread.sleep(1500);
            pressed("blocks.disk", 3, () -> 0);
            m.setMaxUsage(1.0);
            Thread.sleep(1500); return 0; });
        step("drain disk", () -> { drain(l, "blocks.disk"); return 0; });
        Runtime.getRuntime().halt(0);
    }
}
