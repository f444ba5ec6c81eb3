import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** Prints what address settings amount to when nothing is set, as the broker's own class says. */
public class BuiltInSettings {
    public static void main(String[] arguments) {
        AddressSettings settings = new AddressSettings();
        System.out.println("maxSizeBytes=" + settings.getMaxSizeBytes());
        System.out.println("addressFullMessagePolicy=" + settings.getAddressFullMessagePolicy());
        System.out.println("maxSizeBytesRejectThreshold=" + settings.getMaxSizeBytesRejectThreshold());
    }
}
