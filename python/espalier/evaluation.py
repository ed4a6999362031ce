"""Metrics with confidence intervals, and tests whether systems differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from .base import keywords
from .data import Dataset
from .model import Model


def metrics() -> list[dict[str, Any]]:
    """The metrics that `estimate`, `compare`, `cross_validate` and `tune` know.

    Returns
    -------
    list of dict
        For each its name, what may follow its name after a colon (argument), the task, whether
        greater_is_better, and help.

    Examples
    --------
    >>> [row["name"] for row in espalier.metrics()][:3]
    ['accuracy', 'macro_precision', 'macro_recall']
    """
    return _core.metrics()


def metric_names(metric: str | Iterable[str] | None) -> list[str]:
    """The names in one argument: none, one or several."""
    if metric is None:
        return []
    return [metric] if isinstance(metric, str) else list(metric)


def _lists(labels: Iterable[Any]) -> list[list[str]]:
    """The classes of each example, as text."""
    return [[str(one)] if isinstance(one, str) or np.ndim(one) == 0 else [str(c) for c in one]
            for one in labels]


def _is_number(labels: Sequence[Any]) -> bool:
    return np.asarray(labels).dtype.kind == "f" if len(labels) and np.ndim(labels[0]) == 0 else False


def _truth_of(truth: Dataset | Sequence[Any]) -> Sequence[Any]:
    return list(truth.labels) if isinstance(truth, Dataset) else truth


def _groups_of(groups: Any, truth: Dataset | Sequence[Any]) -> list[int]:
    """The number of each example's group."""
    if groups is None:
        return []
    if isinstance(groups, str):
        if not isinstance(truth, Dataset):
            raise TypeError("groups names a text of the data: truth must be a Dataset, or groups a list")
        groups = truth.texts(groups)
    return [int(number) for number in np.unique(np.asarray(list(groups), dtype=str), return_inverse=True)[1]]


def _outcomes(system: Any, truth: Dataset | Sequence[Any], groups: Any, relevant: str | None,
              classes: Sequence[str] | None) -> dict[str, Any]:
    """What the compiled part takes."""
    scores: Any = None
    if isinstance(system, Model):
        if not isinstance(truth, Dataset):
            raise TypeError("a Model predicts a Dataset: pass that as truth")
        predicted: Any = system.predict(truth)
        if system.task == "classification":
            scores, classes = system.scores(truth), system.classes
    elif isinstance(system, tuple) and len(system) == 2 and np.ndim(system[1]) == 2:
        predicted, scores = system
    else:
        predicted = system
    expected = _truth_of(truth)
    out: dict[str, Any] = {"classes": [], "truth": [], "predicted": [], "scores": [], "true_numbers": [],
                           "numbers": [], "groups": _groups_of(groups, truth), "relevant": relevant}
    if len(predicted) != len(expected):
        raise ValueError(f"there are {len(predicted)} predictions for {len(expected)} examples")
    if _is_number(expected):
        return {**out, "true_numbers": [float(x) for x in expected], "numbers": [float(x) for x in predicted]}
    if scores is not None and classes is None:
        raise ValueError("classes names the columns of the scores")
    true_lists, lists = _lists(expected), _lists(predicted)
    names = [str(c) for c in classes or []]
    names += sorted({c for one in true_lists + lists for c in one} - set(names))
    number = {name: i for i, name in enumerate(names)}
    return {**out, "classes": names, "truth": [[number[c] for c in one] for one in true_lists],
            "predicted": [[number[c] for c in one] for one in lists],
            "scores": [] if scores is None else np.asarray(scores, dtype=float).tolist()}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """The interval as two columns."""
    interval = row.pop("interval") or {"low": None, "high": None}
    return {**row, **interval}


