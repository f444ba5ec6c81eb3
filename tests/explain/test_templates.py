"""Templates of Ruby and Jinja, placeholders of images, settings by match in YAML, and files that no broker reads."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"


def explained(folder: Path, text: str, name: str = "f.xml") -> Explanation:
    (folder / name).write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / name, "f")
    return explaining.explain(read, explaining.version_of(read, "", "documents"), Traffic(size=1000))


def test_a_template_of_ruby_is_read_and_what_it_hides_is_said(tmp_path: Path) -> None:
    text = (
        '<broker brokerName="<%= scope["x::name"] %>">\n<% if @a -%>\n<policyEntry queue=">" memoryLimit="1 mb"/>\n'
        '<% end -%>\n<systemUsage><systemUsage><memoryUsage><memoryUsage limit="<%= @memory %>"/></memoryUsage>'
        "</systemUsage></systemUsage>"
        "</broker>"
    )
    found = explained(tmp_path, text)
    assert found.notes[0] == "f:5: limit is a placeholder (memory); its value is not known here"
    assert [(each.origin.line, each.rule) for each in found.findings] == [(3, "CLASSIC-MEMORY-7")]


DISK = "; once the disk is fuller than 90 % (max-disk-usage), all producers wait"


@pytest.mark.parametrize(
    ("start", "other", "end"),
    [
        ("<% if @a %>", "<% else -%>", "<% end %>"),
        ("{% if a %}", "{% else %}", "{% endif %}"),
        ("{{ if .a }}", "{{ else }}", "{{ end }}"),
    ],
)
def test_of_two_branches_that_are_no_xml_together_the_first_is_read(
    tmp_path: Path, start: str, other: str, end: str
) -> None:
    both = f'{start}\n<broker persistent="false">\n{other}\n<broker>\n{end}'
    text = f'{both}\n<policyEntry topic=">" memoryLimit="0"/></broker>'
    found = explained(tmp_path, f"<beans>{text}</beans>")
    assert [each.origin.line for each in found.findings] == [6]
    assert found.destinations[1].flows[0].first == "tempUsage"  # nothing is persistent: the first branch


@pytest.mark.parametrize(
    ("start", "other", "inner", "end"),
    [
        ("<% if @a %>", "<% else -%>", ("<% @b.each do |x| -%>", "<% end # x -%>"), "<% end # a -%>"),
        ("{% if a %}", "{% elif c %}", ("{% for x in b %}", "{% endfor %}"), "{% endif %}"),
        ("{{- if .a }}", "{{- else if .c }}", ("{{ range .b }}", "{{ end }}"), "{{ end }}"),
    ],
)
def test_a_branch_that_has_conditions_of_its_own_is_left_out_as_a_whole(
    tmp_path: Path, start: str, other: str, inner: tuple[str, str], end: str
) -> None:
    left_out = f"{other}\n<broker>\n{inner[0]}\n<queue/>\n{inner[1]}\n<topic>\n{end}"
    text = f'{start}\n<broker persistent="false">\n{left_out}\n<policyEntry topic=">" memoryLimit="0"/></broker>'
    found = explained(tmp_path, f"<beans>{text}</beans>")
    assert [each.origin.line for each in found.findings] == [10]


@pytest.mark.parametrize(
    ("text", "verdict", "note"),
    [
        (
            artemis(
                "{% if a %}<max-size-bytes>1M</max-size-bytes>{% else %}<max-size-bytes>2M</max-size-bytes>{% endif %}",
                BLOCK,
            ),
            "BLOCK: producers wait from max-size-bytes, which a placeholder hides, on",
            "set max-size-bytes differently",
        ),
        (
            classic('<policyEntry topic=">"/>', usage=["<systemUsage>", "{% if a %}", '<memoryUsage limit="1 mb"/>',
                    "{% else %}", '<memoryUsage limit="2 mb"/>', "{% endif %}", "</systemUsage>"]),
            "sends wait at a limit that branches of a template set differently, shared by all destinations",
            "set memoryUsage differently",
        ),
        (
            artemis("<max-size-bytes>1M</max-size-bytes>", BLOCK).replace('match="#"', 'match="{{ a }}"'),
            "BLOCK: producers wait from 1,048,576 bytes (1 MiB) on",
            "the match is a placeholder",
        ),
    ],
)  # fmt: skip
def test_what_branches_of_a_template_set_differently_is_not_known(
    tmp_path: Path, text: str, verdict: str, note: str
) -> None:
    found = explained(tmp_path, text)
    assert found.destinations[0].verdict == verdict
    assert any(note in each for each in found.notes)
    if "match" in note:
        assert {each.name: each.verdict for each in found.destinations}["#"].startswith("not known")


@pytest.mark.parametrize("hidden", ["##### SIZE #####", "$SIZE", "$(SIZE)", "%SIZE%", "__SIZE__", "@SIZE@", "${SIZE}"])
def test_a_placeholder_of_an_image_hides_a_figure(tmp_path: Path, hidden: str) -> None:
    found = explained(tmp_path, artemis(f"<max-size-bytes>{hidden}</max-size-bytes>", BLOCK))
    assert found.notes == ("f:4: max-size-bytes is a placeholder (SIZE); its value is not known here",)


def test_settings_by_match_in_a_yaml_keep_their_lines(tmp_path: Path) -> None:
    text = (
        "address-settings:\n  '#': |\n    <redelivery-delay>0</redelivery-delay>\n    "
        f"<max-size-bytes>2000</max-size-bytes>\n    {BLOCK}\n  orders: |\n\n"
        "    <max-size-bytes>3000</max-size-bytes>\n"
    )
    found = explained(tmp_path, text, "main.yml")
    sizes = {each.name: each.limits[1] for each in found.destinations}
    assert {name: (limit.shown, limit.origin.line) for name, limit in sizes.items()} == {
        "#": ("2,000 bytes (1.953 KiB)", 4),
        "orders": ("3,000 bytes (2.93 KiB)", 8),
    }


def test_macros_and_declarations_in_between_are_passed_over(tmp_path: Path) -> None:
    text = f"<!-- a -->\n<?xml version='1.0'?>\n{{% macro m(a) %}}<{{{{ a }}}}>{{% endmacro %}}\n{artemis(BLOCK)}"
    assert explained(tmp_path, text).destinations[0].limits[0].origin.line == 7


def test_a_dtd_elsewhere_is_not_asked_for(tmp_path: Path) -> None:
    text = '<!DOCTYPE beans PUBLIC\n"-//SPRING//DTD BEAN//EN" "http://localhost/beans.dtd">\n'
    found = explained(tmp_path, f'{text}<beans><broker>\n<policyEntry topic=">" memoryLimit="0"/></broker></beans>')
    assert [each.origin.line for each in found.findings] == [4]


def test_what_a_template_puts_in_as_a_whole_is_said_to_be_unknown(tmp_path: Path) -> None:
    found = explained(tmp_path, artemis("{{ settings_of(x) }}", BLOCK))
    assert found.notes == ("f:3: a template sets something in address-setting here, which is not known",)


def test_a_broker_of_artemis_without_its_root_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^f:1: expected the elements configuration and core around"):
        explained(tmp_path, "<broker><max-disk-usage>90</max-disk-usage><acceptors/></broker>")


def test_a_file_that_only_names_virtual_hosts_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^f:2: expected a virtual host here or in hosts\.xml"):
        explained(tmp_path, "<broker>\n<virtualhosts>${conf}/hosts.xml</virtualhosts></broker>")


def test_hornetq_is_said_to_be_read_by_the_rules_of_artemis(tmp_path: Path) -> None:
    setting = f'<address-setting match="#"><max-size-bytes>2000</max-size-bytes>{BLOCK}</address-setting>'
    inner = f"<hornetq-server><address-settings>{setting}</address-settings></hornetq-server>"
    text = f"<server><profile>\n{inner}</profile></server>"
    found = explained(tmp_path, text)
    assert found.destinations[0].verdict == "BLOCK: producers wait from 2,000 bytes (1.953 KiB) on"
    (note,) = found.notes
    assert note.startswith("f:2: HornetQ, from which Artemis came, is read by the rules of Artemis; ")


def test_a_file_of_hornetq_sets_everything_in_its_root_and_has_no_limit_of_all_addresses(tmp_path: Path) -> None:
    setting = f'<address-setting match="jms.#"><max-size-bytes>2000</max-size-bytes>{BLOCK}</address-setting>'
    acceptors = '<acceptors><acceptor name="netty"/></acceptors>'
    text = (
        f'<configuration xmlns="urn:hornetq">{acceptors}<address-settings>{setting}</address-settings></configuration>'
    )
    found = explained(tmp_path, text)
    assert found.broker.startswith("HornetQ, by the rules of ActiveMQ Artemis ")
    assert [each.verdict for each in found.destinations] == [
        "BLOCK: producers wait from 2,000 bytes (1.953 KiB) on",
        "PAGE, but without a limit: it never counts as full",
    ]
    assert [flow.producers for flow in found.destinations[0].flows] == ["Core producers (window 65,536 bytes)"]
    named = {limit.name for each in found.destinations for limit in each.limits}
    assert named == {"address-full-policy", "max-size-bytes"}
    assert not found.findings
    assert not found.otherwise


@pytest.mark.parametrize(("given", "told"), [("70", "70 % of the heap"), ("${P}", "a part of the heap")])
def test_a_share_of_the_heap_is_told_where_its_figure_is_not_known(tmp_path: Path, given: str, told: str) -> None:
    share = f'<memoryUsage percentOfJvmHeap="{given}"/>'
    text = f'<broker><policyEntry topic=">"/><systemUsage><memoryUsage>{share}</memoryUsage></systemUsage></broker>'
    (tmp_path / "f.xml").write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(tmp_path / "f.xml", "f")
    found = explaining.explain(read, explaining.version_of(read, "", ""), Traffic()).destinations
    assert found[0].verdict == f"sends wait from {told} in memory on, shared by all destinations"
    assert found[1].verdict.startswith(
        f"messages wait in files: persistent sends wait for memoryUsage ({told}) or storeUsage"
    )


@pytest.mark.parametrize(
    ("entry", "core", "verdict"),
    [
        ("10M", "${G}", "PAGE: nobody waits; from 10,485,760 bytes (10 MiB) on messages go to disk, or sooner by "
         "global-max-size, not known here"),
        ("${X}", "1G", "PAGE: nobody waits; from max-size-bytes, which a placeholder hides, on messages go to disk"),
    ],
)  # fmt: skip
def test_what_a_placeholder_does_not_hide_is_told(tmp_path: Path, entry: str, core: str, verdict: str) -> None:
    limits = f"<max-size-bytes>{entry}</max-size-bytes><address-full-policy>PAGE</address-full-policy>"
    text = artemis(limits, core=[f"<global-max-size>{core}</global-max-size>"])
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(tmp_path / "broker.xml", "broker.xml")
    (told,) = explaining.explain(read, explaining.version_of(read, "", ""), Traffic()).destinations
    assert told.verdict.removesuffix(DISK) == verdict


@pytest.mark.parametrize("kind", ["queue", "topic"])
def test_a_pattern_that_a_template_inserts_may_stand_for_other_destinations(tmp_path: Path, kind: str) -> None:
    entry = f'<policyEntry {kind}="{{{{ q }}}}" memoryLimit="1 mb"/>'
    says = f"the {kind} is a placeholder: other {kind}s than those told here may have these settings"
    assert any(says in note for note in explained(tmp_path, classic(entry)).notes)
    assert not any(says in note for note in explained(tmp_path, classic(entry.replace("{{ q }}", "q"))).notes)
