"""Signs of a broker in a line of its log."""

import re

from tidegate.why.lines.needed import Sign

BROKERS = {
    "artemis": Sign(
        r"\b(?:AMQ|HQ)[126]\d{5}\b|artemis|hornetq|\|CONSUMER_COUNT *\|MESSAGE_COUNT|^Connection brokerURL = ",
        re.IGNORECASE,
    ),
    "classic": Sign(
        r"activemq\.(?:broker|usage|store|kaha|transport)|\bActiveMQ \d\.|"
        r"\bStore limit is \d+ mb",
        re.IGNORECASE,
    ),
    "qpid": Sign(r"\b(?:BRK-|QUE-|CHN-|CON-|MST-|VHT-)\d{4}|org\.apache\.qpid"),
    "rabbitmq": Sign(r"rabbit|^=[A-Z]+ REPORT====", re.IGNORECASE),
    "andes": Sign(r"wso2\.andes"),
    "pulsar": Sign(r"\bpulsar\b|persistent://", re.IGNORECASE),
    "kafka": Sign(r"kafka", re.IGNORECASE),
}


def named_in(line: str, known: set[str]) -> set[str]:
    """The brokers that a line shows, without those that are known already."""
    lowered = line.lower()
    return {broker for broker in BROKERS.keys() - known if BROKERS[broker].found(line, lowered)}
