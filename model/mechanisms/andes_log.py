"""The log messages of WSO2 Message Broker's kernel, 3.0 and later, about flow control of a channel and of all
publishers.

Document 004 has no log line. No broker of this kind runs here, so lines of its log are rendered from these templates
and marked as rendered.
"""

from collections.abc import Mapping

from tidegate.model.language.message_text import PLACEHOLDER

RENDERED = "{rendered}"
"""The text in place of the logger in a line that no broker wrote."""
CHANNEL_STOPPED = (
    "Flow control enabled for channel [ ID: {channel:quoted} , Identifier: {connection:quoted} , "
    "Destination: {destination:quoted} ]"
)
CHANNEL_RELEASED = (
    "Flow control disabled for channel [ ID: {channel:quoted} , Identifier: {connection:quoted} , "
    "Destination: {destination:quoted} ]"
)
OLD_CHANNEL_STOPPED = "Flow control enabled for channel {channel:quoted}."
OLD_CHANNEL_RELEASED = "Flow control disabled for channel {channel:quoted}."
ALL_STOPPED = "Global buffer based flow control enabled."
ALL_RELEASED = "Global buffer based flow control disabled."
OLD_ALL_STOPPED = "Global flow control enabled."
OLD_ALL_RELEASED = "Global flow control disabled."
ALL_STOPPED_BY_ERRORS = "Global error based flow control enabled."
ALL_RELEASED_BY_ERRORS = "Global error based flow control disabled."


def rendered(time: str, template: str, fields: Mapping[str, str] | None = None) -> str:
    """A line of this log, marked as rendered; `time` as the line shows it. KeyError for a missing field."""
    text = PLACEHOLDER.sub(lambda found: (fields or {})[found["field"]], template)
    return f"[{time}]  INFO {RENDERED} -  {text}"
