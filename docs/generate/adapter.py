"""Tables of the adapter contract: verbs, groups and values, and the rules that need each capability."""

from generate.attributes import table_of
from generate.markup import boxed, code, fence, paragraphs, table
from tidegate.adapters import contract
from tidegate.adapters.capabilities import with_implied
from tidegate.adapters.resolver import BUILT_IN, resolve
from tidegate.catalogue import catalogue
from tidegate.conformance.attribution import BUILT
from tidegate.record.docstrings import WrittenMethod


def verbs() -> str:
    """The attributes and verbs of every adapter."""
    return paragraphs(contract.about_adapters(), table_of(contract.attributes()), *map(_verb, contract.verbs()))


def optional_groups() -> str:
    """The optional groups of attributes and verbs."""
    return paragraphs(
        *(
            paragraphs(
                f"## {group.name}",
                group.about,
                table_of(group.attributes) if group.attributes else "",
                *map(_verb, group.verbs),
            )
            for group in contract.optional_groups()
        )
    )


def without_figure() -> str:
    """The meaning of each field that holds no figure."""
    return table(["a field", "means"], contract.without_figure().items())


def values() -> str:
    """The values of arguments and answers."""
    outcome = table(["word", "meaning"], [(code(word), meaning) for word, meaning in contract.outcomes().items()])
    tables = [paragraphs(f"## {value.name}", value.about, table_of(value.fields)) for value in contract.values()]
    return paragraphs(*tables, "## Outcome", "The outcome of a send, for the sender of the message.", outcome)


def capabilities() -> str:
    """Every capability with its meaning, the rules that need it, and the built-in adapters that have it.

    Models of released versions are left out: they would double the rows of their adapters.
    """
    rules = catalogue().values()
    shown = [name for name in BUILT_IN if not name.startswith(BUILT)]
    claimed = {name: with_implied(resolve(name)[name]().capabilities) for name in shown}
    rows = []
    for capability, meaning in contract.capabilities().items():
        needing = [rule.id for rule in rules if capability in rule.needs]
        having = [code(name) for name, own in claimed.items() if capability in own]
        rows.append((code(capability), meaning, ", ".join(needing), ", ".join(having)))
    heads = ["capability", "what it means", "rules that need it", "built-in adapters that have it"]
    return boxed("texts", table(heads, rows))


def _verb(verb: WrittenMethod) -> str:
    answer = f" -> {verb.answer}" if verb.answer else ""
    line = f"{verb.name}({', '.join(verb.arguments)}){answer}"
    if len(line) > 100:
        line = "\n".join([f"{verb.name}(", *(f"    {argument}," for argument in verb.arguments), f"){answer}"])
    return paragraphs(fence(line, "python"), verb.meaning)
