"""The words for figures and answers of the model that an operator knows: settings by their names, with units.

If a field or a rule has no words here, `facts.py` uses its name in the model.
"""

from collections.abc import Callable, Mapping

from tidegate.model.mechanisms import (
    artemis,
    artemis_consumer,
    artemis_producer,
    classic_usage,
    credit,
    general_address,
    qpid,
    wait,
)
from tidegate.record.counts import counted

Say = Callable[..., str]
"""Makes a sentence of a value and of the keys of the tables that contain it."""
NONE = -1
"""The model's figure for a level that is not set or is no limit."""


def _set(setting: str, unit: str, none: str = "no limit") -> Say:
    def say(figure: int) -> str:
        if figure != NONE:
            return f"{setting} = {counted(figure, unit)}"
        return f"{setting} is not set" if none == NOT_SET else f"{setting} = {NONE} ({none})"

    return say


def _of(sentence: str, unit: str = "bytes") -> Say:
    return lambda figure, *keys: sentence.format(counted(figure, unit), *keys)


def _whether(yes: str, no: str) -> Say:
    return lambda answer, *keys: (yes if answer else no).format(*keys)


def _credit(unit: str) -> Say:
    def say(left: int, producer: str) -> str:
        if left > 0:
            return f"{producer} has credit for {counted(left, unit)}"
        has = f"is {counted(-left, unit)} past its credit" if left else "has no credit"
        return f"{producer} {has}, so it is stopped"

    return say


