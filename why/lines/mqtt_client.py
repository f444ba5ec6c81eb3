"""Forms of lines in the log of a program with an MQTT client of Eclipse Paho: the client's limit of messages in flight
is reached.

Paho for Java has the text in many languages, each with the same number behind it.
"""

from tidegate.why.lines.form import form
from tidegate.why.notices import Blocked, Cause

IN_FLIGHT = Cause(
    family="mqtt client in flight",
    setting="maxInflight",
    where="MqttConnectOptions.setMaxInflight (10 unless set); under MQTT 5 the receive maximum of the broker",
    reason="as many messages with QoS 1 or 2 as the client may have in flight are not acknowledged by the broker yet; "
    "a publish fails, it does not hang",
    frees="the broker acknowledges messages",
    change="wait for the acknowledgement before the next publish, or raise maxInflight; look up why the broker "
    "acknowledges late, or not at all",
    ask="the log of the broker: a limit that is reached there, a lost connection, a slow disk",
    holds=False,
    sends="fail",
    tells_release=False,
)
QUEUE = Cause(
    family="mqtt client queue",
    setting="max_queued_messages_set",
    where="the client",
    reason="as many messages wait in the client for their turn as its queue may hold; a publish fails, it does not "
    "hang",
    frees="the broker acknowledges messages",
    change="publish more slowly, or raise max_queued_messages_set; look up why the broker acknowledges late",
    ask=IN_FLIGHT.ask,
    holds=False,
    sends="fail",
    tells_release=False,
)
FORMS = (
    *(
        form(
            mark,
            rf"(?:MqttException(?: \(0\))?(?: - |: ))?{text}",
            lambda fields: Blocked(IN_FLIGHT, "", "an MQTT client"),
        )
        for mark, text in (
            ("publishes in progress", r"[Tt]oo many publishes (?:is )?in progress\b"),
            ("(32202)", r"[^()\"']{4,80}? \(32202\)"),
        )
    ),
    form("ERR_QUEUE_SIZE", r"Message is not queued due to ERR_QUEUE_SIZE", lambda fields: Blocked(QUEUE)),
)
