"""The texts of brokers and clients: each file is read strictly, and names file, line and field of a defect."""

from pathlib import Path

import pytest

from tidegate.catalogue.log_texts import log_texts, read_log_texts
from tidegate.record.errors import BadInput

ROW = """
  - text: "{place} is full"
    versions: from 1.0
    where: broker log
    kind: blocked
    limit: size
    answer: blocked
"""
FILE = f"""
broker: A broker
values: {{place: till}}
texts:{ROW}"""


def refusal(folder: Path, text: str) -> str:
    (folder / "texts").mkdir()
    (folder / "texts" / "broker.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        list(read_log_texts(folder))
    return str(refused.value)


def test_every_broker_has_its_texts() -> None:
    assert {writer.broker.split()[0] for writer in log_texts()} >= {"ActiveMQ", "Qpid", "RabbitMQ", "WSO2", "Clients"}
    assert sum(len(writer.texts) for writer in log_texts()) > 250


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            FILE.replace("{place} is", "{queue} is"),
            "texts/broker.yaml:5: field 'texts.0.text': expected a value of queue",
        ),
        (FILE.replace("answer: blocked", "answer: cannot be told"), "expected a reason in because"),
        (FILE + "    because: so\n", "expected a reason in because"),
        (FILE + ROW, "expected each text of a log once"),
        (FILE.replace("kind: blocked", "kind: full"), "field 'texts.0.kind'"),
    ],
)
def test_a_defect_is_named(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in refusal(tmp_path, text)
