"""Imported first by each file here: skips the file unless the suite was asked for."""
import os
import sys

import pytest

if not os.environ.get("ESPALIER_SCALE"):
    pytest.skip("make test-scale runs it: needs pyspark, pyarrow, ray and dask", allow_module_level=True)

# The workers' Python is this one; processes that Spark starts look there.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.pop("SPARK_HOME", None)
