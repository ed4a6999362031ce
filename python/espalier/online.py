"""Classifiers for streams of trees, with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .base import targets
from .estimators import TreeClassifier

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreePassiveAggressive(TreeClassifier):
    """Learns one tree after the other, and keeps a margin; for streams.

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    rule : {"pa", "pa1", "pa2"}, default: "pa1"
        Update rule: pa (no limit), pa1 (PA-I) or pa2 (PA-II).
    C : float > 0, default: 1.0
        pa1, pa2: largest step, called C in the paper; small for noisy labels.
    max_iter : int >= 1, default: 5
        Passes over the training set.
    shuffle : bool, default: True
        Shuffle the examples in each epoch.
    budget : int >= 0, default: 0
        Largest number of support vectors; 0: no limit.
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    classes_ : numpy.ndarray
        The classes, sorted.
    model_ : Model
        What was learned.
    n_iter_ : int
        How often `fit` saw each example.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Online passive-aggressive algorithms, 2006.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> clf = espalier.TreePassiveAggressive("norm(sst())")
    >>> for start in range(0, len(data), 240):
    ...     part = data[start:start + 240]
    ...     clf = clf.partial_fit(part, part.labels, classes=data.class_names)
    >>> bool(clf.score(data, data.labels) > 0.9)
    True
    """

    _learner = {"learner": "pa"}
    _names = {**TreeClassifier._names, "C": "aggressiveness", "max_iter": "epochs"}

    def __init__(
        self, kernel: str | KernelTransformer = "norm(pt())", *,
        rule: Literal["pa", "pa1", "pa2"] = "pa1", C: float = 1.0, max_iter: int = 5,
        shuffle: bool = True, budget: int = 0, random_state: Any = None, n_jobs: int | None = None,
        memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def fit(self, X: Iterable[Any], y: Any = None) -> TreePassiveAggressive:
        """Learn from trees and their classes, `max_iter` times.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence, optional
            The class of each; without it, the labels of a data set.

        Returns
        -------
        TreePassiveAggressive
            Itself.
        """
        super().fit(X, y)
        self.n_iter_ = self.max_iter
        return self

    def partial_fit(self, X: Iterable[Any], y: Any = None, classes: Any = None) -> TreePassiveAggressive:
        """Go on learning from some more trees, each seen once, in order.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence, optional
            The class of each; without it, the labels of a data set.
        classes : sequence, optional
            All classes that will ever come; needed in the first call only.

        Returns
        -------
        TreePassiveAggressive
            Itself.
        """
        data = self._to_fit(X)
        y = targets(data, y)
        first = not hasattr(self, "model_")
        if first:
            if classes is None:
                raise ValueError("the first call of partial_fit needs all classes")
            self.classes_ = np.unique(np.asarray(classes))
            self.multilabel_ = False
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"the class {unknown[0]!r} is none of those of the first call")
        examples = self._numbered(data, y)
        if first:
            self.model_ = self._train(examples, epochs=1, shuffle=False)
        else:
            self.model_.continue_training(examples, epochs=1, shuffle=False, **self._work())
        return self
