"""What judging found, kept for each stream: it stands as long as the splits and the rules are the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from headgate.model.language import Definition
from headgate.pipeline.findings import Evidence
from headgate.pipeline.store.commits import Commit
from headgate.pipeline.store.digests import digest_of_value
from headgate.pipeline.store.durable import put, remove
from headgate.pipeline.store.layout import Store
from headgate.pipeline.tallies import Tallies, Tally, Witnesses

FILE_NAME_ENDS = ".json"


@dataclass(frozen=True)
class Found:
    """What a rule's definition, by its qualified name, says of one input of a stream."""

    input: str
    rule: str
    tally: Tally
    witnesses: tuple[Evidence, ...]


@dataclass(frozen=True)
class Judgement:
    """What the rules with this digest found in these splits, in their order."""

    stream: str
    rules: str
    splits: tuple[str, ...]
    found: tuple[Found, ...]


JUDGEMENTS = TypeAdapter(Judgement)


def standing(
    store: Store, stream: str, commits: Sequence[Commit], rules: Sequence[Definition], digest: str
) -> tuple[Tallies, Witnesses] | None:
    """What was found in a stream before, by the rules of this digest; None where it is to be judged."""
    try:
        said = JUDGEMENTS.validate_json(_path(store, stream).read_bytes(), strict=True, extra="forbid")
    except (FileNotFoundError, ValidationError):
        # what cannot be read is found again
        return None
    named = {rule.qualified_name: rule for rule in rules}
    if (said.stream, said.rules, said.splits) != (stream, digest, _names(commits)):
        return None
    tallies = {(each.input, named[each.rule]): each.tally for each in said.found}
    witnesses = {(each.input, named[each.rule]): each.witnesses for each in said.found if each.witnesses}
    return tallies, witnesses


def keep(
    store: Store, stream: str, commits: Sequence[Commit], digest: str, tallies: Tallies, witnesses: Witnesses
) -> None:
    """Keep what the rules of this digest found in a stream."""
    inputs = {commit.split.input.name for commit in commits}
    found = tuple(
        Found(name, rule.qualified_name, tally, witnesses.get((name, rule), ()))
        for (name, rule), tally in tallies.items()
        if name in inputs
    )
    said = JUDGEMENTS.dump_json(Judgement(stream, digest, _names(commits), found)) + b"\n"
    put(store.partial, _path(store, stream), lambda path: path.write_bytes(said))


def forget_others(store: Store, streams: Mapping[str, object]) -> None:
    """Remove what was found in streams that are no longer there."""
    wanted = {_path(store, stream) for stream in streams}
    for path in list(store.judged.iterdir()):
        if path not in wanted:
            remove(path)


def _names(commits: Sequence[Commit]) -> tuple[str, ...]:
    return tuple(commit.name for commit in commits)


def _path(store: Store, stream: str) -> Path:
    return store.judged / f"{digest_of_value(stream)}{FILE_NAME_ENDS}"
