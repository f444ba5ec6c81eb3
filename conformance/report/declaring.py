"""Declares the violations that a run found as known deviations: writes a new file, or brings an existing one up to
date.

What a person wrote there stays: reasons, links, dates, version ranges, comments, and entries for other implementations.
"""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from tidegate.conformance.report.check_names import check_name
from tidegate.conformance.report.deviations import FILE_WIDE, TO_FILL_IN, Deviation, Range, read_deviations
from tidegate.conformance.report.following import followers
from tidegate.conformance.report.verdicts import varies
from tidegate.conformance.report.view import in_own_figures
from tidegate.record.report import (
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    Report,
    RuleVerdict,
)
from tidegate.record.verdict import Verdict

_TALLY = re.compile(r"otherwise at (\d+) of them")
_NO_FOLDING = 10_000
_HEAD = """\
# Known deviations of {name} {version} from its documents, with the seen figures. A run with
#   tidegate run --adapter {adapter} --known-deviations {file}
# ends with 0 as long as the implementation deviates exactly in these ways and by these figures.
"""

Figures = dict[str, str | Range]
"""What each check shows, by the check's name."""


class _Declarations:
    """The file while it is brought up to date: the YAML document with its comments, and the parsed deviations."""

    def __init__(self, path: Path, rules: Collection[str], link: str, elsewhere: Iterable[Path]):
        self._yaml = YAML()
        self._yaml.width = _NO_FOLDING
        self._yaml.preserve_quotes = True
        self._path = path
        self._link = link
        self._elsewhere = tuple(known for file in elsewhere for known in read_deviations(file, rules))
        self._head = ""
        self._is_new = not path.exists()
        self._meant = list(() if self._is_new else read_deviations(path, rules))
        self._root: Any = CommentedMap() if self._is_new else self._yaml.load(path.read_text(encoding="utf-8"))
        if self._is_new:
            self._root["deviations"] = CommentedSeq()
        in_map = isinstance(self._root, CommentedMap)
        self._entries: Any = self._root["deviations"] if in_map else self._root
        self._said: Mapping[str, str] = self._root if in_map else {}

    def say_once(self, of: Implementation, file: str) -> None:
        """Put the implementation and version once at the head of a new file, which will be called `file`."""
        if self._is_new:
            self._head = (
                _HEAD.format(
                    name=of.name, version=of.version, adapter=shlex.quote(of.profile), file=shlex.quote(str(file))
                )
                + "\n"
            )
            for position, (name, value) in enumerate(_whose(of).items()):
                self._root.insert(position, name, _text(value))

    def bring_up_to_date(self, each: ImplementationReport, *, whole_run: bool) -> Iterator[str]:
        """Declare the violations of one implementation; the lines say what was added, changed and dropped."""
        verdicts = {verdict.rule: verdict for verdict in each.verdicts}
        covered: dict[str, set[str]] = {}
        for deviation in tuple(self._meant):
            if not deviation.concerns(each.implementation):
                continue
            verdict = verdicts.get(deviation.rule)
            if verdict is None or verdict.verdict is not Verdict.VIOLATED:
                known = verdict is not None and verdict.verdict is not Verdict.UNKNOWN
                if whole_run and not deviation.racing and (known or verdict is None):
                    yield f"dropped {deviation.rule}, which {_has_become(verdict)}"
                    self._drop(deviation)
                continue
            shown = self._shown(deviation, verdict, covered.setdefault(verdict.rule, set()), whole_run)
            if not shown:
                yield f"dropped {deviation.rule}, whose declared checks are kept"
                self._drop(deviation)
            elif shown != self._declared(deviation, shown):
                yield f"changed the figure of {deviation.rule}"
                self._show(deviation, shown)
        for verdict in each.verdicts:
            if verdict.verdict is Verdict.VIOLATED:
                left = _figures(verdict, without=covered.get(verdict.rule, set()))
                if left:
                    self._add(each, verdict, left)
                    is_open = self._meant[-1].reason == TO_FILL_IN
                    yield f"added {verdict.rule}" + (", whose reason is to be filled in" if is_open else "")
        if whole_run:
            yield from self._say_what_follows(each)

    def _say_what_follows(self, each: ImplementationReport) -> Iterator[str]:
        """Write, beside the first entry of each rule, the rules that fail only because of it."""
        said: set[str] = set()
        for position, deviation in enumerate(self._meant):
            if not deviation.concerns(each.implementation) or deviation.racing:
                continue
            follow = () if deviation.rule in said else followers(each.verdicts, deviation.rule)
            said.add(deviation.rule)
            if follow != deviation.also:
                yield f"changed what follows from {deviation.rule}: {', '.join(follow) or 'nothing'}"
                entry = self._entries[position]
                entry.pop("also", None)
                if follow:
                    entry.insert(list(entry).index("link") + 1, "also", _in_one_line(follow))
                self._meant[position] = deviation.model_copy(update={"also": follow})

    def write(self) -> None:
        """Write the file; nothing if it would be new and empty."""
        if not self._entries and self._is_new:
            return
        text = StringIO()
        self._yaml.dump(self._root, text)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(self._head + text.getvalue(), encoding="utf-8")

    def _shown(self, deviation: Deviation, verdict: RuleVerdict, covered: set[str], whole_run: bool) -> Figures:
        """What the checks of an entry show now; `covered` are other entries' checks, and gains this entry's."""
        shown: Figures = {}
        ran = {check.check: check for check in verdict.checks}
        worst = _violated(verdict)
        if not deviation.by_check:
            named = {one for other in self._meant if other.rule == verdict.rule for one in other.by_check}
            shown = {name: deviation.figures_of(check)[0] if deviation.matches(check) else _figure(check)
                     for name, check in worst.items() if name not in named | covered}  # fmt: skip
        for name, figure in deviation.by_check.items():
            check = worst.get(name)
            if check is not None:
                shown[name] = figure if deviation.matches(check) else _wider(figure, check)
            elif deviation.racing or not whole_run or (name in ran and ran[name].result is CheckResult.UNKNOWN):
                shown[name] = figure
        covered.update(shown)
        covered.update(name for name, check in worst.items() if deviation.matches(check))
        return _said_once(shown)

    def _declared(self, deviation: Deviation, shown: Figures) -> Figures:
        """The figures that a deviation already declares, in the same form as `shown`."""
        if deviation.by_check:
            return dict(deviation.by_check)
        assert deviation.seen is not None
        return dict.fromkeys(shown, deviation.seen)

    def _show(self, deviation: Deviation, shown: Figures) -> None:
        entry = self._entries[self._meant.index(deviation)]
        for key in ("check", "seen", "figures"):
            if key in entry:
                place = list(entry).index(key)
                del entry[key]
        _put_figures(entry, shown, place)

    def _add(self, each: ImplementationReport, verdict: RuleVerdict, shown: Figures) -> None:
        entry = CommentedMap()
        own = _whose(each.implementation)
        for name, value in own.items():
            if self._said.get(name) != value:
                entry[name] = _text(value)
        reason = self._reason(each.implementation, verdict.rule, shown)
        entry.update({"rule": verdict.rule, "reason": _text(reason), "link": _text(self._link)})
        _put_figures(entry, shown, len(entry))
        if varies(verdict):
            entry["racing"] = True
        self._entries.append(entry)
        if len(self._entries) > 1:  # a blank line between entries
            self._entries.yaml_set_comment_before_after_key(len(self._entries) - 1, before="\n")
        self._meant.append(Deviation.model_validate({**own, **_plain(entry)}))

    def _reason(self, of: Implementation, rule: str, shown: Figures) -> str:
        """The reason that another file gives for one of these figures, or a text to be filled in.

        Ranges of other versions are left out: the number of deviating events in a trace says nothing about the reason.
        """
        told = {name: figure for name, figure in shown.items() if isinstance(figure, str)}
        for known in self._elsewhere:
            declared = {name: known.by_check.get(name, known.seen) for name in told}
            alike = any(isinstance(one, str) and in_own_figures(one) == told[name] for name, one in declared.items())
            of_same_trace = known.concerns(of) and not set(shown).isdisjoint(known.by_check)
            if known.rule == rule and (alike or of_same_trace):
                return known.reason
        return TO_FILL_IN

    def _drop(self, deviation: Deviation) -> None:
        position = self._meant.index(deviation)
        del self._entries[position], self._meant[position]


