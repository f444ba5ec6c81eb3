"""The settings of brokers and clients that rules are about, with the deviations of released versions."""

from collections.abc import Iterator
from functools import cache

from generate import verdicts
from generate.as_built import FOLDER
from generate.markup import boxed, code, literal, paragraphs, table
from tidegate.catalogue import Rule, catalogue
from tidegate.catalogue.settings import Broker, Setting, anchor, settings
from tidegate.model.built.profile import Profile, Replacement
from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.rule import definition_of

PAGE = "/settings.md"
DOCUMENT = "the document"
"""The name of a setting's default by the document."""
DEFAULT = "default"
"""The category of rules about values in force without configuration."""


def by_broker() -> str:
    """A table of all settings, then one section for each broker, with a subsection for each of its settings."""
    return paragraphs(overview(), *_sections())


def overview() -> str:
    """For each broker a table of its settings: the unit, the default by the document, and the defaults of versions."""
    return paragraphs(*(part for broker in settings() for part in (f"**{broker.broker}**", _table(broker))))


def _table(broker: Broker) -> str:
    rows = [
        (
            f"[{code(setting.key)}](#{anchor(broker.broker, setting)})",
            setting.unit,
            setting.default.get(DOCUMENT, "not said"),
            "; ".join(f"{version}: {value}" for version, value in setting.default.items() if version != DOCUMENT),
        )
        for setting in broker.settings
    ]
    return boxed("settings", table(["setting", "unit", "default", "in versions"], rows))


def named_in(rule: Rule) -> str:
    """The settings that a rule is about, each with a link and its file."""
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
            facts = [f"- *{name}*: {value}" for name, value in setting.facts]
            yield "\n".join([*facts, *seen_in_versions(setting), *as_built(setting)])


def seen_in_versions(setting: Setting) -> Iterator[str]:
    """The versions with another default than the document's, and what was seen of each."""
    for rule in setting.rules:
        if catalogue()[rule].category == DEFAULT:
            for versions, seen in verdicts.deviations(rule):
                yield f"- *seen*, against {rule}: {versions}: {seen}"


def as_built(setting: Setting) -> Iterator[str]:
    """The replacements in released versions of rules about the setting, with links to their pages."""
    found: dict[str, list[str]] = {}
    for profile in PROFILES.values():
        for replacement in profile.replacements:
            if set(rules_of(replacement)) & set(setting.rules):
                found.setdefault(replacement.sentence, []).append(_link(profile))
    for sentence, versions in found.items():
        yield f"- *as built* in {', '.join(versions)}: {literal(sentence)}"


@cache
def rules_of(replacement: Replacement) -> tuple[str, ...]:
    """The rules of the specification that a replacement changes."""
    if replacement.rules:
        return replacement.rules
    definition = definition_of(replacement.instead)
    defined = (rule.id for rule in catalogue().values() if rule.owns(replacement.name))
    return tuple(dict.fromkeys([*([definition.rule_id] if definition else []), *defined]))


def _link(profile: Profile) -> str:
    return f"[{profile.name}](/{FOLDER}/{profile.name}.md)"
