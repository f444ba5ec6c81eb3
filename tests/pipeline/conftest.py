"""One Spark session for all tests of the pipeline; the code under test finds it active."""

import pytest
from pyspark.sql import SparkSession

from tidegate.pipeline.work.spark import spark_session


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """A session on this machine."""
    return spark_session(tmp_path_factory.mktemp("spark") / "spark.txt", "local[2]")
