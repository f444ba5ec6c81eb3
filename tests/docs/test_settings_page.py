"""The page of settings: every setting with its unit, defaults and rules, and what versions do instead."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.settings import as_built, by_broker, overview, rules_of, seen_in_versions

from tidegate.catalogue import catalogue
from tidegate.catalogue.settings import Setting, anchor, settings
from tidegate.model.built.profiles import PROFILES

EVERY = [(broker.broker, setting) for broker in settings() for setting in broker.settings]


def setting(key: str, broker: str) -> Setting:
    (found,) = (each for name, each in EVERY if each.key == key and broker in name)
    return found


def test_the_table_has_every_setting_with_a_link_to_its_section() -> None:
    rows = [line for line in overview().splitlines() if line.startswith("| [")]
    assert len(rows) == len(EVERY)
    sections = set(re.findall(r"\{ #([a-z0-9-]+) \}", by_broker()))
    for row, (broker, each) in zip(rows, EVERY, strict=True):
        assert f"[`{each.key}`](#{anchor(broker, each)})" in row and each.unit in row
        assert anchor(broker, each) in sections


def test_a_default_that_versions_do_not_have_is_shown_with_what_was_seen() -> None:
    (seen, *_) = seen_in_versions(setting("amqpCredits", "Artemis"))
    assert "ARTEMIS-AMQP-2" in seen and "1000 issued" in seen
    assert "Artemis 2.44.0](/reports/artemis-2.44.0/" in seen and "Artemis 2.50.0](/reports/artemis-2.50.0/" in seen


def test_what_a_version_does_instead_is_shown_with_a_link() -> None:
    lines = list(as_built(setting("flowResumeCapacity", "Qpid")))
    assert any("qpid-0.18.md" in line and "at or below its resume level" in line for line in lines)
    assert any("qpid-10.1.0.md" in line and "80 per cent" in line for line in lines)
    assert list(as_built(setting("alwaysSyncSend", "Classic"))) == []


def test_every_replacement_changes_a_rule_of_the_specification_or_a_part_of_one() -> None:
    for profile in PROFILES.values():
        for replacement in profile.replacements:
            known = [rule for rule in rules_of(replacement) if rule in catalogue()]
            assert known or not replacement.rules, replacement.name
