"""Functions of `espalier.batches` on a Dask data frame. Needs dask[dataframe]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrow import pa

if TYPE_CHECKING:
    import pandas

    from .batches import BatchFunction


def map_partitions(frame: Any, function: BatchFunction) -> Any:
    """The frame with the columns that a function adds.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    function : BatchFunction
        One of `espalier.batches`.

    Returns
    -------
    dask.dataframe.DataFrame
    """

    def run(part: pandas.DataFrame) -> pandas.DataFrame:
        table = pa.Table.from_pandas(part, preserve_index=False)
        schema = function.schema(table.schema)
        done = pa.Table.from_batches(list(function.map(table.to_batches())), schema=schema)
        new = done.select(done.schema.names[part.shape[1]:]).to_pandas()
        return part.assign(**{name: new[name].to_numpy() for name in new})

    return frame.map_partitions(run, meta=run(frame._meta))
