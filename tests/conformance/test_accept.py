"""A profile is accepted if it and the real version end alike in every check, or a note gives the reason."""

from pathlib import Path

import pytest

from tests.sample import drawn, nightly, sampled
from tidegate.adapters.resolver import resolve
from tidegate.conformance.profile_run import checks_of
from tidegate.conformance.report.accept import Note, accept, checks_in, read_notes
from tidegate.model.built.profiles import PROFILES
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult

REPORTS = Path(__file__).parent.parent.parent / "reports"
WITH_FIGURES = (CheckKind.SCENARIO, CheckKind.VECTOR)
KEPT, VIOLATED, USED = CheckResult.KEPT, CheckResult.VIOLATED, CheckResult.USED


def family(name: str) -> str:
    """The implementation's name, without the version."""
    return name.rpartition("-")[0]


def test_every_report_of_a_version_has_a_profile() -> None:
    assert {path.parent.name for path in REPORTS.glob("*/report.json")} == PROFILES.keys()


@pytest.mark.parametrize("one_in", [6, nightly(1)])
@pytest.mark.parametrize("name", sampled(PROFILES, kind=family))
def test_a_profile_ends_as_the_committed_report_of_its_version(name: str, one_in: int) -> None:
    adapter = f"built:{name}"
    folder = REPORTS / name
    everything = checks_in(folder / "report.json")
    real = drawn(everything, len(everything) // one_in, name=lambda check: check.check)
    as_built = checks_of(adapter, resolve(adapter)[adapter], WITH_FIGURES, [check.check for check in real])
    found = accept(real, as_built, read_notes(folder / "as-built.yaml"), WITH_FIGURES)
    assert found.not_noted == ()
    tried = {check.check for check in real}
    assert [note for note in found.stale if note.check in tried] == []
    assert found.agree > 0


def test_another_result_or_figure_is_a_difference_that_needs_a_note() -> None:
    assert accept([check()], [check()], []).accepted
    assert accept([check(seen="")], [check(seen="stopped")], []).accepted
    for other in (check(result=VIOLATED), check(seen="stopped")):
        found = accept([check()], [other], [])
        assert (found.agree, len(found.not_noted), found.unexplained, found.accepted) == (0, 1, 1, False)
    assert not accept([check()], [], []).accepted


def test_of_a_random_sequence_and_a_trace_only_the_result_is_compared() -> None:
    for kind in (CheckKind.STATEFUL, CheckKind.TRACE):
        assert accept([check(kind=kind)], [check(kind=kind, seen="other")], []).accepted
        assert not accept([check(kind=kind)], [check(kind=kind, result=VIOLATED)], []).accepted


def test_a_permission_that_is_used_was_kept_as_it_ran() -> None:
    assert accept([check(result=USED)], [check(result=KEPT)], []).accepted
    assert not accept([check(result=USED)], [check(result=VIOLATED)], []).accepted


def test_a_note_holds_only_for_the_difference_that_it_names() -> None:
    differs = [check(result=VIOLATED)]
    found = accept([check()], differs, [note()])
    assert (found.accepted, found.unexplained, found.stale) == (True, 1, ())
    stale = accept([check()], [check()], [note()])
    assert stale.stale == (note(),)
    kinds = ("varies", "drawn", "gone", "lacks")  # `races` and `unexplained` say nothing of how the check ended
    for other in (note(as_built="unknown"), *(note(kind=kind) for kind in kinds)):
        assert accept([check()], differs, [other]).stale == (other,)
        assert not accept([check()], differs, [other]).accepted


def test_a_figure_that_varies_is_not_unexplained() -> None:
    found = accept([check()], [check(seen="stopped")], [note(kind="varies", as_built="kept")])
    assert (found.accepted, found.unexplained) == (True, 0)


def test_a_check_is_gone_where_another_does_or_expects_something_else_under_its_name() -> None:
    gone = note(kind="gone", as_built="kept")
    others = (check(seen="stopped", done=("another step",)), check(seen="stopped", expected="something else"))
    for other in others:
        assert accept([check()], [other], [gone]).unexplained == 0
    for same in (check(seen="stopped"), check(seen="stopped", done=("a step", "a further step"))):
        assert accept([check()], [same], [gone]).stale == (gone,)


def test_what_one_of_the_two_violates_after_its_last_step_is_no_other_check() -> None:
    owed = check(result=VIOLATED, expected="a message accepted at the empty destination")
    found = accept([owed], [check()], [note(kind="gone", real="violated", as_built="kept")])
    assert (found.unexplained, len(found.stale)) == (1, 1)


def test_of_what_is_expected_figures_follow_from_what_was_seen_before() -> None:
    real, other = check(seen="stopped", expected="free at 1,000 bytes"), check(expected="free at 0 bytes")
    assert accept([real], [other], [note(kind="gone", as_built="kept")]).unexplained == 1


def test_what_a_profile_lacks_is_not_unexplained() -> None:
    lacks = note(kind="lacks", as_built="not run")
    assert accept([check()], [], [lacks]).unexplained == 0
    came_to_nothing = note(kind="lacks", as_built="unknown")
    found = accept([check()], [check(result=CheckResult.UNKNOWN)], [came_to_nothing])
    assert (found.accepted, found.unexplained, found.stale) == (True, 0, ())


def test_notes_are_read_with_nothing_taken_on_trust(tmp_path: Path) -> None:
    path = tmp_path / "as-built.yaml"
    assert read_notes(path) == ()
    line = "- {check: a, kind: varies, real: kept, as_built: kept, reason: why}\n"
    path.write_text(f"notes:\n{line}{line}")
    with pytest.raises(BadInput, match="expected one note on a"):
        read_notes(path)
    path.write_text("notes:\n- {check: a, kind: excused, real: kept, as_built: kept, reason: why}\n")
    with pytest.raises(BadInput, match="kind"):
        read_notes(path)


def check(
    *,
    kind: CheckKind = CheckKind.SCENARIO,
    result: CheckResult = KEPT,
    seen: str = "free",
    expected: str = "free",
    done: tuple[str, ...] = ("a step",),
) -> Check:
    return Check("a_check", kind, result, ("QPID-QUEUE-1",), done, expected, seen, "")


def note(kind: str = "unexplained", real: str = "kept", as_built: str = "violated") -> Note:
    return Note.model_validate({"check": "a_check", "kind": kind, "real": real, "as_built": as_built, "reason": "why"})
