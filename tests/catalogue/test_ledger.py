"""The ledger accounts for every sentence, agrees with the chapters, and can be held against the texts."""

from pathlib import Path

import pytest
import yaml

from tidegate.catalogue import catalogue
from tidegate.catalogue.ledger import LedgerFile, ledgers, problems, read_ledger
from tidegate.catalogue.recheck import differences, document_path, quoted, skeleton
from tidegate.catalogue.sentences import fingerprint
from tidegate.record.errors import BadInput

TEXT = "A queue has a limit. It is full above it. It was added in 0.6."
RULE = "QPID-QUEUE-1"
SECTION = "Configuring a Queue to use flow control"


def ledger(**changes: object) -> LedgerFile:
    fates: list[dict[str, object]] = [{"rules": [RULE]}, {"later": "topics"}, {"none": "history"}]
    parts = ["A queue has a limit.", "It is full above it.", "It was added in 0.6."]
    data = {
        "document": "000",
        "about": "a text",
        "title": "Limits",
        "address": "https://example.org/limits",
        "cut_by": "sentences-1",
        "sections": [{"title": SECTION, "first": 1}],
        "sentences": 3,
        "entries": [
            {"sentence": ordinal, "sha256": fingerprint(part), **fate}
            for ordinal, (part, fate) in enumerate(zip(parts, fates, strict=True), start=1)
        ],
    }
    return read_ledger(yaml.safe_dump(data | changes, sort_keys=False), "sources/000.yaml")


def found(file: LedgerFile) -> list[str]:
    return [str(problem) for problem in problems((file,), {RULE: catalogue()[RULE]})]


def test_a_complete_ledger_has_no_problems() -> None:
    assert found(ledger()) == []
    assert ledger().ledger.counts() == {"rules": 1, "none": 1, "later": 1}
    assert ledger().ledger.not_yet_covered() == {"topics": 1}


def test_a_missing_sentence_is_a_problem() -> None:
    entries = ledger().text.data["entries"]
    assert any("as many entries" in problem for problem in found(ledger(entries=entries[:2])))
    assert any("expected sentence 2" in problem for problem in found(ledger(entries=entries[::2], sentences=2)))


def test_a_rule_that_does_not_exist_is_a_problem() -> None:
    entries = ledger().text.data["entries"]
    entries[1] = {"sentence": 2, "sha256": "0" * 64, "rules": ["QPID-QUEUE-99"]}
    assert found(ledger(entries=entries)) == [
        "sources/000.yaml:18: field 'entries.1.rules.0': expected a rule that cites document 000, not QPID-QUEUE-99"
    ]


def test_a_rule_that_no_sentence_states_is_a_problem() -> None:
    entries = ledger().text.data["entries"]
    entries[0] = {"sentence": 1, "sha256": "0" * 64, "none": "oversight"}
    (problem,) = found(ledger(entries=entries))
    assert f"expected a sentence of 000, {SECTION!r}, mapped to {RULE}" in problem


def test_a_section_that_the_ledger_does_not_know_is_a_problem() -> None:
    (problem,) = found(ledger(sections=[{"title": "Another", "first": 1}]))
    assert "expected a section of document 000 that its ledger knows" in problem


def test_sections_stand_in_order() -> None:
    sections = [{"title": SECTION, "first": 2}, {"title": "Earlier", "first": 1}]
    assert any("sections.1.first" in problem for problem in found(ledger(sections=sections)))


def test_another_rule_of_cutting_is_a_problem() -> None:
    assert any("cut_by" in problem for problem in found(ledger(cut_by="sentences-0")))


@pytest.mark.parametrize(
    "entry",
    [
        {"sentence": 1, "sha256": "0" * 64},
        {"sentence": 1, "sha256": "0" * 64, "none": "a", "later": "b"},
        {"sentence": 1, "sha256": "0" * 63, "none": "a"},
        {"sentence": 0, "sha256": "0" * 64, "none": "a"},
        {"sentence": 1, "sha256": "0" * 64, "rules": []},
        {"sentence": 1, "sha256": "0" * 64, "none": "a", "text": "A sentence."},
    ],
)
def test_an_entry_has_an_ordinal_a_hash_and_one_fate(entry: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"^sources/000\.yaml:\d+: field 'entries\.0"):
        ledger(entries=[entry])


def test_the_text_of_a_document_is_held_against_its_ledger(tmp_path: Path) -> None:
    (tmp_path / "000_x.txt").write_text(TEXT, encoding="utf-8")
    assert list(differences(ledger(), tmp_path)) == []
    (tmp_path / "000_x.txt").write_text(TEXT.replace("full", "stuffed") + " More.", encoding="utf-8")
    fields = [problem.field for problem in differences(ledger(), tmp_path)]
    assert fields == ["sentences", "entries.1.sha256"]


def test_a_cleaned_text_goes_before_the_raw_one(tmp_path: Path) -> None:
    (tmp_path / "003_x.txt").touch()
    (tmp_path / "003_x.clean.txt").touch()
    assert document_path("003", tmp_path).name == "003_x.clean.txt"


def test_a_document_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"expected the text of document 003"):
        document_path("003", tmp_path)


def test_a_skeleton_has_a_hash_for_each_sentence_and_no_text(tmp_path: Path) -> None:
    path = tmp_path / "005_x.txt"
    path.write_text(TEXT, encoding="utf-8")
    data = yaml.safe_load(skeleton(path, "005"))
    assert [entry["sha256"] for entry in data["entries"]] == [entry.sha256 for entry in ledger().ledger.entries]
    assert "queue" not in skeleton(path, "005")


def test_the_shipped_ledgers_are_complete_and_agree_with_the_chapters() -> None:
    files = ledgers()
    assert [file.ledger.document for file in files] == ["000", "001", "002", "003", "004"]
    assert [str(problem) for problem in problems(files, catalogue())] == []


def test_the_sentences_of_a_rule_come_from_the_readers_own_copy(tmp_path: Path) -> None:
    (tmp_path / "000_x.txt").write_text(TEXT, encoding="utf-8")
    assert list(quoted(RULE, (ledger(),), tmp_path)) == [("000", 1, "A queue has a limit.")]
    assert list(quoted("QPID-QUEUE-2", (ledger(),), tmp_path / "nowhere")) == []


def test_a_copy_may_have_other_sentences_before_and_any_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "000.txt").write_text(f"A menu of the page.\n\n{TEXT}", encoding="utf-8")
    assert list(quoted(RULE, (ledger(),), tmp_path)) == [("000", 1, "A queue has a limit.")]


def test_another_text_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "000_x.txt").write_text(TEXT.replace("limit", "bound"), encoding="utf-8")
    expected = "expected sentence 1 of the ledger; sentence 1 of this copy is"
    with pytest.raises(BadInput, match=f"{expected} 'A queue has a bound.'"):
        list(quoted(RULE, (ledger(),), tmp_path))
    (tmp_path / "000_x.txt").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match=f"{expected} not there, of 0"):
        list(quoted(RULE, (ledger(),), tmp_path))


def test_a_sentence_knows_its_section() -> None:
    for file in ledgers():
        titles = [section.title for section in file.ledger.sections]
        assert file.ledger.section_of(1) == titles[0]
        assert file.ledger.section_of(file.ledger.sentences) == titles[-1]
