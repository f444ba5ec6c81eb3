"""Forms of notices that a cloud provider gives in place of the broker's log: the action codes of Amazon MQ.

The codes are those of "Amazon MQ for RabbitMQ: action required codes"; mails and the console show them.
"""

from tidegate.why.lines.form import Fields, form
from tidegate.why.lines.rabbitmq import KINDS
from tidegate.why.notices import Blocked, Said

CODE = (  # the command line of AWS shows the code with its name, in JSON, YAML or a table
    r"(?:\{.{0,800}?\"ActionRequiredCode\"\s*:\s*|\W{0,9}ActionRequiredCode\W{1,40})?"
    r"(?:We have identified that the issue fits into the category )?[\"“]?RABBITMQ_(?P<kind>MEMORY|DISK)_ALARM\b"
)


def _alarm(fields: Fields) -> Said:
    return Blocked(KINDS[fields["kind"].lower()])


FORMS = tuple(form(f"RABBITMQ_{kind}_ALARM", CODE, _alarm) for kind in ("MEMORY", "DISK"))
