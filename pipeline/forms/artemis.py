"""The log of an Artemis broker, 2.6 to 2.55: the causes that block an address, and the policy of a full address.

Up to 2.20 a line has fewer figures, grouped as the locale does, and its "global maximum" is the address's own size.
"""

import re
from collections.abc import Mapping

from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.model.traces.artemis_log_trace import (
    BY_DISK,
    BY_GLOBAL_SIZE,
    BY_MANAGEMENT,
    BY_MESSAGES,
    BY_SIZE,
    DROPPING,
    PAGING,
)
from tidegate.model.traces.log_rules import OF_ARTEMIS_LOGS
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import Cause, LogForm, Reached, Statement
from tidegate.record.events import Kind

BLOCKING = "AMQ222183: Blocking message production on address '{address:quoted}'; "
UNBLOCKING = "AMQ221046: Unblocking message production on address '{address:quoted}'; "
START_PAGING = "AMQ222038: Starting paging on address '{address:quoted}'; "
STOP_PAGING = "AMQ224108: Stopped paging on address '{address:quoted}'; "
DROPPED = "AMQ222039: Messages sent to address '{address:quoted}' are being dropped; "
FIGURES = (
    "size={size:plain} bytes ({messages:plain} messages); "
    "maxSize={limit:level} bytes ({message_limit:level} messages); "
    "globalSize={global_size:plain} bytes ({global_messages:plain} messages); "
    "globalMaxSize={global_limit:level} bytes ({global_message_limit:level} messages);"
)
SIZE = "size is currently: {size:number} bytes; "
OLD_FIGURES = SIZE + "max-size-bytes: {limit:limit}"
OLD_FIGURES_AND_GLOBAL = OLD_FIGURES + "; global-size-bytes: {global_size:number}"
OLD_BLOCKING = SIZE + "max-size-bytes on address: {limit:limit}, global-max-size is {global_size:number}"
ORDER = "order"
"""The name that traces have for an order of management."""
OF_ADDRESS = {"destination": "{address}"}
OLD_CARRIED = {**OF_ADDRESS, "bytes": "{size}", "limit": "{limit}"}
CARRIED = {**OLD_CARRIED, "messages": "{messages}"}


def is_full(limit: int, level: int) -> bool:
    """Whether an address is full by one of its limits, in bytes or messages, by the model's own rule."""
    return full(AddressLimits(max_size=limit, reject_threshold=NO_LIMIT, blocks=True), level)


LIMITS = (
    Reached(BY_GLOBAL_SIZE, "global_size", "global_limit", is_full),
    Reached(BY_GLOBAL_SIZE, "global_messages", "global_message_limit", is_full),
    Reached(BY_MESSAGES, "messages", "message_limit", is_full),
)
"""The limits in the line, with their causes, in this order; where none is reached, the limit in bytes counts."""
OWN_LIMIT = (Reached(BY_SIZE, "size", "limit", is_full),)
"""The only limit in an old line; where the address has not reached it, the global size blocks the address."""


def _by_limit(text: str, kind: Kind) -> Statement:
    return Statement(text[:9], LineForm(text + FIGURES), kind, CARRIED, causes=LIMITS, cause=BY_SIZE)


def _told(text: str, kind: Kind, cause: str, carries: Mapping[str, str]) -> Statement:
    return Statement(text[:9], LineForm(text), kind, carries, cause=cause)


FORM = LogForm(
    name="artemis log",
    broker="artemis",
    recognised_by=re.compile(r"\bAMQ22\d{4}: "),
    version=re.compile(r"AMQ221001: .*? version (?P<version>\d+(?:\.\d+)+)"),
    statements=(
        _by_limit(BLOCKING, Kind.OVERFULL),
        Statement("AMQ222183", LineForm(BLOCKING + OLD_BLOCKING), Kind.OVERFULL, OLD_CARRIED, causes=OWN_LIMIT,
                  cause=BY_GLOBAL_SIZE),
        _by_limit(UNBLOCKING, Kind.UNDERFULL),
        _told(UNBLOCKING + OLD_FIGURES, Kind.UNDERFULL, BY_SIZE, OLD_CARRIED),
        _told(START_PAGING + FIGURES, Kind.OVERFULL, PAGING, CARRIED),
        _told(START_PAGING + OLD_FIGURES_AND_GLOBAL, Kind.OVERFULL, PAGING, OLD_CARRIED),
        _told(STOP_PAGING + FIGURES, Kind.UNDERFULL, PAGING, CARRIED),
        _told(STOP_PAGING + OLD_FIGURES_AND_GLOBAL, Kind.UNDERFULL, PAGING, OLD_CARRIED),
        _told(DROPPED + FIGURES, Kind.LEVEL, DROPPING, CARRIED),
        _told(DROPPED + OLD_FIGURES_AND_GLOBAL, Kind.LEVEL, DROPPING, OLD_CARRIED),
        Statement("AMQ221000", LineForm("AMQ221000: {said:rest}"), Kind.START, {}),
        Statement("AMQ221002", LineForm("AMQ221002: {said:rest}"), Kind.SHUTDOWN, {}),
        _told("AMQ222210: {said:rest}", Kind.OVERFULL, BY_DISK, {}),
        _told("AMQ222211: {said:rest}", Kind.UNDERFULL, BY_DISK, {}),
        _told("AMQ222212: Disk Full! Blocking message production on address '{address:quoted}'. "
              "Clients will report blocked.", Kind.OVERFULL, BY_DISK, OF_ADDRESS),
        _told("AMQ224114: Address control block, blocking message production on address '{address:quoted}'. "
              "Clients will not get further credit.", Kind.OVERFULL, BY_MANAGEMENT, OF_ADDRESS),
        _told("AMQ224115: Address control unblock of address '{address:quoted}'. "
              "Clients will be granted credit as normal.", Kind.UNDERFULL, BY_MANAGEMENT, OF_ADDRESS),
    ),
    rules=OF_ARTEMIS_LOGS,
    causes={
        BY_SIZE: Cause("max-size"),
        BY_MESSAGES: Cause(BY_MESSAGES, limit="max-size"),
        BY_GLOBAL_SIZE: Cause(BY_GLOBAL_SIZE, limit="max-size"),
        BY_DISK: Cause(BY_DISK, alone=True),
        BY_MANAGEMENT: Cause(ORDER, alone=True),
        PAGING: Cause(PAGING, stops=False),
    },
)  # fmt: skip
