"""The lines of a log that grows, and of several logs, one for each broker that a scenario starts."""

from pathlib import Path

from tidegate.adapters.process.log_tail import LogTails


def test_each_line_of_each_log_comes_once_and_only_when_it_is_whole(tmp_path: Path) -> None:
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    first.write_text("one\ntw", encoding="utf-8")
    logs = LogTails()
    assert logs.lines(first) == ["one"]
    second.write_text("of another broker\n", encoding="utf-8")
    assert logs.lines(second) == ["of another broker"]
    first.write_text("one\ntwo\n", encoding="utf-8")
    assert logs.lines(first) == ["two"]
    assert logs.lines(first) == logs.lines(second) == []
