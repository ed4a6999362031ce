"""Models: predicting, evaluating, explaining."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from . import _core
from .base import keywords
from .data import Dataset, _counted
from .files import Path, _encode
from .fragments import Fragments
from .kernels import _MEMORY


def _core_of(data: Dataset) -> _core.Dataset:
    if not isinstance(data, Dataset):
        raise TypeError(f"data is a Dataset, as espalier.read returns, not {type(data).__name__}")
    return data._core


class Model:
    """A trained model, for many threads at once. Made by `train` and `Model.load`; can be pickled.

    It keeps one weight for each distinct subtree of the training data rather than the examples, so
    what it costs to use does not grow with their number; only kernels that are not linear (products,
    rbf, poly) keep examples.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> test = espalier.read("examples/questions/test.tsv")
    >>> model = espalier.train("norm(sst())", data, learner="pa")
    >>> model.classes
    ['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
    >>> model.scores(test).shape
    (180, 6)
    >>> model.evaluate(test)["classification"]["accuracy"] > 0.8
    True
    """

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    @property
    def kernel(self) -> str:
        """The kernel expression, without parameters at their defaults."""
        return self._core.kernel()

    @property
    def task(self) -> str:
        """"classification", "regression" or "one-class"."""
        return self._core.task()

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of the columns of `scores`; empty for numbers and
        outliers."""
        return self._core.classes()

    @property
    def multi_label(self) -> bool:
        """Whether an example may have several classes, or none."""
        return self._core.multi_label()

    @property
    def training(self) -> dict[str, Any]:
        """How it was trained: learner, examples, support_vectors, iterations, converged."""
        return self._core.training()

    @property
    def provenance(self) -> dict[str, Any]:
        """Where it comes from: version, parameters, data (a fingerprint) and reading, the options
        that its training data was read with, or None if that was not read from a file.
        """
        found = self._core.provenance()
        for name in ("parameters", "reading"):
            if found[name] is not None:
                found[name] = {setting["name"]: setting["value"] for setting in found[name]}
        return found

    @property
    def summary(self) -> dict[str, Any]:
        """What it holds: distinct subtrees, weights, and examples that are kept whole."""
        return self._core.summary()

    def _checked(self, data: Dataset) -> _core.Dataset:
        """Warns if the data was read in another way than that of training, or has other labels."""
        core = _core_of(data)
        for warning in self._core.warnings_about(core):
            warnings.warn(warning, UserWarning, stacklevel=3)
        return core

    def predict(
        self, data: Dataset, *, threads: int = 0, memory: int = _MEMORY
    ) -> list[str] | list[list[str]] | np.ndarray:
        """Predict for each example; its labels are not looked at.

        Parameters
        ----------
        data : Dataset
        threads, memory : int
            As in `train`.

        Returns
        -------
        list or numpy.ndarray
            The class of each example, or the list of its classes where there may be several; an
            array of numbers; or for outliers an array of 1 (like those learned from) and -1.
        """
        if self.task == "classification":
            return self._core.labels(self._checked(data), threads, memory)
        scores = self.scores(data, threads=threads, memory=memory)
        return scores if self.task == "regression" else np.where(scores < 0, -1, 1)

    def scores(self, data: Dataset, *, threads: int = 0, memory: int = _MEMORY) -> np.ndarray:
        """Compute the values that decide.

        Returns
        -------
        numpy.ndarray
            Of shape (examples, classes): the highest decides, or where there may be several classes
            those above 0. For numbers and outliers of shape (examples,): the number, or a score
            that is below 0 for outliers.
        """
        return self._core.scores(self._checked(data), threads, memory)

    def probabilities(self, data: Dataset, *, threads: int = 0, memory: int = _MEMORY) -> np.ndarray:
        """Estimate the probability of each class, if trained with ``probabilities=True``.

        Returns
        -------
        numpy.ndarray
            Of shape (examples, classes). Rows sum up to 1 unless there may be several classes.

        Raises
        ------
        Error
            If the model has none.

        Examples
        --------
        >>> data = espalier.read("examples/questions/train.tsv")
        >>> model = espalier.train("norm(sst())", data, probabilities=True)
        >>> P = model.probabilities(espalier.read("examples/questions/test.tsv"))
        >>> P.shape, bool(abs(P.sum(axis=1) - 1).max() < 1e-9)
        ((180, 6), True)
        """
        return self._core.probabilities(self._checked(data), threads, memory)

    @property
    def curve(self) -> list[dict[str, float]]:
        """How a network was trained: loss, validation_loss and validation_score of each epoch."""
        return self._core.curve()

    def explain(
        self, data: Dataset, example: int, *, threads: int = 0, memory: int = _MEMORY
    ) -> dict[str, Any]:
        """Say why the model decides as it does about one example.

        Parameters
        ----------
        data : Dataset
            Examples.
        example : int
            Which of them, from 0 on.
        threads, memory
            As in `train`.

        Returns
        -------
        dict
            ``text``, the example as it is shown; ``sentence``, the reasons in one line; ``decision``,
            the score of the best class (or the only score) taken apart; ``rival``, the same of
            the next best class, or None. A score has ``class``, ``score``, ``bias``, ``fragments`` (the
            12 that contributed most, each with ``fragment``, ``kernel``, ``weight`` and ``value``, its
            contribution), ``subtrees`` (each with ``subtree``, ``count`` and ``value``, the strongest
            first), ``rest`` (kernels that are no sums over subtrees), and for models on landmarks
            ``landmarks`` (``text``, ``classes``, ``kernel``, ``value``, from for to against) and
            ``like_none``. Subtrees, rest and bias add up to the score; so do landmarks, like_none and
            bias.

        Examples
        --------
        >>> data = espalier.read("examples/questions/train.tsv")
        >>> model = espalier.train("norm(sst())", data, learner="linear", landmarks=200)
        >>> why = model.explain(espalier.read("examples/questions/test.tsv"), 2)
        >>> why["text"], why["decision"]["class"]
        ('What do players wear in cricket ?', 'ENTY')
        >>> why["decision"]["landmarks"][0]["text"]
        'What do players wear in ice hockey ?'
        """
        return self._core.explain(self._checked(data), example, threads, memory)

    def fragments(
        self, data: Dataset | None = None, *, class_name: str | None = None, top: int = 50,
        min_size: int = 1, max_size: int = 0, expansions: int = 0, threads: int = 0,
        memory: int = 2**30,
    ) -> Fragments:
        """List the fragments with the largest weights, for or against a class, exactly.

        A score is a sum over the fragments that the kernel counts: the value of each in the example
        times its weight. Scores must be linear in the kernel, which those of networks are not.

        Parameters
        ----------
        data : Dataset, optional
            Examples in which to count the fragments, such as the training data.
        class_name : str, optional
            Only the fragments of this class.
        top : int >= 1, default: 50
            Number of fragments of each class.
        min_size : int >= 1, default: 1
            Fewest productions (sst) or nodes of a fragment.
        max_size : int >= 0, default: 0
            Most productions (sst) or nodes of a fragment; 0: no limit.
        expansions : int >= 0, default: 0
            Stop the search of a class after extending this many fragments; 0: no limit.
        threads : int in [0, 1024], default: 0
            Number of threads; 0: one per processor.
        memory : int >= 1, default: 2**30
            Bytes of working memory, in addition to input and output.

        Returns
        -------
        Fragments
            A list with a dict for each fragment, heaviest first in each class: ``class``,
            ``fragment`` in brackets, ``weight``, ``size``, ``subtrees`` (distinct subtrees of the model
            that it is rooted at), with data ``examples`` and ``occurrences``, and ``kernel`` if the
            kernel is a sum of several.

        Examples
        --------
        >>> data = espalier.read("examples/questions/train.tsv")
        >>> model = espalier.train("norm(sst())", data, C=3)
        >>> for each in model.fragments(data, class_name="LOC", top=2, min_size=2):
        ...     print(each["fragment"], round(each["weight"], 2), each["examples"])
        (WHADVP (WRB Where)) 1.94 29
        (WHNP (WDT) (NN country)) 1.38 14
        """
        options = keywords(Model.fragments, locals(), "class_name")
        counted_in = None if data is None else self._checked(data)
        found = self._core.fragments(counted_in, class_name or "", options, threads, memory)
        return Fragments(*found)

    def evaluate(
        self,
        data: Dataset,
        *,
        groups: str | None = None,
        relevant: str | None = None,
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> dict[str, Any]:
        """Compare predictions with the labels of the data.

        Parameters
        ----------
        data : Dataset
            Classes that the model does not know count as errors.
        groups : str, optional
            A text of the examples, one of ``data.text_names``: those with the same text, such as
            the answers to one question, are ranked by their scores.
        relevant : str, optional
            The class that should come first; without it the one named 1, +1, true, yes or relevant.
        threads, memory : int
            As in `train`.

        Returns
        -------
        dict
            "classification" (accuracy, macro, micro, classes, confusion) or "regression"
            (mean_squared_error, mean_absolute_error, r2, pearson, spearman); with `groups` also
            "ranking" (mean_average_precision, mean_reciprocal_rank, precision_at_1).

        Examples
        --------
        >>> data = espalier.read("examples/questions/train.tsv")
        >>> scores = espalier.train("norm(sst())", data).evaluate(data)["classification"]
        >>> scores["classes"][0]["name"], scores["accuracy"] > 0.9
        ('ABBR', True)
        """
        return self._core.evaluate(self._checked(data), groups, relevant, threads, memory)

    def continue_training(
        self, data: Dataset, *, epochs: int = 5, shuffle: bool = True, seed: int = 1,
        threads: int = 0, memory: int = 2**30,
    ) -> Model:
        """Go on learning, from more examples and perhaps new classes; for perceptron and pa.

        With one epoch and without shuffling, learning in parts is the same as learning in one go.
        If it fails or is interrupted, the model stays as it was.

        Parameters
        ----------
        data : Dataset
        epochs : int >= 1, default: 5
            Passes over the training set.
        shuffle : bool, default: True
            Shuffle the examples in each epoch.
        seed : int >= 0, default: 1
            Random seed.
        threads : int in [0, 1024], default: 0
            Number of threads; 0: one per processor.
        memory : int >= 1, default: 2**30
            Bytes of working memory, in addition to input and output.

        Returns
        -------
        Model
            Itself.

        Examples
        --------
        >>> model = espalier.train("norm(sst())", espalier.read("examples/questions/train.tsv"),
        ...                        learner="perceptron")
        >>> model.continue_training(espalier.read("examples/questions/test.tsv"), epochs=1)
        Model('norm(sst())', perceptron, 6 classes, learned from 900 examples)
        """
        options = keywords(Model.continue_training, locals())
        self._core = self._core.continue_training(_core_of(data), options, threads, memory)
        return self

    def save(self, path: Path) -> None:
        """Write the model to a file, which appears whole or not at all.

        Parameters
        ----------
        path : str or path-like
            Gzipped if it ends in ".gz". A file that is there is replaced.

        Examples
        --------
        >>> import os, tempfile
        >>> data = espalier.read("examples/questions/test.tsv")
        >>> model = espalier.train("norm(sst())", data)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "questions.model")
        ...     model.save(path)
        ...     again = espalier.Model.load(path)
        >>> again.predict(data) == model.predict(data)
        True
        """
        self._core.save(_encode(path))

    @classmethod
    def load(cls, path: Path, vectors: Path | None = None) -> Model:
        """Read a model that `save` or the program wrote.

        Parameters
        ----------
        path : str or path-like
        vectors : str or path-like, optional
            The file of word vectors, if it is not where it was in training or beside the model;
            "none": words that the model does not know have no vector.

        Raises
        ------
        Error
            If the file is no model, damaged, or made by a newer version.
        FileNotFoundError
            If there is no such file.
        """
        name = _encode(path)
        os.stat(name)  # for the error that Python users expect of a missing file
        return cls(_core.load_model(name, None if vectors is None else _encode(vectors)))

    def __repr__(self) -> str:
        training = self.training
        what = _counted(len(self.classes), "class", "classes") if self.classes else self.task
        examples = _counted(training["examples"], "example", "examples")
        return f"Model({self.kernel!r}, {training['learner']}, {what}, learned from {examples})"

    def __reduce__(self) -> tuple:
        return _from_bytes, (self._core.to_bytes(),)


def _from_bytes(content: bytes) -> Model:
    return Model(_core.model_from_bytes(content))
