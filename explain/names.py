"""The names of settings at each place of a configuration, to report misspelt and misplaced names.

An unknown name is reported only if it is similar to a limit's name, or is a limit's name at another place: a file may
have settings of a later release.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from tidegate.explain.matching.spelling import NEAR
from tidegate.explain.vocabulary import Stopping


@dataclass(frozen=True)
class Place:
    """A place of a configuration: its name in sentences, the limits that may stand there, and other settings that
    may."""

    words: str
    limits: frozenset[str]
    others: frozenset[str]

    def knows(self, name: str) -> bool:
        """Whether a setting of this name may stand there."""
        return name in self.limits or name in self.others


STOPS = "A broker refuses to start with it."
"""The end of a sentence about a name that a broker's schema or its beans do not have."""


def _place(words: str, limits: str, others: str = "") -> Place:
    return Place(words, frozenset(limits.split()), frozenset(others.split()))


ADDRESS = _place(
    "an address-setting",
    "max-size-bytes max-size-messages address-full-policy max-size-bytes-reject-threshold page-limit-bytes "
    "page-limit-messages page-full-policy page-size-bytes disk-full-policy",
    "dead-letter-address auto-create-dead-letter-resources dead-letter-queue-prefix dead-letter-queue-suffix "
    "expiry-address auto-create-expiry-resources expiry-queue-prefix expiry-queue-suffix no-expiry expiry-delay "
    "min-expiry-delay max-expiry-delay redelivery-delay redelivery-delay-multiplier "
    "redelivery-collision-avoidance-factor max-redelivery-delay max-delivery-attempts page-max-cache-size "
    "max-read-page-messages prefetch-page-messages max-read-page-bytes prefetch-page-bytes "
    "last-value-queue default-ring-size slow-consumer-threshold slow-consumer-policy slow-consumer-check-period "
    "default-max-consumers default-consumer-window-size id-cache-size initial-queue-buffer-size "
    "management-browse-page-size management-message-attribute-size-limit redistribution-delay match name",
)
CORE = _place(
    "core",
    "global-max-size global-max-messages max-disk-usage persistence-enabled global-max-size-percent-of-jvm-max-memory "
    "min-disk-free",
    "disk-scan-period memory-warning-threshold "
    "memory-measure-interval journal-file-size journal-buffer-size id-cache-size page-max-concurrent-io "
    "scheduled-thread-pool-max-size thread-pool-max-size page-sync-timeout",
)
ACCEPTOR = _place("an acceptor", "amqpCredits amqpLowCredits protocols", "amqpMinLargeMessageSize amqpMinCredits")
ENTRY = _place(
    "a policyEntry",
    "memoryLimit producerFlowControl sendFailIfNoSpace sendFailIfNoSpaceAfterTimeout queue topic tempQueue tempTopic",
    "destination maxPageSize maxBrowsePageSize maxDestinations queuePrefetch topicPrefetch durableTopicPrefetch "
    "cursorMemoryHighWaterMark storeUsageHighWaterMark reduceMemoryFootprint blockedProducerWarningInterval "
    "minimumMessageSize queueBrowserPrefetch",
)
SYSTEM = _place("systemUsage", "sendFailIfNoSpace sendFailIfNoSpaceAfterTimeout memoryUsage storeUsage tempUsage",
                "name parent executor checkLimitsLogLevel jobSchedulerUsage")  # fmt: skip
MEMORY = _place("memoryUsage", "limit percentOfJvmHeap",
                "name parent usagePortion percentUsageMinDelta pollingTime limiter executor usage")  # fmt: skip
STORE = _place("storeUsage", "limit percentLimit total",
               "name parent usagePortion percentUsageMinDelta pollingTime limiter executor store usage")  # fmt: skip
QUEUE = _place(
    "a queue",
    "maximumQueueDepthBytes maximumQueueDepthMessages overflowPolicy queueFlowControlSizeBytes "
    "queueFlowResumeSizeBytes",
    "alertThresholdQueueDepthBytes alertThresholdQueueDepthMessages alertThresholdMessageSize "
    "alertThresholdMessageAge maximumDeliveryAttempts maximumMessageTtl minimumMessageTtl maximumLiveConsumers "
    "expiryPolicy queueFlowStopped maximumDistinctGroups exclusive messageDurability context name type id durable",
)
HOST = _place("a virtual host", "storeOverfullSize storeUnderfullSize queues context")
CONTEXT = _place(
    "a context",
    "queue.queueFlowResumeLimit broker.flowToDiskThreshold queue.defaultMaximumQueueDepthBytes "
    "queue.defaultMaximumQueueDepthMessages queue.defaultOverflowPolicy store.filesystem.maxUsagePercent",
    "queue.queueFlowControlSizeBytes queue.queueFlowResumeSizeBytes queue.alertThresholdQueueDepthBytes "
    "queue.alertThresholdQueueDepthMessages queue.maximumDistinctGroups broker.failStartupWithErroredChild",
)
OLD_QUEUE = _place("a queue or the queues of a virtual host", "capacity flowResumeCapacity",
                   "name durable autodelete exchange priority priorities")  # fmt: skip
