"""Functions of `espalier.batches` on a Ray data set. Needs ray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrow import pa

if TYPE_CHECKING:
    from .batches import BatchFunction


def map_batches(dataset: Any, function: BatchFunction, **options: Any) -> Any:
    """The data set with the columns that a function adds.

    Parameters
    ----------
    dataset : ray.data.Dataset
    function : BatchFunction
        One of `espalier.batches`.
    **options
        Those of `ray.data.Dataset.map_batches`, such as batch_size and num_cpus.

    Returns
    -------
    ray.data.Dataset
    """

    def run(table: pa.Table) -> pa.Table:
        done = list(function.map(table.to_batches()))
        return pa.Table.from_batches(done, schema=function.schema(table.schema))

    return dataset.map_batches(run, batch_format="pyarrow", zero_copy_batch=True, **options)
