"""What the lab does because of a condition keeps to the contract."""

from dataclasses import replace

import pytest

from tests.conformance.honest import PlainQueue
from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.built import BuiltArtemis2440, BuiltArtemisCore2440
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.conditions.condition import Weave
from tidegate.conformance.conditions.histories import MOST
from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.scenarios.common import what_was_told

LIMITS = Limits(limit_bytes=1000, policy="BLOCK")


def woven(*names: str) -> Weave:
    """The weave of the values with these names."""
    return Weave(tuple((each.name, value) for each in CONDITIONS for value in each.values if value.name in names))


class RejectsLarge(PlainQueue):
    """A broker that rejects large messages, and with them the transaction to which they belong."""

    capabilities = frozenset({"transactions"})

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Outcome] = []

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self.told.append(Outcome.REJECTED if size_bytes > 1 else Outcome.UNSETTLED)
        return self.told[-1]

    def commit(self, producer: str) -> Outcome:
        rejected = Outcome.REJECTED in self.told
        self.told.clear()
        return Outcome.REJECTED if rejected else Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        self.told.clear()


def test_a_rejected_message_does_not_share_its_transaction_with_the_next_one() -> None:
    lab = Lab(RejectsLarge(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue")
    assert lab.send("producer", 2) is Outcome.REJECTED
    assert lab.send("producer", 1) is Outcome.ACCEPTED


def test_a_message_that_expires_has_no_anonymous_producer() -> None:
    lab = Lab(ArtemisReference(), Recorder("check"), "s1.", weave=woven("anonymous"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue")
    assert lab.send("producer", 1) is Outcome.ACCEPTED
    with pytest.raises(Unsupported, match=r"^an anonymous producer sends no message that expires$"):
        lab.send("producer", 1, lives_ms=1)


@pytest.mark.parametrize(
    ("names", "connection", "opened"),
    [
        (("anonymous",), None, ("s1.producer",)),
        (("anonymous",), "line", ("s1.line",)),
        (("anonymous", "shared"), None, ("s1.shared connection",)),
        (("anonymous", "one session"), None, ("s1.shared connection", "session")),
    ],
)
def test_a_producer_that_names_its_destination_is_on_the_connection_asked_for(
    names: tuple[str, ...], connection: str | None, opened: tuple[str, ...]
) -> None:
    lab = Lab(ArtemisReference(), Recorder("check"), "s1.", weave=woven(*names))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue", connection=connection)
    (call,) = (call for call in lab.calls if call.verb == "open_anonymous_producer")
    assert call.arguments == ("s1.producer", *opened)


def test_histories_reach_a_disk_quota() -> None:
    adapter = QpidReference()
    adapter.start()
    try:
        lab = Lab(adapter, Recorder("check"), "s1.", weave=woven("drained once"))
        lab.declare_usage(Usage(quota_bytes=1000, quota_resume_bytes=800))
        lab.declare("queue", Limits())
        asked = [call for call in lab.calls if call.verb == "send"]
        assert 0 < len(asked) < MOST
        assert lab.depth("queue").messages == 0
    finally:
        adapter.stop()


def test_histories_leave_nothing_in_a_store_whose_journal_gives_space_back_late() -> None:
    lab = Lab(ClassicReference(), Recorder("check"), "s1.", weave=woven("drained once"))
    lab.declare_usage(Usage(store_bytes=1000))
    lab.declare("queue", Limits())
    opened = [call.arguments for call in lab.calls if call.verb == "open_producer"]
    assert opened
    assert not any(isinstance(each, ProducerOptions) and each.persistent for given in opened for each in given)


def test_a_burst_is_committed_with_its_last_message_and_what_is_blocked_stays_blocked() -> None:
    lab = Lab(BuiltArtemis2440(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", replace(LIMITS, credit=3, credit_low=0))
    for name in ("producer", "other producer"):
        lab.open_producer(name, "queue")
    told = lab.burst(["producer", "other producer"], 8, 500)
    assert told == [Outcome.ACCEPTED] * 6 + [Outcome.BLOCKED] * 2
    assert lab.depth("queue").messages == 6


class NamesAreTaken(ArtemisReference):
    """A broker that refuses a producer's name that was used before; the reference does so for destinations."""

    capabilities = ArtemisReference.capabilities | {"shared-connections"}

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        assert producer not in self.names
        self.names.append(producer)
        super().open_producer(producer, connection, destinations, options)


def test_a_bystander_whose_connection_broke_comes_back_under_another_name() -> None:
    broker = NamesAreTaken()
    lab = Lab(broker, Recorder("check"), "s1.", weave=woven("shared", "bystander"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue")
    lab.kill("producer")
    lab.declare("another queue", LIMITS)
    assert broker.names == ["s1.bystander", "s1.producer", "s1.bystander 2"]
    lab.bystander.judge()


def test_a_message_whose_send_waited_is_committed_once_the_send_has_returned() -> None:
    lab = Lab(BuiltArtemisCore2440(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue", options=ProducerOptions(window_bytes=600))
    told = [lab.send("producer", 600) for _ in range(3)]
    assert told == [Outcome.ACCEPTED, Outcome.ACCEPTED, Outcome.UNSETTLED]
    assert lab.standing("producer").stopped and lab.depth("queue").messages == 2
    lab.purge("queue")
    assert lab.answer_to_last("producer") is Outcome.ACCEPTED
    assert not lab.standing("producer").stopped and lab.depth("queue").messages == 1


def test_a_message_whose_waiting_send_ended_with_its_producer_is_never_committed() -> None:
    lab = Lab(BuiltArtemisCore2440(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", LIMITS)
    for name in ("producer", "other producer"):
        lab.open_producer(name, "queue", options=ProducerOptions(window_bytes=600))
    assert [lab.send("producer", 600) for _ in range(3)][-1] is Outcome.UNSETTLED
    lab.close_producer("producer")
    lab.purge("queue")
    assert not lab.standing("other producer").stopped and lab.depth("queue").messages == 0


def test_a_message_that_was_committed_late_is_none_that_was_refused() -> None:
    lab = Lab(BuiltArtemisCore2440(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue", options=ProducerOptions(window_bytes=600))
    assert [lab.send("producer", 600) for _ in range(3)][-1] is Outcome.UNSETTLED
    assert list(what_was_told(lab).values()) == [Outcome.ACCEPTED, Outcome.ACCEPTED, Outcome.UNSETTLED]
    lab.purge("queue")
    assert list(what_was_told(lab).values())[-1] is Outcome.ACCEPTED


def test_a_message_whose_waiting_send_ended_with_its_connection_is_never_committed() -> None:
    lab = Lab(BuiltArtemisCore2440(), Recorder("check"), "s1.", weave=woven("transacted"))
    lab.declare("queue", LIMITS)
    lab.open_producer("producer", "queue", options=ProducerOptions(window_bytes=600))
    assert [lab.send("producer", 600) for _ in range(3)][-1] is Outcome.UNSETTLED
    lab.kill("producer")
    commits = [call for call in lab.calls if call.verb == "commit"]
    lab.open_producer("producer", "queue", options=ProducerOptions(window_bytes=600))
    lab.standing("producer")
    assert [call for call in lab.calls if call.verb == "commit"] == commits
