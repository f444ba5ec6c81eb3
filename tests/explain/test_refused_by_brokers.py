"""Files with which a released broker does not start, and slips that it passes over, by its own schema and classes."""

import json
from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host, unread
from tidegate.explain import explaining
from tidegate.explain.read.artemis import from_tree
from tidegate.explain.read.xml_tree import parse_xml
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

SIZE = "<max-size-bytes>{}</max-size-bytes>"
POLICY = "<address-full-policy>{}</address-full-policy>"
VM = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy>"


def explained(folder: Path, name: str, text: str, release: str = "") -> Explanation:
    """The only configuration of a file, by a release or by the newest one that reads it."""
    (folder / name).write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / name, name)
    return explaining.explain(read, explaining.version_of(read, "", release), Traffic(size=1000))


def said(found: Explanation) -> list[tuple[int, str]]:
    """Line and sentence of what is found."""
    return [(each.origin.line, each.sentence) for each in found.findings]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (artemis(SIZE.format(20000), SIZE.format(30000)), 5, "max-size-bytes stands twice in one address-setting"),
        (artemis(core=["<global-max-size>1G</global-max-size>"] * 2), 4, "global-max-size stands twice in core"),
        (artemis(core=["<persistence-enabled>FALSE</persistence-enabled>"]), 3, "keeps a broker from starting"),
        (artemis(POLICY.format(" PAGE ")), 4, "has blanks around PAGE"),
        (
            artemis(
                SIZE.format(20000),
                POLICY.format("BLOCK"),
                "<max-size-bytes-reject-threshold>30k</max-size-bytes-reject-threshold>",
            ),
            6,
            "refuses to start with a unit there",
        ),
        (artemis().replace("match=", "name="), 3, "without an attribute match"),
    ],
)
def test_what_the_schema_of_artemis_refuses_is_told(tmp_path: Path, text: str, line: int, says: str) -> None:
    ((at, sentence),) = said(explained(tmp_path, "broker.xml", text))
    assert (at, says in sentence) == (line, True)


def test_branches_of_a_template_may_set_a_thing_twice(tmp_path: Path) -> None:
    branch = "{% if stored %}\n" + "<persistence-enabled>true</persistence-enabled>\n"
    branch += "{% else %}<persistence-enabled>false</persistence-enabled>{% endif %}"
    assert said(explained(tmp_path, "broker.xml", artemis(core=[branch]))) == []


@pytest.mark.parametrize("figure", ["9223372036854775808", "99999999999G", "-1"])
def test_a_figure_beyond_the_largest_one_of_a_broker_is_refused(tmp_path: Path, figure: str) -> None:
    if figure == "-1":
        assert said(explained(tmp_path, "broker.xml", artemis(SIZE.format(figure)))) == []
        return
    with pytest.raises(BadInput, match="expected at most 9,223,372,036,854,775,807"):
        explained(tmp_path, "broker.xml", artemis(SIZE.format(figure)))
    queue = {"name": "a", "overflowPolicy": "REJECT", "maximumQueueDepthBytes": 1 << 63}
    (tmp_path / "host.json").write_text(host(json.dumps(queue)), encoding="utf-8")
    assert "expected at most 9,223,372,036,854,775,807" in unread(tmp_path / "host.json")[0]


def test_the_least_space_on_the_disk_goes_before_the_most_usage(tmp_path: Path) -> None:
    core = ["<max-disk-usage>90</max-disk-usage>", "<min-disk-free>10G</min-disk-free>"]
    found = explained(tmp_path, "broker.xml", artemis(core=core))
    assert {each.name: each.shown for each in found.destinations[0].limits if "disk" in each.name} == {
        "min-disk-free": "10,737,418,240 bytes (10 GiB)"
    }
    assert said(found) == [(3, "max-disk-usage has no effect: min-disk-free (line 4) counts instead.")]
    assert from_tree(parse_xml(artemis(), "b")).disk_free is None


