"""Files of containers, operators, charts and roles: what is read of each, and what one is that sets no limit."""

import base64
from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic
from tests.explain.test_forms import BLOCK, explained, limit
from tidegate.explain import explaining
from tidegate.explain.release import named
from tidegate.record.errors import BadInput

XML = artemis("<max-size-bytes>5000</max-size-bytes>", BLOCK)
BROKER_PROPERTIES = "# of all\naddressSettings.#.maxSizeBytes=5000\naddressSettings.#.addressFullMessagePolicy=BLOCK\n"
MEMORY = classic(
    usage=[
        '<systemUsage><systemUsage><memoryUsage><memoryUsage limit="5000"/></memoryUsage>',
        "</systemUsage></systemUsage>",
    ]
)


def packed(kind: str, part: str, name: str, text: str) -> str:
    inside = base64.b64encode(text.encode()).decode()
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n{part}:\n  {name}: {inside}\n"


@pytest.mark.parametrize(
    ("kind", "part", "name", "text"),
    [
        ("Secret", "data", "broker.xml", XML),
        ("Secret", "data", "broker.properties", BROKER_PROPERTIES),
        ("ConfigMap", "binaryData", "activemq.xml", MEMORY),
    ],
)
def test_what_a_resource_holds_as_base64_is_read_at_its_line(
    tmp_path: Path, kind: str, part: str, name: str, text: str
) -> None:
    told = limit(tmp_path, "a.yaml", packed(kind, part, name, text))
    assert told.startswith("5,000 bytes (4.883 KiB) from a.yaml:5"), told


def test_base64_of_something_else_is_passed_over(tmp_path: Path) -> None:
    for text in (b"\xff\xfe" * 40, b"no configuration of a broker, but a long sentence"):
        (tmp_path / "a.yaml").write_text(
            packed("Secret", "data", "key", "") + f"  b: {base64.b64encode(text).decode()}\n"
        )
        with pytest.raises(BadInput, match="in this YAML"):
            explaining.read_file(tmp_path / "a.yaml", "a.yaml")


COMPOSE = "services:\n  mq:\n    image: apache/activemq-artemis:2.31.2\n    environment:\n"


@pytest.mark.parametrize(
    ("environment", "policy", "size"),
    [
        ("      EXTRA_ARGS: --relax-jolokia --blocking --global-max-size 5000", "BLOCK", "5,000 bytes"),
        ("      - EXTRA_ARGS=--global-max-size=5K --paging", "PAGE", "5,120 bytes (5 KiB)"),
        ('      AMQ_GLOBAL_MAX_SIZE: "5 kb"', "", "5,120 bytes (5 KiB)"),
        ("      - name: AMQ_GLOBAL_MAX_SIZE\n        value: 5000", "", "5,000 bytes"),
        ("      - name: EXTRA_ARGS\n        value: --blocking --global-max-size 5000", "BLOCK", "5,000 bytes"),
        ("      EXTRA_ARGS: --blocking --global-max-size 7000\n      JAVA_ARGS: -Dbrokerconfig.globalMaxSize=5000",
         "BLOCK", "5,000 bytes"),
        ("      # EXTRA_ARGS: --global-max-size 7000\n      EXTRA_ARGS: --global-max-size 5000", "", "5,000 bytes"),
    ],
)  # fmt: skip
def test_options_of_the_command_that_creates_a_broker_are_read(
    tmp_path: Path, environment: str, policy: str, size: str
) -> None:
    (only,) = explained(tmp_path, "compose.yaml", COMPOSE + environment + "\n")
    shown = {each.name: each.shown for each in only.destinations[0].limits}
    assert shown["global-max-size"].startswith(size)
    assert policy in ("", shown["address-full-policy"])


def test_an_option_of_the_same_name_of_another_program_is_none(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text(COMPOSE + "      TOOL_ARGS: mesh --global-max-size 5000 --blocking\n")
    with pytest.raises(BadInput, match="how the container of one is started"):
        explaining.read_file(tmp_path / "compose.yaml", "compose.yaml")


RABBITMQ = "one of RabbitMQ"
VALUES = "values for a template"
CONTAINER = "how the container of one is started"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("topology.yaml", "apiVersion: rabbitmq.com/v1beta1\nkind: Queue\nspec: {name: a, vhost: b}\n", RABBITMQ),
        ("values.yaml", 'image:\n  registry: docker.io\n  repository: rabbitmq\n  tag: "4.1"\n', RABBITMQ),
        ("Dockerfile", "FROM rabbitmq:3.11\nENV RABBITMQ_DEFAULT_USER a\n", RABBITMQ),
        ("mq.env", "RABBITMQ_VM_MEMORY_HIGH_WATERMARK=0.5\n", RABBITMQ),
        ("values.yaml", "image:\n  repository: shop/activemq\n  tag: 6.1.0\nstore: 10 gb\n", VALUES),
        ("main.yml", "activemq_version: 5.18.3\nactivemq_store: 10 gb\n", VALUES),
        ("map.yaml", "kind: ConfigMap\ndata:\n  ACTIVEMQ_CONFIG_MAXMEMORY: '1024'\n", CONTAINER),
        ("artemis.env", "ARTEMIS_USER=till\nARTEMIS_PASSWORD=secret\n", CONTAINER),
        ("service.yaml", "apiVersion: broker.arkmq.org/v1beta2\nkind: BrokerService\nspec: {}\n", "makes a Broker"),
        ("app.yaml", "apiVersion: broker.arkmq.org/v1beta2\nkind: BrokerApp\nspec: {}\n", "makes a Broker"),
        (
            "rules.yaml",
            "rules:\n  - pattern: ^org.apache.activemq.artemis<b>\n    name: a\n",
            "rules by which a monitor reads",
        ),
        (
            "map.yaml",
            'kind: ConfigMap\ndata:\n  broker.xml: |\n    {{- include "mq.brokerXml" . | nindent 4 }}\n',
            "from another template",
        ),
    ],
)
def test_of_what_sets_no_limit_it_is_said_what_it_is(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=says):
        explaining.read_file(tmp_path / name, name)


@pytest.mark.parametrize("image", ["quay.io/artemiscloud/activemq-artemis-broker:1.0.9", "x/artemis-kubernetes:2.1.0"])
def test_the_version_of_an_image_of_the_operator_is_no_release_of_the_broker(tmp_path: Path, image: str) -> None:
    text = COMPOSE.replace("apache/activemq-artemis:2.31.2", image) + "      EXTRA_ARGS: --global-max-size 5000\n"
    (tmp_path / "compose.yaml").write_text(text)
    assert named("artemis", tmp_path / "compose.yaml") is None
    (tmp_path / "compose.yaml").write_text(COMPOSE)
    found = named("artemis", tmp_path / "compose.yaml")
    assert found is not None and found.release == "2.31.2"


@pytest.mark.parametrize("image", ["quay.io/artemiscloud/activemq-artemis-broker", "x/activemq-artemis-kubernetes"])
def test_a_tag_of_the_operator_may_name_the_broker(tmp_path: Path, image: str) -> None:
    text = COMPOSE.replace("apache/activemq-artemis:2.31.2", f"{image}:artemis.2.27.1")
    (tmp_path / "compose.yaml").write_text(text)
    found = named("artemis", tmp_path / "compose.yaml")
    assert found is not None and found.release == "2.27.1"
