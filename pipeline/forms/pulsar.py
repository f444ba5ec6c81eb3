"""The log of an Apache Pulsar broker: the backlog of a topic exceeds its quota, and its producers are refused.

A producer that is created again on the topic is released. The broker writes no line when the backlog is below the
quota.
"""

import re
from collections.abc import Iterator

from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import Cause, LogForm, Statement, Subject
from tidegate.record.events import Kind

QUOTA = "backlog quota"
EVICTION = "eviction"
"""The cause of events of a topic that drops messages beyond its quota and stops nobody."""
STOPPING = ("producer_request_hold", "producer_exception")
EXCEEDED = "Backlog quota exceeded for topic [{topic:quoted}]. Applying [{policy}] policy"
EXCEEDED_BY = "Backlog quota type {quota:quoted} exceeded for topic [{topic:quoted}]. Applying [{policy}] policy"
"""The text since 2.8, where a quota may be about time as well."""
OF_TOPIC = {"destination": "{topic}"}
OF_PRODUCER = {**OF_TOPIC, "producer": "{producer}"}
TOPIC_IN_FRONT = Subject(
    "[persistent://", r"\[(?P<topic>persistent://[^\]]+)\]", "destination", "expected [persistent://TOPIC] in front"
)


def _exceeded() -> Iterator[Statement]:
    for text, mark in ((EXCEEDED, "Backlog quota exceeded for topic"), (EXCEEDED_BY, "Backlog quota type")):
        for policy in STOPPING:
            yield Statement(mark, LineForm(text.replace("{policy}", policy)), Kind.OVERFULL, OF_TOPIC, cause=QUOTA)
        evicts = LineForm(text.replace("{policy}", "consumer_backlog_eviction"))
        yield Statement(mark, evicts, Kind.LEVEL, OF_TOPIC, cause=EVICTION)


FORM = LogForm(
    name="pulsar log",
    broker="pulsar",
    recognised_by=re.compile(r"\borg\.apache\.pulsar\.broker\b"),
    statements=(
        *_exceeded(),
        Statement(
            "has exceeded backlog quota",
            LineForm("Producer [{producer:quoted}] has exceeded backlog quota on topic [{topic:quoted}]. {then:rest}"),
            Kind.STOP, OF_PRODUCER, cause=QUOTA,
        ),
        Statement(
            "Cannot create producer",
            LineForm("Backlog quota exceeded. Cannot create producer [{producer:quoted}]"),
            Kind.STOP, OF_PRODUCER, TOPIC_IN_FRONT, cause=QUOTA,
        ),
        Statement(
            "Created new producer",
            LineForm(
                "Created new producer: Producer{topic=PersistentTopic{topic={topic:quoted}}, client={client:quoted}, "
                "producerName={producer:quoted}, producerId={id:plain}}"
            ),
            Kind.RELEASE, OF_PRODUCER, cause=QUOTA, common=True,
        ),
    ),
    not_shown="no rule is about this broker",
    causes={QUOTA: Cause(QUOTA, names_senders=True), EVICTION: Cause(EVICTION, stops=False)},
)  # fmt: skip
