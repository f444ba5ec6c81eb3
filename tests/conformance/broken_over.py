"""Makes a broken broker over each reference from one fault that does not depend on the mechanism."""

from collections.abc import Iterator, Sequence

from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference

EVERYWHERE: tuple[type, ...] = (
    QpidReference,
    Qpid942Reference,
    ArtemisReference,
    ArtemisCoreReference,
    ClassicReference,
    AndesReference,
)
"""The references with consumers that can be closed, and with messages that wait for consumers."""


def over(fault: type, references: Sequence[type] = EVERYWHERE) -> Iterator[type]:
    """One class for each reference, with the fault before its verbs and a name from both, in the module of the fault.

    Processes that run the classes find them in this module by their names.
    """
    for reference in references:
        name = f"{fault.__name__}On{reference.__name__.removesuffix('Reference')}"
        yield type(name, (fault, reference), {"__module__": fault.__module__, "__doc__": fault.__doc__})
