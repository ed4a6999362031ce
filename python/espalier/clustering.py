"""Groups of similar trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer
from .kernels import diagonal, expression_of, gram

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreeKMeans(ClusterMixin, TreeTransformer):
    """Kernel k-means: clusters in the space of a kernel.

    Parameters
    ----------
    n_clusters : int >= 1, default: 8
        Number of clusters.
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    n_init : int >= 1, default: 10
        Random initialisations, of which the best is kept.
    max_iter : int >= 1, default: 100
        Iterations per initialisation, at most.
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    labels_ : numpy.ndarray
        The cluster of each tree of `fit`; the largest cluster is 0.
    inertia_ : float
        The sum of the squared distances from the centres.
    n_iter_ : int
        Iterations of the best start.
    X_fit_ : Dataset
        The trees of `fit`.

    References
    ----------
    Dhillon, Guan and Kulis, Kernel k-means, spectral clustering and normalized cuts, 2004.

    Examples
    --------
    >>> trees = ["(a b)", "(a b b)", "(a b b b)", "(x y)", "(x y y)"]
    >>> espalier.TreeKMeans(2).fit_predict(trees).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self, n_clusters: int = 8, *, kernel: str | KernelTransformer = "norm(pt())",
        n_init: int = 10, max_iter: int = 100, random_state: Any = None, n_jobs: int | None = None,
        memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def fit(self, X: Iterable[Any], y: Any = None) -> TreeKMeans:
        """Find the clusters.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : ignored

        Returns
        -------
        TreeKMeans
            Itself.
        """
        data = self._to_fit(X)
        labels, distances, cost, iterations, _ = _core.cluster(
            expression_of(self.kernel), data._core, self._options(), **self._work())
        self.labels_ = labels.astype(np.int32)
        self.inertia_ = cost
        self.n_iter_ = iterations
        self.X_fit_ = data
        self._n_features_out = self.n_clusters
        # |centre|^2 = mean of d(x, centre)^2 subtracted from the mean of K(x, x).
        self._centres = (self._means(self._diagonal(data)) - self._means(distances)).tolist()
        return self

    def transform(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the distances from the centres.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            A row for each tree, a column for each cluster.
        """
        check_is_fitted(self)
        data = self._dataset(X)
        kernels = gram(self.kernel, data, self.X_fit_, **self._work())
        squares = self._diagonal(data)[:, None] - 2 * self._means(kernels.T).T + np.array(self._centres)
        return np.sqrt(np.maximum(squares, 0))

    def predict(self, X: Iterable[Any]) -> np.ndarray:
        """Find the nearest centre of each tree.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
        """
        return self.transform(X).argmin(axis=1).astype(np.int32)

    def _diagonal(self, data: Any) -> np.ndarray:
        return diagonal(self.kernel, data, **self._work())

    def _means(self, values: np.ndarray) -> np.ndarray:
        """The mean over the examples of each cluster."""
        return np.array([values[self.labels_ == c].mean(axis=0) for c in range(self.n_clusters)])