def test_two_acceptors_of_one_name_are_told(tmp_path: Path) -> None:
    text = artemis(acceptor="protocols=AMQP").replace(
        "</acceptors>", '<acceptor name="a">tcp://h:2</acceptor></acceptors>'
    )
    ((line, sentence),) = said(explained(tmp_path, "broker.xml", text))
    assert (line, "a second acceptor is called a" in sentence) == (3, True)


@pytest.mark.parametrize(("release", "is_told"), [("2.20.0", True), ("2.21.0", False), ("", False)])
def test_a_setting_of_a_later_release_is_told(tmp_path: Path, release: str, is_told: bool) -> None:
    found = said(explained(tmp_path, "broker.xml", artemis("<max-size-messages>9</max-size-messages>"), release))
    assert [sentence for _, sentence in found if "not known before" in sentence] == (
        ["max-size-messages is not known before 2.21.0: an older broker refuses to start with it."] if is_told else []
    )


@pytest.mark.parametrize(
    ("match", "name", "is_told"),
    [
        ("order.#", "orders.eu", True),
        ("oorders.eu", "orders.eu", True),
        ("orders1", "orders2", False),
        ("invoices.#", "orders.eu", False),
        ("orders.#", "orders.eu", False),
    ],
)
def test_a_match_beside_the_address_that_it_seems_to_mean_is_told(
    tmp_path: Path, match: str, name: str, is_told: bool
) -> None:
    text = artemis(SIZE.format(20000)).replace('match="#"', f'match="{match}"')
    text = text.replace("</core>", f'<addresses><address name="{name}"/></addresses></core>')
    told = [f"{match!r} stands for no address of the file: is {name!r} meant?"] if is_told else []
    assert [sentence for _, sentence in said(explained(tmp_path, "broker.xml", text))] == told
    entry = f'<policyEntry queue="{match.replace("#", ">")}" memoryLimit="9000">{VM}</policyEntry>'
    queue = f'<destinations><queue physicalName="{name}"/></destinations>'
    found = said(explained(tmp_path, "activemq.xml", classic(entry, usage=[queue])))
    assert bool(found) == is_told


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        ('<systemUsage>\n<memoryUsage limit="1 mb"/></systemUsage>', "systemUsage needs an inner systemUsage"),
        (
            '<systemUsage><systemUsage><memoryUsage limit="1 mb"/></systemUsage></systemUsage>',
            "memoryUsage needs an inner memoryUsage",
        ),
    ],
)
def test_a_bean_of_classic_without_its_property_is_told(tmp_path: Path, usage: str, says: str) -> None:
    text = classic().replace("</amq:broker>", f"{usage}</amq:broker>")
    assert any(line == 4 and says in sentence for line, sentence in said(explained(tmp_path, "activemq.xml", text)))


def test_an_entry_of_classic_with_a_queue_and_a_topic_is_one_of_the_topic(tmp_path: Path) -> None:
    found = explained(tmp_path, "activemq.xml", classic('<policyEntry queue="a" topic="b" memoryLimit="9000"/>'))
    assert [each.name for each in found.destinations] == ["topic b", "queue >", "topic >"]
    assert said(found) == [(3, "queue has no effect in an entry that names a topic too.")]


def test_of_a_limit_in_bytes_and_one_in_percent_the_percentage_counts(tmp_path: Path) -> None:
    usage = '<systemUsage><memoryUsage limit="5000" percentOfJvmHeap="70"/></systemUsage>'
    found = explained(
        tmp_path, "activemq.xml", classic('<policyEntry queue="a">' + VM + "</policyEntry>", usage=[usage])
    )
    assert found.destinations[0].verdict.startswith("sends wait from 70 % of the heap")


