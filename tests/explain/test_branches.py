"""Things that stand twice in a template: in branches of one condition only one of them counts."""

from pathlib import Path

import pytest

from tidegate.explain import explaining
from tidegate.explain.branches import branches_of
from tidegate.explain.vocabulary import Explanation, Traffic

JINJA = ("{% if a %}", "{% else %}", "{% endif %}")
HELM = ("{{- if .a }}", "{{- else }}", "{{- end }}")
RUBY = ("<% if @a %>", "<% else %>", "<% end %>")
FREEMARKER = ("[#if a]", "[#else]", "[/#if]")
ACCEPTOR = '<acceptor name="till">tcp://h:{}?protocols=AMQP;amqpCredits={}</acceptor>'
SETTING = (
    '<address-setting match="till"><max-size-bytes>{}</max-size-bytes><address-full-policy>BLOCK</address-full-policy>'
    "</address-setting>"
)
ENTRY = (
    '<policyEntry queue="till" memoryLimit="{}"><pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>'
)


def explained(path: Path, text: str) -> Explanation:
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, "f")
    return explaining.explain(read, explaining.version_of(read, "", ""), Traffic())


def artemis(acceptors: str, settings: str = "") -> str:
    return (
        '<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core"><acceptors>\n'
        f"{acceptors}\n</acceptors><address-settings>\n{settings}\n</address-settings></core></configuration>"
    )


def classic(entries: str) -> str:
    policies = (
        f"<destinationPolicy><policyMap><policyEntries>\n{entries}\n</policyEntries></policyMap></destinationPolicy>"
    )
    return f'<broker xmlns="http://activemq.apache.org/schema/core">{policies}</broker>'


def either(tags: tuple[str, str, str], one: str, other: str) -> str:
    return f"{tags[0]}\n{one}\n{tags[1]}\n{other}\n{tags[2]}"


@pytest.mark.parametrize("tags", [JINJA, HELM, RUBY, FREEMARKER])
def test_acceptors_of_two_branches_are_not_two_acceptors(tmp_path: Path, tags: tuple[str, str, str]) -> None:
    text = artemis(either(tags, ACCEPTOR.format(1, 500), ACCEPTOR.format(2, 500)), SETTING.format("5M"))
    found = explained(tmp_path / "f.xml", text)
    assert found.findings == ()
    assert {each.shown for each in found.destinations[0].limits if "amqpCredits" in each.name} == {"500 messages"}


@pytest.mark.parametrize("tags", [JINJA, HELM, RUBY, FREEMARKER])
def test_an_acceptor_outside_the_branches_is_a_second_one(tmp_path: Path, tags: tuple[str, str, str]) -> None:
    one = f"{tags[0]}\n{ACCEPTOR.format(1, 500)}\n{tags[2]}\n{ACCEPTOR.format(2, 500)}"
    (finding,) = explained(tmp_path / "f.xml", artemis(one)).findings
    assert "a second acceptor is called till" in finding.sentence


def test_what_branches_set_differently_is_not_known(tmp_path: Path) -> None:
    text = artemis(
        either(JINJA, ACCEPTOR.format(1, 500), ACCEPTOR.format(1, 700)),
        either(JINJA, SETTING.format("5M"), SETTING.format("6M")),
    )
    found = explained(tmp_path / "f.xml", text)
    limits = {each.name: each.shown for each in found.destinations[0].limits}
    assert limits["address-full-policy"] == "BLOCK"
    assert limits["max-size-bytes"] == limits["amqpCredits of acceptor till"] == "not known"
    assert found.findings == ()
    assert [note.partition(": ")[2] for note in found.notes] == [
        "branches of a template set match till differently: which one counts is not known",
        "branches of a template set acceptor till differently: which one counts is not known",
    ]


@pytest.mark.parametrize(("other", "shown"), [("5mb", "5,242,880 bytes (5 MiB)"), ("6mb", "not known (a placeholder)")])
def test_entries_of_classic_in_two_branches_are_one(tmp_path: Path, other: str, shown: str) -> None:
    found = explained(tmp_path / "f.xml", classic(either(RUBY, ENTRY.format("5mb"), ENTRY.format(other))))
    assert found.findings == ()
    limits = {each.name: each.shown for each in found.destinations[0].limits}
    assert limits["memoryLimit"] == shown


@pytest.mark.parametrize("tags", [JINJA, HELM, RUBY, FREEMARKER])
def test_lines_exclude_each_other_only_in_branches_of_one_condition(tags: tuple[str, str, str]) -> None:
    start, other, end = tags
    found = branches_of("\n".join([start, "2", start, "4", other, "6", end, other, "9", end, "11", start, "13", end]))
    assert found.exclude(2, 9)
    assert found.exclude(4, 6)
    assert found.exclude(4, 9)
    assert not found.exclude(2, 4)
    assert not found.exclude(2, 11)
    assert not found.exclude(9, 13)


def test_a_template_of_freemarker_is_read_with_its_defaults(tmp_path: Path) -> None:
    entry = ENTRY.format('${till.limit!"3mb"}')
    text = f"[#ftl]\n<?xml version='1.0'?>\n{classic(entry)}".replace(
        "<broker ", '<broker brokerName="[#noparse]${x}[/#noparse]" '
    )
    limits = {each.name: each.shown for each in explained(tmp_path / "f.xml", text).destinations[0].limits}
    assert limits["memoryLimit"].startswith("3,145,728 bytes")


@pytest.mark.parametrize("tags", [JINJA, HELM, RUBY, FREEMARKER])
def test_branches_in_one_line_part_what_stands_twice_in_it(tmp_path: Path, tags: tuple[str, str, str]) -> None:
    one = either(tags, ACCEPTOR.format(1, 500), ACCEPTOR.format(2, 500)).replace("\n", "")
    assert explained(tmp_path / "f.xml", artemis(one)).findings == ()
    both = f"{tags[0]}{ACCEPTOR.format(1, 500)}{ACCEPTOR.format(2, 500)}{tags[2]}"
    (finding,) = explained(tmp_path / "f.xml", artemis(both)).findings
    assert "a second acceptor" in finding.sentence


SYSTEM = (
    '<systemUsage><systemUsage><memoryUsage><memoryUsage limit="{}"/></memoryUsage><storeUsage><storeUsage '
    'limit="9 gb"/></storeUsage><tempUsage><tempUsage limit="2 gb"/></tempUsage></systemUsage></systemUsage>'
)


def test_limits_of_all_destinations_in_two_branches_are_not_known(tmp_path: Path) -> None:
    system = either(RUBY, SYSTEM.format("500 mb"), SYSTEM.format("50 mb"))
    found = explained(tmp_path / "f.xml", f'<broker xmlns="http://activemq.apache.org/schema/core">{system}</broker>')
    assert found.findings == ()
    assert found.destinations[1].verdict == (
        "sends wait at a limit that branches of a template set differently, shared by all destinations"
    )
    assert "storeUsage (9 GiB)" in found.destinations[0].verdict


def test_a_second_system_usage_outside_the_branches_is_found(tmp_path: Path) -> None:
    system = f"{SYSTEM.format('500 mb')}\n{RUBY[0]}\n{SYSTEM.format('50 mb')}\n{RUBY[2]}"
    text = f'<broker xmlns="http://activemq.apache.org/schema/core">{system}</broker>'
    (finding,) = explained(tmp_path / "f.xml", text).findings
    assert "this systemUsage has no effect: the last one counts" in finding.sentence
