"""Learning from labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from .data import Dataset
from .errors import Error
from .kernels import _MEMORY
from .model import Model, _core_of

# Options that do not count for every learner; the others count for all.
_LEARNERS_OF = {
    "C": ("svm", "linear"),
    "hidden": ("kda",),
    "dropout": ("kda",),
    "input_dropout": ("kda",),
    "l2": ("kda",),
    "learning_rate": ("kda",),
    "steps": ("kda",),
    "batch": ("kda",),
    "patience": ("kda",),
    "development": ("kda",),
    "train_projection": ("kda",),
    "class_weight": ("svm", "linear"),
    "multi_class": ("svm", "linear"),
    "loss": ("linear",),
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
    loss: str = "hinge",
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
    input_dropout: float = 0.2,
    l2: float = 0.0,
    learning_rate: float = 0.001,
    steps: str = "constant",
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
    task : {"classification", "regression", "one-class"}, optional
        What is learned. Without it the labels tell: names are classes; numbers are numbers to
        predict, unless all are -1 or 1, or all 0 or 1, which are two classes.
    C : float
        For svm: how much an error costs against a wide margin; small is smooth.
    class_weight : {"balanced"} or dict, optional
        For svm: a factor on C for each class by name, 1 for those not named; "balanced" makes the
        two sides of each binary problem cost the same in sum, the positive one by the factor negatives /
        positives (scikit-learn of the same name scales both).
    multi_class : {"one_vs_rest", "one_vs_one"}
        For svm: a binary classifier for each class, or for each pair of classes. With two classes
        both are the same.
    loss : {"hinge", "squared"}
        For linear: what an error costs: by how much it misses the margin, or the square of that.
    probabilities : bool
        For svm: whether to learn probabilities of classes, which takes six times as long.
    epsilon : float
        For regression: errors up to this cost nothing.
    nu : float
        For one-class: the largest fraction of training examples outside.
    tolerance : float
        For svm: how exactly the problem is solved, in units of the scores.
    landmarks : int, optional
        For linear and kda: learn on the vectors that comparing with so many examples gives, as
        `TreeNystroem` does; then any kernel will do. Kda without it has 500.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}
        For linear and kda: which examples are landmarks.
    sets : int
        For linear and kda: so many sets of landmarks, each with a vector of its own.
    set_weights : {"equal", "error"}
        For linear and kda: whether all sets count the same, or less where they are less exact.
    hidden : sequence of int, optional
        For kda: widths of the hidden layers; without it two as wide as the vectors.
    dropout : float
        For kda: the share of each hidden layer that is left out at random in training.
    input_dropout : float
        For kda: the same of the vectors.
    l2 : float
        For kda: what large weights cost.
    learning_rate : float
        For kda: the length of a step.
    steps : {"constant", "linear"}
        For kda: whether steps stay as long, or become shorter and shorter, to 0 in the last epoch.
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
    cross_validate, tune, Model.continue_training

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
            names = " and ".join(filter(None, [", ".join(learners[:-1]), learners[-1]]))
            raise Error(f"{name} is an option of {names}, not of {learner}")
    for name in ("policy", "sets"):
        if options["landmarks"] is None and options[name] != _OPTIONS[name]:
            raise Error(f"{name} chooses landmarks: say how many with landmarks")
    if isinstance(options["class_weight"], Mapping):
        options["class_weight"] = dict(options["class_weight"])
    return options