def test_booleans_of_classic_are_written_small(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected true or false, not 'FALSE'"):
        explained(tmp_path, "activemq.xml", classic('<policyEntry queue="a" producerFlowControl="FALSE"/>'))
    spring = '<beans><bean class="org.apache.activemq.broker.BrokerService"><property name="persistent" value="FALSE"/>'
    assert explained(tmp_path, "activemq.xml", spring + "</bean></beans>").findings == ()


def test_what_stands_twice_in_a_json_is_told(tmp_path: Path) -> None:
    twice = '{"name": "a", "overflowPolicy": "REJECT",\n"maximumQueueDepthBytes": 9000, "maximumQueueDepthBytes": 8000}'
    found = explained(tmp_path, "host.json", host(twice, '{"name": "a"}'))
    assert [line for line, _ in said(found)] == [6, 7]
    assert [sentence.split(" (")[0] for _, sentence in said(found)] == [
        "maximumQueueDepthBytes stands twice in a queue",
        "a stands twice in the queues of a virtual host",
    ]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("{{ default $.Values.most .most }}", "not known"),
        ("{{ .most | default .Values.most }}", "not known"),
        ("{{ most | default(usual_most) }}", "not known"),
        ("{{ default 9000 .most }}", "9,000 bytes (8.789 KiB)"),
        ('{{ .most | default "9000" }}', "9,000 bytes (8.789 KiB)"),
    ],
)
def test_a_default_that_names_another_value_is_not_known(tmp_path: Path, given: str, shown: str) -> None:
    found = explained(tmp_path, "broker.xml", artemis(SIZE.format(given), POLICY.format("BLOCK")))
    assert next(each.shown for each in found.destinations[0].limits if each.name == "max-size-bytes") == shown


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ('<address-setting match="a"/>', "address-setting belongs in address-settings"),
        ('<acceptor name="a">tcp://h:1</acceptor>', "acceptor belongs in acceptors"),
        ('<security-settings><address-settings><address-setting match="a"/></address-settings></security-settings>',
         "address-settings belongs in core"),
    ],
)  # fmt: skip
def test_an_element_in_the_wrong_place_keeps_a_broker_from_starting(tmp_path: Path, inside: str, says: str) -> None:
    text = f'<configuration xmlns="urn:activemq">\n<core xmlns="urn:activemq:core">\n{inside}</core></configuration>'
    ((line, sentence),) = said(explained(tmp_path, "broker.xml", text))
    assert line == 3
    assert sentence.startswith(f"{says}: a broker refuses to start with it in ")


def test_elements_in_their_places_are_no_fault(tmp_path: Path) -> None:
    text = artemis(SIZE.format(2000), core=['<addresses><address name="a"/></addresses>'], acceptor="protocols=CORE")
    assert said(explained(tmp_path, "broker.xml", text)) == []


CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main"


def test_the_marks_of_a_merge_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        explained(tmp_path, "broker.xml", artemis(CONFLICT.format(SIZE.format(1), SIZE.format(2))))
    assert (caught.value.line, caught.value.expected.startswith("expected one version of these lines")) == (4, True)
    decorated = artemis(SIZE.format(2000), core=["<!--", "<<<<<<< limits", "-->"])
    assert said(explained(tmp_path, "broker.xml", decorated)) == []


def test_the_line_at_which_a_text_is_no_yaml_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        explained(tmp_path, "cm.yaml", "kind: ConfigMap\ndata:\n\tbroker.xml: |\n\t  <core/>\n")
    assert (caught.value.line, caught.value.expected.startswith("expected YAML (")) == (3, True)


def test_a_file_of_wso2_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="WSO2"):
        explained(tmp_path, "deployment.toml", '[server]\nhostname = "mb"\n')


def test_a_context_variable_that_the_file_sets_is_filled_in(tmp_path: Path) -> None:
    queue = {"name": "q", "maximumQueueDepthBytes": "${most}", "overflowPolicy": "PRODUCER_FLOW_CONTROL"}
    text = {"name": "h", "type": "BDB", "context": {"most": "${half}0", "half": "70"}, "queues": [queue]}
    found = explained(tmp_path, "h.json", json.dumps(text))
    assert found.destinations[0].verdict.startswith("producers that send are stopped above 700 bytes")
    assert found.notes == ("h.json:1: maximumQueueDepthBytes is ${most}, which the context sets to 700",)
    round_about = text | {"context": {"most": "${half}", "half": "${most}"}}
    assert "placeholder" in explained(tmp_path, "h.json", json.dumps(round_about)).destinations[0].verdict
