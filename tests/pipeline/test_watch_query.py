"""What a watch does when Spark itself fails: it begins again, and gives up once that does not help."""

from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tidegate.pipeline.stream import query
from tidegate.pipeline.stream.watch import Watch


def looked_before_giving_up(monkeypatch: pytest.MonkeyPatch, *fates: int | Exception | None) -> list[object]:
    """Run a watch whose queries end one after the other: after so many looks in a failure, so, or well."""
    left = list(fates)

    def run(self: Any, every_ms: int | None) -> None:
        fate = left.pop(0)
        if isinstance(fate, int):
            self._looks += fate
            raise PySparkException("a worker failed to connect back")
        if fate is not None:
            self._failure = fate
            raise PySparkException("the callback failed")

    monkeypatch.setattr(query._Query, "_run", run)
    try:
        query.keep_running(cast(SparkSession, None), (), cast(Watch, None), Path(), every_ms=1, looks=None)
    except Exception as error:
        left.append(str(error))
    return left


def test_a_failure_of_spark_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked_before_giving_up(monkeypatch, 0, 0, 0, 0, None) == []
    assert looked_before_giving_up(monkeypatch, 0, 0, 0, 0, 0, None) == [None, "a worker failed to connect back"]


def test_looks_in_between_show_that_it_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked_before_giving_up(monkeypatch, 0, 0, 1, 0, 0, 0, None) == []
    assert looked_before_giving_up(monkeypatch, 0, 0, 1, 0, 0, 0, 0, None) == [None, "a worker failed to connect back"]


def test_what_the_watch_refuses_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked_before_giving_up(monkeypatch, OSError("no space is left"), None) == [None, "no space is left"]
