"""The event schema as columns of Spark."""

from pyspark.sql.types import LongType, StringType, StructField, StructType

from tidegate.pipeline.schema import is_number


def spark_schema(*names: str) -> StructType:
    """Columns of these names, nullable, as Spark has them."""
    return StructType([StructField(name, LongType() if is_number(name) else StringType()) for name in names])
