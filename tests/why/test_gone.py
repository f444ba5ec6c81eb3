"""Lines of a broker, node or virtual host that is gone: its stops are over, and nobody else's."""

import pytest

from tests.why.asking import ask
from tidegate.why.answer import State

FULL = "[con:0(guest@/127.0.0.1:4/shop)/ch:0] [vh(/shop)/qu(a)] QUE-1003 : Overfull : Size : 900 bytes, Capacity : 800"
CORE = (
    "2026-11-25 10:00:00,000 WARN  [org.hornetq.core.server] HQ222183: Blocking message production on address 'o'; "
    "size is currently: 9 bytes; max-size-bytes: 8"
)
ALARM_OF_B = "2026-11-25 10:00:00.000 [warning] <0.7.0> memory resource limit alarm set on node rabbit@b."
EVENTS = [
    # what is blocked, what ends it
    (CORE, "2026-11-25 10:09:00,000 INFO  [org.hornetq.core.server] HQ221000: live server is starting with X"),
    (CORE, "2026-11-25 10:09:00,000 INFO  [org.hornetq.core.server] HQ221002: HornetQ Server version 2.3.0 stopped"),
    (CORE.replace("org.hornetq", "org.apache.activemq.artemis").replace("HQ", "AMQ"),
     "2026-11-25 10:09:00,000 ERROR [org.apache.activemq.artemis.core.server] AMQ224079: The process for the virtual "
     "machine will be killed, as component QueueImpl is not responsive"),
    (ALARM_OF_B, "2026-11-25 10:09:00.000 [info] <0.8.0> rabbit on node rabbit@b down"),
    (ALARM_OF_B, "2026-11-25 10:09:00.000 [info] <0.8.0> Stopped RabbitMQ application"),
    (ALARM_OF_B, "2026-11-25 10:09:00.000 [info] <0.8.0> Halting Erlang VM"),
    (f"10:00:01 {FULL}", '10:09:00 [IO Pool] VHT-1002 : Close : "shop"'),
    (f"10:00:01 {FULL}", "10:09:00 [mng:N/A(guest@/127.0.0.1:9)] VHT-1002 : Closed : shop"),
    (f"10:00:01 {FULL}", '10:09:00 [mng:N/A(guest@/127.0.0.1:9)] VHT-1010 : Delete : "shop" : SUCCESS'),
    ("[2018-05-01 10:00:00,123]  INFO {org.wso2.andes.kernel.FlowControlManager} - Global flow control enabled.",
     "[2018-05-01 10:09:00,123]  INFO {org.wso2.carbon.core.internal.CarbonCoreActivator} -  Starting WSO2 Carbon..."),
]  # fmt: skip


@pytest.mark.parametrize(("stopped", "end"), EVENTS)
def test_a_broker_node_or_virtual_host_that_is_gone_holds_nobody_up(stopped: str, end: str) -> None:
    assert ask(stopped).state is State.BLOCKED
    assert ask(stopped, end).state is State.NOT_BLOCKED


def test_what_ends_for_another_node_or_virtual_host_ends_nothing() -> None:
    assert ask(ALARM_OF_B, ALARM_OF_B.replace(ALARM_OF_B[24:], "[info] <0.8.0> rabbit on node rabbit@c down")).held
    assert ask(f"10:00:01 {FULL}", '10:09:00 [IO Pool] VHT-1002 : Close : "shopping"').state is State.BLOCKED
    assert ask(f"10:00:01 {FULL}", "10:09:00 [IO Pool] VHT-1002 : Closed : shopping").state is State.BLOCKED
