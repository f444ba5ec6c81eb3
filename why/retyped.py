"""Texts of brokers and clients as people retype them in titles and sentences: other case, other punctuation, cut short.

Such a text is a quotation: it never tells for certain, only what it would mean.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tidegate.why.lines import artemis, classic, kafka_client, pulsar, qpid_client, rabbitmq, rabbitmq_client
from tidegate.why.notices import Blocked, Said

MOST_LINES = 200
"""What has more lines is a log, and no excerpt that somebody wrote around."""
NO_WORD = re.compile(r"[\W_]+")
PHRASES: tuple[tuple[str, Said], ...] = (
    ("memory resource limit alarm set", Blocked(rabbitmq.MEMORY)),
    ("disk resource limit alarm set", Blocked(rabbitmq.DISK)),
    ("blocked low on memory", Blocked(rabbitmq.MEMORY, "", "a connection")),
    ("blocked low on disk", Blocked(rabbitmq.DISK, "", "a connection")),
    ("blocked connection timeout expired", Blocked(rabbitmq.TOLD, "", "a connection")),
    ("continuation call for method", Blocked(rabbitmq_client.NOT_ANSWERED, "", "a client")),
    ("usage manager memory limit", Blocked(classic.EITHER_MEMORY)),
    ("usage manager store is full", Blocked(classic.STORE)),
    ("persistent store is full", Blocked(classic.STORE)),
    ("usage manager temp store is full", Blocked(classic.TEMP)),
    ("disk full blocking message production", Blocked(replace(artemis.DISK, place_is=""))),
    ("blocking message production on address", Blocked(artemis.CUT)),
    ("broker enforced flow control", Blocked(qpid_client.WAITS, "", "a client")),
    ("producerblockedquotaexceeded", Blocked(pulsar.BACKLOG)),
    ("topic with backlog quota exceeded", Blocked(pulsar.BACKLOG)),
    ("producerqueueisfull", Blocked(pulsar.PENDING)),
    ("local queue full", Blocked(kafka_client.QUEUE, "", "a producer")),
    ("failed to allocate memory within the configured", Blocked(kafka_client.BUFFER, "", "a producer")),
)
"""In words only, in small letters. A phrase that other products write as well is none of these."""


def retyped(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, Said]]:
    """The numbered lines in which such a text stands, each with what it would say."""
    for number, line in lines:
        words = NO_WORD.sub(" ", line).lower()
        yield from ((number, line, said) for phrase, said in PHRASES if phrase in words)
