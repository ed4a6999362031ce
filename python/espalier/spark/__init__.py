"""espalier in Spark pipelines: DataFrames in, DataFrames out, without RDDs. Needs pyspark 4.

Transformers and estimators of `pyspark.ml` that can be saved, and put into a Pipeline and a
CrossValidator; `gram_blocks` and `near_duplicates` for pairs. Each passes batches to a function of
`espalier.batches`. `docs/scale.md` is the guide.
"""

from .estimators import TreeNystroem, TreeNystroemModel
from .pairs import candidates, gram_blocks, near_duplicates
from .session import check, map_batches
from .transformers import DistributedTrees, TreeHasher, TreeModel

__all__ = [
    "DistributedTrees",
    "TreeHasher",
    "TreeModel",
    "TreeNystroem",
    "TreeNystroemModel",
    "candidates",
    "check",
    "gram_blocks",
    "map_batches",
    "near_duplicates",
]
