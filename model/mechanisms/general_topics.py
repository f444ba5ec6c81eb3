"""Cases in which topics behave as queues, and released versions may differ: no document mentions them."""

from tidegate.model.language.rule import rule


@rule
def given_up_with_subscription(in_files: bool) -> bool:
    """GENERAL-8: messages in memory or in files are not charged any more once their subscription ends."""
    return True


@rule
def holds_up_others(topic: bool) -> bool:
    """GENERAL-21: a send that waits for the disk does not delay a send with space to the same queue or topic."""
    return False


@rule
def counts_those_before(topic: bool) -> bool:
    """GENERAL-42: an acknowledgement takes only its own message off the count, not earlier deliveries."""
    return False
