"""Models: learning from labels, predicting, evaluating."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from . import _core
from .data import Dataset, _counted
from .files import Path, _encode
from .errors import Error
from .kernels import _MEMORY

# Options that do not count for every learner; the others count for all.
_LEARNERS_OF = {
    "C": ("svm", "linear"),
    "hidden": ("kda",),
    "dropout": ("kda",),
    "l2": ("kda",),
    "learning_rate": ("kda",),
    "batch": ("kda",),
    "patience": ("kda",),
    "development": ("kda",),
    "train_projection": ("kda",),
    "class_weight": ("svm", "linear"),
    "multi_class": ("svm", "linear"),
    "probabilities": ("svm", "linear"),
    "nu": ("svm",),
    "tolerance": ("svm", "linear"),
    "epsilon": ("svm", "linear", "pa"),
    "epochs": ("kda", "perceptron", "pa"),
    "shuffle": ("perceptron", "pa"),
    "budget": ("perceptron", "pa"),
    "aggressiveness": ("pa",),
    "rule": ("pa",),
    "landmarks": ("linear", "kda"),
    "policy": ("linear", "kda"),
    "sets": ("linear", "kda"),
    "set_weights": ("linear", "kda"),
}


def train(
    kernel: str,
    data: Dataset,
    *,
    learner: str = "svm",
    task: str | None = None,
    C: float = 1.0,
    class_weight: str | Mapping[str, float] | None = None,
    multi_class: str = "one_vs_rest",
    probabilities: bool = False,
    epsilon: float = 0.1,
    nu: float = 0.1,
    tolerance: float = 1e-3,
    landmarks: int | None = None,
    policy: str = "uniform",
    sets: int = 1,
    set_weights: str = "equal",
    hidden: Sequence[int] | None = None,
    dropout: float = 0.2,
    l2: float = 0.0,
    learning_rate: float = 0.001,
    batch: int = 256,
    patience: int = 50,
    development: float = 0.1,
    train_projection: bool = False,
    epochs: int | None = None,
    shuffle: bool = True,
    budget: int = 0,
    rule: str = "pa1",
    aggressiveness: float = 1.0,
    seed: int = 1,
    threads: int = 0,
    memory: int = _MEMORY,
) -> Model:
    """Learn from the labels of examples.

    Other threads run meanwhile, and Ctrl-C stops it. The model does not depend on `threads`, to the
    bit.

    Parameters
    ----------
    kernel : str
        A kernel expression, such as ``"norm(sst(lambda=0.4))"``; `describe_kernels` lists them.
    data : Dataset
        The examples. It is not kept.
    learner : {"svm", "linear", "kda", "perceptron", "pa"}
        Support vector machines on the Gram matrix, which takes 4 bytes for each pair of examples;
        the same on explicit features, where the kernel has them (st, linear, cosine, their norms
        and sums), or on `landmarks`, without a matrix; a network on landmarks; or one example after
        the other, without a matrix: the perceptron, or passive-aggressive, which keeps a margin.
    task : {"classes", "numbers", "outliers"}, optional
        What is learned. Without it the labels tell: names are classes; numbers are numbers to
        predict, unless all are -1 or 1, or all 0 or 1, which are two classes.
    C : float
        For svm: how much an error costs against a wide margin; small is smooth.
    class_weight : {"balanced"} or dict, optional
        For svm: a factor on C for each class by name, 1 for those not named; "balanced" makes the
        two sides of a machine cost the same in sum, the positive one by the factor negatives /
        positives (scikit-learn of the same name scales both).
    multi_class : {"one_vs_rest", "one_vs_one"}
        For svm: a machine for each class, or for each two of them. Between two classes both are
        the same.
    probabilities : bool
        For svm: whether to learn probabilities of classes, which takes six times as long.
    epsilon : float
        For numbers: errors up to this cost nothing.
    nu : float
        For outliers: the share of the examples that may be outside.
    tolerance : float
        For svm: how exactly the problem is solved, in units of the scores.
    landmarks : int, optional
        For linear and kda: learn on the vectors that comparing with so many examples gives, as
        `TreeNystroem` does; then any kernel will do. Kda without it has 500.
    policy : {"uniform", "kmeans++", "leverage", "classwise"}
        For linear and kda: which examples are landmarks.
    sets : int
        For linear and kda: so many sets of landmarks, each with a vector of its own.
    set_weights : {"equal", "error"}
        For linear and kda: whether all sets count the same, or less where they are less exact.
    hidden : sequence of int, optional
        For kda: widths of the hidden layers; without it two as wide as the vectors.
    dropout : float
        For kda: the share of each layer that is left out at random in training.
    l2 : float
        For kda: what large weights cost.
    learning_rate : float
        For kda: the length of a step.
    batch : int
        For kda: examples in a step.
    patience : int
        For kda: stop after so many epochs that are no better; 0 for never.
    development : float
        For kda: the share of the examples that picks the epoch; with 0 the last one is kept.
    train_projection : bool
        For kda: whether the projection to vectors is trained with the rest.
    epochs : int, optional
        How often each example is seen: 5 times by perceptron and pa, at most 500 times by kda.
    shuffle : bool
        For perceptron and pa: in a new order in each epoch, by the seed; else as they stand.
    budget : int
        For perceptron and pa: the most examples that have a say; 0 for no limit.
    rule : {"pa1", "pa", "pa2"}
        For pa: how far to go for an error. PA-I at most to `aggressiveness`, PA without a limit,
        PA-II damped by `aggressiveness`.
    aggressiveness : float
        For pa: called C in the paper; small for noisy examples.
    seed : int
        For all that is random. The same seed gives the same model on every machine.
    threads : int
        How many threads; 0 for one per processor.
    memory : int
        Bytes of working space. A Gram matrix beyond it is an error.

    Returns
    -------
    Model

    Raises
    ------
    Error
        If an option, the kernel or a label is wrong, or the matrix does not fit into `memory`.

    See Also
    --------
    cross_validate, tune, Model.train_further

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> model = espalier.train("norm(sst(lambda=0.4))", data, C=10)
    >>> model
    Model('norm(sst())', svm, 6 classes, learned from 720 examples)
    >>> model.predict(espalier.read("examples/questions/test.tsv"))[:3]
    ['ABBR', 'NUM', 'ENTY']
    """
    options = {name: value for name, value in locals().items() if name in _OPTIONS}
    return Model(_core.train(kernel, _core_of(data), _checked(options), threads, memory))


# All options of train(), with their defaults.
_OPTIONS = {name: value for name, value in (train.__kwdefaults__ or {}).items()
            if name not in ("threads", "memory")}


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """The options, if all that differ from their defaults count for the learner."""
    learner = options["learner"]
    for name, learners in _LEARNERS_OF.items():
        known = learner in ("svm", "linear", "kda", "perceptron", "pa")
        if known and learner not in learners and options[name] != _OPTIONS[name]:
            raise Error(f"{name} is an option of {' and '.join(learners)}, not of {learner}")
    for name in ("policy", "sets"):
        if options["landmarks"] is None and options[name] != _OPTIONS[name]:
            raise Error(f"{name} chooses landmarks: say how many with landmarks")
    if isinstance(options["class_weight"], Mapping):
        options["class_weight"] = dict(options["class_weight"])
    return options


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
    ['DESC', 'ENTY', 'HUM', 'LOC', 'NUM', 'ABBR']
    >>> model.scores(test).shape
    (180, 6)
    >>> model.evaluate(test)["classes"]["accuracy"] > 0.8
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
        """"classes", "numbers" or "outliers"."""
        return self._core.task()

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of the columns of `scores`; empty for numbers and
        outliers."""
        return self._core.classes()

    @property
    def several_classes(self) -> bool:
        """Whether an example may have several classes, or none."""
        return self._core.several_classes()

    @property
    def training(self) -> dict[str, Any]:
        """How it was trained: learner, examples, support_examples, iterations, converged."""
        return self._core.training()

    @property
    def summary(self) -> dict[str, Any]:
        """What it holds: distinct subtrees, weights, and examples that are kept whole."""
        return self._core.summary()

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
        if self.task == "classes":
            return self._core.labels(_core_of(data), threads, memory)
        scores = self.scores(data, threads=threads, memory=memory)
        return scores if self.task == "numbers" else np.where(scores < 0, -1, 1)

    def scores(self, data: Dataset, *, threads: int = 0, memory: int = _MEMORY) -> np.ndarray:
        """Compute the values that decide.

        Returns
        -------
        numpy.ndarray
            Of shape (examples, classes): the highest decides, or where there may be several classes
            those above 0. For numbers and outliers of shape (examples,): the number, or a score
            that is below 0 for outliers.
        """
        return self._core.scores(_core_of(data), threads, memory)

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
        return self._core.probabilities(_core_of(data), threads, memory)

    @property
    def curve(self) -> list[dict[str, float]]:
        """How a network was trained: loss, development_loss and development_score of each epoch."""
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
            the score of the best class (or of the only machine) taken apart; ``rival``, the same of
            the next best class, or None. A score has ``class``, ``score``, ``bias``, ``subtrees`` (each
            with ``subtree``, ``count`` and ``value``, the strongest first), ``rest`` (kernels that are
            no sums over subtrees), and for models on landmarks ``landmarks`` (``text``, ``classes``,
            ``kernel``, ``value``, from for to against) and ``like_none``. Subtrees, rest and bias add
            up to the score; so do landmarks, like_none and bias.

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
        return self._core.explain(_core_of(data), example, threads, memory)

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
            "classes" (accuracy, macro, micro, classes, confusion) or "numbers"
            (mean_squared_error, mean_absolute_error, r2, pearson, spearman); with `groups` also
            "ranking" (mean_average_precision, mean_reciprocal_rank, precision_at_1).

        Examples
        --------
        >>> data = espalier.read("examples/questions/train.tsv")
        >>> scores = espalier.train("norm(sst())", data).evaluate(data)["classes"]
        >>> scores["classes"][0]["name"], scores["accuracy"] > 0.9
        ('DESC', True)
        """
        return self._core.evaluate(_core_of(data), groups, relevant, threads, memory)

    def train_further(
        self,
        data: Dataset,
        *,
        epochs: int = 5,
        shuffle: bool = True,
        seed: int = 1,
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> Model:
        """Go on learning, from more examples and perhaps new classes; for perceptron and pa.

        With one epoch and without shuffling, learning in parts is the same as learning in one go.
        If it fails or is interrupted, the model stays as it was.

        Parameters
        ----------
        data : Dataset
        epochs, shuffle, seed, threads, memory
            As in `train`.

        Returns
        -------
        Model
            Itself.

        Examples
        --------
        >>> model = espalier.train("norm(sst())", espalier.read("examples/questions/train.tsv"),
        ...                        learner="perceptron")
        >>> model.train_further(espalier.read("examples/questions/test.tsv"), epochs=1)
        Model('norm(sst())', perceptron, 6 classes, learned from 900 examples)
        """
        options = {"epochs": epochs, "shuffle": shuffle, "seed": seed}
        self._core = self._core.train_further(_core_of(data), options, threads, memory)
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
    def load(cls, path: Path) -> Model:
        """Read a model that `save` or the program wrote.

        Raises
        ------
        Error
            If the file is no model, damaged, or made by a newer version.
        FileNotFoundError
            If there is no such file.
        """
        name = _encode(path)
        os.stat(name)  # for the error that Python users expect of a missing file
        return cls(_core.load_model(name))

    def __repr__(self) -> str:
        training = self.training
        what = _counted(len(self.classes), "class", "classes") if self.classes else self.task
        examples = _counted(training["examples"], "example", "examples")
        return f"Model({self.kernel!r}, {training['learner']}, {what}, learned from {examples})"

    def __reduce__(self) -> tuple:
        with tempfile.TemporaryDirectory() as folder:
            file = FilePath(folder, "model")
            self.save(file)
            return _from_bytes, (file.read_bytes(),)


def _from_bytes(content: bytes) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder, "model")
        file.write_bytes(content)
        return Model.load(file)
