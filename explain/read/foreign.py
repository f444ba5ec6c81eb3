"""Recognises files that people mistake for a broker's configuration, and tells what to give instead."""

import re
from pathlib import Path

from tidegate.record.errors import BadInput

_CLIENT = (
    "how an application reaches a broker: the limits stand in the broker.xml or activemq.xml of that broker; one that "
    "the application starts by itself has the defaults of its release"
)
_WRITTEN = "give the rendered file (the output of helm template, or the file that Ansible leaves on the host)"
_VALUES = f"values for a template: {_WRITTEN}"
_OF_RABBITMQ = re.compile(r"\"rabbit(?:mq)?_version\"|\"vhost\"\s*:\s*\"|\[\s*\{\s*rabbit\s*,")
"""Texts that only RabbitMQ's definitions, or its configuration as Erlang terms, have."""
_KINDS = (
    (
        r"\.(?:java|kt|groovy|scala)",
        "",
        "source code, which is not run here: give the broker.xml or activemq.xml of the broker, or write one that sets "
        "what the code sets",
    ),
    (
        r"\.cli",
        r"^\s*/\S*subsystem=messaging",
        "a script for the command line of WildFly, which is not run here: give the standalone.xml that the "
        "script produces",
    ),
    (
        r"rabbitmq.*\.conf|advanced\.config|definitions\.json",
        r"^\s*(?:vm_memory_high_watermark|disk_free_limit|listeners\.tcp|default_vhost|loopback_users|load_definitions)\b"
        rf"|{_OF_RABBITMQ.pattern}|^kind:\s*[\"']?Rabbitmq|apiVersion:\s*[\"']?rabbitmq\.com/"
        r"|^FROM\s+\S*rabbitmq|(?:image|repository):\s*\S*rabbitmq|\bRABBITMQ_(?:VM_MEMORY|DISK_FREE|DEFAULT_)\w+",
        "one of RabbitMQ, for which tidegate has no rules: the alarms of memory and disk stop publishers, and "
        "tidegate why reads the log",
    ),
    (
        r"Dockerfile.*|Containerfile",
        r"^\s*FROM\s",
        "how an image is made: give the file with the broker's configuration that it copies or mounts",
    ),
    (
        "",
        r"^kind:\s*[\"']?(?:CustomResourceDefinition|ClusterServiceVersion)\b",
        "definitions of kinds of resources, which set nothing: give a resource of such a kind (kubectl get "
        "activemqartemises,brokers -o yaml)",
    ),
    (
        "",
        r"^kind:\s*[\"']?Broker(?:Service|App)\b",
        "a service or an application for the operator of Artemis, which makes a Broker and its Secrets from it: give "
        "these (kubectl get brokers,secrets -o yaml)",
    ),
    (
        "",
        r"^rules:\s*$(?:.*\n)*?.*pattern:.*org\.?\\?\.apache\.activemq",
        "rules by which a monitor reads a broker",
    ),
    (
        r"server\.properties",
        r"^\s*(?:zookeeper\.connect|log\.dirs|process\.roles)\s*=|^apiVersion:\s*kafka\.strimzi\.io",
        "one of Kafka, for which tidegate has no rules",
    ),
    (
        r"qpidd\.conf",
        r"^\s*default-queue-limit\s*=",
        "one of the C++ broker of Qpid, for which tidegate has no rules",
    ),
    (
        r"",
        r"^\s*(?:backlogQuotaDefault\w+|managedLedger\w+)\s*=",
        "one of Pulsar, for which tidegate has no rules",
    ),
    (
        r"mosquitto.*\.conf",
        r"^\s*(?:max_queued_messages|allow_anonymous)\s",
        "one of Mosquitto, for which tidegate has no rules",
    ),
    (
        "",
        r"class=\"org\.(?:hornetq|apache\.activemq\.artemis)\.[\w.]*(?:FileConfiguration|Embedded\w+|ServerImpl|Bootstrap)\"",
        "beans of an application that starts a broker, which reads a file of its own: give that broker.xml or "
        "hornetq-configuration.xml",
    ),
    (
        "",
        r"^\s*(?:quarkus|spring)[.:].*(?:artemis|activemq|jms)|^spring:(?:.*\n)*?\s+(?:artemis|activemq|jms):"
        r"|ActiveMQ(?:XA)?ConnectionFactory|<(?:\w+:)?connectionFactory\b[^>]*brokerURL|\.RedeliveryPolicy",
        _CLIENT,
    ),
    (r"values[\w.-]*\.ya?ml", "", _VALUES),
    (
        "",
        r"^\s*\{\{-? include \"[\w.-]*(?:[bB]roker|[cC]onfig)\w*\"",
        f"a template that includes its configuration from another template: {_WRITTEN}",
    ),
    (
        "",
        r"image:\s*\S*(?:activemq|artemis|amq-broker|qpid)"
        r"|^\s*(?:- )?(?:name:\s*)?[\"']?(?:ACTIVEMQ|ARTEMIS|AMQ)_[A-Z_]+\b",
        "how the container of one is started: give the broker.xml, activemq.xml or config.json that it mounts; without "
        "such a file it has the limits that its image sets",
    ),
    (
        "",
        r"\baws_mq_broker\b|AWS::AmazonMQ::Broker\b",
        "the order of a broker from Amazon MQ: give the XML of the configuration that it names (aws_mq_configuration), "
        "or the default one of its release, which the service shows",
    ),
    (
        "",
        r"^\s*resource\s+\"qpid_\w+\"",
        "Terraform's resources of a Qpid broker: give the JSON of the virtual host that they make "
        "(GET /api/latest/virtualhost/NODE/HOST?depth=2 of its management)",
    ),
    (
        "",
        r"xmlns=\"urn:jboss:domain:(?!messaging)",
        "a server of WildFly without an address-setting: give the file whose messaging subsystem has one",
    ),
    (
        "",
        r"BrokerXmlConfig\s*=",
        "resources of TomEE: give the file that BrokerXmlConfig names behind xbean:; a broker without one has the "
        "defaults of its release",
    ),
    (
        r"deployment\.toml",
        "",
        "the deployment.toml of WSO2, from which WSO2 makes its broker.xml. WSO2 has its own flow control: tidegate "
        "has no rules for this file",
    ),
    (
        "",
        r"<flowControl>|<(?:lowLimit|highLimit)>",
        "the broker.xml of WSO2, which has its own flow control: tidegate has no rules for this file",
    ),
    (
        r"\.log(?:\.\d+)?",
        r"\A\S{0,40} ?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d",
        "a log: `tidegate why` says who is blocked in it, and `tidegate trace check` judges it",
    ),
    ("", r"^\s*\w*(?:activemq|artemis|amq|qpid)\w*:(?:\s|$)|repository:\s*\S*(?:activemq|artemis|qpid)", _VALUES),
)
"""A pattern of the name, a pattern of the text (empty: none), and the words for a file that matches either."""


class NotOfBroker(BadInput):
    """A well-formed file that configures no broker, such as the configuration of a log."""


def of_rabbitmq(text: str) -> int | None:
    """The number of lines before the first text that only a RabbitMQ file has; None for any other file."""
    found = _OF_RABBITMQ.search(text)
    return None if found is None else text.count("\n", 0, found.start())


def refused(path: Path, file: str, text: str, error: NotOfBroker) -> NotOfBroker:
    """The error for a file that configures no broker, with the kind of the file if it is known."""
    for name, sign, says in _KINDS:
        found = re.search(sign, text, re.MULTILINE) if sign else None
        if found is not None or (name and re.fullmatch(rf".*?{name}", path.name)):
            line = text.count("\n", 0, found.start()) + 1 if found is not None else 1
            return NotOfBroker(f"expected a broker's configuration, not {says}", file=file, line=line)
    return error
