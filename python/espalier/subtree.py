"""The subtree kernel as a transformer, with weights that may be learned from classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .data import Dataset
from .kernels import _MEMORY

_SHAPES = ("identity", "smoothstep", "smoothstep2", "threshold")


class SubtreeWeight(NamedTuple):
    """What a subtree says about the classes.

    Attributes
    ----------
    subtree : str
        In brackets.
    weight : float
        From 0, it says nothing, to 1, it decides alone.
    label : str
        The class that it speaks for.
    by_absence : bool
        Whether trees of that class lack it, or have it.
    trees : dict
        How many trees of each class contain it.
    """

    subtree: str
    weight: float
    label: str
    by_absence: bool
    trees: dict[str, int]


class SubtreeKernel:
    """Gram matrices of the subtree kernel.

    Parameters
    ----------
    tree : str
        The name of the tree; "" for the only one.
    weight : {"height", "size", "productions", "uniform", "discriminance"}
        What a subtree weighs; "discriminance" learns it from the classes that `fit` gets.
    decay : float
        Base of weights that are not learned.
    kappa : {"product", "min", "binary", "poly"}
        How the counts in two trees are combined.
    f : {"smoothstep", "identity", "smoothstep2", "threshold"}
        How learned weights rise with discriminance.
    leaves, unordered, labels : bool
        Whether single leaves count, order is ignored, labels count.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    threads, memory : int
        As in `gram`.

    See Also
    --------
    train : Splits the examples by itself, into those for weights and those for the machine.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> kernel = espalier.SubtreeKernel(weight="discriminance").fit(data)
    >>> kernel.transform(data).shape
    (720, 720)
    >>> kernel.top_subtrees("HUM", 1)[0].subtree
    '(Who)'
    """

    def __init__(
        self,
        *,
        tree: str = "",
        weight: str = "height",
        decay: float = 0.5,
        kappa: str = "product",
        f: str = "smoothstep",
        leaves: bool = False,
        unordered: bool = False,
        labels: bool = True,
        normalize: bool = True,
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> None:
        self.tree = tree
        self.weight = weight
        self.decay = decay
        self.kappa = kappa
        self.f = f
        self.leaves = leaves
        self.unordered = unordered
        self.labels = labels
        self.normalize = normalize
        self.threads = threads
        self.memory = memory

    def fit(self, X: Dataset, y: Sequence[str] | None = None) -> SubtreeKernel:
        """Keep the examples as columns, and learn weights from them if that is asked for.

        Weights learned here should not see the examples that a machine is trained or tested on.

        Parameters
        ----------
        X : Dataset
            The examples.
        y : sequence of str, optional
            Their classes; without it, the labels of the data.

        Returns
        -------
        SubtreeKernel
            This.

        Raises
        ------
        Error
            If weights are to be learned and an example has no class, or several.
        """
        classes = X.labels if y is None else list(y)
        self.classes_ = sorted({str(c) for c in classes}) if self._learns() else []
        self._numbers = [self.classes_.index(str(c)) for c in classes] if self._learns() else []
        if self._learns() and len(self._numbers) != len(X):
            raise ValueError(f"{len(X)} examples, but {len(self._numbers)} classes")
        self._data = X
        self._kernel = _core.fitted(self._expression(), X._core, self._numbers, len(self.classes_))
        return self

    def transform(self, X: Dataset) -> np.ndarray:
        """Compute the kernels of these examples with those of `fit`.

        Parameters
        ----------
        X : Dataset
            The examples.

        Returns
        -------
        numpy.ndarray
            A row for each of them, a column for each example of `fit`.
        """
        columns = None if X is self._data else self._data._core
        return _core.fitted_gram(self._kernel, X._core, columns, self.threads, self.memory)

    def fit_transform(self, X: Dataset, y: Sequence[str] | None = None) -> np.ndarray:
        """Do `fit`, then `transform` the same examples."""
        return self.fit(X, y).transform(X)

    def features(self, X: Dataset) -> Any:
        """Compute the sparse vectors that the kernel is the dot product of.

        Parameters
        ----------
        X : Dataset
            The examples.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row for each of them, a column for each subtree of the examples of `fit`.
        """
        import scipy.sparse

        features = _core.ExplicitFeatures(self._kernel)
        features.fit(self._data._core)
        values, columns, begins, shape = features.transform(X._core)
        return scipy.sparse.csr_matrix((values, columns, begins), shape=shape)

    @property
    def weights_(self) -> list[SubtreeWeight]:
        """All subtrees with a learned weight above 0, the heaviest first."""
        return self._weights(-1, 2**62)

    def top_subtrees(self, label: str, n: int = 10) -> list[SubtreeWeight]:
        """The subtrees that say most about a class.

        Parameters
        ----------
        label : str
            The class.
        n : int
            At most so many.

        Returns
        -------
        list of SubtreeWeight
            The heaviest first.
        """
        if label not in self.classes_:
            raise ValueError(f"there is no class {label!r}; there are {', '.join(self.classes_)}")
        return self._weights(self.classes_.index(label), n)

    def _learns(self) -> bool:
        return self.weight == "discriminance"

    def _expression(self) -> str:
        flags = {"leaves": self.leaves, "unordered": self.unordered, "labels": self.labels}
        values = [f"decay={self.decay!r}", f"weight={self.weight}", f"kappa={self.kappa}", f"f={self.f}"]
        values += [f"{name}={str(bool(value)).lower()}" for name, value in flags.items()]
        inside = f"st({', '.join(([self.tree] if self.tree else []) + values)})"
        return f"norm({inside})" if self.normalize else inside

    def _weights(self, of_class: int, most: int) -> list[SubtreeWeight]:
        if not self._learns():
            raise AttributeError("only weight='discriminance' learns weights")
        rows = _core.subtree_weights(self._data._core, self.tree, self.unordered, self.labels,
                                     _SHAPES.index(self.f), self._numbers, len(self.classes_), of_class, most)
        return [SubtreeWeight(text, weight, self.classes_[c], absence, dict(zip(self.classes_, counts)))
                for text, weight, c, absence, counts in rows]
