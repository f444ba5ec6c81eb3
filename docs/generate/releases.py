"""The modelled version that stands for each release of a broker: the nearest one, as `tidegate why` and `explain` take.

A release without a model of its own is searched for by its number too, and finds its section here.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from generate.figures.drawing import listed
from generate.markup import boxed, code, folded, paragraphs
from tidegate.adapters.process.brokers import tried_versions
from tidegate.explain.versions import ARTEMIS, BROKERS, CLASSIC, QPID, releases, version

PAGE = "brokers/releases.md"
AS_BUILT = "brokers/as-built"
"""The folder of the pages of modelled versions."""
SERIES: Mapping[str, Sequence[str]] = {
    # 2.50 followed 2.44
    ARTEMIS: tuple(f"2.{minor}" for minor in (*range(45), *range(50, 57))),
    CLASSIC: ("4.0", "4.1", *(f"5.{minor}" for minor in range(20)), "6.0", "6.1", "6.2", "6.3"),
    QPID: (
        *(f"0.{minor}" for minor in range(5, 19)), *("0.20", "0.22", "0.24", "0.26", "0.28", "0.30", "0.32"),
        *("6.0", "6.1", "7.0", "7.1", "8.0", "9.0", "9.1", "9.2", "10.0", "10.1"),
    ),
}  # fmt: skip
"""The first two numbers of the releases of each broker, in ascending order."""
PATCHES: Mapping[str, Mapping[str, int]] = {
    ARTEMIS: {"2.6": 4, "2.8": 1, "2.10": 1, "2.19": 1, "2.23": 1, "2.27": 1, "2.31": 2},
    CLASSIC: {
        "4.0": 2, "4.1": 2, "5.3": 2, "5.4": 3, "5.5": 1, "5.9": 1, "5.10": 2, "5.11": 4, "5.12": 3, "5.13": 5,
        "5.14": 5, "5.15": 16, "5.16": 8, "5.17": 7, "5.18": 7, "5.19": 7, "6.0": 1, "6.1": 8, "6.2": 7, "6.3": 1,
    },
    QPID: {"6.0": 8, "6.1": 7, "7.0": 9, "7.1": 12, "8.0": 6, "9.0": 0, "9.1": 0, "9.2": 1, "10.0": 1, "10.1": 0},
}  # fmt: skip
"""The highest third number that is searched for, by series; where a series is missing, 0."""
SHORT = "0."
"""The releases of Qpid that begin so have two numbers."""


def of_broker(broker: str) -> Iterator[str]:
    """Every release of a broker that is searched for."""
    for series in SERIES[broker]:
        yield from of_series(broker, series)


def of_series(broker: str, series: str) -> Iterator[str]:
    """Every release with these first two numbers that is searched for."""
    if broker == QPID and series.startswith(SHORT):
        yield series
    else:
        yield from (f"{series}.{patch}" for patch in range(PATCHES[broker].get(series, 0) + 1))


def is_modelled(broker: str, series: str) -> bool:
    """Whether a release with these first two numbers has a model of its own."""
    return any(each.split(".")[:2] == series.split(".") for each in releases(broker))


def place(broker: str, release: str) -> str:
    """The place, from the docs folder, of the line about a release."""
    return f"{PAGE}#{_anchor(broker, release)}-gets"


def stands_for(broker: str, model: str) -> str:
    """The releases for which a model stands: each run of them as A to B, or its only one."""
    runs = [list(run) for taken, run in groupby(of_broker(broker), key=partial(_nearest, broker)) if taken == model]
    return listed([run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs])


def by_broker() -> str:
    """A section for each broker, and in it one for each modelled version."""
    return paragraphs(*_parts())


def _parts() -> Iterator[str]:
    for broker, name in BROKERS.items():
        yield f"## {name}"
        for model in releases(broker):
            others = [each for each in reversed(tried_versions(broker)) if _nearest(broker, each) == model != each]
            ran = f" The boundary subset of the suite ran on {listed(map(code, others))} too." if others else ""
            yield f"### {name} {model} {{ #{_anchor(broker, model)} }}"
            yield (
                f"[{model} as built](/{AS_BUILT}/{broker}-{model}.md) is the nearest model to "
                f"{stands_for(broker, model)}.{ran}"
            )
        # a section for each, since the search counts each word of a section that begins like a typed one
        yield boxed("releases", folded("abstract", f"Each release of {name}", paragraphs(*_each(broker, name))))


def _each(broker: str, name: str) -> Iterator[str]:
    for release in of_broker(broker):
        model = _nearest(broker, release)
        yield f"#### {name} {release} {{ #{_anchor(broker, release)}-gets }}"
        yield f"The nearest model is [{model}](/{AS_BUILT}/{broker}-{model}.md)."


def _nearest(broker: str, release: str) -> str:
    return version(broker, release).taken


def _anchor(broker: str, model: str) -> str:
    return f"{broker}-{model}".replace(".", "-")
