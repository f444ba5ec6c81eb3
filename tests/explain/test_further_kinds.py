"""Definitions of kinds of resources, several containers in a file, and several brokers of an application server."""

import json
from pathlib import Path

import pytest

from tests.explain.test_forms import explained
from tidegate.explain import explaining
from tidegate.record.errors import BadInput

DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tills.broker.example.org}
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              brokerProperties: {items: {type: string}, type: array}
              addressSettings:
                properties:
                  addressSetting: {items: {properties: {match: {type: string}}}, type: array}
"""
RESOURCE = """---
apiVersion: broker.amq.io/v1beta1
kind: ActiveMQArtemis
metadata: {name: till}
spec:
  brokerProperties: [globalMaxSize=5000]
"""


def test_a_definition_of_a_kind_of_resources_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(DEFINITION)
    with pytest.raises(BadInput, match="definitions of kinds of resources"):
        explaining.read_file(tmp_path / "crd.yaml", "crd.yaml")


def test_a_resource_beside_the_definition_of_its_kind_is_read(tmp_path: Path) -> None:
    (only,) = explained(tmp_path, "all.yaml", DEFINITION + RESOURCE)
    shown = {each.name: each.shown for each in only.destinations[0].limits}
    assert shown["global-max-size"].startswith("5,000 bytes"), shown


COMPOSE = """services:
  front:
    image: apache/activemq-artemis:2.44.0
    environment:
      EXTRA_ARGS: --global-max-size 5000 --blocking
  web: {image: nginx}
  back:
    image: apache/activemq-artemis:2.44.0
    environment:
      - EXTRA_ARGS=--paging --global-max-size 7000
"""
PODS = """kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: front
        image: apache/activemq-artemis:2.44.0
        env: [{name: EXTRA_ARGS, value: --global-max-size 5000 --blocking}]
      - name: back
        image: apache/activemq-artemis:2.44.0
        env:
        - name: EXTRA_ARGS
          value: --paging --global-max-size 7000
"""


@pytest.mark.parametrize(("text", "line"), [(COMPOSE, 10), (PODS, 13)])
def test_each_container_of_a_file_is_a_broker_of_its_own(tmp_path: Path, text: str, line: int) -> None:
    front, back = explained(tmp_path, "all.yaml", text)
    assert [front.file, back.file] == ["all.yaml (front)", "all.yaml (back)"]
    of = [{each.name: each for each in one.destinations[0].limits} for one in (front, back)]
    assert [each["address-full-policy"].shown for each in of] == ["BLOCK", "PAGE"]
    assert [each["global-max-size"].shown.partition(" (")[0] for each in of] == ["5,000 bytes", "7,000 bytes"]
    assert of[1]["global-max-size"].origin.line == line


SERVERS = """<server xmlns="urn:jboss:domain:20.0"><profile>
<subsystem xmlns="urn:jboss:domain:messaging-activemq:15.0">
 <server name="default">
  <address-setting name="#" max-size-bytes="5000" address-full-policy="BLOCK"/>
  <divert name="copy" address="${of:till.in}" forwarding-address="${to:till.out}" exclusive="false"/>
 </server>
 <server name="plain"/>
</subsystem></profile></server>
"""


def test_a_broker_of_an_application_server_that_sets_nothing_has_the_defaults(tmp_path: Path) -> None:
    first, plain = explained(tmp_path, "standalone.xml", SERVERS)
    assert [first.file, plain.file] == ["standalone.xml (default)", "standalone.xml (plain)"]
    sizes = [next(one.shown for one in each.destinations[0].limits if one.name == "max-size-bytes")
             for each in (first, plain)]  # fmt: skip
    assert sizes == ["5,000 bytes (4.883 KiB)", "10,485,760 bytes (10 MiB)"]


def test_a_name_with_a_placeholder_has_its_default(tmp_path: Path) -> None:
    first, _ = explained(tmp_path, "standalone.xml", SERVERS)
    assert {"till.in", "till.out"} <= {each.name for each in first.destinations}


PATCH = """- op: replace
  path: /spec/brokerProperties
  value:
  - globalMaxSize=9000

  - addressSettings."#".addressFullMessagePolicy=BLOCK
  - addressSettings."#".maxSizeBytes=5000
"""


@pytest.mark.parametrize("text", [PATCH, PATCH.replace("value", "tillProperties")])
def test_the_properties_of_a_list_are_those_of_one_broker(tmp_path: Path, text: str) -> None:
    (only,) = explained(tmp_path, "patch.yaml", text)
    limits = {each.name: each for each in only.destinations[0].limits}
    assert limits["address-full-policy"].shown == "BLOCK"
    assert (limits["max-size-bytes"].shown, limits["max-size-bytes"].origin.line) == ("5,000 bytes (4.883 KiB)", 7)
    assert limits["global-max-size"].origin.line == 4


SECRETS = """kind: Secret
metadata: {name: first}
stringData:
  b.properties: |
    addressSettings."#".maxSizeBytes=5000
    addressSettings."#".addressFullMessagePolicy=BLOCK
  a.properties: |
    addressSettings."#".maxSizeBytes=7000
    globalMaxSize=9000
---
kind: Secret
metadata: {name: second}
stringData:
  a.properties: globalMaxSize=8000
"""


def test_the_files_of_properties_of_a_secret_are_those_of_one_broker_in_their_order(tmp_path: Path) -> None:
    first, second = explained(tmp_path, "all.yaml", SECRETS)
    limits = {each.name: each for each in first.destinations[0].limits}
    assert limits["address-full-policy"].shown == "BLOCK"
    assert limits["max-size-bytes"].shown.startswith("5,000 bytes")
    assert limits["global-max-size"].shown.startswith("9,000 bytes")
    assert "what all.yaml (b.properties) sets counts, also where all.yaml (a.properties) sets" in first.notes[0]
    limits = {each.name: each for each in second.destinations[0].limits}
    assert limits["global-max-size"].shown.startswith("8,000 bytes")


POLICY = {"pattern": "in.*", "nodeType": "queue", "attributes": {"maximumQueueDepthMessages": 10}}
HOST = {"name": "till", "modelVersion": "9.1", "nodeAutoCreationPolicies": [POLICY]}


@pytest.mark.parametrize(
    "policies", [[POLICY], json.dumps([POLICY]), [{**POLICY, "attributes": json.dumps(POLICY["attributes"])}]]
)
def test_a_list_or_an_object_of_broker_j_may_be_a_text_of_json(tmp_path: Path, policies: object) -> None:
    (only,) = explained(tmp_path, "till.json", json.dumps({**HOST, "nodeAutoCreationPolicies": policies}))
    found = next(each for each in only.destinations if each.name == "till/created for in.*")
    assert next(each.shown for each in found.limits if each.name == "maximumQueueDepthMessages") == "10 messages"
