"""Artemis 2.20.0 to 2.55.0 as built, for AMQP producers.

Without configuration they issue 1000 credits, again when 300 are left, and page without a limit. An address at its
reject threshold still takes a message.
"""

from dataclasses import replace

from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import artemis, general_address, general_paging
from tidegate.model.mechanisms.artemis import NO_LIMIT, Address, AddressLimits, ProducerName, after_removal
from tidegate.model.mechanisms.credit import Window, refill
from tidegate.model.mechanisms.general_address import (
    NO_LEVEL,
    FurtherCauses,
    after_issuing_unless_closed,
    full_of_messages,
    with_limits_of,
)

AMQP_2_20, AMQP_2_31, AMQP_2_44 = "artemis-2.20.0", "artemis-2.31.2", "artemis-2.44.0"
AMQP_2_50, AMQP_2_55 = "artemis-2.50.0", "artemis-2.55.0"
SINCE_2_44 = (AMQP_2_44, AMQP_2_50, AMQP_2_55)
SINCE_2_31 = (AMQP_2_31, *SINCE_2_44)
AMQP = (AMQP_2_20, *SINCE_2_31)
CORE_2_6, CORE_2_20, CORE_2_31 = "artemis-core-2.6.2", "artemis-core-2.20.0", "artemis-core-2.31.2"
CORE_2_44, CORE_2_50, CORE_2_55 = "artemis-core-2.44.0", "artemis-core-2.50.0", "artemis-core-2.55.0"
CORE = (CORE_2_6, CORE_2_20, CORE_2_31, CORE_2_44, CORE_2_50, CORE_2_55)
"""The reports of Core clients, which ask nobody for the limits: a check sends 20,000,000 bytes to an unconfigured
address."""
OPENWIRE_2_44, STOMP_2_44 = "artemis-openwire-2.44.0", "artemis-stomp-2.44.0"
LAST = "2.55.0"
"""The last version that was run."""


