"""Folds a stream: the loop takes the files of the stream in order, and its states pass from file to file."""

from dataclasses import dataclass
from itertools import chain

import polars as pl

from tidegate.pipeline.judge.loop import Loop
from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.read.tables import is_number
from tidegate.record.events import Kind

NEEDED = (SOURCE, "kind", "channel", "destination")
"""The fields of an event that completing reads."""
OF_STOPS = (str(Kind.STOP), str(Kind.RELEASE), str(Kind.CLOSE))
"""The kinds of events that begin or end the stop of a channel."""
EVENT, ROW = "event", "row"
"""The columns with the number of an event, and with the row of its keys."""


@dataclass(frozen=True)
class KeyStates:
    """The remembered values of each row of keys. The first key is the source; the values may have any size."""

    keys: tuple[tuple[str | int, ...], ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class States:
    """The values of operators, in the order of `Loop.keys`, and each stopped channel: source, channel, destination."""

    past: tuple[KeyStates, ...]
    stopped: tuple[tuple[str, str, str], ...]


class Folding:
    """Folds files of a stream, from the final states of a loop with the same digest."""

    def __init__(self, loop: Loop, states: States | None = None):
        self._loop = loop
        self._memories = [
            _Memory((SOURCE, *keys), loop.initial(keys), None if states is None else states.past[number])
            for number, keys in enumerate(loop.keys)
        ]
        self._stopped: dict[str, dict[str, str]] = {}
        """The stopped channels of each source, and the destinations that stopped them."""
        for source, channel, destination in states.stopped if states else ():
            self._stopped.setdefault(source, {})[channel] = destination

    def completed(self, events: pl.DataFrame) -> pl.DataFrame:
        """The next events of a log, before they are judged: the end of a stop gets the destination of the stop.

        A start of the broker ends all stops of the log, since the broker uses the names of its connections again.
        """
        if not {*NEEDED} <= {*events.columns}:
            return events
        is_start = pl.col("kind") == str(Kind.START)
        of_channel = pl.col("kind").is_in(OF_STOPS) & (pl.col("channel") != "")
        told = events.with_row_index(EVENT).filter(is_start | of_channel)
        ended = []
        for row, source, kind, channel, destination in told.select(EVENT, *NEEDED).iter_rows():
            on = self._stopped.setdefault(source, {})
            if kind == Kind.START:
                on.clear()
            elif kind == Kind.STOP:
                on[channel] = destination
            elif (was := on.pop(channel, "")) and not destination:
                ended.append((row, was))
        if not ended:
            return events
        found = pl.DataFrame(ended, {EVENT: pl.UInt32, "was": pl.Categorical}, orient="row")
        numbered = events.with_row_index(EVENT).join(found, on=EVENT, how="left", maintain_order="left")
        return numbered.with_columns(destination=pl.coalesce("was", "destination")).drop(EVENT, "was")

    def take(self, events: pl.DataFrame) -> pl.DataFrame:
        """The results of the rules for each event of the stream: a column for each rule, named by its number."""
        loop = self._loop
        places = [memory.places(events) for memory in self._memories]
        columns = [*(events[name].to_physical() for name in loop.fields), *places]
        texts = pl.Series(loop.texts, dtype=pl.Categorical).to_physical().to_list()
        results = [[0] * events.height for _ in loop.rules]
        remembered = chain.from_iterable(memory.values for memory in self._memories)
        loop.function(texts, *(column.to_list() for column in columns), *results, *remembered)
        return pl.DataFrame([pl.Series(str(number), each, dtype=pl.UInt8) for number, each in enumerate(results)])

    def states(self) -> States:
        """The states of the operators and of the stopped channels after the events so far."""
        stopped = ((source, *each) for source, on in self._stopped.items() for each in on.items())
        return States(tuple(memory.states() for memory in self._memories), tuple(stopped))


class _Memory:
    """The operators with the same keys: the row of each combination of keys, and a list of `values` for each operator.

    It begins with the values of `states`, or empty.
    """

    def __init__(self, columns: tuple[str, ...], initial: list[int], states: KeyStates | None):
        schema = {name: pl.Int64() if is_number(name) else pl.String() for name in columns}
        keys = pl.DataFrame(list(states.keys) if states else [], schema, orient="row")
        self._keys = keys.with_columns(pl.col(pl.String).cast(pl.Categorical)).with_row_index(ROW)
        self._initial = initial
        self.values = (
            [list(column) for column in zip(*states.values, strict=True)]
            if states and states.values
            else [[] for _ in initial]
        )

    def places(self, events: pl.DataFrame) -> pl.Series:
        """The row of each event's keys; new keys get a new row."""
        columns = [name for name in self._keys.columns if name != ROW]
        found = events.select(columns)
        new = found.unique(maintain_order=True).join(self._keys, on=columns, how="anti", maintain_order="left")
        self._keys = pl.concat([self._keys, new.with_row_index(ROW, offset=self._keys.height)])
        for column, value in zip(self.values, self._initial, strict=True):
            column += [value] * new.height
        return found.join(self._keys, on=columns, how="left", maintain_order="left")[ROW]

    def states(self) -> KeyStates:
        """The values of each row of keys, after the events so far."""
        keys = self._keys.drop(ROW).with_columns(pl.col(pl.Categorical).cast(pl.String))
        return KeyStates(tuple(keys.iter_rows()), tuple(zip(*self.values, strict=True)))
