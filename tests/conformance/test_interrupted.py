"""A session of the suite that the user ends must not look as if its checks had ended."""

from pathlib import Path

import pytest

from tidegate.conformance.runner import session_of
from tidegate.record.errors import Interrupted


class _CtrlC:
    """A plugin that does what Ctrl-C does while the checks are collected."""

    def pytest_collection_finish(self) -> None:
        raise KeyboardInterrupt


def test_a_session_that_the_user_ends_says_so(tmp_path: Path) -> None:
    path = tmp_path / "test_one.py"
    path.write_text("def test_one(): pass\n", encoding="utf-8")
    with pytest.raises(Interrupted):
        session_of((path,), _CtrlC())
