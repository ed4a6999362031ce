"""One Spark session for each worker of pytest."""
import os

import pytest


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    session = (SparkSession.builder.master(os.environ.get("ESPALIER_MASTER", "local[2]"))
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.sql.shuffle.partitions", "2")
               .config("spark.sql.warehouse.dir", str(folder)).getOrCreate())
    yield session
    session.stop()