def declare(
    report: Report,
    path: Path,
    rules: Collection[str],
    *,
    whole_run: bool,
    link: str = TO_FILL_IN,
    file: str | None = None,
    elsewhere: Iterable[Path] = (),
) -> tuple[str, ...]:
    """Bring the file up to date with the violations of the report; the lines say what changed.

    After a run of a part (`whole_run` false) nothing is dropped. New entries get the link, and the reason that one of
    the files `elsewhere` has for the same figure of the same check. `file` is the file's later name, if it differs from
    the path. BadInput if a file is malformed.
    """
    declarations = _Declarations(path, rules, link, elsewhere)
    if len(report.implementations) == 1:
        declarations.say_once(report.implementations[0].implementation, file or str(path))
    changes = [
        change for each in report.implementations for change in declarations.bring_up_to_date(each, whole_run=whole_run)
    ]
    declarations.write()
    return tuple(changes)


def _has_become(verdict: RuleVerdict | None) -> str:
    """The state of a rule that is no longer violated."""
    if verdict is not None and verdict.verdict is Verdict.FOLLOWS:
        return f"follows from {', '.join(verdict.follows_from)}"
    return f"is {verdict.verdict if verdict else 'not judged'}"


def _whose(implementation: Implementation) -> dict[str, str]:
    return dict(zip(FILE_WIDE, (implementation.name, implementation.version), strict=True))


