"""The chapters together, and the chapters that this distribution ships."""

from pathlib import Path

import pytest

from tidegate.catalogue import Category, Level, catalogue, rule_named, spec_version
from tidegate.catalogue import shelf as catalogue_shelf
from tidegate.catalogue.formula import resolve
from tidegate.catalogue.shelf import chapters, known_shelf, read_shelf, spec_folder
from tidegate.record.errors import BadInput

SECTION = """\
### A-{number} · Title

> It SHOULD hold.

```yaml
level: SHOULD
category: bound
source: []
```

**Why.** Because.
"""


def shelf(folder: Path, index: str, **texts: str) -> Path:
    (folder / "index.md").write_text(index, encoding="utf-8")
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_rules_stand_in_the_order_of_the_index(tmp_path: Path) -> None:
    two, one = SECTION.format(number=2), SECTION.format(number=1)
    folder = shelf(tmp_path, "[second](b.md) and [first](a.md)", a=one, b=two)
    assert list(read_shelf(folder)) == ["A-2", "A-1"]


def test_rules_that_were_read_before_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    read = read_shelf(spec_folder())
    assert known_shelf(spec_folder()) == read
    monkeypatch.setattr(catalogue_shelf, "read_shelf", None)
    assert list(known_shelf(spec_folder()).items()) == list(read.items())


def test_a_chapter_that_was_changed_or_is_new_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    one, two = SECTION.format(number=1), SECTION.format(number=2)
    (tmp_path / "spec").mkdir()
    assert list(known_shelf(shelf(tmp_path / "spec", "[a](a.md)", a=one))) == ["A-1"]
    assert list(known_shelf(shelf(tmp_path / "spec", "[a](a.md)", a=two))) == ["A-2"]
    assert list(known_shelf(shelf(tmp_path / "spec", "[a](a.md) [b](b.md)", a=two, b=one))) == ["A-2", "A-1"]


def test_an_id_stands_once(tmp_path: Path) -> None:
    folder = shelf(tmp_path, "[a](a.md) [b](b.md)", a=SECTION.format(number=1), b="\n" + SECTION.format(number=1))
    with pytest.raises(BadInput, match=r"^b\.md:2: expected one definition of A-1; the first is in a\.md:1$"):
        read_shelf(folder)


def test_a_link_leads_to_a_chapter(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^index\.md:3: expected a link to a chapter, not to gone\.md$"):
        chapters(shelf(tmp_path, "# Index\n\n[gone](gone.md)"))


def test_every_chapter_is_linked(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^index\.md: expected a link to a\.md$"):
        chapters(shelf(tmp_path, "nothing", a=""))


def test_an_unknown_rule_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(BadInput, match="QPID-QUEUE-1, "):
        rule_named("QPID-QUEUE-1x", catalogue())


def test_a_rule_is_found_in_either_case() -> None:
    assert rule_named("qpid-queue-1", catalogue()).id == "QPID-QUEUE-1"


def test_the_shipped_chapters_hold_numbered_rules_without_a_gap() -> None:
    by_family: dict[str, list[int]] = {}
    for rule_id in catalogue():
        family, _, number = rule_id.rpartition("-")
        by_family.setdefault(family, []).append(int(number))
    assert {"QPID-QUEUE", "ARTEMIS-AMQP", "CLASSIC-MEMORY", "ANDES-MEMORY", "GENERAL"} <= by_family.keys()
    for numbers in by_family.values():
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_definition_exists() -> None:
    for rule in catalogue().values():
        assert rule.defined_by is None or resolve(rule.defined_by) is not None


def test_a_rule_of_our_own_is_no_must() -> None:
    ours = [rule for rule in catalogue().values() if not rule.sources]
    assert {"GENERAL-1", "GENERAL-2", "CLASSIC-FAIL-2"} <= {rule.id for rule in ours}
    assert all(rule.level is Level.SHOULD for rule in ours)


def test_only_a_permission_says_may() -> None:
    for rule in catalogue().values():
        assert (rule.level is Level.MAY) == (rule.category is Category.PERMISSION)


def test_the_specification_has_a_version_of_its_own() -> None:
    assert spec_version() == "0.1"
