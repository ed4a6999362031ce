"""Pairs of rows: blocks of Gram matrices, and near duplicates."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import batches
from ..errors import Error
from .session import F, add_columns, check, map_batches

from pyspark.sql import Window  # isort: skip
from pyspark.sql.types import IntegerType, LongType, StructField

_PARTITIONS = 10_000


def gram_blocks(
    a: Any, b: Any = None, *, kernel: str, tree: str = "tree", id: str = "id", block: int = 500,
    **options: Any,
) -> Any:
    """The Gram matrix in tiles, for Parquet; `espalier.batches.gram_matrix` assembles it.

    The values have the bits of `espalier gram`. Work and result grow with the product of the numbers
    of rows. A tree that is wrong is an error.

    Parameters
    ----------
    a : DataFrame
        The examples of the rows.
    b : DataFrame, optional
        Those of the columns; without it, those of the rows, and tiles above the diagonal are left
        out.
    kernel : str
        A kernel expression.
    tree, id : str
        The column of trees, and a column by which examples are ordered, without ties.
    block : int
        Rows and columns of a tile.
    **options
        Those of `espalier.read`, for the strings of trees.

    Returns
    -------
    DataFrame
        A row for each tile: "first_row", "first_column", "rows", "columns", and "values", row by row.
    """
    check(a.sparkSession)
    rows = _blocks(a, "row", tree, id, block)
    columns = _blocks(a if b is None else b, "column", tree, id, block)
    tiles = rows.crossJoin(columns)
    if b is None:
        tiles = tiles.where("first_row >= first_column")
    # About a tile in each: Spark passes thousands of rows at a time, whose trees would not fit.
    tiles = tiles.repartition(min(_PARTITIONS, max(1, rows.count() * columns.count())), "first_row",
                              "first_column")
    found = map_batches(tiles, batches.GramTiles(kernel, symmetric=b is None, **options))
    return found.select("first_row", "first_column", "rows", "columns", "values")


def _blocks(frame: Any, side: str, tree: str, id: str, block: int) -> Any:
    """A row for each block: where it begins, how many examples it has, and their trees in order."""
    number = F.row_number().over(Window.orderBy(id)) - 1
    numbered = frame.select(F.col(tree).alias("t"), number.alias("i"))
    listed = numbered.groupBy((F.col("i") - F.col("i") % block).alias(f"first_{side}")).agg(
        F.array_sort(F.collect_list(F.struct("i", "t"))).alias("trees"))
    return listed.select(f"first_{side}", F.size("trees").alias(f"{side}s"),
                         F.col("trees.t").alias(f"{side}_trees"))


def near_duplicates(
    frame: Any, threshold: float = 0.9, *, kernel: str = "norm(st())", tree: str = "tree",
    id: str = "id", buckets: int = 2**20, on_error: str = "raise", **options: Any,
) -> Any:
    """All pairs of rows whose subtree kernel is at least a threshold: none is missed.

    Signatures (`espalier.batches.SubtreeSignatures`) that two rows share make them candidates, by a
    join; of these the kernel is computed. `candidates` returns the candidates.

    Parameters
    ----------
    frame : DataFrame
        It is read three times: cache it if it is expensive to make.
    threshold : float in (0, 1]
    kernel : str
        norm(st(..)) without kappa=min and without learned weights.
    tree, id : str
        The columns of trees, and of ids without ties.
    buckets : int
        How finely the frequencies of subtrees are counted, at 8 bytes each. Does not change the result.
    on_error : {"raise", "null"}
        Whether a tree that is wrong is an error, or left out.
    **options
        Those of `espalier.read`, for the strings of trees.

    Returns
    -------
    DataFrame
        "id_a", "id_b" and "kernel" of each pair, the smaller id first.
    """
    options = {"on_error": on_error, **options}
    pairs = candidates(frame, threshold, kernel=kernel, tree=tree, id=id, buckets=buckets, **options)
    for side in ("a", "b"):
        trees = frame.select(F.col(id).alias(f"id_{side}"), F.col(tree).alias(side))
        pairs = pairs.join(trees, f"id_{side}")
    found = map_batches(pairs, batches.KernelValues(kernel, "b", "a", **options))
    return found.where(F.col("kernel") >= threshold).select("id_a", "id_b", "kernel")


def candidates(
    frame: Any, threshold: float = 0.9, *, kernel: str = "norm(st())", tree: str = "tree",
    id: str = "id", buckets: int = 2**20, on_error: str = "raise", **options: Any,
) -> Any:
    """The pairs that `near_duplicates` computes the kernel of: "id_a" and "id_b"."""
    check(frame.sparkSession)
    options = {"tree": tree, **options}
    counts = add_columns(
        frame.select(tree), batches.SubtreeCounts(kernel, buckets, **options),
        StructField("bucket", IntegerType()), StructField("count", LongType()), keep=False)
    table = counts.groupBy("bucket").agg(F.sum("count").alias("count")).toArrow()
    frequencies = np.zeros(buckets, dtype=np.int64)
    frequencies[table["bucket"].to_numpy()] = table["count"].to_numpy()
    signed = map_batches(
        frame.select(F.col(id).alias("id"), F.col(tree).alias(tree)),
        batches.SubtreeSignatures(kernel, threshold, frequencies, on_error=on_error, **options))
    if id == tree:
        raise Error("id and tree are two columns")
    pairs = F.explode(F.arrays_zip("signature", "remaining")).alias("s")
    rows = signed.select("id", pairs).select("id", "s.signature", "s.remaining")
    a, b = (rows.select(F.col("id").alias(f"id_{side}"), "signature",
                        F.col("remaining").alias(f"remaining_{side}")) for side in "ab")
    # What is left from a shared subtree on bounds the kernel, if it is the first one they share.
    bound = F.col("remaining_a") * F.col("remaining_b") >= threshold - 1e-9
    return a.join(b, "signature").where(F.col("id_a") < F.col("id_b")).where(bound).select(
        "id_a", "id_b").distinct()