def _violated(verdict: RuleVerdict) -> dict[str, Check]:
    """The first violated run of each check."""
    found: dict[str, Check] = {}
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED:
            found.setdefault(check.check, check)
    return found


def _figures(verdict: RuleVerdict, without: Collection[str]) -> Figures:
    return _said_once({name: _figure(check) for name, check in _violated(verdict).items() if name not in without})


def _said_once(figures: Figures) -> Figures:
    """The figures, without figures that a check already shows under fewer conditions."""
    kept: Figures = {}
    for name in sorted(figures, key=lambda each: len(check_name(each).conditions)):
        alike = (check_name(one) for one, figure in kept.items() if figure == figures[name])
        if not any(one.covers(check_name(name)) for one in alike):
            kept[name] = figures[name]
    return {name: figure for name, figure in figures.items() if name in kept}


def _figure(check: Check) -> str | Range:
    """What a check shows; for a trace rule a range, because the number of events depends on what else runs."""
    tally = _TALLY.match(check.seen)
    if check.kind is CheckKind.TRACE and tally:
        return Range.model_validate({"from": 1, "to": int(tally[1]), "unit": "of them"})
    return in_own_figures(check.seen)


def _wider(figure: str | Range, check: Check) -> str | Range:
    """The declared range, widened to hold what was seen; for any other figure what was seen."""
    if isinstance(figure, Range) and (seen := figure.figures(check.seen)):
        lowest, highest = min(figure.lowest, *seen), max(figure.highest, *seen)
        return Range.model_validate({"from": _whole(lowest), "to": _whole(highest), "unit": figure.unit})
    return _figure(check)


def _whole(figure: float) -> int | float:
    return int(figure) if float(figure).is_integer() else figure


def _put_figures(entry: CommentedMap, shown: Figures, place: int) -> None:
    """Write the figures into an entry, as compactly as they can be read.

    A text with a figure in it says by itself what deviates and may stand alone; any other text, such as `it was
    accepted`, needs its check beside it. A deviation that no check shows without a condition needs its check too, so
    that it is not taken for gone where the condition was not tried.
    """
    figures = list(shown.values())
    alike = all(figure == figures[0] for figure in figures)
    plain = any(not check_name(name).conditions for name in shown)
    if alike and plain and isinstance(figures[0], str) and any(sign.isdigit() for sign in figures[0]):
        entry.insert(place, "seen", _text(figures[0]))
        return
    entry.insert(place, "figures", CommentedMap({_text(name): _written(figure) for name, figure in shown.items()}))


def _written(figure: str | Range) -> Any:
    if isinstance(figure, str):
        return _text(figure)
    written = CommentedMap(figure.model_dump(by_alias=True))
    written.fa.set_flow_style()
    return written


def _in_one_line(rules: Sequence[str]) -> CommentedSeq:
    written = CommentedSeq(rules)
    written.fa.set_flow_style()
    return written


def _text(text: str) -> str:
    """The text, quoted if some version of YAML would not read it as a text."""
    try:
        plain = yaml.safe_load(text) == text
    except yaml.YAMLError:
        plain = False
    return text if plain else DoubleQuotedScalarString(text)


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in entry.items()}
