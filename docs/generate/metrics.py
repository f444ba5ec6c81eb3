"""The metrics of a watch: every name with its type, unit, labels and meaning."""

from generate.markup import code, table
from tidegate.pipeline.metrics.named import METRICS, OF_LOG, OF_STOP, Type


def served() -> str:
    """All metrics, by their names in Prometheus."""
    short = {OF_LOG: "of a log", OF_STOP: "of a stop"}
    rows = []
    for each in METRICS:
        extra = ", ".join(map(code, each.labels[len(OF_LOG) :]))
        labels = short.get(each.labels) or (f"of a log, and {extra}" if extra else "none")
        rows.append((
            code(each.name + ("_total" if each.type is Type.COUNTER else "")), each.type, each.unit or "–", labels,
            each.words,
        ))  # fmt: skip
    return table(["metric", "type", "unit", "labels", "meaning"], rows)
