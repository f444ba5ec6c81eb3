"""The folder of a store: its files, and the check that a folder is a store."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.files.durable import PARTIAL, alone_in, put
from tidegate.pipeline.files.storage import Place
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.names import fault_of_name

FORMAT = "tidegate-store"
SCHEMA_VERSION = 3
"""The version of the layout of a store's files."""
READERS = "5"
"""The version of the readers, raised when they make other events from lines or name splits otherwise: all lines are
then read again."""
DESCRIPTION = "store.json"
LOCK = "store.lock"
BEFORE_THE_DESCRIPTION = frozenset({LOCK, PARTIAL})
"""The files of a folder in which a first run was stopped before it wrote the description of the store."""


class Store(NamedTuple):
    """The folders of a store. Splits read together have files of one name in the first three, the marker last."""

    folder: Place

    @property
    def events(self) -> Place:
        """Tables of events, `NAME.parquet`."""
        return self.folder / "events"

    @property
    def quarantine(self) -> Place:
        """Tables of lines put aside, `NAME.parquet`."""
        return self.folder / "quarantine"

    @property
    def commits(self) -> Place:
        """Markers, `NAME.json`: without one, no file of a table counts."""
        return self.folder / "commits"

    @property
    def judged(self) -> Place:
        """The findings of judging, one file for each batch of streams."""
        return self.folder / "judged"

    @property
    def partial(self) -> Place:
        """Unfinished files."""
        return self.folder / PARTIAL


@contextmanager
def opened(folder: Place) -> Iterator[Store]:
    """The store in this folder, for this process alone; an empty or missing folder becomes a store.

    Raises BadInput for a folder that holds something else, a store of another version, and a store that is in use.
    """
    store = Store(folder)
    if isinstance(folder, Path) and (fault := fault_of_name(folder)) is not None:
        raise fault
    _make(folder)
    _refuse_what_is_no_store(folder)
    # in storage a file that exists is whole, and two runs write the same content for the same split
    alone = (
        alone_in(folder, LOCK, "expected a store that no other run is writing") if isinstance(folder, Path) else None
    )
    with alone or nullcontext():
        if not (folder / DESCRIPTION).exists():
            said = json.dumps({"format": FORMAT, "schema": SCHEMA_VERSION}) + "\n"
            put(store.partial, folder / DESCRIPTION, said.encode())
        for each in (store.events, store.quarantine, store.commits, store.judged):
            _make(each)
        yield store


def _make(folder: Place) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # an object store that cannot be reached fails only at a request
        folder.exists()
    except OSError as error:
        raise BadInput(f"expected a folder that can be written, but {in_words(error)}", file=str(folder)) from error


def _refuse_what_is_no_store(folder: Place) -> None:
    description = folder / DESCRIPTION
    if not description.exists():
        others = sorted({each.name for each in folder.iterdir()} - BEFORE_THE_DESCRIPTION)
        if others:
            expected = f"expected an empty folder or one with {DESCRIPTION}, but it holds {others[0]}"
            raise BadInput(f"{expected}; name another folder for the report", file=str(folder))
        return
    try:
        said = json.loads(description.read_bytes())
        form, schema = said["format"], said["schema"]
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput("expected the description of a store, with format and schema", file=str(description)) from error
    if form != FORMAT:
        raise BadInput(f"expected {FORMAT!r}, not {form!r}", file=str(description), field="format")
    if schema != SCHEMA_VERSION:
        expected = f"expected a store of version {SCHEMA_VERSION}, not {schema!r}; name another folder for the report"
        raise BadInput(expected, file=str(description), field="schema")
