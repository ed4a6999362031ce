"""Estimators of pyspark.ml."""

from __future__ import annotations

from typing import Any

from .. import _core, batches
from ..data import Dataset
from ..nystroem import TreeNystroem as LocalTreeNystroem
from .session import F, check
from .transformers import TreeParams, WithContent

from pyspark.ml import Estimator, Model  # isort: skip
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable


class NystroemParams(TreeParams):
    """The parameters of the estimator, which its model keeps."""

    kernel = Param(Params._dummy(), "kernel", "a kernel expression", TypeConverters.toString)
    landmarks = Param(Params._dummy(), "landmarks", "number of landmarks", TypeConverters.toInt)
    policy = Param(Params._dummy(), "policy", "how landmarks are sampled", TypeConverters.toString)
    sampleSize = Param(Params._dummy(), "sampleSize", "rows to choose the landmarks from",
                       TypeConverters.toInt)
    seed = Param(Params._dummy(), "seed", "random seed", TypeConverters.toInt)

    def _set_defaults(self) -> None:
        self._setDefault(kernel="norm(sst())", landmarks=500, policy="uniform", sampleSize=10_000,
                         seed=1)


class TreeNystroem(NystroemParams, Estimator, DefaultParamsReadable, DefaultParamsWritable):
    """Landmarks for Nystroem vectors of any kernel, as `espalier.TreeNystroem`, out of a sample.

    The sample are the rows with the smallest hashes of their trees: the same one however the rows
    are partitioned. It is collected, and the landmarks are chosen on the driver.

    Parameters: inputCol, outputCol, kernel, landmarks, policy (uniform, kmeans++ or leverage),
    sampleSize, seed, onError, errorCol, treeFormat, treeName.
    """

    def _fit(self, dataset: Any) -> TreeNystroemModel:
        check(dataset.sparkSession)
        tree = F.col(self.value("inputCol"))
        order = F.xxhash64(tree, F.lit(self.value("seed")))
        frame = dataset.select(tree).where(tree.isNotNull()).orderBy(order, tree)
        sample = batches.read_rows(frame.limit(self.value("sampleSize")).toArrow(), **self._reading())
        chosen = LocalTreeNystroem(
            self.value("kernel"), landmarks=self.value("landmarks"), policy=self.value("policy"),
            random_state=self.value("seed")).fit(sample)
        model = self._copyValues(TreeNystroemModel())
        model.set_landmarks(chosen.components_)
        return model


class TreeNystroemModel(WithContent, NystroemParams, Model):
    """Trees to dense Nystroem vectors: what `TreeNystroem` fits."""

    def set_landmarks(self, landmarks: Dataset) -> None:
        """Use these landmarks, all of them."""
        self._fitted = LocalTreeNystroem(
            self.value("kernel"), landmarks=len(landmarks)).fit(landmarks)

    def content(self) -> bytes:
        """The landmarks, as a data set."""
        return self._fitted.components_._whole().to_bytes()

    def set_content(self, content: bytes) -> None:
        """Landmarks that were saved."""
        self.set_landmarks(Dataset._of(_core.dataset_from_bytes(content)))

    def _transform(self, dataset: Any) -> Any:
        return self._embed(dataset, self._fitted)
