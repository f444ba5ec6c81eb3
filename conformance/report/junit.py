"""The report as JUnit XML with a test case for each rule, so that the view of a CI job agrees with the exit code.

pytest's own junit.xml has a test case for each check, and knows neither declared deviations nor requirement sets.
"""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tidegate.conformance.report import trust
from tidegate.conformance.report.order import in_telling_order
from tidegate.conformance.report.verdicts import wording
from tidegate.conformance.report.view import GREEN, deciding, full_label, label
from tidegate.record.report import ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict


def render(report: Report) -> str:
    """One test suite for each implementation. A rule that does not count or is not claimed is skipped, with reason."""
    suites = Element("testsuites", name="tidegate")
    for each in report.implementations:
        suite = SubElement(
            suites, "testsuite", name=full_label(each), timestamp=each.started, time=f"{each.seconds:.3f}"
        )  # fmt: skip
        told = in_telling_order(each.verdicts)
        for verdict in (*told, *(one for one in each.verdicts if one not in told)):
            _case(suite, each, verdict)
        for finding in each.findings:
            case = SubElement(suite, "testcase", classname=label(each), name=f"adapter: {_clean(finding.asked)}")
            SubElement(case, "error", message=_clean(trust.sentence(finding)))
        for gone in each.deviations_gone:
            case = SubElement(
                suite, "testcase", classname=label(each), name=f"known deviation {gone.partition(':')[0]}"
            )
            SubElement(case, "failure", message=gone)
        for name, kind in {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}.items():
            suite.set(name, str(sum(1 for _ in suite.iter(kind))))
    indent(suites)
    return tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: Element, report: ImplementationReport, verdict: RuleVerdict) -> None:
    case = SubElement(suite, "testcase", classname=label(report), name=f"{verdict.rule} {verdict.title}")
    message = f"{wording(verdict)}: {verdict.reason}"
    if verdict.verdict in GREEN and verdict.scored:
        return
    if verdict.verdict in (Verdict.NOT_CLAIMED, Verdict.FOLLOWS) or not verdict.scored:
        SubElement(case, "skipped", message=_clean(message))
        return
    if verdict.known_deviation is not None:
        SubElement(case, "skipped", message=_clean(f"known deviation: {verdict.known_deviation}; {message}"))
        return
    element = "error" if verdict.verdict is Verdict.UNKNOWN else "failure"
    SubElement(case, element, message=_clean(message)).text = _clean(_evidence(verdict))


def _evidence(verdict: RuleVerdict) -> str:
    lines = [verdict.sentence]
    for finding in deciding(verdict):
        check = finding.check
        lines += done_lines(check.done)
        lines += [f"expected  {check.expected}", f"seen      {finding.seen}"]
        lines += [f"replay    {check.replay}"]
    return "\n".join(lines)


def done_lines(done: Sequence[str]) -> list[str]:
    """The steps of a check, a line each, the first after the word `done`."""
    return [f"{'done' if not number else '':<10}{step}" for number, step in enumerate(done)]


def _clean(text: str) -> str:
    """The text with U+FFFD in place of each character that XML cannot hold."""
    return "".join(
        char if char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff") else "\ufffd" for char in text
    )
