"""The states with which each split of a stream begins, depth by depth, from what the splits say on their own."""

from collections.abc import Mapping, Sequence

import polars as pl

from tidegate.pipeline.runner import Runner
from tidegate.pipeline.splits.plan import SOURCE, Group
from tidegate.pipeline.splits.stream import Stream
from tidegate.pipeline.splits.tables import Parts, carry, combine, keys_of, of_sources
from tidegate.pipeline.splits.work import Level, level


class Levels:
    """The states of one stream: `begins` for each of its splits, `ends` after the last one, if another run goes on."""

    def __init__(self, stream: Stream):
        self.stream = stream
        self.begins: list[dict[str, pl.DataFrame]] = [{} for _ in stream.files]
        self.ends: dict[str, pl.DataFrame] = {}
        self._going_on = stream.going_on()
        self._concerned = [number for number in range(len(stream.files)) if self._sources(number)]

    def tasks(self, depth: int) -> Mapping[int, Level]:
        """By its number each split that is to say what its events say at this depth, which is not known already."""
        stream = self.stream
        if depth > stream.plan.depth:
            return {}
        below = {group.id for group in stream.plan.below(depth)}
        return {
            number: Level(
                stream.files[number].path,
                stream.names,
                depth,
                self._sources(number),
                {name: states for name, states in self.begins[number].items() if name in below},
            )
            for number in (self._concerned if stream.keep else self._concerned[:-1])
            if depth > 1 or self._known(number) is None
        }

    def take(self, depth: int, said: Mapping[int, Parts]) -> None:
        """Combine what the splits say at this depth in their order. Raises TooLarge."""
        for group in self.stream.plan.at(depth):
            before = self.stream.states.get(group.id)
            so_far: pl.DataFrame | None = None
            for number in self._concerned:
                parts = self._parts(number, depth, group, said)
                keys = keys_of(group, before, so_far) if parts is None else keys_of(group, parts)
                self.begins[number][group.id] = carry(group, before, so_far, keys)
                if parts is not None:
                    so_far = combine(group, so_far, parts)
            if self.stream.keep:
                self.ends[group.id] = carry(group, before, so_far, keys_of(group, before, so_far))

    def _parts(self, number: int, depth: int, group: Group, said: Mapping[int, Parts]) -> pl.DataFrame | None:
        if number in said:
            return said[number][group.id]
        known = self._known(number) if depth == 1 else None
        if known is None:
            return None
        return known[group.id] if self._going_on is None else of_sources(known[group.id], self._going_on)

    def _known(self, number: int) -> Parts | None:
        seen = self.stream.seen[number]
        return None if seen is None else seen.parts

    def _sources(self, number: int) -> tuple[str, ...]:
        """The sources of a split whose states are carried."""
        found = self.stream.sources[number][SOURCE]
        return tuple(source for source in found if self._going_on is None or source in self._going_on)


def levels(streams: Sequence[Stream], runner: Runner) -> list[Levels]:
    """The states of these streams, whose splits were looked at. Raises BadInput, TooLarge."""
    found = [Levels(stream) for stream in streams]
    for depth in range(1, max((stream.plan.depth for stream in streams), default=0) + 1):
        asked = [each.tasks(depth) for each in found]
        answers = iter(runner.each(level, [task for tasks in asked for task in tasks.values()]))
        for each, tasks in zip(found, asked, strict=True):
            each.take(depth, {number: next(answers) for number in tasks})
    return found
