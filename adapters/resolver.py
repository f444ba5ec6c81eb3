"""Finds an adapter by name: built-in, entry point, `module:Class`, or `cmd:PROGRAM`."""

import shlex
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from tidegate.adapters.base import Adapter
from tidegate.record.errors import BadInput, Unavailable
from tidegate.record.extras import how_to_install
from tidegate.record.hints import did_you_mean

ENTRY_POINTS = "tidegate.adapters"
BUILT_IN = {
    "reference:qpid-0.18": "tidegate.adapters.reference.qpid:QpidReference",
    "reference:qpid-942": "tidegate.adapters.reference.qpid942:Qpid942Reference",
    "reference:artemis": "tidegate.adapters.reference.artemis:ArtemisReference",
    "reference:artemis-core": "tidegate.adapters.reference.artemis_core:ArtemisCoreReference",
    "reference:andes": "tidegate.adapters.reference.andes:AndesReference",
    "reference:classic-5": "tidegate.adapters.reference.classic:ClassicReference",
    "reference:classic-4": "tidegate.adapters.reference.classic_4:Classic4Reference",
    "built:qpid-0.18": "tidegate.adapters.reference.built:BuiltQpid018",
    "built:qpid-6.1.7": "tidegate.adapters.reference.built:BuiltQpid617",
    "built:qpid-7.1.12": "tidegate.adapters.reference.built:BuiltQpid7112",
    "built:qpid-8.0.6": "tidegate.adapters.reference.built:BuiltQpid806",
    "built:qpid-9.2.1": "tidegate.adapters.reference.built:BuiltQpid921",
    "built:qpid-10.1.0": "tidegate.adapters.reference.built:BuiltQpid1010",
    "built:artemis-2.20.0": "tidegate.adapters.reference.built:BuiltArtemis2200",
    "built:artemis-2.31.2": "tidegate.adapters.reference.built:BuiltArtemis2312",
    "built:artemis-2.44.0": "tidegate.adapters.reference.built:BuiltArtemis2440",
    "built:artemis-2.50.0": "tidegate.adapters.reference.built:BuiltArtemis2500",
    "built:artemis-2.55.0": "tidegate.adapters.reference.built:BuiltArtemis2550",
    "built:artemis-core-2.6.2": "tidegate.adapters.reference.built:BuiltArtemisCore262",
    "built:artemis-core-2.20.0": "tidegate.adapters.reference.built:BuiltArtemisCore2200",
    "built:artemis-core-2.31.2": "tidegate.adapters.reference.built:BuiltArtemisCore2312",
    "built:artemis-core-2.44.0": "tidegate.adapters.reference.built:BuiltArtemisCore2440",
    "built:artemis-core-2.50.0": "tidegate.adapters.reference.built:BuiltArtemisCore2500",
    "built:artemis-core-2.55.0": "tidegate.adapters.reference.built:BuiltArtemisCore2550",
    "built:artemis-openwire-2.44.0": "tidegate.adapters.reference.built:BuiltArtemisOpenWire2440",
    "built:artemis-stomp-2.44.0": "tidegate.adapters.reference.built:BuiltArtemisStomp2440",
    "built:classic-4.1.2": "tidegate.adapters.reference.built:BuiltClassic412",
    "built:classic-5.3.1": "tidegate.adapters.reference.built:BuiltClassic531",
    "built:classic-5.9.1": "tidegate.adapters.reference.built:BuiltClassic591",
    "built:classic-5.15.16": "tidegate.adapters.reference.built:BuiltClassic51516",
    "built:classic-5.18.6": "tidegate.adapters.reference.built:BuiltClassic5186",
    "built:classic-6.1.8": "tidegate.adapters.reference.built:BuiltClassic618",
    "built:classic-6.3.1": "tidegate.adapters.reference.built:BuiltClassic631",
    "built:andes-client-3.2.12": "tidegate.adapters.reference.built:BuiltAndesClient3212",
    "artemis": "tidegate.adapters.artemis.adapter:ArtemisAdapter",
    "artemis-core": "tidegate.adapters.artemis.core.adapter:ArtemisCoreAdapter",
    "artemis-openwire": "tidegate.adapters.artemis.openwire.adapter:ArtemisOpenWireAdapter",
    "artemis-stomp": "tidegate.adapters.artemis.stomp.adapter:ArtemisStompAdapter",
    "qpid": "tidegate.adapters.qpid.adapter:QpidAdapter",
    "andes-client": "tidegate.adapters.qpid.andes:AndesClientAdapter",
    "classic": "tidegate.adapters.classic.adapter:ClassicAdapter",
}
PROGRAM = "cmd:"
"""The prefix of a program, with arguments, that is driven over its stdin and stdout."""
GROUPS = {group: tuple(name for name in BUILT_IN if name.startswith(f"{group}:")) for group in ("reference", "built")}
"""Names for several adapters that run one after the other in one run."""

