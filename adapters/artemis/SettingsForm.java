import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

import org.apache.activemq.artemis.api.core.management.ActiveMQServerControl;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * Prints the parameters of the longest form of addAddressSettings behind the match, one a line in JSON, each with what
 * the broker's own class takes where nothing is set: whoever calls the form sets all of them.
 */
public class SettingsForm {
    private static final Map<String, String> OTHERWISE_NAMED = Map.of(
            "DLA", "DeadLetterAddress",
            "deliveryAttempts", "MaxDeliveryAttempts",
            "pageMaxCacheSize", "PageCacheMaxSize");

    public static void main(String[] arguments) throws Exception {
        Method form = Arrays.stream(ActiveMQServerControl.class.getMethods())
                .filter(method -> method.getName().equals("addAddressSettings"))
                .max(Comparator.comparingInt(Method::getParameterCount))
                .orElseThrow();
        AddressSettings unset = new AddressSettings();
        for (Annotation[] notes : Arrays.stream(form.getParameterAnnotations()).skip(1).toArray(Annotation[][]::new)) {
            String name = (String) notes[0].annotationType().getMethod("name").invoke(notes[0]);
            System.out.println(name + "=" + json(value(unset, name)));
        }
    }

    private static Object value(AddressSettings unset, String name) throws Exception {
        String own = OTHERWISE_NAMED.getOrDefault(name, Character.toUpperCase(name.charAt(0)) + name.substring(1));
        for (String getter : new String[] {"get" + own, "is" + own, "isDefault" + own}) {
            try {
                return AddressSettings.class.getMethod(getter).invoke(unset);
            } catch (NoSuchMethodException absent) {
                continue;
            }
        }
        throw new NoSuchMethodException("a getter of AddressSettings for the parameter " + name);
    }

    private static String json(Object value) {
        return value == null || value instanceof Number || value instanceof Boolean ? "" + value : "\"" + value + "\"";
    }
}
