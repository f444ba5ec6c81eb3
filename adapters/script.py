"""Scripts that repeat a check with nothing of tidegate: what those of all adapters share."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from tidegate.adapters.base import Call
from tidegate.adapters.loops import with_loops

TEMPLATE = "reproduce.py.j2"


def script(package: str, *, steps: Sequence[str] = (), **values: Any) -> str:
    """The script that the template of an adapter's package makes of these values, with loops for repeated steps."""
    template = files(package).joinpath(TEMPLATE).read_text(encoding="utf-8")
    # what it makes is Python, not HTML
    environment = Environment(  # noqa: S701
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters.update(one_line=lambda text: " ".join(text.split()), python=repr)
    return environment.from_string(template).render(steps=list(with_loops(steps)), **values)


def without_repeated_looks(lines: Iterable[tuple[Call, str | None]], looks: Collection[str]) -> Iterator[str]:
    """The lines of calls; of verbs that look at something, only those that differ from the last look at it."""
    seen: dict[tuple[str, str], str] = {}
    for call, line in lines:
        if line is None:
            continue
        if call.verb in looks:
            if seen.get((call.verb, call.arguments[0])) == line:
                continue
            seen[call.verb, call.arguments[0]] = line
        yield line
