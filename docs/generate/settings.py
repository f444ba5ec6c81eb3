"""The settings of brokers and clients that rules are about."""

from collections.abc import Iterator

from generate.markup import code, paragraphs
from tidegate.catalogue import Rule
from tidegate.catalogue.settings import anchor, settings

PAGE = "/settings.md"


def by_broker() -> str:
    """One section for each broker, with one for each of its settings."""
    return paragraphs(*_sections())


def named_in(rule: Rule) -> str:
    """The settings that a rule speaks of, each with a link and the file it stands in."""
    return "; ".join(
        f"[{code(setting.key)}]({PAGE}#{anchor(broker.broker, setting)}), {setting.where}"
        for broker in settings()
        for setting in broker.settings
        if rule.id in setting.rules
    )


def _sections() -> Iterator[str]:
    for broker in settings():
        yield f"## {broker.broker}"
        for setting in broker.settings:
            yield f"### {code(setting.key)} {{ #{anchor(broker.broker, setting)} }}"
            yield setting.does
            yield "\n".join(f"- *{name}*: {value}" for name, value in setting.facts)
