"""Converts Spring beans that name their class to the elements of an activemq.xml."""

from collections.abc import Iterator, Mapping

from tidegate.explain.read.xml_tree import Element

_CLASSES = {
    "BrokerService": "broker",
    "XBeanBrokerService": "broker",
    "PolicyMap": "policyMap",
    "PolicyEntry": "policyEntry",
    "SystemUsage": "systemUsage",
    "MemoryUsage": "memoryUsage",
    "StoreUsage": "storeUsage",
    "TempUsage": "tempUsage",
    "KahaDBPersistenceAdapter": "kahaDB",
    "VMPendingQueueMessageStoragePolicy": "vmQueueCursor",
    "FilePendingQueueMessageStoragePolicy": "fileQueueCursor",
    "StorePendingQueueMessageStoragePolicy": "storeCursor",
}
"""By class of ActiveMQ, its element in the configuration."""
_PARTS = {
    "VirtualDestinationInterceptor": "virtualDestinationInterceptor",
    "CompositeQueue": "compositeQueue",
    "CompositeTopic": "compositeTopic",
    "VirtualTopic": "virtualTopic",
    "MirroredQueue": "mirroredQueue",
    "FilteredDestination": "filteredDestination",
    "ActiveMQQueue": "queue",
    "ActiveMQTopic": "topic",
    "MKahaDBPersistenceAdapter": "mKahaDB",
    "FilteredKahaDBPersistenceAdapter": "filteredKahaDB",
    "JDBCPersistenceAdapter": "jdbcPersistenceAdapter",
    "MemoryPersistenceAdapter": "memoryPersistenceAdapter",
    "ConstantPendingMessageLimitStrategy": "constantPendingMessageLimitStrategy",
    "PrefetchRatePendingMessageLimitStrategy": "prefetchRatePendingMessageLimitStrategy",
}
"""By class of a bean that a client may have too, or that is only a part of a broker, its element."""


def with_plain_beans(element: Element) -> Element:
    """The tree with each bean of an ActiveMQ class renamed to its element, and with its values as attributes."""
    for child in element.children:
        with_plain_beans(child)
    kind = element.attributes.get("class", "")
    found = {**_CLASSES, **_PARTS}.get(kind.rpartition(".")[2])
    if element.name != "bean" or "activemq" not in kind or found is None:
        return element
    element.label, element.name = element.name, found
    if (argument := element.child("constructor-arg")) is not None:  # the name of a destination
        inner = argument.child("value")
        said = argument.attributes.get("value", inner.text.strip() if inner is not None else "")
        element.attributes.setdefault("physicalName", said)
    for child in element.children:
        if child.name != "property" or "name" not in child.attributes:
            continue
        key, value = child.attributes["name"], child.child("value")
        if "value" in child.attributes:
            element.attributes[key] = child.attributes["value"]
            element.lines[key] = child.lines.get("value", child.line)
        elif value is not None:
            element.attributes[key] = value.text.strip()
            element.lines[key] = value.line
        elif named := _reference(child):
            element.attributes[key] = f"#{named}"
            element.lines[key] = child.line
        else:
            child.name = key
    return element


def _reference(element: Element) -> str:
    """The id of the bean to which a property refers; empty if it refers to none."""
    inner = element.child("ref")
    said = inner.attributes.get("bean", inner.attributes.get("local", "")) if inner is not None else ""
    return element.attributes.get("ref", said)


def is_of_a_broker(element: Element) -> bool:
    """Whether a bean belongs to a broker's configuration, by its class."""
    kind = element.attributes.get("class", "")
    return element.name == "bean" and "activemq" in kind and kind.rpartition(".")[2] in _CLASSES


def values_of(root: Element) -> Mapping[str, str]:
    """The values of placeholders that a Spring or blueprint file sets itself."""
    return dict(_values(root))


def properties_of_spring(root: Element) -> Iterator[str]:
    """The names of the property files that a Spring file reads for its placeholders, in its order."""
    for each in root.all("property-placeholder"):
        yield from (name.strip() for name in each.attributes.get("location", "").split(",") if name.strip())
    for bean in root.all("bean"):
        if "Placeholder" not in bean.attributes.get("class", ""):
            continue
        for each in bean.all("property", "constructor-arg"):
            if each.name == "constructor-arg" or each.attributes.get("name") in ("location", "locations"):
                named = (each.attributes.get("value", ""), *(value.text for value in each.all("value")))
                yield from (name.strip() for text in named for name in text.split(",") if name.strip())


def _values(root: Element) -> Iterator[tuple[str, str]]:
    for each in root.all("prop"):
        if "key" in each.attributes:
            yield each.attributes["key"], each.text.strip()
    for group in root.all("default-properties"):
        for each in group.all("property"):
            if "name" in each.attributes and "value" in each.attributes:
                yield each.attributes["name"], each.attributes["value"]
    for each in root.all("property"):
        value = each.child("value")
        if each.attributes.get("name") == "properties" and value is not None:
            pairs = (line.partition("=") for line in value.text.splitlines())
            yield from ((key.strip(), said.strip()) for key, found, said in pairs if found)