Factory = Callable[[], Adapter]


def names() -> tuple[str, ...]:
    """Every name that resolves on this machine, except `module:Class` and `cmd:PROGRAM`."""
    others = (point.name for point in entry_points(group=ENTRY_POINTS))
    return (*GROUPS, *BUILT_IN, *others)


def tried_versions(broker: str) -> tuple[str, ...]:
    """The versions of a real broker on which the suite was run. `BadInput` for an unknown broker."""
    from tidegate.adapters.process import brokers

    started = [name for name in BUILT_IN if name in brokers.names()]
    if broker not in started:
        raise BadInput(
            f"no versions of a broker {broker!r} can be started{did_you_mean(broker, started) or '.'} "
            f"There are versions of: {', '.join(started)}. For another broker, use git bisect, as docs/gate.md shows"
        )
    return brokers.tried_versions(broker)


def resolve(name: str) -> dict[str, Factory]:
    """The factories of an adapter's name, one or more, by full name. `BadInput`, with the known names, for an unknown
    name.

    `Unavailable` if the adapter needs a library that is not installed.

    A built-in may carry a version after a colon, as in `artemis:2.50.0`.
    """
    if name.startswith(PROGRAM):
        return {name: _program(name)}
    if name in GROUPS:
        return {member: _load(BUILT_IN[member], member) for member in GROUPS[name]}
    if name in BUILT_IN:
        return {name: _load(BUILT_IN[name], name)}
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return {name: _load(point.value, name)}
    head, _, tail = name.partition(":")
    if head in BUILT_IN and tail:
        cls = _load(BUILT_IN[head], name)
        return {name: lambda: cls(version=tail)}  # type: ignore[call-arg]
    if tail and head not in GROUPS:
        return {name: _load(name, name)}
    of_file = f"; to run this file, name a command: 'cmd:./{name}' or 'cmd:PROGRAM {name}'."
    hint = did_you_mean(name, names()) or (of_file if Path(name).is_file() else ".")
    raise BadInput(f"there is no adapter {name!r}{hint} There are: {', '.join(_kinds_of_names())}")


def _kinds_of_names() -> tuple[str, ...]:
    """The names, whole brokers first; one name for all profiles of the reference, one for all built models."""
    single = [name for name in names() if ":" not in name and name not in GROUPS]
    kinds = [f"{group}:{'PROFILE' if group == 'reference' else 'VERSION'}" for group in GROUPS]
    listed = "`tidegate adapter list` names all"
    return (*single, *GROUPS, *kinds, f"module:Class and cmd:PROGRAM; {listed}")


def _program(name: str) -> Factory:
    try:
        command = shlex.split(name.removeprefix(PROGRAM))
    except ValueError as error:
        raise BadInput(f"adapter {name!r}: expected a command as in a shell ({error})") from None
    if not command:
        raise BadInput(f"adapter {name!r}: expected a program after {PROGRAM!r}")
    factory = _load("tidegate.adapters.stdio.adapter:StdioAdapter", name)

    def made() -> Adapter:
        adapter = factory(command)  # type: ignore[call-arg]
        adapter.driver.look_for_the_program()  # type: ignore[attr-defined]
        return adapter

    return made


def _load(target: str, name: str) -> Factory:
    module, _, attribute = target.partition(":")
    try:
        factory = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        sentence = f"adapter {name!r} needs the module {error.name!r}, which is not installed"
        kind = name.partition(":")[0]
        if kind in BUILT_IN:
            sentence += f": {how_to_install(kind)}"
        is_its_own = module == error.name or module.startswith(f"{error.name}.")
        raise BadInput(sentence) if is_its_own else Unavailable(sentence) from error
    except AttributeError:
        raise BadInput(f"adapter {name!r}: module {module!r} has no {attribute!r}") from None
    if not callable(factory):
        raise BadInput(f"adapter {name!r}: {target!r} is no class or function")
    return factory  # type: ignore[no-any-return]
