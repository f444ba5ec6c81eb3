"""The source of a mail, whose long lines are encoded as quoted-printable."""

import quopri

from hypothesis import given
from hypothesis import strategies as st

from tests.why.asking import ask, held
from tidegate.why.soft_breaks import without_soft_breaks

FULL = (
    "2026-11-25 10:00:00,100 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on "
    "address 'tills=1'; size is currently: 600 bytes; max-size-bytes on address: 500, global-max-size is -1"
)
HEADER = "Content-Transfer-Encoding: Quoted-Printable"


def test_a_line_of_an_encoded_mail_is_read() -> None:
    encoded = quopri.encodestring(FULL.encode()).decode().splitlines()
    assert len(encoded) > 2
    for lines in (encoded, [HEADER, "", *encoded]):
        found = held(*lines)
        assert (found.place, found.limit, found.level) == ("address tills=1", 500, 600)
        assert found.line == len(lines) - len(encoded) + 1


def test_a_log_with_equal_signs_at_the_ends_of_lines_stays_as_it_is() -> None:
    lines = ["token=", FULL, "key=3D="]
    assert [*without_soft_breaks(enumerate(lines, 1))] == [*enumerate(lines, 1)]
    assert ask(*lines).held is not None


@given(st.lists(st.text("ab=3D\u00e9 ", max_size=90), max_size=6))
def test_an_encoded_mail_is_decoded_and_keeps_its_numbers(texts: list[str]) -> None:
    texts = [text.rstrip() + "." for text in texts]
    encoded = [quopri.encodestring(text.encode()).decode().split("\n") for text in texts]
    lines = [HEADER, *(line for each in encoded for line in each)]
    found = [*without_soft_breaks(enumerate(lines, 1))]
    assert [text for _, text in found] == [HEADER, *texts]
    assert [number for number, _ in found] == [1, *(2 + sum(map(len, encoded[:n])) for n in range(len(texts)))]
