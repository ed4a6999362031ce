"""Transformers of pyspark.ml, each of which is a function of `espalier.batches`."""

from __future__ import annotations

import os
from typing import Any

from .. import batches
from ..arrow import pa
from ..distributed import DistributedTrees as LocalDistributedTrees
from ..fragment_features import HashedFragments
from ..model import Model
from .session import add_columns, map_batches

from pyspark.ml import Transformer  # isort: skip  (session says what to do if it is missing)
from pyspark.ml.linalg import VectorUDT
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasInputCol, HasOutputCol
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql.types import StringType, StructField

_VECTOR = pa.struct([
    pa.field("type", pa.int8(), nullable=False), pa.field("size", pa.int32()),
    pa.field("indices", pa.list_(pa.field("element", pa.int32(), nullable=False))),
    pa.field("values", pa.list_(pa.field("element", pa.float64(), nullable=False)))])


class TreeParams(HasInputCol, HasOutputCol):
    """What all stages share: the column of trees, and what happens to rows that are wrong."""

    onError = Param(
        Params._dummy(), "onError", "raise: the job fails; null: the row gets null, and errorCol says why",
        TypeConverters.toString)
    errorCol = Param(Params._dummy(), "errorCol", "column of messages for onError=null",
                     TypeConverters.toString)
    treeFormat = Param(Params._dummy(), "treeFormat", "format of the trees; empty: each string tells",
                       TypeConverters.toString)
    treeName = Param(Params._dummy(), "treeName", "what kernel expressions call the tree",
                     TypeConverters.toString)

    def __init__(self, **params: Any) -> None:
        super().__init__()
        self._setDefault(inputCol="tree", outputCol="features", onError="raise", errorCol="error",
                         treeFormat="", treeName="tree")
        self._set_defaults()
        self.setParams(**params)

    def _set_defaults(self) -> None:
        """Those of a class."""

    def setParams(self, **params: Any) -> Any:
        """Set parameters by name; returns itself."""
        for name in params:
            if not self.hasParam(name):
                known = ", ".join(param.name for param in self.params)
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; it has {known}")
        self._set(**params)
        return self

    def value(self, name: str) -> Any:
        """The value of a parameter, or its default."""
        return self.getOrDefault(name)

    def _reading(self) -> dict[str, Any]:
        """The arguments that all functions of batches take."""
        form = self.value("treeFormat")
        return {"tree": {self.value("treeName"): self.value("inputCol")},
                "on_error": self.value("onError"), **({"format": form} if form else {})}

    def _errors(self) -> list[StructField]:
        is_null = self.value("onError") == "null"
        return [StructField(self.value("errorCol"), StringType())] if is_null else []

    def _embed(self, frame: Any, estimator: Any) -> Any:
        """The frame with the vectors of an estimator, as vectors of pyspark.ml."""
        output = self.value("outputCol")
        function = batches.Embed(
            estimator, names={"vector": output, "error": self.value("errorCol")}, **self._reading())
        place, dim, sparse = len(frame.columns), function.dim, function.sparse

        def convert(batch: pa.RecordBatch) -> pa.RecordBatch:
            vector = _ml_vector(batch.column(place), dim, sparse)
            return batch.set_column(place, pa.field(output, vector.type), vector)

        fields = [StructField(output, VectorUDT()), *self._errors()]
        return add_columns(frame, function, *fields, convert=convert)


def _ml_vector(array: pa.Array, dim: int, sparse: bool) -> pa.Array:
    """An array in the layout of VectorUDT."""
    count = len(array)
    missing = array.is_null()
    nothing = pa.nulls(count, pa.list_(pa.int32()))
    if sparse:
        indices, values = array.field("indices"), array.field("values")
        size = pa.array([dim], pa.int32()).take(pa.array([0] * count, pa.int32()))
    else:
        indices, values = nothing, array.cast(pa.list_(pa.float32())).cast(pa.list_(pa.float64()))
        size = pa.nulls(count, pa.int32())
    kind = pa.array([0 if sparse else 1] * count, pa.int8())
    parts = [kind, size, indices.cast(_VECTOR[2].type), values.cast(_VECTOR[3].type)]
    return pa.StructArray.from_arrays(parts, fields=list(_VECTOR), mask=missing)


