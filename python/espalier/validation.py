"""How good a model would be, and which settings make a good one."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from .base import class_numbers, keywords
from .data import Dataset
from .evaluation import metric_names
from .training import training_data

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core import TrainOptions


def cross_validate(
    kernel: str | Iterable[str], data: Dataset, *, C: float = 1.0,
    metric: str | Iterable[str] | None = None,
    split: Literal["folds", "random", "leave-one-out"] = "folds", folds: int = 10, repeats: int = 1,
    train_fraction: float = 0.8, equal_parts: bool = False, groups: str | None = None,
    group_duplicates: bool = True, relevant: str | None = None, threads: int = 0,
    memory: int = 2**30, **training: Unpack[TrainOptions],
) -> dict[str, Any]:
    """Train on one part of the data and evaluate on the other, again and again.

    For svm the Gram matrix is computed once. Other threads run meanwhile, and Ctrl-C stops it.

    Parameters
    ----------
    kernel : str or iterable of str
        A kernel expression, or several that are compared with the first on the same splits.
    data : Dataset
        The examples; each fold gets its share of every class.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more. For svm and linear.
    metric : str or iterable of str, optional
        Such as "accuracy", "f1:HUM" or "map"; see `metrics`. Without it, the usual ones.
    split : {"folds", "random", "leave-one-out"}, default: "folds"
        Stratified folds, stratified random splits, or leave-one-out.
    folds : int in [2, 1000000], default: 10
        Number of folds. For split="folds".
    repeats : int in [1, 1000000], default: 1
        Times that cross-validation is repeated with new folds; number of random splits. For
        split="folds" and split="random".
    train_fraction : float in (0, 1), default: 0.8
        Fraction of the examples to train on. For split="random".
    equal_parts : bool, default: False
        Split in halves instead; in thirds where the kernel learns weights, one of them for these.
        For split="random".
    groups : str, optional
        Text that examples of a group have in common; no group is in both parts of a split.
    group_duplicates : bool, default: True
        Keep examples with identical trees in the same part of a split.
    relevant : str, optional
        Class that f1, roc_auc, average_precision and rankings are about, if it is not called 1,
        true, yes or relevant.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.
    **training
        The other options of `train`. The seed is also that of the splits.

    Returns
    -------
    dict
        "metrics": for each metric its mean, standard_deviation (of a sample; None for a single
        value), min and max over the splits, and the 95 % "interval" of the mean (corrected
        resampled t; a bootstrap for leaving one out); "splits": the evaluation of each, as
        `Model.evaluate` returns; "pooled": that of all tested examples together. Leaving one out has
        no splits, and its metrics are those of "pooled". With several kernels these are of the
        first. "table": for each kernel and metric a row for pandas, with kernel, metric, mean,
        standard_deviation, low, high, min and max; those after the first kernel also have the
        difference from it, p_value (corrected resampled t-test), adjusted_p_value (Holm) and
        wilcoxon_p_value.

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
    options = {**keywords(cross_validate, locals(), "metric"), **training}
    kernels = [kernel] if isinstance(kernel, str) else list(kernel)
    results = _core.cross_validate(kernels, training_data(data, options.get("task")),
                                   metric_names(metric), options, threads, memory)
    table = [_row(result["kernel"], name, found)
             for result in results for name, found in result["metrics"].items()]
    for result in results:
        for found in result["metrics"].values():
            del found["compared"]
    return {**results[0], "table": table}


def _row(kernel: str, metric: str, found: dict[str, Any]) -> dict[str, Any]:
    """A row of the table."""
    interval, compared = found["interval"] or {}, found["compared"] or {}
    return {"kernel": kernel, "metric": metric,
            **{name: found[name] for name in ("mean", "standard_deviation")},
            "low": interval.get("low"), "high": interval.get("high"),
            **{name: found[name] for name in ("min", "max")},
            **{name: compared.get(name)
               for name in ("difference", "p_value", "adjusted_p_value", "wilcoxon_p_value")}}


