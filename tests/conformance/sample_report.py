"""A sample report with every verdict, for two implementations, one of which deviates in its defaults."""

from tidegate.catalogue import catalogue
from tidegate.conformance.report.verdicts import footer, judge
from tidegate.record.report import (
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    Report,
    RuleVerdict,
)

ARTEMIS = Implementation(
    name="artemis",
    version="2.44.0",
    protocol="AMQP 1.0",
    profile="artemis",
    capabilities=("address-limit", "amqp-credit", "limits-readable", "reject-threshold", "stops-producers"),
    parameters={"scale": 4096, "smallest message": "1,024 bytes"},
)
REFERENCE = Implementation(
    name="reference",
    version="0.1",
    protocol="",
    profile="reference:artemis",
    capabilities=("address-limit", "amqp-credit", "limits-readable", "reject-threshold", "stops-producers"),
)
RULES = {
    *(f"QPID-QUEUE-{number}" for number in range(1, 13)),
    *(f"QPID-LOG-{number}" for number in range(1, 5)),
    *(f"ARTEMIS-BLOCK-{number}" for number in range(1, 4)),
    *(f"ARTEMIS-AMQP-{number}" for number in range(1, 12)),
    *("GENERAL-1", "GENERAL-2"),
}
HOSTILE = "<script>alert(1)</script> & [bold]not markup[/bold] | `code` \\ *star*"


def check(
    rule: str,
    result: CheckResult,
    expected: str,
    seen: str,
    name: str | None = None,
    script: str | None = None,
) -> Check:
    """One check of one rule."""
    name = name or f"{rule.lower().replace('-', '_')}[at]"
    return Check(
        check=name,
        kind=CheckKind.SCENARIO,
        result=result,
        rules=(rule,),
        done=("Given an address with max-size 4000 bytes", "When a producer sends messages of 1000 bytes"),
        expected=expected,
        seen=seen,
        replay=f"tidegate run --adapter artemis --check '{name}'",
        script=script,
    )


def verdicts(implementation: Implementation, broken: dict[str, list[Check]]) -> tuple[RuleVerdict, ...]:
    """Verdicts on the sample's rules: by these checks for rules in `broken`, kept for all others."""
    judged = []
    for rule in (rule for rule in catalogue().values() if rule.id in RULES):
        kept = [
            check(rule.id, CheckResult.KEPT, "4 messages", "4 messages", f"{rule.id.lower()}[{edge}]")
            for edge in ("below", "at", "above")
        ]
        judged.append(judge(rule, broken.get(rule.id, kept), implementation.capabilities))
    return tuple(judged)


def sample_report() -> Report:
    """The sample report."""
    violated, kept = CheckResult.VIOLATED, CheckResult.KEPT
    window = "ARTEMIS-AMQP-2"
    racing = "credit_again_once_space_is_free[799]"
    broken = {
        window: [
            check(
                window,
                violated,
                "100 credits issued at attach",
                "1000 credits issued at attach",
                script="reproduce/ARTEMIS-AMQP-2.py",
            )
        ],
        "ARTEMIS-AMQP-3": [
            check("ARTEMIS-AMQP-3", violated, "credit refreshed at 30 left", "credit refreshed at 300 left")
        ],
        "ARTEMIS-AMQP-6": [
            check("ARTEMIS-AMQP-6", violated, "producer free", "producer stopped after 2000 ms", racing),
            check("ARTEMIS-AMQP-6", kept, "producer free", "producer free after 3 ms", racing),
        ],
        "ARTEMIS-AMQP-7": [
            check("ARTEMIS-AMQP-7", CheckResult.NOT_USED, "accepted past 4000 bytes", "rejected at 4000 bytes")
        ],
        "ARTEMIS-AMQP-9": [check("ARTEMIS-AMQP-9", CheckResult.UNKNOWN, "rejected at 8000 bytes", HOSTILE, HOSTILE)],
        "ARTEMIS-BLOCK-3": [],
        "GENERAL-2": [check("GENERAL-2", violated, "delivered once", "m17 delivered 2 times")],
    }
    implementations = (
        ImplementationReport(REFERENCE, verdicts(REFERENCE, {}), "2026-11-20T09:30:00Z", 0.4),
        ImplementationReport(
            ARTEMIS,
            verdicts(ARTEMIS, broken),
            "2026-11-20T09:30:01Z",
            31.7,
            trace="trace-artemis.jsonl",
            log="artemis.log",
            deviations_gone=("ARTEMIS-BLOCK-1: no longer deviates: kept",),
        ),
    )
    command = "tidegate run --adapter reference:artemis --adapter artemis --report report"
    return Report("0.1.0", "0.1", command, implementations, footer(implementations))
