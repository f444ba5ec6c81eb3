"""Each claim has a page with its short name, its formula and its verdict."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.claim_text import in_signs, written
from generate.proof import by_module, name_of, page_of, pages, places


def test_every_claim_stands_on_one_page_with_name_and_verdict() -> None:
    text = dict(pages())
    settled = {result.claim.id: (module, result) for module, claims in by_module().items() for result in claims}
    assert len(settled) > 100 and set(places()) == set(settled)
    for claim_id, (module, result) in settled.items():
        page = text[page_of(module)]
        assert page.count(f"## {claim_id} · {name_of(result)} {{ #{claim_id} .claim }}") == 1
        section = page.partition(f"## {claim_id} · ")[2].partition("\n## ")[0]
        assert ("✓ proved" in section, "✗ refuted" in section) == (result.claim.is_theorem, not result.claim.is_theorem)
        assert written(result.claim) in section
        assert result.claim.is_theorem or result.shown in section


def test_a_claim_reads_as_for_every_given_and_then() -> None:
    claim = next(result.claim for result in by_module()["gate"] if result.claim.id == "GATE-T3")
    assert written(claim).splitlines() == [
        "for every gate, closed, level",
        "given     gate.low ≤ level ≤ gate.high",
        "possible  level = gate.low < gate.high",
        "possible  gate.low < gate.high = level",
        "possible  gate.low = gate.high",
        "then      settled(gate, closed, level) = closed",
    ]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("not (a and b) or c", "¬ (a ∧ b) ∨ c"),
        ("x != -1", "x ≠ −1"),
        ("a - b >= c * 2", "a − b ≥ c · 2"),
        ("f(sand, order)", "f(sand, order)"),
    ],
)
def test_words_and_operators_become_signs(source: str, shown: str) -> None:
    assert in_signs(source) == shown