NOT_SET = "not set"
CAPACITY, RESUME = "capacity", "flowResumeCapacity"
FIELDS: Mapping[tuple[type, str], Say] = {
    (qpid.Queue, "capacity"): _set(CAPACITY, "bytes", "none"),
    (qpid.Queue, "resume"): _set(RESUME, "bytes", NOT_SET),
    (qpid.Queue, "bytes"): _of("the queue holds {}"),
    (qpid.Limits, "capacity"): _set(CAPACITY, "bytes", NOT_SET),
    (qpid.Limits, "resume"): _set(RESUME, "bytes", NOT_SET),
    (qpid.Broker, "holds"): _whether("{1} stops {0}", "{1} does not stop {0}"),
    (artemis.AddressLimits, "max_size"): _set("max-size-bytes", "bytes"),
    (artemis.AddressLimits, "reject_threshold"): _set("max-size-bytes-reject-threshold", "bytes"),
    (artemis.AddressLimits, "blocks"): _whether(
        "address-full-policy = BLOCK", "address-full-policy = PAGE, DROP or FAIL"
    ),
    (artemis.Address, "bytes"): _of("the address holds {}"),
    (artemis.Address, "credits"): _credit("messages"),
    (credit.Window, "size"): _set("amqpCredits", "messages"),
    (credit.Window, "low"): _set("amqpLowCredits", "messages"),
    (general_address.FurtherCauses, "ordered"): _whether(
        "management has blocked the address", "management has not blocked the address"
    ),
    (general_address.FurtherCauses, "most_messages"): _set("max-size-messages", "messages"),
    (general_address.FurtherCauses, "messages"): _of("the address holds {}", "messages"),
    (artemis_consumer.Consumer, "window"): _set("consumerWindowSize", "bytes"),
    (artemis_consumer.Consumer, "buffered"): _of("the consumer's buffer holds {}"),
    (artemis_consumer.Consumer, "last_turn"): lambda turn: f"the consumer's last turn was number {turn}",
    (artemis_consumer.Consumer, "owed"): _of("{} were taken and are not given back to the window yet"),
    (artemis_producer.CoreAddress, "bytes"): _of("the address holds {}"),
    (artemis_producer.CoreAddress, "credits"): _credit("bytes"),
    (classic_usage.Placement, "persistent"): _whether("the message is persistent", "the message is not persistent"),
    (classic_usage.Placement, "in_memory"): _whether(
        "the cursor keeps waiting messages in memory", "the cursor keeps waiting messages on disk"
    ),
    (wait.Wait, "timeout_ms"): _set("timeout of a send", "ms"),
    (wait.Wait, "notify_ms"): _set("period of the warnings", "ms", "none"),
    (wait.Waiting, "waited_ms"): _of("the send has waited {}", "ms"),
    (wait.Waiting, "next_notice_ms"): _of("the next warning is due after {}", "ms"),
    (wait.Waiting, "notices"): _of("{} were given", "warnings"),
}
PARTS: Mapping[tuple[str, str], Say] = {
    ("limits", "store"): _set("storeUsage", "bytes"),
    ("limits", "temp"): _set("tempUsage", "bytes"),
    ("used", "store"): _of("{} of the store are used"),
    ("used", "temp"): _of("{} of temporary files are used"),
}
"""By parameter and field, for fields that other parameters name otherwise."""
WHOSE: Mapping[tuple[str, str], str] = {
    ("effective_limits", "own"): "the queue itself",
    ("effective_limits", "virtual_host"): "its virtual host",
    ("after_change_of", "limits"): "from now on",
}
"""By rule and parameter, the owner of the figures."""
PARAMETERS: Mapping[str, Say] = {
    "capacity": _set(CAPACITY, "bytes", NOT_SET),
    "resume": _set(RESUME, "bytes", NOT_SET),
    "level": _of("the address holds {}"),
    "held": _whether("the queue stopped the channel before", "the queue did not stop the channel before"),
    "is_senders": _whether("the channel sent the message to this queue", "the channel did not send it to this queue"),
    "was_stopped": _whether("the channel was stopped before", "the channel was not stopped before"),
    "by_exchange": _whether("the message is sent to an exchange", "the message is sent to the queue itself"),
    "by_amqp_1_0": _whether("it is sent by AMQP 1.0", "it is sent by an older AMQP"),
    "sender": "{} sends a message".format,
    "asking": "{} is to send a message".format,
    "channel": "{} is asked about".format,
    "candidate": "{} is asked about".format,
    "routes": _whether("the message goes to {}", "the message does not go to {}"),
    "names": _whether("the messages are on {}", "the messages are not on {}"),
    "size": _of("the message has {}"),
    "waiting": _of("{} of messages wait"),
    "left": _of("the producer has credit for {} left"),
    "asked": _of("it asks for credit for {}"),
    "producer_window": _set("producerWindowSize", "bytes"),
    "consumer_window": _set("consumerWindowSize", "bytes"),
    "buffered": _of("the consumer's buffer holds {}"),
    "passes": _whether("the rate lets the message pass", "the rate does not let the message pass"),
    "window_bytes": _set("producerWindowSize", "bytes"),
    "unanswered": _of("{} are sent and not answered yet"),
    "suspends": _whether("a full destination stops connections", "a full destination stops no connections"),
    "answered": _whether("the sender waits for an answer", "the sender waits for no answer"),
    "windowed": _whether("the sender has a window", "the sender has no window"),
    "by_memory_cursor": _whether(
        "vmQueueCursor, which keeps messages in memory", "a cursor that keeps messages on disk"
    ),
    "limit": _set("memoryLimit", "bytes"),
    "page_limit": _set("page-limit-bytes", "bytes"),
    "pages": _of("they take {}", "pages"),
    "page": _set("page-size-bytes", "bytes"),
    "began": _whether("its memory was full before", "its memory was never full"),
    "written": _of("{} were written to its pages", "messages"),
    "paged": _of("{} lie there now", "messages"),
    "refuses": _whether("the address refuses what comes past its limit", "the address refuses nothing"),
    "connected": _whether("the client is connected", "the client is not connected"),
    "failed": _whether("one of its publishes has failed", "none of its publishes has failed"),
    "topic": _whether("the destination is a topic", "the destination is a queue"),
    "passed_ms": _of("the message passed at {}", "ms"),
    "second_began_ms": _of("the second of the client began at {}", "ms"),
    "per_second": _of("the rate is {} a second", "messages"),
}
OF_RULE: Mapping[tuple[str, str], Say] = {
    ("after_change", "capacity"): _set(f"new {CAPACITY}", "bytes", NOT_SET),
    ("after_change", "resume"): _set(f"new {RESUME}", "bytes", NOT_SET),
    ("after_change", "names"): _whether("the limits of {} change", "the limits of {} do not change"),
    ("cost", "size"): _of("the address is charged {} for the message"),
    ("counted_as_it_comes", "level"): _of("all destinations together hold {}"),
    ("charged_after_rollback", "waiting"): _of("{} of messages wait to be sent"),
    ("charged_after_rollback", "room"): _whether("there is room once the rest is rolled back", "there is no room"),
    ("temp_limit_while_waiting", "began"): _of("the limit was {} as the send began to wait"),
    ("temp_limit_while_waiting", "now"): _of("the limit is {} now"),
    ("store_limit_while_waiting", "began"): _of("the limit was {} as the send began to wait"),
    ("store_limit_while_waiting", "now"): _of("the limit is {} now"),
    ("counted_after_purge", "counted"): _of("{} were counted", "messages"),
    ("counted_after_purge", "waiting"): _of("{} of them waited and are purged", "messages"),
    ("shown_stopped", "stopped"): _whether("the producer is stopped", "the producer is free"),
    ("shown_stopped", "send_failed"): _whether(
        "its last send that waited failed", "none of its sends that waited failed"
    ),
    ("given_up_with_subscription", "in_files"): _whether("it lay in files", "it lay in memory"),
    ("pages_full", "held"): _of("{} of messages lie in pages"),
    ("after_removal", "size"): _of("messages of {} leave the queue"),
    ("after_consuming", "size"): _of("messages of {} are consumed"),
    ("after_consuming_from", "size"): _of("messages of {} are consumed"),
    ("after_handing_out", "size"): _of("the program takes a message of {}"),
    ("freed_by_rollback", "size"): _of("messages of {} are rolled back"),
}
"""By rule and parameter, for parameters that other rules name otherwise."""
ANSWERS: Mapping[str, Say] = {
    "limited": _whether("the queue has a limit", "the queue has no limit"),
    "overfull": _whether(
        "overfull, so a producer that sends is stopped", "not overfull, so a producer that sends goes on"
    ),
    "underfull": _whether(
        "underfull, so producers that it stopped are released", "not underfull, so producers that it stopped stay so"
    ),
    "holds_sender": _whether("the sender is stopped by the queue", "the sender is not stopped by the queue"),
    "holds_after_message": _whether("the queue stops the channel", "the queue does not stop the channel"),
    "heeds_queues": _whether("an overfull queue stops the sender", "an overfull queue does not stop the sender"),
    "stopped_until_all_underfull_at_once": _whether("the channel stays stopped", "the channel is released"),
    "closed_to_a_message": _whether("the sender is stopped", "the sender is not stopped"),
    "effective_capacity": _set(f"{CAPACITY} in force", "bytes", "none"),
    "effective_resume": _set("resume level in force", "bytes", "none in bytes"),
    "rejecting": _whether("messages are rejected", "messages are accepted"),
    "full": _whether("the address is full, so producers get no credit", "the address is not full, so producers go on"),
    "closed": _whether("the address is closed, so producers get no credit", "the address is open, so producers go on"),
    "granted": _of("the producer is granted credit for {}"),
    "asked_for": _of("the producer asks for credit for {}"),
    "asked_for_whole": _of("the producer asks for credit for {}"),
    "may_send": _whether("the producer may send the message", "the producer has too little credit for the message"),
    "cost": _of("the message costs its sender {} of credit"),
    "has_room": _whether("the message is sent ahead", "the message is not sent ahead"),
    "has_room_itself": _whether("the message is sent ahead", "the message is not sent ahead"),
    "is_next": _whether("the consumer gets the message", "another consumer gets the message"),
    "pages_full": _whether("no more may be paged", "more may be paged"),
    "pages_on": _whether("the next message is paged", "the next message is kept in memory"),
    "time_counts": _whether("the send fails after its time", "the send never fails"),
    "heeds_cursor": _whether("the cursor says where messages wait", "messages wait in memory"),
    "takes_memory_in_hand": _whether("a message in hand takes memory", "a message in hand takes no memory"),
    "may_transmit": _whether("the message goes out", "the sender waits for answers"),
    "stalls_connection": _whether("the whole connection is stopped", "the connection goes on"),
    "kept_in_memory": _whether("waiting messages are kept in memory", "waiting messages are kept on disk"),
    "takes_memory": _whether("the message takes memory of its destination", "the message takes no memory"),
    "held_back_by_disk": _whether("the sender is stopped by the disk", "the sender is not stopped"),
    "freed_by_rollback": _of("{} are free again"),
    "charged_after_rollback": _of("{} stay charged for the message whose send waits"),
    "temp_limit_while_waiting": _of("the limit of temporary space for a send that waits is {}"),
    "store_limit_while_waiting": _of("the limit of the store for a send that waits is {}"),
    "counted_as_it_comes": _of("the message takes {} of what all destinations share as it comes"),
    "counted_after_purge": _of("{} are counted", "messages"),
    "given_up_with_subscription": _whether(
        "what a subscription held that ends is charged no more", "what a subscription held that ends stays charged"
    ),
    "full_disk_stops": _whether("a full disk stops the producer", "a full disk does not stop the producer"),
    "holds_up_others": _whether("the other send waits, too", "the other send goes through"),
    "counts_those_before": _whether(
        "messages that were handed out before are counted no more", "messages that were handed out before are counted"
    ),
    "counts_from": _of("the message counts from {} on", "ms"),
    "used_at_first": _of("{} of the rate are used up", "messages"),
    "connected_after": _whether("the client stays connected", "the client has no connection any more"),
    "gives_up": _whether("the send fails", "the send waits on"),
    "shown_stopped": _whether("management shows the producer as stopped", "management shows the producer as free"),
    "notice_due": _whether("a warning is due", "no warning is due"),
}
"""By rule, the sentence for its answer."""