class TreeHasher(TreeParams, Transformer, DefaultParamsReadable, DefaultParamsWritable):
    """Trees to sparse vectors of hashed fragments, as `espalier.HashedFragments`: nothing to fit.

    Parameters: inputCol, outputCol, kernel, hashDim, maxSize, onError, errorCol, treeFormat.
    """

    kernel = Param(Params._dummy(), "kernel", "a kernel that counts fragments", TypeConverters.toString)
    hashDim = Param(Params._dummy(), "hashDim", "number of columns, a power of two",
                    TypeConverters.toInt)
    maxSize = Param(Params._dummy(), "maxSize", "largest size of a fragment", TypeConverters.toInt)

    def _set_defaults(self) -> None:
        self._setDefault(kernel="norm(sst())", hashDim=2**18, maxSize=3)

    def _transform(self, dataset: Any) -> Any:
        return self._embed(dataset, HashedFragments(
            self.value("kernel"), hash_dim=self.value("hashDim"), max_size=self.value("maxSize")))


class DistributedTrees(TreeParams, Transformer, DefaultParamsReadable, DefaultParamsWritable):
    """Trees to dense vectors, as `espalier.DistributedTrees`: nothing to fit.

    Parameters: inputCol, outputCol, dim, decay, seed, onError, errorCol, treeFormat.
    """

    dim = Param(Params._dummy(), "dim", "dimension of the vectors", TypeConverters.toInt)
    decay = Param(Params._dummy(), "decay", "lambda of the kernel", TypeConverters.toFloat)
    seed = Param(Params._dummy(), "seed", "random seed", TypeConverters.toInt)

    def _set_defaults(self) -> None:
        self._setDefault(dim=1024, decay=0.4, seed=1)

    def _transform(self, dataset: Any) -> Any:
        return self._embed(dataset, LocalDistributedTrees(
            dim=self.value("dim"), decay=self.value("decay"), random_state=self.value("seed")))


class WithContent(MLReadable, MLWritable):
    """Saves what is no parameter as bytes beside the parameters."""

    def content(self) -> bytes:
        """What to save."""
        raise NotImplementedError

    def set_content(self, content: bytes) -> None:
        """What was saved."""
        raise NotImplementedError

    def write(self) -> MLWriter:
        """A writer, as of all classes of pyspark.ml."""
        return _ContentWriter(self)

    @classmethod
    def read(cls) -> MLReader:
        """A reader, as of all classes of pyspark.ml."""
        return _ContentReader(cls)


class _ContentWriter(MLWriter):
    def __init__(self, instance: Any) -> None:
        super().__init__()
        self.instance = instance

    def saveImpl(self, path: str) -> None:
        DefaultParamsWriter.saveMetadata(self.instance, path, self.sparkSession)
        frame = self.sparkSession.createDataFrame([(self.instance.content(),)], "content binary")
        frame.coalesce(1).write.parquet(os.path.join(path, "content"))


class _ContentReader(MLReader):
    def __init__(self, cls: type) -> None:
        super().__init__()
        self.cls = cls

    def load(self, path: str) -> Any:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        instance = self.cls()
        instance._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(instance, metadata)
        saved = self.sparkSession.read.parquet(os.path.join(path, "content")).first()
        instance.set_content(bytes(saved["content"]))
        return instance


class TreeModel(WithContent, TreeParams, Transformer):
    """Predictions of an `espalier.Model`, with the bits of the command line.

    Adds predictionCol, scoresCol, and probabilitiesCol if the model has them.

    Parameters
    ----------
    model : espalier.Model, or path of one
    **params
        inputCol, outputCol (the prediction), scoresCol, probabilitiesCol, onError, errorCol,
        treeFormat.
    """

    scoresCol = Param(Params._dummy(), "scoresCol", "column of scores", TypeConverters.toString)
    probabilitiesCol = Param(Params._dummy(), "probabilitiesCol", "column of probabilities",
                             TypeConverters.toString)

    def __init__(self, model: Any = None, **params: Any) -> None:
        super().__init__(**params)
        self._model = Model.load(model) if isinstance(model, (str, os.PathLike)) else model

    def _set_defaults(self) -> None:
        self._setDefault(outputCol="prediction", scoresCol="scores", probabilitiesCol="probabilities")

    def content(self) -> bytes:
        """The model file."""
        return self._model._core.to_bytes()

    def set_content(self, content: bytes) -> None:
        """The model of a model file."""
        from .. import _core

        self._model = Model(_core.model_from_bytes(content))

    def _transform(self, dataset: Any) -> Any:
        names = {"prediction": self.value("outputCol"), "scores": self.value("scoresCol"),
                 "probabilities": self.value("probabilitiesCol"), "error": self.value("errorCol")}
        return map_batches(dataset, batches.Predict(self._model, names=names, **self._reading()))
