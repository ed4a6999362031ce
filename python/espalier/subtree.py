"""The subtree kernel and its features, with weights that may be learned from classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import numbered
from .data import Dataset
from .tree_kernels import NamedKernel

_SHAPES = next(row["choices"] for row in _core.parameters()["kernel:st"] if row["name"] == "f")


class SubtreeWeight(NamedTuple):
    """What a subtree says about the classes.

    Attributes
    ----------
    subtree : str
        In brackets.
    weight : float
        From 0, it says nothing, to 1, it decides alone.
    label : str
        The class that it indicates.
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


class _Subtrees(NamedKernel):
    """What the kernel and its features share: parameters, and weights that are learned."""

    _function = "st"

    def __init__(
        self, *, decay: float = 0.5,
        weight: Literal["height", "size", "productions", "uniform", "discriminance"] = "height",
        kappa: Literal["product", "min", "binary", "poly"] = "product", power: float = 2.0,
        leaves: bool = False, unordered: bool = False, labels: bool = True,
        f: Literal["identity", "smoothstep", "smoothstep2", "threshold"] = "smoothstep",
        fraction: float = 0.5, normalize: bool = True, tree: str = "", n_jobs: int | None = None,
        memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    @property
    def weights_(self) -> list[SubtreeWeight]:
        """All subtrees with a learned weight above 0, the heaviest first."""
        return self._weights(-1, 2**62)

    def top_subtrees(self, label: Any, n: int = 10) -> list[SubtreeWeight]:
        """The subtrees that say most about a class.

        Parameters
        ----------
        label
            The class.
        n : int
            The maximum number of subtrees.

        Returns
        -------
        list of SubtreeWeight
            The heaviest first.
        """
        self._check_learned()
        known = self.classes_.tolist()
        if label not in known:
            raise ValueError(f"there is no class {label!r}; there are {', '.join(map(str, known))}")
        return self._weights(known.index(label), n)

    def _learn(self, data: Dataset, y: Any) -> _core.FittedKernel:
        learns = self.weight == "discriminance"
        self.classes_, self._numbers = numbered(data, y) if learns else (np.array([]), [])
        return self._learned(data)

    def _compile(self) -> Any:
        return self._learned(self.X_fit_)

    def _learned(self, data: Dataset) -> _core.FittedKernel:
        return _core.fitted(self.expression, data._core, self._numbers, len(self.classes_))

    def _check_learned(self) -> None:
        if self.weight != "discriminance":
            raise AttributeError("only weight='discriminance' learns weights")
        check_is_fitted(self)

    def _weights(self, of_class: int, most: int) -> list[SubtreeWeight]:
        self._check_learned()
        names = self.classes_.tolist()
        rows = _core.subtree_weights(self.X_fit_._core, self.tree, self.unordered, self.labels,
                                     _SHAPES.index(self.f), self._numbers, len(names), of_class, most)
        return [SubtreeWeight(text, weight, names[c], absence, dict(zip(names, counts)))
                for text, weight, c, absence, counts in rows]


class SubtreeKernel(_Subtrees):
    """Complete subtrees that two trees share (ST).

    Weights that are learned in `fit` should not see the examples that a model is trained or tested
    on; `train` splits the examples by itself.

    Parameters
    ----------
    decay : float in [0, 1], default: 0.5
        A subtree weighs decay^(its weight).
    weight : {"height", "size", "productions", "uniform", "discriminance"}, default: "height"
        Exponent of decay; or discriminance, weights learned from the classes.
    kappa : {"product", "min", "binary", "poly"}, default: "product"
        How the counts in the two trees are combined.
    power : float in [0, 16], default: 2.0
        Exponent of kappa=poly.
    leaves : bool, default: False
        Whether single leaves count; learned weights include them.
    unordered : bool, default: False
        Whether the order of children is ignored.
    labels : bool, default: True
        Whether labels count, or only the shape.
    f : {"identity", "smoothstep", "smoothstep2", "threshold"}, default: "smoothstep"
        How learned weights grow with discriminance.
    fraction : float in [0.001, 0.999], default: 0.5
        Fraction of the training set used only to learn the weights.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of `fit`.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.
    classes_ : numpy.ndarray
        The classes that weights were learned from.

    See Also
    --------
    SubtreeFeatures : The vectors that the kernel is the dot product of.

    References
    ----------
    Vishwanathan and Smola, Fast kernels for string and tree matching, 2002. Azais and Ingels, The
    weight function in the subtree kernel is decisive, 2020.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> kernel = espalier.SubtreeKernel(weight="discriminance").fit(data, data.labels)
    >>> kernel.transform(data).shape
    (720, 720)
    >>> kernel.top_subtrees("HUM", 1)[0].subtree
    '(Who)'
    """


class SubtreeFeatures(_Subtrees):
    """Sparse vectors: a column for each subtree of the trees of `fit`.

    Their dot products are the subtree kernel.

    Parameters
    ----------
    decay : float in [0, 1], default: 0.5
        A subtree weighs decay^(its weight).
    weight : {"height", "size", "productions", "uniform", "discriminance"}, default: "height"
        Exponent of decay; or discriminance, weights learned from the classes.
    kappa : {"product", "min", "binary", "poly"}, default: "product"
        How the counts in the two trees are combined.
    power : float in [0, 16], default: 2.0
        Exponent of kappa=poly.
    leaves : bool, default: False
        Whether single leaves count; learned weights include them.
    unordered : bool, default: False
        Whether the order of children is ignored.
    labels : bool, default: True
        Whether labels count, or only the shape.
    f : {"identity", "smoothstep", "smoothstep2", "threshold"}, default: "smoothstep"
        How learned weights grow with discriminance.
    fraction : float in [0.001, 0.999], default: 0.5
        Fraction of the training set used only to learn the weights.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of `fit`.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.
    classes_ : numpy.ndarray
        The classes that weights were learned from.

    See Also
    --------
    SubtreeKernel : The dot products of all pairs.

    Examples
    --------
    >>> features = espalier.SubtreeFeatures(normalize=False, leaves=True, weight="uniform")
    >>> features.fit_transform(["(a b b)", "(a c)"]).toarray().tolist()
    [[2.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    >>> features.get_feature_names_out().tolist()
    ['(b)', '(a(b)(b))', '(c)', '(a(c))']
    """

    def fit(self, X: Iterable[Any], y: Any = None) -> SubtreeFeatures:
        """Find the subtrees, and learn weights if that is asked for.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence, optional
            The classes that weights are learned from; without it, the labels of a data set.

        Returns
        -------
        SubtreeFeatures
            Itself.
        """
        super().fit(X, y)
        self._compiled = self._compile()
        self._n_features_out = len(self._compiled.names())
        return self

    def transform(self, X: Iterable[Any]) -> scipy.sparse.csr_matrix:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        scipy.sparse.csr_matrix
            A row for each tree. Subtrees that `fit` did not meet have no column.
        """
        check_is_fitted(self)
        values, columns, begins, shape = self._core_object().transform(
            self._dataset(X)._core, *self._work().values())
        return scipy.sparse.csr_matrix((values, columns, begins), shape=shape)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The subtree of each column, in brackets.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        numpy.ndarray of str objects
        """
        check_is_fitted(self)
        return np.asarray(self._core_object().names(), dtype=object)

    def _compile(self) -> _core.ExplicitFeatures:
        features = _core.ExplicitFeatures(self._learned(self.X_fit_))
        features.fit(self.X_fit_._core)
        return features
