"""All figures by name, with the figures of each chapter and of each released version."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from generate.figures import courses, gates, sends
from generate.figures.drawing import Figure
from tidegate.model.built.profile import Profile
from tidegate.model.language.linker import DOCUMENTED, Linker

Drawing = Callable[[Linker], Figure]

FIGURES: Mapping[str, Drawing] = {
    "gate-states": gates.general_states,
    "gate-loop": gates.general_loop,
    "qpid-queue": gates.qpid_queue,
    "qpid-queue-unset": gates.qpid_queue_unset,
    "qpid-disk": gates.qpid_disk_quota,
    "qpid-client": sends.qpid_client,
    "qpid942-policy": gates.qpid942_policy,
    "qpid942-sends": sends.qpid942_sends,
    "artemis-block": gates.artemis_block,
    "amqp-credit": courses.amqp,
    "core-credit": courses.core,
    "consumer-window": courses.consumer_window,
    "rate": courses.message_rate,
    "classic-memory": gates.classic_memory,
    "classic-sends": sends.classic_sends,
    "producer-window": courses.producer_window,
    "classic-store": gates.classic_store,
    "andes-memory": courses.andes_memory,
    "andes-count": gates.andes_count,
    "andes-client": sends.andes_client,
}
BY_CHAPTER: Mapping[str, tuple[str, ...]] = {
    "qpid/queue.md": ("qpid-queue", "qpid-queue-unset"),
    "qpid/disk_quota.md": ("qpid-disk",),
    "qpid/client_wait.md": ("qpid-client",),
    "qpid942/policies.md": ("qpid942-policy",),
    "qpid942/producers.md": ("qpid942-sends",),
    "artemis/block.md": ("artemis-block",),
    "artemis/amqp_credit.md": ("amqp-credit",),
    "artemis/producer_window.md": ("core-credit",),
    "artemis/consumer_window.md": ("consumer-window",),
    "artemis/rate.md": ("rate",),
    "classic/memory.md": ("classic-memory",),
    "classic/fail.md": ("classic-sends",),
    "classic/sending.md": ("producer-window",),
    "classic/usage.md": ("classic-store",),
    "andes/memory.md": ("andes-memory", "andes-count"),
    "andes/client.md": ("andes-client",),
    "general/flow.md": ("gate-states", "gate-loop"),
}
"""The figures of a chapter, placed after its first paragraphs."""
BY_IMPLEMENTATION: Mapping[str, tuple[str, ...]] = {
    "qpid": ("qpid-queue", "qpid-queue-unset", "qpid-disk", "qpid-client"),
    "artemis": ("artemis-block", "amqp-credit"),
    "artemis-core": ("artemis-block", "core-credit", "consumer-window", "rate"),
    "artemis-openwire": ("artemis-block",),
    "artemis-stomp": ("artemis-block",),
    "andes-client": ("andes-client",),
    "classic": ("classic-memory", "classic-sends", "producer-window", "classic-store"),
}
"""The figures of an implementation, by the name of its profiles without the version."""
IMPLEMENTATION = re.compile(r"-[0-9.]+$")


def figure(name: str, model: Linker = DOCUMENTED) -> str:
    """A figure as HTML, drawn from a model. KeyError for an unknown name."""
    return FIGURES[name](model).html


def as_built(profile: Profile) -> Iterator[tuple[str, str]]:
    """Each figure that a released version changes, as HTML: as documented, and as built."""
    for name in BY_IMPLEMENTATION[IMPLEMENTATION.sub("", profile.name)]:
        documented, built = FIGURES[name](DOCUMENTED), FIGURES[name](profile.linker)
        if built != documented:
            yield documented.html, replace(built, name=f"{built.name}-as-built").html


def of_chapter(chapter: str) -> str:
    """The figures of a chapter as HTML; empty if it has none."""
    return "\n\n".join(figure(name) for name in BY_CHAPTER.get(chapter, ()))
