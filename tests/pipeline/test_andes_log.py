"""The log of WSO2 Message Broker, of which there are rendered lines only: who is stopped and let go, one or all."""

import pytest

from tests.pipeline.real_logs import LOGS, read, read_lines
from tidegate.model.mechanisms import andes_log
from tidegate.record.events import Kind

CHANNEL = {"channel": "7", "connection": "/127.0.0.1:5672", "destination": "orders"}
EPISODE: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("2026-01-31 10:00:00,000", andes_log.CHANNEL_STOPPED, CHANNEL),
    ("2026-01-31 10:00:01,500", andes_log.ALL_STOPPED, {}),
    ("2026-01-31 10:00:03,000", andes_log.CHANNEL_RELEASED, CHANNEL),
    ("2026-01-31 10:00:03,001", andes_log.ALL_RELEASED, {}),
    ("2026-01-31 10:01:00,000", andes_log.OLD_CHANNEL_STOPPED, {"channel": "8"}),
    ("2026-01-31 10:01:00,250", andes_log.OLD_ALL_STOPPED, {}),
    ("2026-01-31 10:01:02,000", andes_log.OLD_CHANNEL_RELEASED, {"channel": "8"}),
    ("2026-01-31 10:01:02,001", andes_log.OLD_ALL_RELEASED, {}),
    ("2026-01-31 10:02:00,000", andes_log.ALL_STOPPED_BY_ERRORS, {}),
    ("2026-01-31 10:02:09,000", andes_log.ALL_RELEASED_BY_ERRORS, {}),
)
WRITTEN = "TID: [-1] [] [2026-01-31 10:00:00,000]  INFO {org.wso2.andes.kernel.AndesChannel} -  "
LOGGER = " {org.wso2.andes.kernel.AndesChannel}"
STOPPED = "Flow control enabled for channel [ ID: 7 , Identifier: /127.0.0.1:5672 , Destination: orders ]"
RELEASED = STOPPED.replace("enabled", "disabled")
ALL_STOPPED = "Global buffer based flow control enabled."
ALL_RELEASED = "Global buffer based flow control disabled."


def test_the_committed_log_is_what_the_templates_render() -> None:
    rendered = [andes_log.rendered(*line) for line in EPISODE]
    assert (LOGS / "andes" / "rendered.log").read_text(encoding="utf-8").splitlines() == rendered


def test_rendered_lines_are_events_that_say_so() -> None:
    log = read("andes/rendered.log")
    assert (log.form, log.ignored, log.put_aside) == ("andes log", 0, {})
    assert log.figures(1) == {"kind": Kind.STOP, **CHANNEL, "cause": "rendered channel"}
    assert log.figures(2) == {"kind": Kind.OVERFULL, "cause": "rendered global"}
    assert log.figures(5) == {"kind": Kind.STOP, "channel": "8", "cause": "rendered channel"}
    assert log.figures(10) == {"kind": Kind.UNDERFULL, "cause": "rendered global errors"}
    assert log.events[2].time == 1_769_853_601_500


@pytest.mark.parametrize("tail", ["", LOGGER], ids=["console", "log file"])
def test_a_line_that_a_broker_wrote_is_not_marked(tail: str) -> None:
    log = read_lines([WRITTEN + STOPPED + tail, WRITTEN + ALL_RELEASED + tail], "andes log")
    assert log.figures(1) == {"kind": Kind.STOP, **CHANNEL, "cause": "channel"}
    assert log.figures(2) == {"kind": Kind.UNDERFULL, "cause": "global"}
    assert log.events[1].time == 1_769_853_600_000


@pytest.mark.parametrize(
    ("texts", "violations"),
    [
        ([STOPPED, RELEASED, STOPPED, RELEASED], {}),
        ([RELEASED, STOPPED], {}),
        ([STOPPED, RELEASED, RELEASED], {("ANDES-MEMORY-6", False): 1}),
        ([STOPPED, RELEASED, RELEASED.replace("ID: 7", "ID: 8")], {}),
        ([ALL_STOPPED, ALL_RELEASED, ALL_STOPPED, ALL_RELEASED], {}),
        ([ALL_RELEASED, ALL_STOPPED], {}),
        ([ALL_STOPPED, ALL_RELEASED, ALL_RELEASED], {("ANDES-MEMORY-2", False): 1}),
        ([ALL_STOPPED, ALL_RELEASED, ALL_RELEASED.replace("buffer", "error")], {}),
    ],
    ids=["two episodes", "begins stopped", "let go twice", "another channel", "all, twice", "all, begins stopped",
         "all, let go twice", "for another reason"],
)  # fmt: skip
def test_who_is_let_go_was_stopped_before(texts: list[str], violations: dict[tuple[str, bool], int]) -> None:
    outcomes = read_lines([WRITTEN + text for text in texts], "andes log").outcomes()
    assert {key: count for key, count in outcomes.items() if not key[1]} == violations
