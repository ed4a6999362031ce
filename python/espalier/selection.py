"""Approximate tree kernels: only nodes with selected labels are compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .base import keywords
from .data import as_dataset
from .kernels import expression_of

if TYPE_CHECKING:
    from .tree_kernels import TreeKernel


def select_labels(
    kernel: str | TreeKernel, data: Iterable[Any], *, top: int = 0, budget: float = 0.1,
    supervised: bool = False, sample: int = 200, seed: int = 1, threads: int = 0,
    memory: int = 2**30,
) -> dict[str, Any]:
    """Select labels for an approximate tree kernel, which is faster on large trees.

    The gain of a label is its part of the mean kernel of two examples; supervised, of that within
    the classes minus that between them. Its cost is its part of all pairs of nodes with equal
    labels. Those with the largest gain by cost are selected, or the given number of those with the
    largest gain.

    Parameters
    ----------
    kernel : str or kernel
        As in `gram`, with one of sst, pt, subpath and route in it.
    data : Dataset or sequence of trees
        The examples, with classes if `supervised`.
    top : int >= 0, default: 0
        Number of labels with the largest gain; 0: as many as the budget allows.
    budget : float in (0, 1], default: 0.1
        Fraction of the expected cost of the full kernel.
    supervised : bool, default: False
        Choose labels that distinguish the classes.
    sample : int >= 0, default: 200
        Number of examples to choose by; 0: all.
    seed : int >= 0, default: 1
        Random seed of the sample.
    threads : int in [0, 1024], default: 0
        Number of threads; 0: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Returns
    -------
    dict
        "kernel": the expression with `select`; "labels": a dict for each label, with its label,
        gain, cost and whether it is selected; "sample": the places of the examples that they were
        selected by.

    See Also
    --------
    compare_kernels

    References
    ----------
    Rieck, Krueger, Brefeld and Mueller, Approximate tree kernels, 2010.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> espalier.select_labels("norm(sst())", data, top=3, supervised=True)["kernel"]
    'norm(select(sst(), labels=[ROOT, SBARQ, SQ]))'
    """
    options = keywords(select_labels, locals())
    return _core.select_labels(expression_of(kernel), as_dataset(data)._core, options, threads, memory)


def compare_kernels(
    kernel: str | TreeKernel, other: str | TreeKernel, data: Iterable[Any], *, threads: int = 0,
    memory: int = 2**30,
) -> dict[str, Any]:
    """Measure what another kernel, such as one with selected labels, gains and loses.

    Parameters
    ----------
    kernel, other : str or kernel
        As in `gram`.
    data : Dataset or sequence of trees
        The examples.
    threads, memory : int
        As in `gram`.

    Returns
    -------
    dict
        "seconds" and "seconds_selected": for the Gram matrix by `kernel` and by `other`, the
        shortest of three in turn, and "speed_up", their ratio; "correlation" between the two over
        all pairs of examples; "accuracy" and "accuracy_selected": of an SVM in 5-fold
        cross-validation, None if the examples have no classes.

    See Also
    --------
    select_labels

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> effect = espalier.compare_kernels("norm(pt())", "norm(sst())", data)
    >>> effect["accuracy"] > 0.8, effect["correlation"] > 0.5
    (True, True)
    """
    return _core.compare_kernels(expression_of(kernel), expression_of(other), as_dataset(data)._core,
                                 threads, memory)
