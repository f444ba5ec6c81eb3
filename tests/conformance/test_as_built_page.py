"""The differences between two released versions as they are built: rules, and defaults that no rule names."""

from tidegate.conformance.as_built_page import differences


def test_a_default_that_changed_is_named_with_both_values() -> None:
    lines = list(differences("artemis:2.50.0", "artemis:2.55.0"))
    named = lines.index("tidegate.model.mechanisms.artemis:WINDOWS_AHEAD")
    assert lines[named + 1] == "    artemis-2.50.0: as documented"
    assert lines[named + 2].startswith(
        "    artemis-2.55.0: A producer that names no address is issued a window of credit"
    )
    assert lines[-1] == "0 rules and 1 default with another definition in artemis-2.55.0 than in artemis-2.50.0"


def test_a_version_differs_in_nothing_from_itself() -> None:
    (last,) = differences("artemis:2.55.0", "artemis:2.55.0")
    assert last.startswith("0 rules and 0 defaults ")


def test_a_rule_that_differs_comes_with_a_state_that_shows_it() -> None:
    lines = list(differences("classic:6.1.8", "classic:6.3.1"))
    rules = sorted(line.partition(":")[0] for line in lines[:-1] if not line.startswith(" "))
    assert rules == ["CLASSIC-MEMORY-9", "CLASSIC-USAGE-11", "GENERAL-49"]
    assert lines[-1].startswith("3 rules and 0 defaults ")
