"""Times without a date or a zone: what options and the file itself tell, and lines of several hosts."""

import io
import os
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.cli.command import tidegate
from tests.why.test_episodes import UNBLOCKED
from tests.why.test_lines import OWN
from tidegate.why.answer import Answer, Asked, State, answer
from tidegate.why.heard import Setting
from tidegate.why.months import ENGLISH, LANGUAGES, month
from tidegate.why.reading import read
from tidegate.why.times import stamp
from tidegate.why.zones import zones

BERLIN = ZoneInfo("Europe/Berlin")


def of(*logs: tuple[str, str], setting: Setting | None = None, asked: Asked | None = None) -> Answer:
    files = [(name, io.BytesIO(text.encode())) for name, text in logs]
    return answer(read(files, setting or Setting()), asked or Asked())


def since(found: Answer) -> str | None:
    assert found.held is not None
    return found.held.since


def test_hosts_in_different_zones_are_put_in_one_order() -> None:
    berlin = ("berlin.log", f"2026-11-25T10:00:05+01:00 {OWN}\n")
    london = ("london.log", f"2026-11-25T09:00:09Z {UNBLOCKED}\n")
    assert of(berlin, london).state is State.NOT_BLOCKED
    assert of(london, berlin).state is State.NOT_BLOCKED
    later = ("berlin.log", f"2026-11-25T10:00:11+01:00 {OWN}\n")
    assert of(later, london).state is State.BLOCKED


def test_an_option_tells_the_zone_of_a_file() -> None:
    berlin = ("berlin.log", f"2026-11-25 10:00:05 {OWN}\n")
    london = ("london.log", f"2026-11-25 09:00:09 {UNBLOCKED}\n")
    assert of(berlin, london).state is State.BLOCKED  # both taken as of one zone
    told = Setting(zones=zones(["berlin.log=Europe/Berlin", "UTC"]))
    assert of(berlin, london, setting=told).state is State.NOT_BLOCKED


def test_times_with_and_without_a_zone_are_not_put_in_an_order() -> None:
    found = of(("a", f"2026-11-25T10:00:05Z {UNBLOCKED}\n"), ("b", f"2026-11-25 09:00:09 {OWN}\n"))
    assert not found.in_order
    assert found.state is State.BLOCKED


def test_the_clock_of_a_zone_is_shown_beside_that_of_the_log() -> None:
    line = ("a", f"2026-11-25T09:00:05Z {OWN}\n")
    assert since(of(line)) == "2026-11-25T09:00:05Z"
    found = of(line, setting=Setting(zones={"": BERLIN}), asked=Asked(zone=BERLIN))
    assert since(found) == "2026-11-25T09:00:05Z (2026-11-25 10:00:05 Europe/Berlin)"


def test_a_time_that_is_asked_for_may_have_a_zone() -> None:
    lines = ("a", f"2026-11-25T09:00:05Z {OWN}\n2026-11-25T09:00:09Z {UNBLOCKED}\n")
    for text, state in (("2026-11-25T10:00:07+01:00", State.BLOCKED), ("2026-11-25T10:00:07Z", State.NOT_BLOCKED)):
        at = stamp(text)
        assert at is not None
        assert of(lines, asked=Asked(at=at[0])).state is state


def test_lines_past_midnight_are_of_the_next_day() -> None:
    lines = ("a", f"23:59:58,000 {OWN}\n00:00:03,000 {UNBLOCKED}\n00:00:09,000 {OWN}\n")
    assert since(of(lines, setting=Setting(day=date(2026, 11, 25)))) == "00:00:09,000 of 2026-11-26"
    assert of(lines).state is State.BLOCKED


def test_several_logs_of_one_day_without_a_date_are_put_in_order() -> None:
    first, second = ("a", f"10:00:09 {UNBLOCKED}\n"), ("b", f"10:00:05 {OWN}\n")
    assert of(first, second).state is State.NOT_BLOCKED


def test_the_file_tells_the_day_where_it_was_written_as_its_last_line_says() -> None:
    lines = f"23:59:58 {OWN}\n00:00:03 nothing\n"
    at = (datetime(2026, 11, 26, 0, 0, 4),)
    assert (
        since(of(("a", lines), setting=Setting(written={"a": at})))
        == "23:59:58 of 2026-11-25, when the file was written"
    )
    copied = (datetime(2026, 11, 26, 0, 30, 4),)
    assert since(of(("a", lines), setting=Setting(written={"a": copied}))) == "23:59:58"


def test_a_day_without_a_year_gets_that_of_the_option() -> None:
    found = of(("a", f"Nov 25 22:01:03 mq1 artemis[1]: {OWN}\n"), setting=Setting(day=date(2026, 1, 1)))
    assert since(found) == "Nov 25 22:01:03 2026"


def test_the_command_takes_zones_and_the_time_of_the_file(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(f"22:01:03 {OWN}\n")
    written = datetime(2026, 11, 25, 22, 1, 4, tzinfo=UTC).timestamp()
    os.utime(log, (written, written))
    assert "since 22:01:03 of 2026-11-25, when the file was written" in tidegate("why", "a.log", folder=tmp_path).stdout
    log.write_text(f"2026-11-25T22:01:03Z {OWN}\n")
    told = tidegate("why", "a.log", "--zone", "+09:00", folder=tmp_path).stdout
    assert "(2026-11-26 07:01:03 UTC+09:00)" in told


@pytest.mark.parametrize("names", LANGUAGES)
def test_names_of_months_are_twelve_and_mean_one_month_each(names: str) -> None:
    assert len(names.split()) == 12
    assert [month(name) for name in names.split()] == list(range(1, 13))
    assert month(ENGLISH.split()[10].title() + ".") == 11
