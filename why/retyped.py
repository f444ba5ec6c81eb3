"""Recognises texts of brokers and clients that people retyped in titles and sentences: other case, other punctuation,
cut short.

Such a text is a quotation: it proves nothing and only tells what the message would mean.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from tidegate.why.lines import (
    artemis,
    artemis_client,
    classic,
    kafka_client,
    pulsar,
    qpid,
    qpid_client,
    qpidd,
    rabbitmq,
    rabbitmq_client,
    rabbitmq_figures,
)
from tidegate.why.notices import Blocked, Said

MOST_LINES = 200
"""The most lines of an excerpt that somebody wrote text around; a longer text is a log."""
NO_WORD = re.compile(r"[\W_]+")
SEARCHED = re.compile(
    r"\b[ef]?grep\b|(?:\b|_|(?<=[a-z])(?=[A-Z]))(?i:find|contain|match|search|index_?of|starts_?with|ends_?with|"
    r"has_?prefix|has_?suffix|include)[A-Za-z_]{0,20}\([^()]{0,80}\Z"
)
"""The command or call in front of a text that it searches for; a search does not tell whether the text occurs."""
OR = re.compile(r"[\"'`”’] or [\"'`“‘]")
TEXT = re.compile(r"(?<=[\"'`])\w|\w\Z")
"""The beginning of a text in quotes, or the end of the line."""
PHRASES: tuple[tuple[str, Said], ...] = (
    ("memory resource limit alarm set", Blocked(rabbitmq.MEMORY)),
    ("disk resource limit alarm set", Blocked(rabbitmq.DISK)),
    ("blocked low on memory", Blocked(rabbitmq.MEMORY, "", "a connection")),
    ("blocked low on disk", Blocked(rabbitmq.DISK, "", "a connection")),
    ("blocked connection timeout expired", Blocked(rabbitmq.TOLD, "", "a connection")),
    ("continuation call for method", Blocked(rabbitmq_client.NOT_ANSWERED, "", "a client")),
    ("resource alarm s in effect memory", Blocked(rabbitmq.MEMORY)),
    ("resource alarm s in effect disk", Blocked(rabbitmq.DISK)),
    ("rabbitmq alarms memory used watermark", Blocked(rabbitmq.MEMORY)),
    ("rabbitmq alarms free disk space watermark", Blocked(rabbitmq.DISK)),
    ("memory alarm in effect", Blocked(rabbitmq.MEMORY)),
    ("disk alarm in effect", Blocked(rabbitmq.DISK)),
    ("publishers will be blocked until this alarm clears", Blocked(rabbitmq.BOTH)),
    ("connection blocked by broker", Blocked(rabbitmq.TOLD, "", "a connection")),
    ("unable to publish message check queue limits", Blocked(rabbitmq_figures.LENGTH)),
    ("storepercentusage at 100", Blocked(classic.STORE)),
    ("temppercentusage at 100", Blocked(classic.TEMP)),
    ("memorypercentusage at 100", Blocked(classic.EITHER_MEMORY)),
    ("requesttimedoutioexception", Blocked(classic.TIMED_OUT, "", "a client")),
    ("producer flow control activated", Blocked(qpidd.FLOW)),
    ("enqueue capacity threshold exceeded", Blocked(qpidd.JOURNAL)),
    ("usage manager memory limit", Blocked(classic.EITHER_MEMORY)),
    ("usage manager store is full", Blocked(classic.STORE)),
    ("persistent store is full", Blocked(classic.STORE)),
    ("usage manager temp store is full", Blocked(classic.TEMP)),
    ("disk full blocking message production", Blocked(replace(artemis.DISK, place_is=""))),
    ("destination address is blocked", Blocked(artemis_client.NO_CREDIT, "", "a Core client")),
    ("blocking message production on address", Blocked(artemis.CUT)),
    ("broker enforced flow control", Blocked(qpid_client.WAITS, "", "a client")),
    ("producerblockedquotaexceeded", Blocked(pulsar.BACKLOG)),
    ("topic with backlog quota exceeded", Blocked(pulsar.BACKLOG)),
    ("producerqueueisfull", Blocked(pulsar.PENDING)),
    ("local queue full", Blocked(kafka_client.QUEUE, "", "a producer")),
    ("failed to allocate memory within the configured", Blocked(kafka_client.BUFFER, "", "a producer")),
    ("ms has passed since batch creation", Blocked(kafka_client.EXPIRED, "", "a producer")),
)
"""The words of each text in lower case. Phrases that other products write as well are left out."""
CODES: tuple[tuple[str, Said], ...] = (
    ("AMQ222183", Blocked(artemis.CUT)),
    ("AMQ222210", Blocked(replace(artemis.DISK, place_is=""))),
    ("AMQ222212", Blocked(replace(artemis.DISK, place_is=""))),
    ("AMQ224128", Blocked(replace(artemis.MIN_FREE, place_is=""))),
    ("AMQ224114", Blocked(artemis.ORDER)),
    ("AMQ229119", Blocked(replace(artemis.DISK, place_is=""))),
    ("AMQ229102", Blocked(artemis.REFUSING)),
    ("AMQ119102", Blocked(artemis.REFUSING)),
    ("AMQ219058", Blocked(artemis_client.REFUSED)),
    ("AMQ212054", Blocked(artemis_client.NO_CREDIT, "", "a Core client")),
    ("QUE-1003", Blocked(qpid.QUEUE, qpid.NOT_NAMED)),
    ("CHN-1005", Blocked(qpid.CHANNEL, qpid.NOT_NAMED, "a channel")),
    ("MST-1008", Blocked(qpid.STORE)),
    ("VHT-1006", Blocked(qpid.FILESYSTEM)),
)
"""Codes that people write without the text of their line."""
ALONE = r"(?<![\w-]){code}(?![\w-]|\s?:)"
"""The pattern of a code that stands alone; a code with another text behind it was copied from elsewhere."""


def retyped(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, Said]]:
    """The numbered lines that have a retyped text, each with the statement that it would make."""
    for number, line in lines:
        if any(SEARCHED.search(line, 0, text.start()) for text in TEXT.finditer(line)):
            continue
        if not _alternatives(line):
            yield from ((number, line, said) for said in _told(line))


def _told(text: str) -> list[Said]:
    """What the retyped messages in a text would say."""
    words = NO_WORD.sub(" ", text).lower()
    told = [said for phrase, said in PHRASES if phrase in words]
    return told + [said for code, said in CODES if re.search(ALONE.format(code=code), text)]


def _alternatives(line: str) -> bool:
    """Whether a sentence names different messages as alternatives: it then tells what may be written, not what was."""
    parts = [{said.cause.setting for said in _told(part) if isinstance(said, Blocked)} for part in OR.split(line)]
    return any(first != second for first, second in pairwise(parts))
