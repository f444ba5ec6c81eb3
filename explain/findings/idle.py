"""Settings without an effect: a place that inherits a setting may be without its effect where another place has it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tidegate.explain.vocabulary import Finding, Origin

Settings = Iterable[tuple[str, Origin]]
"""The settings of a place that need another setting: the name of each, and its origin."""


def without_effect(places: Sequence[tuple[Mapping[str, Finding], Settings]]) -> Iterator[Finding]:
    """The findings about settings that have an effect at no place.

    Each place, a match or a queue, has its findings about settings without an effect, by the name of the setting, and
    its settings.
    """
    effective = {(key, origin) for idle, settings in places for key, origin in settings if key not in idle}
    for idle, _ in places:
        yield from (finding for key, finding in idle.items() if (key, finding.origin) not in effective)
