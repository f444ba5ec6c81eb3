"""Reads JSON of Broker-J: queues at any depth, with the context variables that they inherit."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import Any

import yaml

from tidegate.explain.names import CONTEXT, HOST, OF_JSON, QUEUE, Place, wrong
from tidegate.explain.placeholders import filled, with_values
from tidegate.explain.read.foreign import NotOfBroker
from tidegate.explain.read.qpid_file import BLOCKS, FILLED, INHERITED, Host, Levels, OldLevels, QpidFile, Queue
from tidegate.explain.read.unread import Unread, Unreadable
from tidegate.explain.sizes import MOST, read_number
from tidegate.explain.vocabulary import Figure, Origin, Word
from tidegate.record.errors import BadInput

POLICIES = ("NONE", "RING", BLOCKS, "FLOW_TO_DISK", "REJECT")
RESUME_PERCENT = "queue.queueFlowResumeLimit"
DEFAULTS = {
    "queue.defaultMaximumQueueDepthBytes": "maximumQueueDepthBytes",
    "queue.defaultMaximumQueueDepthMessages": "maximumQueueDepthMessages",
    "queue.defaultOverflowPolicy": "overflowPolicy",
}
"""By context variable, the attribute that it sets for all queues without one of their own."""
OLD_DEFAULTS = ("queue.queueFlowControlSizeBytes", "queue.queueFlowResumeSizeBytes")
"""The context variables that did so before 7.0."""
EACH_ERRORED = "the broker puts each queue that takes it into the state ERRORED, so that nobody can use the queue"
TO_DISK = "broker.flowToDiskThreshold"
HOSTS = {"virtualhosts", "virtualHosts", "virtualhost"}
INITIAL = "virtualHostInitialConfiguration"
_OF_A_QUEUE = {"overflowPolicy", "maximumQueueDepthBytes", "maximumQueueDepthMessages", "queueFlowControlSizeBytes"}
_OF_A_HOST = {"storePath", "storeOverfullSize", "storeUnderfullSize", "nodeAutoCreationPolicies", "exchanges", "queues"}
_OF_A_BROKER = {"virtualhostnodes", "virtualhosts", "virtualHosts", "virtualhost", "ports", "authenticationproviders"}
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|/\*.*?\*/|//[^\n]*|#[^\n]*|\t', re.DOTALL)
_FRACTION = re.compile(r"-?\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_DEEPEST = 10
"""The most context variables that refer to each other."""
Context = Mapping[str, yaml.ScalarNode]


def nodes_of(text: str, file: str, first_line: int = 1) -> yaml.Node | None:
    """The nodes of JSON with their lines. Comments are removed; JSON decides what is valid. BadInput for invalid
    JSON."""
    plain = _COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)
    try:
        json.loads(plain)
        found: yaml.Node | None = yaml.compose("\n" * (first_line - 1) + plain, _LOADER)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise BadInput(f"expected JSON ({error.msg})", file=file, line=line) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BadInput("expected JSON that is nested less deeply", file=file, line=first_line) from error
    return found


def from_json(root: yaml.Node | None, file: str, name: str = "") -> QpidFile:
    """The settings in the JSON of a broker or a virtual host; BadInput if nothing of it can be read."""
    return _Reading(file).read(root, name)


def _nothing_in(root: yaml.Node) -> str:
    """The error for a JSON with neither virtual hosts nor queues."""
    if isinstance(root, yaml.MappingNode) and "virtualhostnodes" in _values(root):
        return (
            "expected a virtual host: the hosts of the virtualhostnodes here stand in files of their own "
            "(NODE/config/HOST.json in the folder of the broker's work); give one of these"
        )
    return "expected a virtual host or queues in this JSON"


class _Reading:
    def __init__(self, file: str):
        self.file = file
        self.hosts: list[Host] = []
        self.queues: list[Queue] = []
        self.notes: list[str] = []
        self.misnamed: list[tuple[Origin, str]] = []
        self._context: Context = {}
        self._own: frozenset[int] = frozenset()
        self._does = ""
        self._failed = 0
        self.unread = Unreadable()

    def read(self, root: yaml.Node | None, name: str) -> QpidFile:
        if not isinstance(root, yaml.MappingNode | yaml.SequenceNode):
            raise BadInput("expected an object of JSON", file=self.file, line=1)
        nobody = Host("", Origin(self.file, 1, "the file"), Levels())
        if isinstance(root, yaml.MappingNode) and ("queues" in _values(root) or _is_a_host(_values(root))):
            self._host(root, {}, "")
        else:
            self._walk(root, {}, nobody)
        if not (self.hosts or self.queues or self.unread.found):
            raise NotOfBroker(_nothing_in(root), file=self.file, line=1)
        wrongly = tuple(dict.fromkeys(self.misnamed))
        unread = tuple({str(each.error): each for each in reversed(self.unread.found)}.values())[::-1]
        return QpidFile(
            self.file, True, tuple(self.hosts), tuple(self.queues), tuple(self.notes), name, wrongly, unread
        )

    def _walk(self, node: yaml.Node, context: Context, host: Host) -> None:
        for each in node.value if isinstance(node, yaml.SequenceNode) else ():
            self._walk(each, context, host)
        if not isinstance(node, yaml.MappingNode):
            return
        values = _values(node)
        inner = {**context, **_context(values)}
        if _OF_A_QUEUE & {*values}:  # an answer of the management lists queues without their hosts
            self._queue(node, context, host)
            return
        for key, value in values.items():
            if key in HOSTS:
                for each in value.value if isinstance(value, yaml.SequenceNode) else (value,):
                    if isinstance(each, yaml.MappingNode):
                        self._host(each, inner, "")
            elif key == INITIAL and not HOSTS & values.keys():  # it counts only until the host is created
                self._initial(value, inner, _text(values.get("name")))
            elif isinstance(value, yaml.MappingNode | yaml.SequenceNode) and key != "context":
                self._walk(value, inner, host)

    def _initial(self, value: yaml.Node, context: Context, name: str) -> None:
        inner = self._opened(value)
        if isinstance(inner, yaml.MappingNode):
            self._host(inner, context, name)

    def _opened(self, value: yaml.Node | None) -> yaml.Node | None:
        """An object or a list, which a broker also takes as a text of JSON.

        What is in the text has the line of the text, unless the text spans several lines.
        """
        if isinstance(value, yaml.ScalarNode) and value.value.strip().startswith(("{", "[")):
            return nodes_of(value.value, self.file, self._line(value))
        return value

    def _host(self, node: yaml.MappingNode, context: Context, name: str) -> None:
        values = _values(node)
        inner = self._context = {**context, **_context(values)}
        name = _text(values.get("name")) or name
        part = f"virtual host {name}" if name else "virtual host"
        self._check(values, HOST)
        kind = values.get("type")
        levels = self._read_levels({}, inner, part)
        before = self._failed
        self._does = f"the broker puts the {part} into the state ERRORED: none of its queues can be used"
        host = Host(
            name,
            Origin(self.file, self._line(node), part),
            levels or Levels(),
            Word(kind.value, self._origin(kind, part)) if isinstance(kind, yaml.ScalarNode) else None,
            self._number(values, "storeOverfullSize", part),
            self._number(values, "storeUnderfullSize", part),
            self._number(inner, FILLED, part),
            self._number(inner, TO_DISK, part),
            has_others=levels is not None,
        )
        is_errored = self._failed > before
        self.hosts += [] if is_errored else [host]
        kept = len(self.queues)
        queues = values.get("queues")
        listed = queues.value if isinstance(queues, yaml.SequenceNode) else []
        every = [each for each in listed if isinstance(each, yaml.MappingNode)]
        for each in every:
            self._queue(each, inner, host)
        names = [found for each in every if isinstance(found := _values(each).get("name"), yaml.ScalarNode)]
        self._twice(names, "the queues of a virtual host", "a broker refuses two queues of one name")
        policies = self._opened(values.get("nodeAutoCreationPolicies"))
        for each in policies.value if isinstance(policies, yaml.SequenceNode) else ():
            if isinstance(each, yaml.MappingNode):
                self._created(each, inner, host)
        if is_errored:
            del self.queues[kept:]  # their faults are known, and nobody can use them

    def _created(self, node: yaml.MappingNode, context: Context, host: Host) -> None:
        """Queues that the broker creates on a send, named by the pattern of their names."""
        values = _values(node)
        attributes = self._opened(values.get("attributes"))
        if _text(values.get("nodeType")).lower() == "queue" and isinstance(attributes, yaml.MappingNode):
            pattern = _text(values.get("pattern"))
            self._queue(attributes, context, host, f"created for {pattern}" if pattern else "created by a policy")

    def _queue(self, node: yaml.MappingNode, context: Context, host: Host, name: str = "") -> None:
        values = _values(node)
        name = name or _text(values.get("name")) or "without a name"
        part = f"queue {name}"
        own = _context(values)
        self._check(values, QUEUE)
        self._twice(
            [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)], "a queue", "the last one counts"
        )
        self._own = frozenset(map(id, (*values.values(), *own.values())))
        levels = self._read_levels(values, {**context, **own}, part, frozenset(own))
        if levels is None:
            return
        if levels.percent is not None and RESUME_PERCENT not in own:
            inherited = Origin(levels.percent.origin.file, levels.percent.origin.line, INHERITED)
            levels = replace(levels, percent=Figure(levels.percent.value, inherited))
        self.queues.append(Queue(name, host, Origin(self.file, self._line(node), part), levels))

    def _check(self, values: dict[str, yaml.Node], place: Place) -> None:
        context = values.get("context")
        inner = _values(context) if isinstance(context, yaml.MappingNode) else {}
        for names, where in ((values, place), (inner, CONTEXT)):
            for key, value in names.items():
                if (says := wrong(key, where, OF_JSON)) is not None:
                    self.misnamed.append((self._origin(value, where.words), says))

    def _twice(self, names: list[yaml.ScalarNode], where: str, says: str) -> None:
        """Tell of each name that stands at a place for the second time."""
        first: dict[str, yaml.ScalarNode] = {}
        for each in names:
            known = first.setdefault(each.value, each)
            if known is not each:
                sentence = f"{each.value} stands twice in {where} (line {self._line(known)} too): {says}."
                self.misnamed.append((self._origin(each, where), sentence))

    def _read_levels(
        self, values: dict[str, yaml.Node], context: Context, part: str, own: frozenset[str] = frozenset()
    ) -> Levels | None:
        """The levels of a queue or a virtual host; None if one of them cannot be read."""
        before = self._failed
        self._does = f"the broker puts {part} into the state ERRORED, so that nobody can use it"
        if not part.startswith("queue"):
            self._does = EACH_ERRORED
        levels = self._levels(values, context, part, own)
        return levels if self._failed == before else None

    def _unread(self, error: BadInput, node: yaml.Node) -> None:
        """Collect a value that cannot be read, with what the broker does with it (runs of 10.1.0)."""
        is_inherited = self._does.startswith("the broker puts queue") and id(node) not in self._own
        does = EACH_ERRORED if is_inherited else self._does
        self.unread.found.append(Unread(error, does))
        self._failed += 1

    def _levels(
        self, values: dict[str, yaml.Node], context: Context, part: str, own: frozenset[str] = frozenset()
    ) -> Levels:
        """The levels of a queue or a virtual host; `own` has the context variables that it sets itself."""
        self._context = context
        above = {DEFAULTS[key] for key in DEFAULTS.keys() & context.keys() - own} - values.keys()
        part_of = {key: INHERITED if key in above else part for key in DEFAULTS.values()}
        usual = {DEFAULTS[key]: value for key, value in context.items() if key in DEFAULTS}
        known = {**usual, **values}
        return Levels(
            self._number(known, "maximumQueueDepthBytes", part_of["maximumQueueDepthBytes"]),
            None,
            self._number({RESUME_PERCENT: context[RESUME_PERCENT]}, RESUME_PERCENT, part)
            if RESUME_PERCENT in context
            else None,
            self._number(known, "maximumQueueDepthMessages", part_of["maximumQueueDepthMessages"]),
            self._policy(known, part_of["overflowPolicy"]),
            # a queue inherits them through its virtual host
            self._old_levels({key: context[key] for key in own} if values else context, values, part),
        )

    def _old_levels(self, context: Context, values: dict[str, yaml.Node], part: str) -> OldLevels | None:
        usual = {key.removeprefix("queue."): value for key, value in context.items() if key in OLD_DEFAULTS}
        known = {**usual, **values}
        found = OldLevels(
            self._number(known, "queueFlowControlSizeBytes", part),
            self._number(known, "queueFlowResumeSizeBytes", part),
        )
        return found if found != OldLevels(None, None) else None

    def _policy(self, values: dict[str, yaml.Node], part: str) -> Word | None:
        found = self._scalar(values, "overflowPolicy", f"one of {', '.join(POLICIES)}")
        if found is None:
            return None
        text = self._filled(found, "overflowPolicy", part)
        if text is not None and text not in POLICIES:
            expected = f"expected one of {', '.join(POLICIES)}, not {text!r}"
            error = BadInput(expected, file=self.file, line=self._line(found), field="overflowPolicy")
            self._unread(error, found)
            return None
        return Word(text, self._origin(found, part))

    def _number(self, values: Mapping[str, yaml.Node], key: str, part: str) -> Figure | None:
        found = self._scalar(values, key, "a whole number")
        if found is None:
            return None
        origin = self._origin(found, part)
        text = self._filled(found, key, part)
        if text is None:
            return Figure(None, origin)
        try:
            if key == RESUME_PERCENT:
                return Figure(self._percent(text, origin), origin)
            if not found.style and re.fullmatch(r"-?\d+", text) and int(text) > MOST:
                return Figure(self._wrapped(int(text), origin, key), origin)
            return Figure(read_number(text if found.style else _whole(text), origin, key), origin)
        except BadInput as error:
            self._unread(error, found)
            return None

    def _wrapped(self, number: int, origin: Origin, key: str) -> int:
        """A number beyond 64 bits as a broker takes it: without the bits before the last 64 (a run of 10.1.0)."""
        taken = ((number + MOST + 1) % (2 * (MOST + 1))) - MOST - 1
        expected = f"expected at most {MOST:,}, the largest figure of a broker, not {number}"
        error = BadInput(expected, file=origin.file, line=origin.line, field=key)
        self.unread.found.append(Unread(error, f"the broker takes it for {taken:,}"))
        return taken

    def _scalar(self, values: Mapping[str, yaml.Node], key: str, expected: str) -> yaml.ScalarNode | None:
        """The value of a key that is neither an object nor a list; None if there is no such key."""
        found = values.get(key)
        if isinstance(found, yaml.ScalarNode):
            return None if found.value == "null" and not found.style else found
        if found is None:
            return None
        what = "an object" if isinstance(found, yaml.MappingNode) else "a list"
        error = BadInput(f"expected {expected}, not {what}", file=self.file, line=self._line(found), field=key)
        self._unread(error, found)
        return None

    @staticmethod
    def _percent(text: str, origin: Origin) -> int:
        """The percentage in hundredths of a percent."""
        if not re.fullmatch(r"-?\d+(\.\d+)?", text.strip()):
            raise BadInput(
                f"expected a percentage such as 80 or 66.67, not {text!r}",
                file=origin.file,
                line=origin.line,
                field=RESUME_PERCENT,
            )
        return round(Decimal(text.strip()) * 100)

    def _filled(self, node: yaml.ScalarNode, key: str, part: str) -> str | None:
        known = {name: value.value for name, value in self._context.items()}
        text = node.value
        for _ in range(_DEEPEST):
            text = with_values(text, known)
        if text != node.value:
            self.notes.append(
                f"{self.file}:{self._line(node)}: {key} is {node.value}, which the context sets to {text}"
            )
        found = filled(text)
        for name in found.names:
            taken = f"its default is taken: {found.text}" if found.text is not None else "its value is not known here"
            line = self._line(node)
            self.notes.append(f"{self.file}:{line}: {key} is a placeholder ({name.split(':')[0]}); {taken}")
        return found.text

    def _line(self, node: yaml.Node) -> int:
        return int(node.start_mark.line) + 1

    def _origin(self, node: yaml.Node, part: str) -> Origin:
        return Origin(self.file, self._line(node), part)


def _whole(text: str) -> str:
    """A number of JSON as a broker takes it: without its fraction and its exponent, and at most the largest figure."""
    if _FRACTION.fullmatch(text) is None or not isfinite(float(text)):
        return text
    return str(min(int(float(text)), MOST))


def _is_a_host(values: Mapping[str, yaml.Node]) -> bool:
    """Whether a JSON object is a virtual host itself, as in a file of its own."""
    return bool(_OF_A_HOST & {*values}) and not _OF_A_BROKER & {*values}


def _values(node: yaml.MappingNode) -> dict[str, yaml.Node]:
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _context(values: dict[str, yaml.Node]) -> dict[str, yaml.ScalarNode]:
    found = values.get("context")
    return dict(_scalars(found)) if isinstance(found, yaml.MappingNode) else {}


def _scalars(node: yaml.MappingNode) -> Iterator[tuple[str, yaml.ScalarNode]]:
    for key, value in _values(node).items():
        if isinstance(value, yaml.ScalarNode):
            yield key, value


def _text(node: yaml.Node | None) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""
