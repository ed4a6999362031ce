"""How good a model would be, and which settings make a good one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from .base import class_numbers
from .data import Dataset
from .kernels import _MEMORY
from .model import _core_of
from .training import _OPTIONS, _checked


def cross_validate(
    kernel: str,
    data: Dataset,
    *,
    folds: int = 10,
    repetitions: int = 1,
    how: str = "folds",
    train_share: float = 0.8,
    threads: int = 0,
    memory: int = _MEMORY,
    **training: Any,
) -> dict[str, Any]:
    """Train on one part of the data and evaluate on the other, again and again.

    For svm the Gram matrix is computed once. Other threads run meanwhile, and Ctrl-C stops it.

    Parameters
    ----------
    kernel : str
        A kernel expression.
    data : Dataset
        The examples; each fold gets its share of every class.
    folds : int
        In how many parts the data are divided, each being tested once.
    repetitions : int
        How often this is done, divided anew each time; or the number of random splits.
    how : {"folds", "random", "leave_one_out"}
        In folds; by independent random splits; or each example is tested alone.
    train_share : float
        For random splits: the share of the examples to learn from.
    threads, memory : int
        As in `train`.
    **training
        The other options of `train`. The seed is also that of the splits.

    Returns
    -------
    dict
        "metrics": for each metric its mean, standard_deviation (of a sample; None for a single
        value), min and max over the splits; "splits": the evaluation of each, as `Model.evaluate`
        returns; "pooled": that of all tested examples together. Leaving one out has no splits, and
        its metrics are those of "pooled".

    See Also
    --------
    tune, train

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> result = espalier.cross_validate("norm(sst())", data, folds=5, C=10)
    >>> result["metrics"]["accuracy"]["count"], result["metrics"]["accuracy"]["mean"] > 0.8
    (5, True)
    >>> result["pooled"]["classification"]["examples"]
    720
    """
    options = _merged("cross_validate", training, _OPTIONS, folds=folds, repetitions=repetitions,
                      how=how, train_share=train_share)
    return _core.cross_validate(kernel, _core_of(data), options, threads, memory)


def tune(
    kernel: str | Iterable[str],
    data: Dataset,
    *,
    C: float | Iterable[float] = 1.0,
    metric: str | None = None,
    folds: int = 5,
    repetitions: int = 1,
    how: str = "folds",
    train_share: float = 0.8,
    threads: int = 0,
    memory: int = _MEMORY,
    **training: Any,
) -> dict[str, Any]:
    """Try kernels and costs by cross-validation, all on the same splits; for svm.

    The score of the best is too good by the choice: measure it on data that were not used here.

    Parameters
    ----------
    kernel : str or iterable of str
        A kernel expression or several. Lists in braces stand for numbers to try, as in
        ``"norm(sst(lambda={0.2,0.4}))"``.
    data : Dataset
        The examples.
    C : float or iterable of float
        The costs to try with each kernel.
    metric : {"accuracy", "macro_f1", "micro_f1", "r2", "pearson", "spearman"}, optional
        What is to be high. Without it, accuracy, micro_f1 where examples have several classes, or
        r2 for numbers.
    folds, repetitions, how, train_share
        As in `cross_validate`.
    threads, memory : int
        As in `train`.
    **training
        The other options of `train`.

    Returns
    -------
    dict
        "metric": its name; "points": for each setting, in the order of kernels, then costs, a dict
        of "kernel", "C" and "score" (mean, standard_deviation, min, max over the splits); "best":
        the one with the highest mean, of equal ones that with the lowest C.

    See Also
    --------
    cross_validate, train

    Examples
    --------
    >>> data = espalier.read("examples/questions/test.tsv")
    >>> found = espalier.tune("norm(sst(lambda={0.2,0.4}))", data, C=[1, 10])
    >>> [(point["kernel"], point["C"]) for point in found["points"]][:2]
    [('norm(sst(lambda=0.2))', 1.0), ('norm(sst(lambda=0.2))', 10.0)]
    >>> best = found["best"]
    >>> model = espalier.train(best["kernel"], data, C=best["C"])
    """
    kernels = [kernel] if isinstance(kernel, str) else list(kernel)
    costs = [float(cost) for cost in C] if isinstance(C, Iterable) else [float(C)]
    options = _merged("tune", training, _OPTIONS.keys() - {"C"}, folds=folds,
                      repetitions=repetitions, how=how, train_share=train_share)
    return _core.tune(kernels, _core_of(data), costs, metric or "", options, threads, memory)


def stratified_folds(
    labels: Iterable[Any], folds: int = 5, seed: int = 1
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The folds that `cross_validate`, `tune` and the program use, for ``cv`` of scikit-learn.

    Parameters
    ----------
    labels : iterable
        The class of each example.
    folds : int
        How many.
    seed : int
        For the division.

    Returns
    -------
    list of (numpy.ndarray, numpy.ndarray)
        The examples to learn from and those to test on.

    Examples
    --------
    >>> [test.tolist() for train, test in espalier.stratified_folds("ababab", 3)]
    [[1, 4], [0, 3], [2, 5]]
    """
    return [(np.array(train), np.array(test))
            for train, test in _core.stratified_folds(class_numbers(labels), folds, seed)]


def _merged(function: str, training: dict[str, Any], known: Iterable[str],
            **validation: Any) -> dict[str, Any]:
    """All options in one dict, with the defaults of train()."""
    for name in training.keys() - set(known):
        near = difflib.get_close_matches(name, [*known, *validation, "threads", "memory"], 1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"{function}() has no option {name!r}{hint}")
    return {**_checked({**_OPTIONS, **training}), **validation}
