"""Brokers that a Spring Boot application starts by itself."""

from pathlib import Path

import pytest

from tidegate.explain import explaining
from tidegate.explain.vocabulary import Traffic
from tidegate.record.errors import BadInput

CLASSIC = "sends wait from 1,073,741,824 bytes (1 GiB) in memory on, shared by all destinations"


@pytest.mark.parametrize(
    ("name", "text", "verdict", "names"),
    [
        (
            "application.properties",
            "spring.activemq.brokerUrl=vm:(broker:(tcp://localhost:6000)?persistent=false)?marshal=false",
            CLASSIC,
            ["queue >", "topic >"],
        ),
        (
            "application.yml",
            "spring:\n  activemq:\n    broker-url: vm://a?broker.persistent=false&jms.useAsyncSend=true",
            CLASSIC,
            ["queue >", "topic >"],
        ),
        (
            "application.yml",
            "spring:\n  artemis:\n    mode: embedded\n    embedded: {queues: [q, r], topics: t}",
            "PAGE: nobody waits; from the broker's half of the heap on messages go to disk",
            ["q", "r", "t", "#"],
        ),
    ],
)
def test_a_broker_of_an_application_has_the_defaults(
    tmp_path: Path, name: str, text: str, verdict: str, names: list[str]
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    ((there, read),) = explaining.read_files([path])
    found = explaining.explain(read, explaining.version_of(read, "", "", there), Traffic())
    assert [each.name for each in found.destinations] == names
    assert {each.verdict for each in found.destinations} == {verdict}
    assert "the application starts this broker itself" in found.notes[0]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("tcp://broker:61616", "not how an application reaches a broker"),
        ("vm://a?create=false", "not how an application reaches a broker"),
        ("vm://a?brokerConfig=xbean:activemq.xml", "give activemq.xml, which this URL names"),
    ],
)
def test_an_application_that_starts_no_broker_is_refused(tmp_path: Path, url: str, says: str) -> None:
    path = tmp_path / "application.properties"
    path.write_text(f"spring.activemq.broker-url={url}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=says):
        explaining.read_file(path, path.name)