OLD_STORE = _place("a store", "overfull-size underfull-size", "class environment-path type")
OF_ARTEMIS, OF_CLASSIC = (ADDRESS, CORE, ACCEPTOR), (SYSTEM, ENTRY, MEMORY, STORE)
OF_JSON, OF_OLD = (QUEUE, HOST, CONTEXT), (OLD_QUEUE, OLD_STORE)
_ANYWHERE = {"name", "type", "context", "queues", "queue", "topic", "total", "limit", "protocols", "exchange"}
"""Names of limits that are also common words at many other places."""
OF_ANOTHER: Mapping[str, tuple[str, str]] = {
    "memorylimit": ("ActiveMQ Classic", "bytes"),
    "producerflowcontrol": ("ActiveMQ Classic", "policy"),
    "maxsizebytes": ("Artemis", "bytes"),
    "addressfullpolicy": ("Artemis", "policy"),
    "maximumqueuedepthbytes": ("Broker-J", "bytes"),
    "overflowpolicy": ("Broker-J", "policy"),
    "queueflowcontrolsizebytes": ("Broker-J before 7.0", "bytes"),
    "capacity": ("the Qpid Java broker up to 0.20", "bytes"),
    "flowresumecapacity": ("the Qpid Java broker up to 0.20", "resume"),
}
"""By plain name of a limit: the broker that it belongs to, and the kind of limit."""
HERE: Mapping[str, Mapping[str, str]] = {
    ADDRESS.words: {"bytes": "max-size-bytes", "policy": "address-full-policy"},
    ENTRY.words: {"bytes": "memoryLimit", "policy": "producerFlowControl"},
    QUEUE.words: {
        "bytes": "maximumQueueDepthBytes",
        "policy": "overflowPolicy",
        "resume": "queue.queueFlowResumeLimit in the context",
    },
    OLD_QUEUE.words: {"bytes": "capacity", "resume": "flowResumeCapacity"},
}
"""By place and kind of limit, the setting that limits it there."""


def plain(name: str) -> str:
    """A name in lower case without separators, so that different spellings are equal."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def wrong(name: str, place: Place, others: tuple[Place, ...], *, has_schema: bool = False) -> str | None:
    """The sentence about a wrong name at a place, with the right name; None if it may stand there or no name is
    similar.

    A broker that checks a file by its schema refuses to start with a wrong name; otherwise the name has no effect.
    """
    says = (
        None if place.knows(name) else _wrong(name, place, others, "may not stand" if has_schema else "has no effect")
    )
    return Stopping(f"{says} {STOPS}") if says is not None and has_schema else says


def _wrong(name: str, place: Place, others: tuple[Place, ...], verdict: str) -> str | None:
    if f"queue.{name}" in CONTEXT.limits and place in OF_JSON:
        return f"{name} {verdict} in {place.words}: as queue.{name} it belongs in {CONTEXT.words}."
    elsewhere = next((each for each in others if each is not place and name in each.limits - _ANYWHERE), None)
    if elsewhere is not None:
        return f"{name} {verdict} in {place.words}: it belongs in {elsewhere.words}."
    of, what = OF_ANOTHER.get(plain(name), ("", ""))
    meant = HERE.get(place.words, {}).get(what)
    if meant is not None and plain(meant) != plain(name):
        return f"{name} {verdict} in {place.words}: it is a setting of {of}; here it is {meant}."
    near = _nearest(name, place)
    if near is not None and near in place.limits:
        return f"{name} is no setting of {place.words}: is {near} meant?"
    return None


def _nearest(name: str, place: Place) -> str | None:
    ranked = sorted(_alike(name, {*place.limits, *place.others}), reverse=True)
    return ranked[0][1] if ranked and ranked[0][0] >= NEAR else None


def _alike(name: str, known: set[str]) -> Iterator[tuple[float, str]]:
    for each in sorted(known):
        yield SequenceMatcher(None, plain(name), plain(each)).ratio(), each
