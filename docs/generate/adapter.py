"""The adapter contract: verbs, groups and values, and which rules need which capability."""

import inspect
import re

from generate.attributes import about, described, fields_table
from generate.markup import code, fence, paragraphs, table
from tidegate.adapters import base, groups
from tidegate.adapters.capabilities import GROUPS, MECHANISMS
from tidegate.adapters.resolver import BUILT_IN, resolve
from tidegate.catalogue import catalogue

OFFERED = dict.fromkeys((*GROUPS.values(), groups.WritesReproducers))
VALUES = (
    base.Limits,
    base.ProducerOptions,
    groups.Usage,
    groups.ConsumerOptions,
    base.Depth,
    base.Standing,
    base.Delivery,
    groups.Settlement,
    groups.ClientState,
    base.Identity,
    base.Parameters,
    base.Call,
)


def verbs() -> str:
    """What every adapter offers."""
    return paragraphs(about(base.Adapter), _methods(base.Adapter))


def optional_groups() -> str:
    """What an adapter may offer beside."""
    return paragraphs(*(paragraphs(f"### {group.__name__}", about(group), _methods(group)) for group in OFFERED))


def values() -> str:
    """The values that go in and out."""
    texts = described(base.Outcome)
    outcome = table(["word", "meaning"], [(code(each.value), texts[each.name]) for each in base.Outcome])
    tables = [paragraphs(f"### {value.__name__}", about(value), fields_table(value)) for value in VALUES]
    return paragraphs("### Outcome", about(base.Outcome), outcome, *tables)


def capabilities() -> str:
    """Every capability: what it means, which rules need it, and which built-in adapters have it."""
    rules = catalogue().values()
    claimed = {name: resolve(name)[name]().capabilities for name in BUILT_IN}
    meanings = {**MECHANISMS, **{name: (inspect.getdoc(group) or "") for name, group in GROUPS.items()}}
    rows = []
    for capability, meaning in meanings.items():
        needing = [rule.id for rule in rules if capability in rule.needs]
        having = [code(name) for name, own in claimed.items() if capability in own]
        rows.append((code(capability), meaning.partition(": ")[2] or meaning, ", ".join(needing), ", ".join(having)))
    return table(["capability", "what it means", "rules that need it", "built-in adapters that have it"], rows)


def _methods(protocol: type) -> str:
    rows = []
    for name, method in vars(protocol).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            signature = str(inspect.signature(method)).replace("(self, ", "(").replace("(self)", "()")
            shown = re.sub(r"[\w.]+\.(?=\w+)", "", signature.replace("'", "")).replace(" -> None", "")
            rows.append(f"{fence(f'{name}{shown}', 'python')}\n\n{inspect.getdoc(method) or ''}")
    return "\n\n".join(rows)