def estimate(
    system: Any, truth: Dataset | Sequence[Any], *, metric: str | Iterable[str] | None = None,
    groups: Any = None, relevant: str | None = None, classes: Sequence[str] | None = None,
    resamples: int = 2000, confidence: float = 0.95, seed: int = 1, threads: int = 0,
    memory: int = 2**30,
) -> list[dict[str, Any]]:
    """Metrics with bootstrap confidence intervals.

    Parameters
    ----------
    system : Model, sequence, or tuple of two
        A model; the predicted labels or numbers (float); or labels and scores, an array with a
        column for each of `classes`.
    truth : Dataset or sequence
        The labelled examples, or their labels.
    metric : str or iterable of str, optional
        Such as "accuracy", "f1:HUM" or "precision_at:5"; see `metrics`. Without it, the usual ones.
    groups : str or sequence, optional
        The text that defines groups, or the group of each example: these are ranked, and resampled
        together.
    relevant : str, optional
        The class that f1, roc_auc, average_precision and rankings are about, if it is not called 1,
        true, yes or relevant.
    classes : sequence of str, optional
        The columns of the scores.
    resamples : int in [0, 1000000000], default: 2000
        Resamples for confidence intervals and permutation tests; 0: none.
    confidence : float in (0, 1), default: 0.95
        Level of confidence intervals.
    seed : int >= 0, default: 1
        Random seed.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Returns
    -------
    list of dict
        For each metric its name ("metric"), value, low and high; a table for pandas. An interval
        that would say nothing, because all resamples have the same value, is None.

    Examples
    --------
    >>> espalier.estimate(["a", "b", "b", "a"], ["a", "b", "a", "a"], metric="accuracy")[0]["value"]
    0.75
    """
    options = keywords(estimate, locals(), "metric", "groups", "relevant", "classes")
    outcomes = _outcomes(system, truth, groups, relevant, classes)
    return [_flat(row) for row in _core.estimate(metric_names(metric), outcomes, options, threads, memory)]


def compare(
    systems: Mapping[str, Any], truth: Dataset | Sequence[Any], *,
    metric: str | Iterable[str] | None = None, groups: Any = None, relevant: str | None = None,
    classes: Sequence[str] | None = None, resamples: int = 2000, confidence: float = 0.95,
    seed: int = 1, threads: int = 0, memory: int = 2**30,
) -> list[dict[str, Any]]:
    """Test whether systems differ on the same examples.

    Accuracy is tested by McNemar's exact test; all else, and accuracy with groups, by a permutation
    test that exchanges the predictions of random examples or groups.

    Parameters
    ----------
    systems : dict
        Two or more by name, each as for `estimate`; they are compared with the first.
    truth : Dataset or sequence
        The labelled examples, or their labels.
    metric : str or iterable of str, optional
        As for `estimate`.
    groups : str or sequence, optional
        As for `estimate`.
    relevant : str, optional
        As for `estimate`.
    classes : sequence of str, optional
        As for `estimate`.
    resamples : int in [0, 1000000000], default: 2000
        Resamples for confidence intervals and permutation tests; 0: none.
    confidence : float in (0, 1), default: 0.95
        Level of confidence intervals.
    seed : int >= 0, default: 1
        Random seed.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Returns
    -------
    list of dict
        For each metric and system but the first: system, metric, a (its value), b (that of the
        first), difference, low and high (its interval), test, p_value, and adjusted_p_value for
        several systems (Holm); a table for pandas.

    Examples
    --------
    >>> rows = espalier.compare({"one": list("abab"), "two": list("aaab")}, list("abab"), metric="accuracy")
    >>> rows[0]["system"], rows[0]["difference"], rows[0]["p_value"]
    ('two', -0.25, 1.0)
    """
    if len(systems) < 2:
        raise ValueError("name at least two systems")
    options = keywords(compare, locals(), "metric", "groups", "relevant", "classes")
    names = list(systems)
    if classes is None and not any(isinstance(s, Model) for s in systems.values()):
        classes = _common_classes(systems.values(), truth)
    outcomes = [_outcomes(systems[name], truth, groups, relevant, classes) for name in names]
    rows = []
    for name, other in zip(names[1:], outcomes[1:]):
        found = _core.compare(metric_names(metric), other, outcomes[0], options, threads, memory)
        rows += [{"system": name, **_flat(row)} for row in found]
    for each in dict.fromkeys(row["metric"] for row in rows):
        group = [row for row in rows if row["metric"] == each]
        p_values = [row["p_value"] for row in group]
        adjusted = _core.holm(p_values) if None not in p_values else p_values
        for row, p_value in zip(group, adjusted):
            row["adjusted_p_value"] = p_value
    return rows


def _common_classes(systems: Iterable[Any], truth: Dataset | Sequence[Any]) -> list[str] | None:
    """The classes that occur in any of them, so that all systems number them in the same way."""
    expected = _truth_of(truth)
    if _is_number(expected) or any(isinstance(s, tuple) for s in systems):
        return None
    return sorted({c for labels in [expected, *systems] for one in _lists(labels) for c in one})
