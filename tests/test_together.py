"""Slow files are given out first, and each name in their list is one that exists."""

from collections import OrderedDict
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.together import ROOT, STARTED_FIRST, STARTED_ONCE, LoadTogether, scope


def test_what_is_started_first_exists() -> None:
    names = set(STARTED_ONCE.values())
    assert [each for each in STARTED_FIRST if each not in names and not (ROOT / each).is_file()] == []
    assert [each for each in STARTED_FIRST if each not in names and scope(each) != each] == []


def test_what_is_slow_is_given_out_first_and_the_rest_in_order(pytestconfig: pytest.Config) -> None:
    tests = ["tests/a.py::test", "tests/b.py::test", f"{STARTED_FIRST[-1]}::test", f"{STARTED_FIRST[-2]}::test"]
    given: list[str] = []
    node: Any = Mock(send_runtest_some=lambda indices: given.extend(tests[index] for index in indices))
    scheduler = LoadTogether(SimpleNamespace(getvalue=lambda name: ["popen"], option=pytestconfig.option))
    scheduler.registered_collections[node] = tests
    scheduler.workqueue = OrderedDict((test.partition("::")[0], {test: False}) for test in tests)
    for _ in tests:
        scheduler._assign_work_unit(node)
    assert given == [tests[3], tests[2], tests[0], tests[1]]
