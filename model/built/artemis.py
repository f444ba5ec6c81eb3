"""Artemis 2.44.0 as it is built, for AMQP producers and for Core clients.

Without configuration it issues 1000 credits, again at 300, and pages without a limit. An address at its reject
threshold still takes a message. The Core side grants what is asked for as long as the address is not full. A consumer
is sent ahead until its window is passed. In what portions a Core producer asks for credit and a consumer gives it back,
and how rates are counted, is not modelled.
"""

from tidegate.model.built.profile import Evidence, Profile, Replacement, as_built
from tidegate.model.mechanisms import artemis, artemis_consumer, artemis_producer
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.model.mechanisms.artemis_consumer import UNBOUNDED
from tidegate.model.mechanisms.credit import Window

AMQP, CORE = "artemis-2.44.0", "artemis-core-2.44.0"
VERSION = "2.44.0"


@as_built
def rejecting_above(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-AMQP-9: messages are rejected once the address holds more bytes than the reject threshold."""
    return limits.blocks and limits.reject_threshold != NO_LIMIT and level > limits.reject_threshold


@as_built
def granted_unless_full(limits: AddressLimits, level: int, left: int, asked: int) -> int:
    """ARTEMIS-CORE-5: all that was asked for, as long as the address is not full, whatever room it has."""
    return 0 if full(limits, level) else asked


@as_built
def has_room_until_passed(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: a message of any size is sent ahead as long as those buffered are charged no more than it."""
    return consumer_window == UNBOUNDED or (consumer_window > 0 and buffered <= consumer_window)


DEFAULT_WINDOW = Window(size=1000, low=300)
DEFAULT_LIMITS = AddressLimits(max_size=NO_LIMIT, reject_threshold=NO_LIMIT, blocks=False)

_LIMITS = Replacement(
    (artemis, "DEFAULT_LIMITS"),
    DEFAULT_LIMITS,
    since=VERSION,
    until=VERSION,
    evidence=(
        Evidence(
            AMQP,
            "an_address_for_which_nothing_is_configured_has_a_maximum_size_of_10_mib",
            "-1 bytes (read, not reached)",
        ),
        Evidence(AMQP, "an_address_for_which_nothing_is_configured_has_policy_block", "policy PAGE"),
    ),
    says="An address has no maximum size and pages.",
)
ARTEMIS_2_44_0 = Profile(
    AMQP,
    (
        Replacement(
            (artemis, "DEFAULT_WINDOW"),
            DEFAULT_WINDOW,
            since=VERSION,
            until=VERSION,
            evidence=(
                Evidence(AMQP, "without_configuration_a_producer_is_issued_100_credits", "1000 issued"),
                Evidence(
                    AMQP,
                    "without_configuration_credit_is_refilled_when_30_credits_are_left[70-100]",
                    "930 left of 1000 issued",
                ),
            ),
            says="An AMQP producer is issued 1000 credits, and again when 300 are left.",
        ),
        _LIMITS,
        Replacement(
            artemis.rejecting,
            rejecting_above,
            since=VERSION,
            until=VERSION,
            evidence=(
                Evidence(
                    AMQP,
                    "messages_are_rejected_once_the_address_holds_its_reject_threshold[2000-rejected-2000]",
                    "it was accepted, and the address held 2,010 bytes (really 1,005,000) then",
                ),
                Evidence(AMQP, "vector[artemis.rejecting.2.at]", "it was accepted"),
            ),
        ),
    ),
)
ARTEMIS_CORE_2_44_0 = Profile(
    CORE,
    (
        _LIMITS,
        Replacement(
            artemis_consumer.has_room,
            has_room_until_passed,
            since=VERSION,
            until=VERSION,
            evidence=(
                Evidence(CORE, "messages_are_sent_ahead_as_long_as_they_fit_the_window[401-1]", "2 buffered"),
                Evidence(CORE, "a_window_counts_bytes_not_messages[100-10]", "11 buffered"),
            ),
        ),
        Replacement(
            artemis_producer.granted,
            granted_unless_full,
            since=VERSION,
            until=VERSION,
            evidence=(
                Evidence(CORE, "beside_one_byte_of_room_two_are_not_granted", "it was accepted"),
                Evidence(CORE, "a_message_needs_a_credit_for_each_of_its_bytes[1001-waits]", "it was accepted"),
            ),
        ),
    ),
)
