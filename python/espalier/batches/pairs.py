"""Pairs of trees: kernel values, blocks of matrices, and what near duplicates share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..arrow import pa, parse, roles
from ..data import Dataset
from ..errors import Error
from ..kernels import expression_of
from .base import MEMORY, BatchFunction, Shared, lists_of

_ROUNDING = 1e-9
_ONE = 2.0**50


class KernelValues(BatchFunction):
    """The kernel between two columns of trees, as "kernel".

    Examples
    --------
    >>> import pyarrow
    >>> from espalier.batches import KernelValues
    >>> batch = pyarrow.record_batch({"a": ["(a (b c))"], "b": ["(a (b c))"]})
    >>> KernelValues("norm(sst())", "a", "b")(batch)["kernel"].to_pylist()
    [1.0]
    """

    def __init__(self, kernel: Any, a: str = "a", b: str = "b", **options: Any) -> None:
        super().__init__(**options)
        self._kernel = expression_of(kernel)
        self._members = a, b

    def _new_fields(self) -> list[pa.Field]:
        return [pa.field("kernel", pa.float64())]

    def _parse(self, batch: pa.RecordBatch) -> tuple[_Pairs, dict[int, str]]:
        parts = [parse([batch], roles(batch.schema, tree={"tree": name}), self._options, True)
                 for name in self._members]
        return _Pairs(*(Dataset._of(core) for core, _ in parts)), dict(parts[1][1] + parts[0][1])

    def _values(self, data: _Pairs) -> list[pa.Array]:
        values = _core.aligned(self._kernel, data.a._core, data.b._core, 1, MEMORY)
        return [pa.array(values, pa.float64())]


class _Pairs:
    """The members of pairs, each side in a data set of its own."""

    def __init__(self, a: Dataset, b: Dataset) -> None:
        self.a, self.b = a, b

    def __len__(self) -> int:
        return len(self.a)

    def __getitem__(self, rows: np.ndarray) -> _Pairs:
        return _Pairs(self.a[rows], self.b[rows])


class SubtreeSignatures(BatchFunction):
    """What trees with a kernel of at least a threshold are bound to share: lists of the same length,
    "signature" and "remaining".

    Of the subtrees of a tree, in an order that is the same for all trees, the first ones are taken
    until all others together are shorter than the threshold: these cannot make up such a kernel by
    themselves. So the first subtree that two similar trees share is in both lists (prefix filtering,
    Bayardo, Ma and Srikant, Scaling up all pairs similarity search, 2007). Rare subtrees come first,
    by `counts`, so that few others share them; any counts are right.

    Parameters
    ----------
    kernel : str
        norm(st(..)) without kappa=min and without learned weights.
    threshold : float in (0, 1]
    counts : numpy.ndarray
        How many trees have a subtree, by the hash modulo the length: sums of `SubtreeCounts`.
    """

    def __init__(self, kernel: Any, threshold: float, counts: np.ndarray, **options: Any) -> None:
        super().__init__(**options)
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold = {threshold} is outside (0, 1]")
        self._kernel = _normalized(kernel)
        self._threshold = threshold
        self._counts = Shared(counts)

    def _new_fields(self) -> list[pa.Field]:
        return [pa.field("signature", pa.list_(pa.int64())),
                pa.field("remaining", pa.list_(pa.float64()))]

    def _values(self, data: Dataset) -> list[pa.Array]:
        values, hashes, begins = _core.subtree_hashes(self._kernel, data._core)
        lengths: Any = np.diff(begins.astype(np.int64))
        row = np.repeat(np.arange(len(lengths)), lengths)
        counts = self._counts.value
        order = np.lexsort((hashes, counts[hashes % np.uint64(len(counts))], row))
        # From each subtree on, the squared length of what is left of its row. Sums of integers do
        # not depend on the rows before; rounded up, they never miss a pair.
        squares = np.ceil(values[order] ** 2 * _ONE).astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(squares)])
        left = np.sqrt((sums[begins[1:].astype(np.intp)][row] - sums[:-1]) / _ONE)
        kept = left >= self._threshold - _ROUNDING
        starts = pa.array(np.concatenate([[0], np.cumsum(np.bincount(
            row[kept], minlength=len(lengths)))]).astype(np.int32))
        return [pa.ListArray.from_arrays(starts, pa.array(hashes[order][kept].view(np.int64))),
                pa.ListArray.from_arrays(starts, pa.array(left[kept]))]


class SubtreeCounts(BatchFunction):
    """In how many trees of the batch each subtree is, by its hash modulo `buckets`: not one row for
    each row, but one for each bucket, "bucket" and "count".
    """

    def __init__(self, kernel: Any, buckets: int = 2**20, **options: Any) -> None:
        super().__init__(on_error="null", **options)
        self._kernel = _normalized(kernel)
        self._buckets = buckets

    def schema(self, schema: pa.Schema) -> pa.Schema:
        return pa.schema([("bucket", pa.int32()), ("count", pa.int64())])

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        core, _ = parse([batch], roles(batch.schema, **self._columns), self._options,
                        collect_errors=True)
        hashes = _core.subtree_hashes(self._kernel, core)[1] if core.tree_names() else np.array([])
        buckets, counts = np.unique(hashes.astype(np.uint64) % np.uint64(self._buckets),
                                    return_counts=True)
        return pa.RecordBatch.from_arrays(
            [pa.array(buckets.astype(np.int32)), pa.array(counts.astype(np.int64))],
            schema=self.schema(batch.schema))


class GramTiles(BatchFunction):
    """Kernel values between lists of trees: to each row with "row_trees" and "column_trees", "values"
    of a block of a matrix, row by row.

    Parameters
    ----------
    kernel : str or kernel
    symmetric : bool
        Whether the lists are parts of one list: where "first_row" and "first_column" are equal, they
        are the same part. As in `gram`, a normalised kernel of an example with itself is then 1.
    """

    rows = 1

    def __init__(self, kernel: Any, symmetric: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._kernel = expression_of(kernel)
        self._symmetric = symmetric

    def _new_fields(self) -> list[pa.Field]:
        return [pa.field("values", pa.list_(pa.float64()))]

    def _piece(self, batch: pa.RecordBatch) -> list[pa.Array]:
        if not batch.num_rows:
            return [pa.array([], self._new_fields()[0].type)]
        first = self._trees(batch["row_trees"])
        on_diagonal = self._symmetric and batch["first_row"][0] == batch["first_column"][0]
        second = None if on_diagonal else self._trees(batch["column_trees"])
        values = _core.gram(self._kernel, first, second, False, 1, MEMORY)
        return [lists_of(values.reshape(1, -1))]

    def _trees(self, lists: pa.Array) -> _core.Dataset:
        texts = pa.RecordBatch.from_arrays([lists[0].values], ["tree"])
        return parse([texts], roles(texts.schema, tree="tree"), self._options)[0]


def _normalized(kernel: Any) -> str:
    expression = expression_of(kernel)
    if not expression.replace(" ", "").startswith("norm(st("):
        raise Error(f"near duplicates are found by norm(st(..)), not by {expression}")
    return expression


def gram_matrix(tiles: Any, symmetric: bool = True) -> np.ndarray:
    """Assemble tiles to a matrix.

    Parameters
    ----------
    tiles : pyarrow.Table
        With the columns "first_row", "first_column", "rows", "columns" and "values".
    symmetric : bool
        Whether there are tiles on and below the diagonal only.
    """
    table = pa.table(tiles)
    shape = [max((a + b for a, b in zip(table[first].to_pylist(), table[size].to_pylist())), default=0)
             for first, size in (("first_row", "rows"), ("first_column", "columns"))]
    out = np.zeros(shape)
    for batch in table.to_batches():
        for i in range(batch.num_rows):
            row, column, rows, columns = (batch[name][i].as_py() for name in (
                "first_row", "first_column", "rows", "columns"))
            tile = batch["values"][i].values.to_numpy().reshape(rows, columns)
            out[row:row + rows, column:column + columns] = tile
            if symmetric:  # as in `gram`, the later example is the row: the order decides on rounding
                out[column:column + columns, row:row + rows] = tile.T
    return out
