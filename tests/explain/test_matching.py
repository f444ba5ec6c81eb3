"""The order of patterns, as the classes of released brokers have it: rows are what these classes answered."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic
from tidegate.explain import explaining
from tidegate.explain.matching import artemis as addresses
from tidegate.explain.matching import classic as destinations
from tidegate.explain.vocabulary import Explanation, Traffic


@dataclass(frozen=True)
class Entry:
    """An entry that has only its pattern."""

    match: str


def explained(folder: Path, name: str, text: str) -> Explanation:
    """The only configuration of a file, by the newest release that reads it."""
    (folder / name).write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / name, name)
    return explaining.explain(read, explaining.version_of(read, "", ""), Traffic(size=1000))


@pytest.mark.parametrize(
    ("name", "matches", "asked"),
    [
        ("a.orders.b", "*.*.b.# a.# a.b#", "*.*.b.# a.#"),
        ("a.order.b", "a.*.*.# order.b.a.# *.order.*", "*.order.* a.*.*.#"),
        ("b.order.b", "a.a b.*.# *.order.#", "*.order.# b.*.#"),
        ("a.order.b", "*.*.a.# a.order.*.# b.*.a *.order.b", "*.order.b a.order.*.#"),
        ("a.b.a", "a.*.a a.ord* b.b.*.# a.b#", "a.*.a a.b#"),
        ("a.order.a", "*.*.a.# b.a.# a#", "*.*.a.# a#"),
        ("orders", "order# ord* *", "ord* *"),
        ("order", "order# *er order", "order *er order#"),
        ("order.a.b", "order# #", "order# #"),
        ("orders.a", "order# order.#", ""),
        ("b.a.order", "b.*.* b.a.* *.*.order", "b.a.* b.*.* *.*.order"),
        ("order", "# order.#", "order.# #"),
    ],
)
def test_artemis_asks_the_matches_of_an_address_in_the_order_of_its_repository(
    name: str, matches: str, asked: str
) -> None:
    found = [Entry(each) for each in matches.split() if addresses.stands_for(each, name)]
    assert " ".join(each.match for each in addresses.most_specific_first(found)) == asked


@pytest.mark.parametrize(
    ("name", "patterns", "counts"),
    [
        ("order.order.a", "*.order.b.> order.> *.order.*", "*.order.*"),
        ("b.a.a", "*.a order.> *.order >.a", ""),
        ("b.order.order", "*.order.order.> *.order.* *.*.*.> *.a.*", "*.order.*"),
        ("order.b.a", "*.b.a.> order.*.> a.a.*", "*.b.a.>"),
        ("b.a.order", "b.> *.*.order.>", "*.*.order.>"),
        ("order.a", ">.a", ""),
        ("order", "> order.> order", "order"),
        ("order", "> order.>", "order.>"),
        ("a.b", "*.b a.*", "*.b"),
        ("a.b", "a.* *.b", "*.b"),
        ("a.b.c", "a.> a.b.> a.*.c", "a.*.c"),
    ],
)
def test_classic_takes_the_entry_that_its_map_of_destinations_takes(name: str, patterns: str, counts: str) -> None:
    found = [Entry(each) for each in patterns.split() if destinations.stands_for(each, name)]
    taken = destinations.that_counts(name, found)
    assert (taken.match if taken is not None else "") == counts


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [("a.*.#", "*.b.#", True), ("a.#", "a.b.#", False), ("a.*", "*.b", False), ("a", "a", False)],
)
def test_nothing_orders_two_long_matches_of_artemis_of_one_length(one: str, other: str, is_so: bool) -> None:
    assert addresses.is_left_to_chance(one, other) == addresses.is_left_to_chance(other, one) == is_so


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("a.*.>", "a.b.>", True),
        (">", "*.>", True),
        ("a", "a", True),
        ("a.>", "a.b.>", False),
        ("a.*", "*.b", False),
    ],
)
def test_of_two_entries_of_classic_chance_takes_one_where_each_contains_the_other(
    one: str, other: str, is_so: bool
) -> None:
    assert destinations.is_left_to_chance(one, other) == destinations.is_left_to_chance(other, one) == is_so


@pytest.mark.parametrize(("match", "says"), [("a.#.b", "refuses to start"), ("#.b", "refuses to start"), ("a.b#", "")])
def test_a_match_that_a_broker_refuses_is_told(tmp_path: Path, match: str, says: str) -> None:
    found = explained(tmp_path, "broker.xml", artemis().replace('match="#"', f'match="{match}"'))
    assert [each.sentence for each in found.findings if says and says in each.sentence] == (
        [f"a broker refuses to start with {match}: # may stand at the end of a match only."] if says else []
    )
    assert bool(found.findings) == bool(says)


def test_a_queue_of_an_early_release_names_its_address(tmp_path: Path) -> None:
    queues = '<queues><queue name="q"><address>people</address></queue></queues></core>'
    found = explained(tmp_path, "broker.xml", artemis().replace("</core>", queues))
    assert [each.name for each in found.destinations] == ["#", "people"]


def test_a_limit_that_is_left_to_chance_is_told_once_for_its_address(tmp_path: Path) -> None:
    size = "<max-size-bytes>{}</max-size-bytes>"
    both = size.format(20_000) + '</address-setting><address-setting match="*.b.#">' + size.format(30_000)
    text = artemis(both).replace('match="#"', 'match="a.*.#"')
    text = text.replace("</core>", '<addresses><address name="a.b"/><address name="a.c"/></addresses></core>')
    (found,) = explained(tmp_path, "broker.xml", text).findings
    assert found.sentence == (
        "max-size-bytes of a.b is left to chance: a.*.# and *.b.# are equally specific, and line 4 sets another value."
    )
    above = text.replace(
        "</address-settings>", f'<address-setting match="a.b">{size.format(9)}</address-setting></address-settings>'
    )
    assert not [each for each in explained(tmp_path, "broker.xml", above).findings if "chance" in each.sentence]


def test_entries_of_classic_that_contain_each_other_are_told_if_they_differ(tmp_path: Path) -> None:
    entry = '<policyEntry queue="{}" memoryLimit="{}"/>'
    (found,) = explained(
        tmp_path, "activemq.xml", classic(entry.format("a.*.>", 5000), entry.format("a.b.>", 6000))
    ).findings
    assert found.sentence.startswith("for names that both a.*.> (line 3) and a.b.> stand for, a broker takes either")
    alike = classic(entry.format("a.*.>", 5000), entry.format("a.b.>", 5000))
    assert explained(tmp_path, "activemq.xml", alike).findings == ()


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("A.>", ">", "A.>"),
        ("Consumer.*.VT.a", "Consumer.x.VT.>", "Consumer.x.VT.a"),
        ("A.>", "A", "A"),
        ("A.*", "A.B.C", None),
        ("A.*", "*.B", "A.B"),
        ("A.B", "A.C", None),
    ],
)
def test_the_names_that_two_patterns_of_classic_share(one: str, other: str, shared: str | None) -> None:
    assert destinations.common(one, other) == shared
    assert destinations.common(other, one) == shared