def tune(
    kernel: str | Iterable[str], data: Dataset, *, C: float | Iterable[float] = 1.0,
    search: Mapping[str, Iterable[Any]] | None = None, metric: str | None = None, nested: int = 0,
    validation: Dataset | None = None, trials: int = 0, halving: bool = False,
    one_standard_error: bool = False, split: Literal["folds", "random", "leave-one-out"] = "folds",
    folds: int = 5, repeats: int = 1, train_fraction: float = 0.8, equal_parts: bool = False,
    groups: str | None = None, group_duplicates: bool = True, relevant: str | None = None,
    threads: int = 0, memory: int = 2**30, **training: Unpack[TrainOptions],
) -> dict[str, Any]:
    """Try kernels and parameters by cross-validation, all on the same splits.

    Matrices and vectors are computed once for all settings that share them. A warning says if the
    best value is at the edge of those tried. The score of the best is too good by the choice: measure
    it on data that were not used here, or with `nested`.

    Parameters
    ----------
    kernel : str or iterable of str
        A kernel expression or several. Lists in braces stand for numbers to try, as in
        ``"norm(sst(lambda={0.2,0.4}))"``.
    data : Dataset
        The examples.
    C : float or iterable of float
        The costs to try with each kernel; a single one is no search.
    search : dict, optional
        The values to try, as lists, of any parameters of `train`, by name; the last varies fastest.
    metric : str, optional
        What is to be best, such as "f1:HUM" or "map"; see `metrics`. Without it, accuracy, micro_f1
        where examples have several classes, or r2 for numbers.
    nested : int, default: 0
        Nested cross-validation with this many outer folds, if above 0: what tuning, and training
        with the best setting, give on examples not seen by either.
    validation : Dataset, optional
        A validation set that all settings predict, instead of cross-validation; networks stop early
        by it.
    trials : int in [0, 1000000], default: 0
        Number of settings to try, drawn at random from the grid; 0: the whole grid.
    halving : bool, default: False
        Successive halving: all settings on the first split, the better half on twice as many
        splits, and so on.
    one_standard_error : bool, default: False
        Choose the first setting within one standard error of the best: list simple values first.
    split : {"folds", "random", "leave-one-out"}, default: "folds"
        Stratified folds, stratified random splits, or leave-one-out.
    folds : int in [2, 1000000], default: 5
        Number of folds. For split="folds".
    repeats : int in [1, 1000000], default: 1
        Times that cross-validation is repeated with new folds; number of random splits. For
        split="folds" and split="random".
    train_fraction : float in (0, 1), default: 0.8
        Fraction of the examples to train on. For split="random".
    equal_parts : bool, default: False
        Split in halves instead; in thirds where the kernel learns weights, one of them for these.
        For split="random".
    groups : str, optional
        Text that examples of a group have in common; no group is in both parts of a split.
    group_duplicates : bool, default: True
        Keep examples with identical trees in the same part of a split.
    relevant : str, optional
        Class that f1, roc_auc, average_precision and rankings are about, if it is not called 1,
        true, yes or relevant.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.
    **training
        The other options of `train`.

    Returns
    -------
    dict
        "metric": its name; "points": for each setting, in the order of the grid, a dict of "kernel",
        the lists in it and the parameters by name, "score" (mean, standard_deviation, min, max over
        the splits) and the 95 % "interval" of the mean; "best": the one with the best mean, of equal
        ones the first; "table": the same as rows for pandas, with low, high, splits and chosen.
        With `nested`: "metric"; "table": a row for each outer fold, with what was chosen, its mean in
        the search and its "test" score; "score" and "interval" of the test scores.

    See Also
    --------
    cross_validate, train

    Examples
    --------
    >>> data = espalier.read("examples/questions/test.tsv")
    >>> found = espalier.tune("norm(sst(lambda={0.2,0.4}))", data, C=[1, 10, 100],
    ...                       search={"class_weight": [None, "balanced"]})
    >>> [(row["lambda"], row["C"], row["class_weight"]) for row in found["table"]][:2]
    [(0.2, 1.0, None), (0.2, 1.0, 'balanced')]
    >>> best = found["best"]
    >>> model = espalier.train(best["kernel"], data, C=best["C"], class_weight=best["class_weight"])
    """
    kernels = [kernel] if isinstance(kernel, str) else list(kernel)
    options = {**keywords(tune, locals(), "C", "search", "metric", "nested", "validation"),
               **training}
    searched = {name: list(values) for name, values in (search or {}).items()}
    if isinstance(C, Iterable):
        searched = {"C": list(C), **searched}
    elif C != 1.0:
        options["C"] = C
    core = training_data(data, options.get("task"))
    if nested:
        if validation is not None:
            raise ValueError("nested cross-validation has no validation set")
        found = _core.nested_cross_validate(kernels, core, searched, metric or "", nested, options,
                                            threads, memory)
        rows = found.pop("folds")
        return {**found, "table": [{"fold": fold, **_point_row(row), "test": row["test"]}
                                   for fold, row in enumerate(rows)]}
    held_out = None if validation is None else validation._core
    found = _core.tune(kernels, core, searched, metric or "", held_out, options, threads, memory)
    for name, value, largest in found.pop("edges"):
        warnings.warn(f"the best {name}, {value}, is the {'largest' if largest else 'smallest'} "
                      f"tried: try values {'above' if largest else 'below'} it", stacklevel=2)
    chosen = found.pop("chosen")
    table = [{**_point_row(point), "chosen": place == chosen}
             for place, point in enumerate(found["points"])]
    return {**found, "table": table}


