"""Checks of a Spark session, and passing batches through it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..arrow import pa
from ..errors import Error

try:
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType
except ImportError as error:
    raise ImportError("espalier.spark needs pyspark 4: pip install 'espalier[spark]'") from error

if TYPE_CHECKING:
    from ..batches import BatchFunction

# Sent as source: a function of this package would need it where it is asked for.
_PROBE = """
def probe(_):
    import sys
    for name in ("espalier", "pyarrow"):
        try:
            __import__(name)
        except ImportError as error:
            return f"{sys.executable} of the workers: {error}"
    return "good"
"""
_checked: set[str] = set()


def check(spark: Any) -> None:
    """Check that the Python of the workers has this package and pyarrow; once for each session.

    All functions here do it before anything else.

    Raises
    ------
    Error
        That says what to set.
    """
    key = str(getattr(spark, "session_id", None) or id(spark))
    if key in _checked:
        return
    names: dict[str, Any] = {"__name__": "__main__"}  # so that it is sent by value
    exec(_PROBE, names)
    try:
        # A Spark without pyarrow cannot say so: plain functions do not need it.
        answer = spark.range(1).select(F.udf(names["probe"], "string")("id")).first()[0]
    except Exception as error:
        if "PYTHON_VERSION_MISMATCH" not in str(error):
            raise
        answer = "the workers have another version of Python"
    if answer != "good":
        raise Error(f"{answer}: before the session starts set PYSPARK_PYTHON, or spark.pyspark.python,"
                    f" to a Python {sys.version_info[0]}.{sys.version_info[1]} that has espalier and"
                    f" pyarrow, such as {sys.executable}")
    _checked.add(key)


def map_batches(frame: Any, function: BatchFunction) -> Any:
    """The frame with the columns that a function of `espalier.batches` adds.

    For what the transformers have no parameters for, such as several columns of trees.
    """
    return add_columns(frame, function, *from_arrow_schema(pa.schema(function.fields())).fields)


def add_columns(
    frame: Any, function: BatchFunction, *fields: Any,
    convert: Callable[[pa.RecordBatch], pa.RecordBatch] | None = None, keep: bool = True,
) -> Any:
    """The frame, or nothing of it, with the columns `fields` that the function adds to batches.

    Python workers live longer than tasks: what is `Shared` is unpickled once in each.
    """
    check(frame.sparkSession)
    kept = list(frame.schema.fields) if keep else []
    for field in fields:
        if field.name in (known.name for known in kept):
            raise Error(f"there already is a column {field.name!r}: drop or rename it first")

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in function.map(batches):
            yield batch if convert is None else convert(batch)

    return frame.mapInArrow(run, StructType([*kept, *fields]))
