"""The settings of brokers and clients that rules are about: their names, places, and defaults."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tidegate.catalogue.ledger import Text
from tidegate.catalogue.rules import Rule
from tidegate.catalogue.shelf import catalogue, spec_folder
from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.record.errors import BadInput

SETTINGS = "settings"


class Setting(BaseModel):
    """A setting: its key, the file or URL that holds it, its unit, and its effect.

    `default` maps a document or a version to its value where nothing is configured. `rules` are the ids of the rules
    about the setting.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    key: Text
    where: Text
    unit: Text
    default: Mapping[Text, Text]
    does: Text
    rules: list[Text]
    """The rules that speak of it; none may."""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Label and text of each further fact about the setting, in the order of display."""
        defaults = "; ".join(f"{of}: {default}" for of, default in self.default.items()) or "not said"
        rules = ", ".join(self.rules) or "none speaks of it"
        return ("where", self.where), ("unit", self.unit), ("default", defaults), ("rules", rules)


class Broker(BaseModel):
    """The settings of one broker and of its clients."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    broker: Text
    settings: Annotated[list[Setting], Field(min_length=1)]


@cache
def settings() -> tuple[Broker, ...]:
    """The settings of every broker, by its name; BadInput for a malformed file, or one that names an unknown rule."""
    return tuple(sorted(read_settings(spec_folder(), catalogue()), key=lambda broker: broker.broker))


def read_settings(folder: Traversable, rules: Mapping[str, Rule]) -> Iterator[Broker]:
    """The settings below a spec folder, one file for each broker; raises BadInput naming file, line and field."""
    files = folder.joinpath(SETTINGS)
    for name in sorted(entry.name for entry in files.iterdir() if entry.name.endswith(".yaml")):
        text = read_yaml(files.joinpath(name).read_text(encoding="utf-8"), f"{SETTINGS}/{name}")
        broker = text.validated(Broker)
        for defect in _defects(broker, text, rules):
            raise defect
        yield broker


def _defects(broker: Broker, text: YamlText, rules: Mapping[str, Rule]) -> Iterator[BadInput]:
    keys = [setting.key for setting in broker.settings]
    for place, setting in enumerate(broker.settings):
        if setting.key in keys[:place]:
            yield _refused(text, f"expected {setting.key} once", place, "key")
        for position, rule in enumerate(setting.rules):
            if rule not in rules:
                yield _refused(text, f"expected the id of a rule, not {rule!r}", place, "rules", position)


def _refused(text: YamlText, expected: str, *path: int | str) -> BadInput:
    place = (SETTINGS, *path)
    return BadInput(expected, file=text.file, line=text.line_of(place), field=".".join(map(str, place)))


def anchor(broker: str, setting: Setting) -> str:
    """The anchor of a setting on the page of all settings."""
    return re.sub(r"[^a-z0-9]+", "-", f"{broker} {setting.key}".lower()).strip("-")


def settings_of(rule: str) -> tuple[Setting, ...]:
    """The settings of a rule."""
    return tuple(setting for broker in settings() for setting in broker.settings if rule in setting.rules)


def found(word: str) -> tuple[tuple[str, Setting], ...]:
    """The settings, each with its broker, that have this word in their key or effect, in either case."""
    return tuple(
        (broker.broker, setting)
        for broker in settings()
        for setting in broker.settings
        if word.casefold() in f"{setting.key} {setting.does}".casefold()
    )
