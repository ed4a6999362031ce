"""Functions from a batch of rows to a batch of rows, for engines that run on many machines.

Each takes a `pyarrow.RecordBatch` and returns it with more columns. What a row gets depends on that
row alone, to the bit, however rows are dealt into batches, partitions and processes. The functions
can be pickled.
"""

from .base import BatchFunction, Shared, read_rows
from .pairs import GramTiles, KernelValues, SubtreeCounts, SubtreeSignatures, gram_matrix
from .vectors import Embed, Predict

__all__ = [
    "BatchFunction",
    "Embed",
    "GramTiles",
    "KernelValues",
    "Predict",
    "Shared",
    "SubtreeCounts",
    "SubtreeSignatures",
    "gram_matrix",
    "read_rows",
]