@as_built
def rejecting_above(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-AMQP-9: messages are rejected once the bytes in the address exceed the reject threshold."""
    return limits.blocks and limits.reject_threshold != NO_LIMIT and level > limits.reject_threshold


@as_built
def left_without_credit(address: Address, sender: ProducerName) -> Address:
    """ARTEMIS-AMQP-1: a rejected message takes all credits that its producer has left."""
    return replace(
        address,
        credits={producer: 0 if producer == sender else address.credits[producer] for producer in address.credits},
    )


@as_built
def issued_again_at_the_limit(address: Address, causes: FurtherCauses, size: int) -> Address:
    """ARTEMIS-BLOCK-1: credit is issued again once a removal leaves exactly the maximum size in the address."""
    left = after_removal(address, size)
    at_the_limit = left.limits.blocks and left.bytes == left.limits.max_size
    issued = replace(
        left,
        credits={
            producer: left.credits[producer] + refill(left.window, left.credits[producer]) for producer in left.credits
        },
    )
    open_but_for_bytes = not (causes.ordered or full_of_messages(causes))
    return issued if at_the_limit and open_but_for_bytes else after_issuing_unless_closed(left, causes)


@as_built
def issued_only_where_it_blocks(address: Address, causes: FurtherCauses, limits: AddressLimits) -> Address:
    """GENERAL-5: changed limits issue credit only under a policy that stops producers."""
    changed = with_limits_of(address, limits)
    return after_issuing_unless_closed(changed, causes) if limits.blocks else changed


@as_built
def issued_only_where_a_limit_blocks(address: Address, causes: FurtherCauses, limits: AddressLimits) -> Address:
    """GENERAL-5: changed limits issue credit only under a policy that stops producers, and only if a limit is left."""
    changed = with_limits_of(address, limits)
    has_limit = limits.max_size != NO_LIMIT or causes.most_messages != NO_LEVEL
    return after_issuing_unless_closed(changed, causes) if limits.blocks and has_limit else changed


@as_built
def pages_counted_full(page_limit: int, held: int, pages: int, page: int) -> bool:
    """GENERAL-34: pages are full once their number times their size exceeds the limit."""
    return page_limit != NO_LIMIT and pages * page > page_limit


@as_built
def pages_on_until_a_page_is_gone(began: bool, written: int, paged: int) -> bool:
    """GENERAL-21: an address pages until its pages hold no message, and for good if it wrote no page."""
    return paged > 0 or (began and written == 0)


WINDOWS_AHEAD = 1
"""The windows of credit that an anonymous producer is issued, before it names an address."""
WINDOW_AHEAD = "A producer that names no address is issued a window of credit, and keeps it beside a full one."
LATECOMER_PAST_MESSAGES = "a_latecomer_is_stopped_by_its_first_message_past_the_limit_in_messages[5] (anonymous)"
POLICY_CHANGES = "a_policy_that_does_not_stop_producers_lets_go_those_that_are_stopped"
HELD_AFTER = "the producer stopped at 1,100 bytes (really 550,000)"
STOPPING = ("BLOCK", "FAIL")
"""The policies under which a full address issues no credit."""
DEFAULT_WINDOW = Window(size=1000, low=300)
DEFAULT_LIMITS = AddressLimits(max_size=NO_LIMIT, reject_threshold=NO_LIMIT, blocks=False)


LIMITS = Replacement(
    (artemis, "DEFAULT_LIMITS"),
    DEFAULT_LIMITS,
    since="2.6.2",
    until=LAST,
    evidence=(
        *seen(
            "an_address_for_which_nothing_is_configured_has_a_maximum_size_of_10_mib",
            "-1 bytes (read, not reached)",
            *AMQP,
            OPENWIRE_2_44,
            STOMP_2_44,
        ),
        *seen(
            "an_address_for_which_nothing_is_configured_has_policy_block",
            "policy PAGE",
            *AMQP,
            OPENWIRE_2_44,
            STOMP_2_44,
        ),
        *seen("unless_configured_a_producer_has_no_rate", "200", *CORE),
        *seen("unless_configured_a_consumer_has_no_rate", "200 handed out", *CORE),
    ),
    says="An address has no maximum size and pages.",
)
"""The defaults of the broker, for producers of any protocol."""
PAGES_FULL = Replacement(
    general_paging.pages_full,
    pages_counted_full,
    since="2.31.2",
    until=LAST,
    evidence=(
        *seen(
            "past_a_limit_of_pages_in_bytes_messages_are_refused_or_dropped[drops]",
            "7 left",
            *SINCE_2_31,
            OPENWIRE_2_44,
            STOMP_2_44,
        ),
        *seen("a_limit_of_pages_counts_bytes_not_pages", "12 left", *SINCE_2_31, OPENWIRE_2_44, STOMP_2_44),
    ),
)
PAGES_ON = Replacement(
    general_paging.pages_on,
    pages_on_until_a_page_is_gone,
    since="2.31.2",
    until=LAST,
    evidence=seen(
        "what_finds_room_in_memory_is_accepted_whatever_the_limit_of_pages_and_the_size_of_a_page[399-200]",
        "it was rejected",
        *SINCE_2_31,
        OPENWIRE_2_44,
        STOMP_2_44,
    ),
    rules=("GENERAL-21",),
)
"""The effect of limits of pages, for producers of any protocol."""
REPLACEMENTS = (
    Replacement(
        (artemis, "DEFAULT_WINDOW"),
        DEFAULT_WINDOW,
        since="2.20.0",
        until=LAST,
        evidence=(
            *seen("without_configuration_a_producer_is_issued_100_credits", "1000 issued", *AMQP),
            *seen(
                "without_configuration_credit_is_refilled_when_30_credits_are_left[70-100]",
                "930 left of 1000 issued",
                *AMQP,
            ),
        ),
        says="An AMQP producer is issued 1000 credits, and again when 300 are left.",
    ),
    LIMITS,
    Replacement(
        artemis.rejecting,
        rejecting_above,
        since="2.20.0",
        until=LAST,
        evidence=(
            *seen(
                "messages_are_rejected_once_the_address_holds_its_reject_threshold[2000-rejected-2000]",
                "it was accepted, and the address held 2,010 bytes (really 1,005,000) then",
                *AMQP,
            ),
            *seen("vector[artemis.rejecting.2.at]", "it was accepted", *AMQP),
        ),
    ),
    Replacement(
        (artemis, "WINDOWS_AHEAD"),
        WINDOWS_AHEAD,
        since="2.31.2",
        until="2.44.0",
        evidence=(
            *seen(LATECOMER_PAST_MESSAGES, "the other producer free at 6 bytes (really 3,000)", AMQP_2_44),
            *seen(
                "random_sends_and_removals_on_amqp_credit",
                "second is free with 94 credits left, and destination holds 4,800 bytes (really 2,400,000) in "
                "12 messages",
                AMQP_2_31,
            ),
        ),
        rules=("GENERAL-7",),
        says=WINDOW_AHEAD,
    ),
    Replacement(
        (artemis, "WINDOWS_AHEAD"),
        WINDOWS_AHEAD,
        since="2.55.0",
        until=LAST,
        evidence=seen(LATECOMER_PAST_MESSAGES, "the other producer free at 6 bytes (really 3,000)", AMQP_2_55),
        rules=("GENERAL-7",),
        says=WINDOW_AHEAD,
    ),
    Replacement(
        (artemis, "STOPPING"),
        STOPPING,
        since="2.20.0",
        until=LAST,
        evidence=(
            *seen("an_address_that_fails_sends_stops_no_producer", "0 issued", *AMQP),
            *seen(
                "a_destination_past_its_limit_in_bytes_refuses_messages_and_stops_nobody",
                "3 accepted, 1 rejected, 4 blocked, and their producer stopped",
                *SINCE_2_44,
            ),
        ),
        rules=("ARTEMIS-BLOCK-3", "GENERAL-30"),
        says="A full address that fails sends issues no credit either.",
    ),
    Replacement(
        artemis.after_rejection,
        left_without_credit,
        since="2.44.0",
        until=LAST,
        evidence=(
            *seen("a_rejected_message_takes_one_credit_too", "100 of the 200 issued used up", *SINCE_2_44),
            *seen(
                "a_destination_past_its_limit_in_messages_refuses_messages_and_stops_nobody",
                "3 accepted, 1 rejected, 4 blocked, and their producer stopped",
                *SINCE_2_44,
            ),
        ),
    ),
    Replacement(
        general_address.after_consuming_from,
        issued_again_at_the_limit,
        since="2.31.2",
        until="2.31.2",
        evidence=(*seen("credit_is_issued_again_once_space_is_free[1000-30]", "100 left of 170 issued", AMQP_2_31),),
        rules=("ARTEMIS-BLOCK-1",),
    ),
    Replacement(
        general_address.after_change_of,
        issued_only_where_it_blocks,
        since="2.20.0",
        until="2.20.0",
        evidence=(
            *seen(POLICY_CHANGES, HELD_AFTER, AMQP_2_20),
            *seen("trace:a_raised_limit_releases", "otherwise at 1 of them", AMQP_2_20),
        ),
        rules=("ARTEMIS-BLOCK-3",),
    ),
    Replacement(
        general_address.after_change_of,
        issued_only_where_a_limit_blocks,
        since="2.31.2",
        until=LAST,
        evidence=(
            *seen(POLICY_CHANGES, HELD_AFTER, *SINCE_2_31),
            *seen(
                "the_end_of_a_limit_releases_every_producer_that_waits[1]",
                "not free at 40,000 bytes (really 20,000,000): producer",
                AMQP_2_44,
            ),
        ),
        rules=("ARTEMIS-BLOCK-3", "GENERAL-5"),
    ),
    PAGES_FULL,
    PAGES_ON,
)
"""All replacements; each names the versions in which it holds."""

ARTEMIS_2_20_0 = profile_of(AMQP_2_20, REPLACEMENTS)
ARTEMIS_2_31_2 = profile_of(AMQP_2_31, REPLACEMENTS)
ARTEMIS_2_44_0 = profile_of(AMQP_2_44, REPLACEMENTS)
ARTEMIS_2_50_0 = profile_of(AMQP_2_50, REPLACEMENTS)
ARTEMIS_2_55_0 = profile_of(AMQP_2_55, REPLACEMENTS)
PROFILES = (ARTEMIS_2_20_0, ARTEMIS_2_31_2, ARTEMIS_2_44_0, ARTEMIS_2_50_0, ARTEMIS_2_55_0)