def _point_row(point: dict[str, Any]) -> dict[str, Any]:
    """A setting as a row."""
    score, interval = point["score"], point["interval"] or {}
    return {**{name: value for name, value in point.items()
               if name not in ("score", "interval", "test")},
            "mean": score["mean"], "standard_deviation": score["standard_deviation"],
            "low": interval.get("low"), "high": interval.get("high"), "splits": score["count"]}


def learning_curve(
    kernel: str | Iterable[str], data: Dataset, *, C: float = 1.0, sizes: Iterable[int] = (),
    metric: str | None = None, split: Literal["folds", "random", "leave-one-out"] = "folds",
    folds: int = 5, repeats: int = 1, train_fraction: float = 0.8, equal_parts: bool = False,
    groups: str | None = None, group_duplicates: bool = True, relevant: str | None = None,
    threads: int = 0, memory: int = 2**30, **training: Unpack[TrainOptions],
) -> list[dict[str, Any]]:
    """Train on parts of increasing size of the training set of each split, and test on its test part.

    Parameters
    ----------
    kernel : str or iterable of str
        A kernel expression, or several, each with a curve.
    data : Dataset
        The examples.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more. For svm and linear.
    sizes : iterable of int
        Numbers of examples to train on; none: five, each half of the next, up to all.
    metric : str, optional
        Such as "f1:HUM" or "map"; see `metrics`. Without it, accuracy, micro_f1 where examples have
        several classes, or r2 for numbers.
    split : {"folds", "random", "leave-one-out"}, default: "folds"
        Stratified folds, stratified random splits, or leave-one-out.
    folds : int in [2, 1000000], default: 5
        Number of folds. For split="folds".
    repeats : int in [1, 1000000], default: 1
        Times that cross-validation is repeated with new folds; number of random splits. For
        split="folds" and split="random".
    train_fraction : float in (0, 1), default: 0.8
        Fraction of the examples to train on. For split="random".
    equal_parts : bool, default: False
        Split in halves instead; in thirds where the kernel learns weights, one of them for these.
        For split="random".
    groups : str, optional
        Text that examples of a group have in common; no group is in both parts of a split.
    group_duplicates : bool, default: True
        Keep examples with identical trees in the same part of a split.
    relevant : str, optional
        Class that f1, roc_auc, average_precision and rankings are about, if it is not called 1,
        true, yes or relevant.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.
    **training
        The other options of `train`.

    Returns
    -------
    list of dict
        For each kernel and size a row for pandas: kernel, size, metric, mean, standard_deviation,
        low and high (95 % interval over the splits), and the seconds of training and prediction,
        without the kernel matrix.

    See Also
    --------
    cross_validate

    Examples
    --------
    >>> data = espalier.read("examples/questions/test.tsv")
    >>> rows = espalier.learning_curve("norm(sst())", data, sizes=[40, 120], folds=3)
    >>> [row["size"] for row in rows], rows[0]["mean"] < rows[1]["mean"]
    ([40, 120], True)
    """
    kernels = [kernel] if isinstance(kernel, str) else list(kernel)
    options = {**keywords(learning_curve, locals(), "sizes", "metric"), **training}
    found = _core.learning_curve(kernels, training_data(data, options.get("task")), list(sizes),
                                 metric or "", options, threads, memory)
    return [{"kernel": point["kernel"], "size": point["size"], "metric": found["metric"],
             "mean": point["score"]["mean"], "standard_deviation": point["score"]["standard_deviation"],
             **(point["interval"] or {"low": None, "high": None}), "seconds": point["seconds"]["mean"]}
            for point in found["points"]]


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
