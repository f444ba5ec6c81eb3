"""Broker properties over a broker.xml, from the command line of the JVM, and values of placeholders in files beside."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tidegate.cli.main import cli
from tidegate.record.errors import BadInput

BROKER = """<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
<max-disk-usage>90</max-disk-usage>
<address-settings>
<address-setting match="#"><max-size-bytes>10Mb</max-size-bytes><address-full-policy>PAGE</address-full-policy>
</address-setting>
<address-setting match="till.#"><address-full-policy>BLOCK</address-full-policy></address-setting>
</address-settings>
</core></configuration>
"""
PROPERTIES = """# what the operator changed
addressSettings."till.#".maxSizeBytes=5M
addressSettings."new.#".addressFullMessagePolicy=FAIL
maxDiskUsage=70
"""
COMPOSE = """services:
  broker:
    image: apache/activemq-artemis
    environment:
      JAVA_ARGS_APPEND: -Dbrokerconfig.maxDiskUsage=100 -Dbrokerconfig.globalMaxSize=104857600
      # -Dbrokerconfig.globalMaxMessages=5
"""
SPRING = """<beans xmlns="http://www.springframework.org/schema/beans">
<bean class="org.springframework.beans.factory.config.PropertyPlaceholderConfigurer">
<property name="locations"><value>file:${activemq.conf}/limits.properties</value></property></bean>
<broker xmlns="http://activemq.apache.org/schema/core"><systemUsage><systemUsage>
<memoryUsage><memoryUsage limit="${limit.all}"/></memoryUsage></systemUsage></systemUsage>
</broker></beans>
"""


def _explain(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["explain", *map(str, arguments)], env={"COLUMNS": "200"})


def _write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / name.replace("__", ".").replace("_", "-")).write_text(text)


def _is_overridden(text: str, file: str) -> None:
    assert "till.#  BLOCK: producers wait from 5,242,880 bytes" in text
    assert "new.#  FAIL: from 10,485,760 bytes" in text
    assert "70 % of the disk" in text
    assert f"{file}:4" in text


def test_properties_beside_a_broker_xml_go_before_it(tmp_path: Path) -> None:
    _write(tmp_path, broker__xml=BROKER, broker__properties=PROPERTIES)
    _is_overridden(_explain(tmp_path / "broker.xml").output, "broker.properties")


def test_properties_that_are_named_go_before_the_broker_xml(tmp_path: Path) -> None:
    _write(tmp_path, broker__xml=BROKER, over__properties=PROPERTIES)
    found = _explain(tmp_path / "over.properties", tmp_path / "broker.xml").output
    _is_overridden(found, "over.properties")
    assert " ".join(found.split()).count("ActiveMQ Artemis, rules and defaults") == 1


def test_a_broker_xml_alone_is_not_overridden(tmp_path: Path) -> None:
    _write(tmp_path, broker__xml=BROKER, other__properties="jdbc.url=x")
    assert "till.#  BLOCK: producers wait from 10,485,760 bytes" in _explain(tmp_path / "broker.xml").output


def test_properties_alone_say_that_a_broker_xml_is_missing(tmp_path: Path) -> None:
    _write(tmp_path, broker__properties=PROPERTIES)
    assert "which sets the rest" in " ".join(_explain(tmp_path / "broker.properties").output.split())


def test_several_brokers_are_each_explained_alone(tmp_path: Path) -> None:
    _write(tmp_path, one__xml=BROKER, two__xml=BROKER, over__properties=PROPERTIES)
    found = _explain(*(tmp_path / name for name in ("one.xml", "two.xml", "over.properties"))).output
    assert " ".join(found.split()).count("ActiveMQ Artemis, rules and defaults") == 3


@pytest.mark.parametrize("name", ["docker-compose.yml", "artemis.profile"])
def test_properties_of_the_jvm_are_read_where_they_stand(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(COMPOSE if path.suffix == ".yml" else 'A=1\n\n\n\nJAVA_ARGS="' + COMPOSE.splitlines()[4][24:] + '"')
    found = _explain(path).output
    assert "100 % of the disk" in found
    assert "104,857,600 bytes" in found
    assert f"{name}:5" in found
    assert "global-max-messages =" not in found


def test_properties_of_the_jvm_go_before_the_broker_xml(tmp_path: Path) -> None:
    _write(tmp_path, broker__xml=BROKER, docker_compose__yml=COMPOSE)
    found = _explain(tmp_path / "broker.xml", tmp_path / "docker-compose.yml").output
    assert "100 % of the disk" in found
    assert "90 % of the disk" not in found


def test_values_of_placeholders_are_read_from_the_file_that_spring_names(tmp_path: Path) -> None:
    _write(tmp_path, activemq__xml=SPRING)
    assert "a limit of memory that is not known here" in _explain(tmp_path / "activemq.xml").output.replace("\n  ", " ")
    _write(tmp_path, limits__properties="limit.all=64 mb\n")
    assert "sends wait from 67,108,864 bytes" in _explain(tmp_path / "activemq.xml").output
    assert "33,554,432 bytes" in _explain(tmp_path / "activemq.xml", "--set", "limit.all=32 mb").output


JDBC = """<broker xmlns="http://activemq.apache.org/schema/core">
<persistenceAdapter><jdbcPersistenceAdapter dataSource="#ds"/></persistenceAdapter>
<systemUsage><systemUsage><storeUsage><storeUsage limit="1 gb"/></storeUsage><memoryUsage><memoryUsage limit="1 gb"/>
</memoryUsage><tempUsage><tempUsage limit="1 gb"/></tempUsage></systemUsage></systemUsage>
</broker>
"""


def test_a_database_has_no_limit_of_the_store(tmp_path: Path) -> None:
    _write(tmp_path, activemq__xml=JDBC)
    found = _explain(tmp_path / "activemq.xml").output
    assert "or storeUsage" not in found
    assert "storeUsage once" not in found
    assert "CLASSIC-USAGE-1" in _explain("--lint", tmp_path / "activemq.xml").output
    _write(tmp_path, activemq__xml=JDBC.replace("jdbcPersistenceAdapter", "kahaDB"))
    assert "storeUsage" in _explain(tmp_path / "activemq.xml").output.split("\nqueue >\n")[1].split("\ntopic >")[0]
    assert _explain("--lint", tmp_path / "activemq.xml").output == ""


def test_settings_that_a_template_puts_in_are_not_known(tmp_path: Path) -> None:
    settings = '<address-settings>{{ node("address-setting", vars) }}</address-settings>'
    _write(tmp_path, broker__xml=f"<configuration><core>{settings}</core></configuration>")
    assert "#  not known: a placeholder hides" in _explain(tmp_path / "broker.xml").output


def test_a_factory_of_connections_is_no_broker(tmp_path: Path) -> None:
    beans = '<beans xmlns:amq="x"><amq:connectionFactory id="f" brokerURL="tcp://mq1:61616"/></beans>'
    _write(tmp_path, activemq__xml=beans)
    found = _explain(tmp_path / "activemq.xml")
    assert isinstance(found.exception, BadInput)
    assert "how an application reaches a broker" in str(found.exception)


def test_properties_of_a_folder_count_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "over"
    folder.mkdir()
    _write(folder, b__properties='addressSettings."till.#".maxSizeBytes=6M\n', a__properties=PROPERTIES)
    _write(folder, log4j2__properties="rootLogger = INFO\n", notes__txt="globalMaxSize=1\n")
    _write(tmp_path, limits__xml=BROKER)
    alone = _explain(folder).output
    assert alone.count("rules and defaults of") == 1
    assert "till.#  PAGE: nobody waits; from 6,291,456 bytes" in alone
    together = _explain(tmp_path / "limits.xml", folder).output
    assert "till.#  BLOCK: producers wait from 6,291,456 bytes" in together
    assert "70 % of the disk" in together


def test_the_folder_of_a_broker_stands_for_its_configuration(tmp_path: Path) -> None:
    _write(tmp_path, broker__xml=BROKER, broker__properties=PROPERTIES, log4j2__properties="rootLogger = INFO\n")
    _is_overridden(_explain(tmp_path).output, "broker.properties")


@pytest.mark.parametrize("there", [{}, {"notes__txt": "x"}, {"log4j2__properties": "rootLogger = INFO\n"}])
def test_a_folder_without_a_configuration_is_refused_in_one_sentence(tmp_path: Path, there: dict[str, str]) -> None:
    _write(tmp_path, **there)
    with pytest.raises(BadInput, match=r"expected a folder with a broker\.xml, activemq\.xml"):
        CliRunner().invoke(cli, ["explain", str(tmp_path)], catch_exceptions=False, standalone_mode=False)
