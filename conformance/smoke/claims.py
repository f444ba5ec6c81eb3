"""Checks an adapter before it is started: it must have the verbs, and claim only capabilities of the contract."""

import difflib
import inspect

from tidegate.adapters.base import Adapter, Identity, Parameters
from tidegate.adapters.capabilities import CAPABILITIES, GROUPS
from tidegate.conformance.smoke.probe import Probe

ATTRIBUTES = {"identity": Identity, "capabilities": frozenset, "parameters": Parameters}
"""The attributes in which an adapter describes itself, with their types."""


def look_at_the_class(probe: Probe) -> None:
    """Check the attributes and verbs of the contract and of each claimed group; NotAsExpected at the first fault."""
    adapter = probe.adapter
    for name, kind in ATTRIBUTES.items():
        value = getattr(adapter, name, None)
        wrong = not isinstance(value, kind)
        probe.require(name, repr(value) if wrong else "there", f"of the type {kind.__name__}", kept=not wrong,
                      fix=f"give the class an attribute {name} of the type {kind.__name__}")  # fmt: skip
    lacking = _missing(adapter, Adapter)
    first = "".join(f"{name}{_signature(Adapter, name)}" for name in lacking[:1])
    probe.require("the verbs", _listed(lacking), "all of them", kept=not lacking, fix=f"write the method {first}")
    for capability in sorted(adapter.capabilities):
        _look_at_a_claim(probe, capability)


def _look_at_a_claim(probe: Probe, capability: str) -> None:
    asked = f"capability {capability}"
    if capability not in CAPABILITIES:
        near = difflib.get_close_matches(capability, CAPABILITIES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        fix = f"take {capability!r} out{hint}"
        probe.require(asked, "no rule needs it", "a name of the contract", kept=False, fix=fix)
    elif capability in GROUPS:
        group = GROUPS[capability]
        lacking = _missing(probe.adapter, group)
        first = "".join(f"{name}{_signature(group, name)}" for name in lacking[:1])
        fix = f"write {first}, or do not claim {capability}"
        probe.require(asked, _listed(lacking), f"the verbs of {group.__name__}", kept=not lacking, fix=fix)


def _missing(adapter: object, protocol: type) -> list[str]:
    names = [*getattr(protocol, "__annotations__", {}), *vars(protocol)]
    return [name for name in names if not name.startswith("_") and not hasattr(adapter, name)]


def _listed(lacking: list[str]) -> str:
    return f"without {', '.join(lacking)}" if lacking else "there"


def _signature(protocol: type, name: str) -> str:
    member = vars(protocol).get(name)
    return str(inspect.signature(member)) if inspect.isfunction(member) else ""
