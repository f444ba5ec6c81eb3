"""The event schema as columns: the fields of an event, and where each was read."""

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.types import LongType, StringType, StructField, StructType

from headgate.record.events import EMPTY

FIELDS = tuple(EMPTY)
"""The fields of an event in the order of the schema."""
INPUT = "input"
"""The column that names the file which an event was read from."""
LINE = "line"
"""The column with the number of the line there, counted from 1."""
COUNTS = frozenset({LINE, "lines", "ignored"})
"""The columns beside those of an event that hold numbers."""
LARGEST = 2**63 - 1
"""The largest number that a column holds."""


def spark_schema(*names: str) -> StructType:
    """Columns of these names, nullable, as Spark has them."""
    return StructType([StructField(name, LongType() if is_number(name) else StringType()) for name in names])


def arrow_schema(*names: str) -> pa.Schema:
    """The same columns as Arrow has them."""
    return pa.schema([(name, pa.int64() if is_number(name) else pa.string()) for name in names])


def is_number(name: str) -> bool:
    """Whether a column holds numbers."""
    return name in COUNTS or EMPTY.get(name) == 0


EVENT_COLUMNS = (INPUT, LINE, *FIELDS)
"""The columns of the normalised events."""
