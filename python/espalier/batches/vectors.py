"""Predictions and vectors of trees."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..arrow import pa
from ..data import Dataset
from ..distributed import DistributedTrees
from ..model import Model
from ..nystroem import TreeNystroem
from .base import MEMORY, BatchFunction, Shared, lists_of

_SPARSE = pa.struct([pa.field("indices", pa.list_(pa.int32())),
                     pa.field("values", pa.list_(pa.float64()))])




class Predict(BatchFunction):
    """Predictions of a `Model`: "prediction", "scores", and "probabilities" if it has them.

    The prediction is a class, a list of classes if there may be several, a number, or 1 or -1 for
    outliers. The scores of a classifier are in the order of `Model.classes`.

    Examples
    --------
    >>> import pyarrow
    >>> from espalier.batches import Predict
    >>> model = espalier.train("norm(sst())", espalier.read("examples/questions/train.tsv"))
    >>> batch = pyarrow.record_batch({"ast": ["(SBARQ (WHNP (WP Who)) (. ?))", "(broken"]})
    >>> done = Predict(model, tree="ast", on_error="null")(batch)
    >>> done["prediction"].to_pylist(), done["error"][1].as_py()
    (['HUM', None], "ast:1:1: the tree that starts here is missing 1 closing bracket, near '(broken'")
    """

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(**options)
        self._model = Shared(model)
        self._task, self._several = model.task, model.multi_label
        self._with_probabilities = model._core.has_probabilities()

    def _new_fields(self) -> list[pa.Field]:
        kinds = {"classification": pa.list_(pa.string()) if self._several else pa.string(),
                 "regression": pa.float64(), "one-class": pa.int32()}
        fields = [pa.field("prediction", kinds[self._task]),
                  pa.field("scores", pa.list_(pa.float64()))]
        if self._with_probabilities:
            fields.append(pa.field("probabilities", pa.list_(pa.float64())))
        return fields

    def _values(self, data: Dataset) -> list[pa.Array]:
        labels, scores, chances = self._model.value._core.predictions(data._core, 1, MEMORY)
        if labels is None:
            labels = scores if self._task == "regression" else np.where(scores < 0, -1, 1)
        columns = [pa.array(labels, self._new_fields()[0].type), lists_of(scores)]
        return columns + ([lists_of(chances)] if self._with_probabilities else [])


class Embed(BatchFunction):
    """Vectors, as "vector", by an estimator: `DistributedTrees`, a fitted `TreeNystroem`, `HashedFragments`,
    fitted `FragmentFeatures` or `SubtreeFeatures`.

    Dense vectors are FixedSizeList<float>. Sparse ones are a struct of "indices" and "values".

    Parameters
    ----------
    estimator : estimator with transform

    Examples
    --------
    >>> import pyarrow
    >>> from espalier.batches import Embed
    >>> batch = pyarrow.record_batch({"tree": ["(a (b c))", "(a b)"]})
    >>> Embed(espalier.DistributedTrees(dim=8))(batch).schema.field("vector").type
    FixedSizeListType(fixed_size_list<element: float>[8])
    """

    def __init__(self, estimator: Any, **options: Any) -> None:
        super().__init__(**options)
        one_thread = copy.copy(estimator)
        one_thread.n_jobs = 1  # an engine runs one task for each core
        self._estimator = Shared(one_thread)
        self.dim = int(estimator._n_features_out)
        self.sparse = not isinstance(estimator, (DistributedTrees, TreeNystroem))
        # 64 MB of single precision: a batch must fit beside others.
        self.rows = max(1, min(self.rows, 2**24 // self.dim)) if not self.sparse else self.rows

    def _new_fields(self) -> list[pa.Field]:
        kind = _SPARSE if self.sparse else pa.list_(pa.field("element", pa.float32()), self.dim)
        return [pa.field("vector", kind)]

    def _values(self, data: Dataset) -> list[pa.Array]:
        X = self._estimator.value.transform(data)
        kind = self._new_fields()[0].type
        if not self.sparse:
            return [pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), type=kind)]
        begins = pa.array(X.indptr.astype(np.int32))
        indices = pa.ListArray.from_arrays(begins, pa.array(X.indices.astype(np.int32)))
        values = pa.ListArray.from_arrays(begins, pa.array(X.data.astype(np.float64)))
        return [pa.StructArray.from_arrays([indices, values], fields=list(kind))]
