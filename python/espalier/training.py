"""Learning from labels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

from . import _core
from .base import keywords
from .data import Dataset
from .model import Model, _core_of


def train(
    kernel: str, data: Dataset, *,
    learner: Literal["svm", "linear", "kda", "perceptron", "pa"] = "svm",
    task: Literal["classification", "regression", "one-class"] | None = None,
    solver: Literal["auto", "matrix", "working-set"] = "auto", C: float = 1.0,
    multi_class: Literal["one-vs-rest", "one-vs-one"] = "one-vs-rest", tolerance: float = 0.001,
    shrinking: bool = True, max_iterations: int = 0,
    class_weight: Literal["balanced"] | dict[Any, float] | None = None, probabilities: bool = False,
    calibration_folds: int = 5, epsilon: float = 0.1, nu: float = 0.1,
    loss: Literal["hinge", "squared_hinge"] = "hinge", landmarks: int = 0,
    policy: Literal["uniform", "kmeans++", "leverage", "classwise", "support"] = "uniform",
    sets: int = 1, set_weights: Literal["equal", "error"] = "equal", rank_tolerance: float = 1e-10,
    fragments: int = 0, binary: bool = False, hash_dim: int = 0, max_size: int = 3,
    hidden: Sequence[int] = (0, 0), dropout: float = 0.2, input_dropout: float = 0.2,
    l2: float = 0.0, learning_rate: float = 0.001,
    schedule: Literal["constant", "linear"] = "constant", batch_size: int = 256, patience: int = 50,
    train_projection: bool = False, validation_fraction: float = 0.1, groups: str | None = None,
    group_duplicates: bool = True, rule: Literal["pa", "pa1", "pa2"] = "pa1",
    aggressiveness: float = 1.0, epochs: int | None = None, shuffle: bool = True, budget: int = 0,
    seed: int = 1, threads: int = 0, memory: int = 2**30,
) -> Model:
    """Learn from the labels of examples.

    Without `task` all labels together tell what to learn: names are classes, and so are whole
    numbers; numbers that are not all whole are a regression. Only svm needs the Gram matrix, of 4
    bytes for each pair of examples.

    Other threads run meanwhile, and Ctrl-C stops it. The model does not depend on `threads`, to the
    bit.

    Parameters
    ----------
    kernel : str
        A kernel expression, such as ``"norm(sst(lambda=0.4))"``; `describe_kernels` lists them.
    data : Dataset
        The examples. It is not kept.
    learner : {"svm", "linear", "kda", "perceptron", "pa"}, default: "svm"
        svm, linear (explicit features, landmarks or fragments), kda (neural network on landmarks),
        perceptron or pa (passive-aggressive).
    task : {"classification", "regression", "one-class"}, optional
        What to learn; by default found from the labels.
    solver : {"auto", "matrix", "working-set"}, default: "auto"
        On the Gram matrix, or without it for any number of examples; auto: the matrix if it fits
        the memory. For svm.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more. For svm and linear.
    multi_class : {"one-vs-rest", "one-vs-one"}, default: "one-vs-rest"
        One binary classifier for each class, or for each pair of classes. For svm and linear.
    tolerance : float > 0, default: 0.001
        Stop when the optimality conditions are violated by at most this, in units of the decision
        values. For svm and linear.
    shrinking : bool, default: True
        Set variables aside that are at their bounds: faster. For svm and linear.
    max_iterations : int >= 0, default: 0
        Limit for the solver; 0: ten million, or 100 per example. For svm and linear.
    class_weight : {"balanced"} or dict, optional
        Factors of C: balanced, or by class. For svm and linear.
    probabilities : bool, default: False
        Estimate class probabilities (Platt scaling), which takes six times as long. For svm and
        linear.
    calibration_folds : int in [2, 1000000], default: 5
        Cross-validation folds that probabilities are estimated on. For svm and linear. Needs
        `probabilities`.
    epsilon : float >= 0, default: 0.1
        Regression: errors up to this cost nothing. For svm, linear and pa.
    nu : float in (0, 1], default: 0.1
        One-class: upper bound on the fraction of outliers. For svm.
    loss : {"hinge", "squared_hinge"}, default: "hinge"
        Loss function. For linear.
    landmarks : int >= 0, default: 0
        Number of landmarks for Nystroem vectors; 0: none. For linear and kda.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}, default: "uniform"
        How landmarks are sampled. For linear and kda. Needs `landmarks`.
    sets : int >= 1, default: 1
        Sets of landmarks, whose vectors are concatenated. For linear and kda. Needs `landmarks`.
    set_weights : {"equal", "error"}, default: "equal"
        Weights of the sets: equal, or by their approximation error. For linear and kda. Needs
        `landmarks`.
    rank_tolerance : float in [0, 1), default: 1e-10
        Drop directions whose eigenvalue is below this fraction of the largest. For linear and kda.
        Needs `landmarks`.
    fragments : int in [0, 2147483648], default: 0
        Number of fragments of each class, those that an svm on the training set weighs most, to be
        the features; 0: none. For linear.
    binary : bool, default: False
        Features are whether a fragment occurs, in rows of length 1, instead of its value. For
        linear. Needs `fragments`.
    hash_dim : int in [0, 16777216], default: 0
        Number of columns that all fragments up to max_size are hashed to, a power of two. For
        linear.
    max_size : int in [1, 64], default: 3
        Most productions (sst) or nodes of a hashed fragment; the number of fragments grows fast
        with it. For linear. Needs `hash_dim`.
    hidden : sequence of int, default: (0, 0)
        Sizes of the hidden layers, as in 600,300; 0: as wide as the input. For kda.
    dropout : float in [0, 1), default: 0.2
        Fraction of each hidden layer that is dropped in training. For kda.
    input_dropout : float in [0, 1), default: 0.2
        Fraction of the input that is dropped in training. For kda.
    l2 : float >= 0, default: 0.0
        L2 penalty on the weights. For kda.
    learning_rate : float > 0, default: 0.001
        Learning rate of Adam. For kda.
    schedule : {"constant", "linear"}, default: "constant"
        Learning-rate schedule: constant, or linear decay to 0. For kda.
    batch_size : int >= 1, default: 256
        Examples in a mini-batch. For kda.
    patience : int >= 0, default: 50
        Early stopping after this many epochs without improvement; 0: never. For kda.
    train_projection : bool, default: False
        Train the Nystroem projection together with the network. For kda.
    validation_fraction : float in [0, 1), default: 0.1
        Fraction of the training set held out to select the best epoch; 0: none. For kda.
    groups : str, optional
        Text that examples of a group have in common; no group is in both parts of a split. For kda.
    group_duplicates : bool, default: True
        Keep examples with identical trees in the same part of a split. For kda.
    rule : {"pa", "pa1", "pa2"}, default: "pa1"
        Update rule: pa (no limit), pa1 (PA-I) or pa2 (PA-II). For pa.
    aggressiveness : float > 0, default: 1.0
        pa1, pa2: largest step, called C in the paper; small for noisy labels. For pa.
    epochs : int >= 1, default: 500 (kda), 5 (perceptron, pa)
        Passes over the training set, at most. For kda, perceptron and pa.
    shuffle : bool, default: True
        Shuffle the examples in each epoch. For perceptron and pa.
    budget : int >= 0, default: 0
        Largest number of support vectors; 0: no limit. For perceptron and pa.
    seed : int >= 0, default: 1
        Random seed.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

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
    options = keywords(train, locals())
    return Model(_core.train(kernel, training_data(data, task), options, threads, memory))


def training_data(data: Dataset, task: str | None) -> _core.Dataset:
    """The data to learn from; warns of labels that mix names and numbers, unless the task is given."""
    core = _core_of(data)
    if task is None and (warning := core.label_warning()):
        warnings.warn(f"{warning}; task sets what is learned", stacklevel=3)
    return core
