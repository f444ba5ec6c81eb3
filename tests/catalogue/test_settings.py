"""The settings: every name that a document has for one stands there, with rules that exist, and can be found."""

from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tidegate.catalogue import catalogue
from tidegate.catalogue.settings import found, read_settings, settings, settings_of
from tidegate.record.errors import BadInput

ENTRY = """
broker: A broker
settings:
  - key: limit
    where: broker.conf
    unit: bytes
    default: {}
    does: Limits a queue.
    rules: [QPID-QUEUE-1]
"""


def refusal(folder: Path, text: str) -> str:
    (folder / "settings").mkdir()
    (folder / "settings" / "broker.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        list(read_settings(folder, catalogue()))
    return str(refused.value)


def test_the_settings_that_documents_name_are_there() -> None:
    keys = {setting.key for broker in settings() for setting in broker.settings}
    assert keys >= {
        "sendFailIfNoSpace", "flowResumeCapacity", "max-size-bytes", "amqpCredits", "producerFlowControl",
        "memoryLimit", "qpid.flow_control_wait_failure", "globalMemoryThreshold",
        "consumerWindowSize", "alwaysSyncSend",
    }  # fmt: skip


def test_a_rule_knows_its_settings() -> None:
    assert [setting.key for setting in settings_of("ARTEMIS-AMQP-4")] == ["amqpCredits", "amqpLowCredits"]
    assert settings_of("GENERAL-8") == ()


def test_a_setting_is_found_by_a_word_in_either_case() -> None:
    assert [setting.key for _, setting in found("SENDFAIL")] == ["sendFailIfNoSpace", "sendFailIfNoSpaceAfterTimeout"]
    assert found("no such word") == ()


def test_a_setting_without_a_rule_that_exists_is_refused_with_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, ENTRY.replace("QPID-QUEUE-1", "QPID-QUEUE-99"))
    assert said.startswith("settings/broker.yaml:9: field 'settings.0.rules.0': expected the id of a rule")


def test_a_setting_that_stands_twice_is_refused(tmp_path: Path) -> None:
    twice = ENTRY + ENTRY[ENTRY.index("  - key") :]
    assert "expected limit once" in refusal(tmp_path, twice)


def test_the_command_finds_a_setting_and_says_where_none_is(tmp_path: Path) -> None:
    listed = tidegate("spec", "settings", "resumecap", folder=tmp_path)
    assert listed.returncode == 0
    assert "flowResumeCapacity (Qpid Java broker)" in listed.stdout
    assert "default: the document: the capacity" in listed.stdout
    missed = tidegate("spec", "settings", "nonsense", folder=tmp_path)
    assert missed.returncode == 2
    assert "expected a word of a setting's key or effect, not 'nonsense'" in missed.stderr
