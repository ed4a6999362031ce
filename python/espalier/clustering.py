"""Groups of similar trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer, seed_of, threads_of
from .kernels import _MEMORY, diagonal, expression_of, gram

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreeKMeans(ClusterMixin, TreeTransformer):
    """Kernel k-means: clusters in the space of a kernel.

    Parameters
    ----------
    n_clusters : int
        How many.
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    n_init : int
        Starts, of which the best counts.
    max_iter : int
        Iterations of each start at most.
    random_state : int, RandomState or None
        The seed of the starts; None is the seed of the program, 1.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space. A Gram matrix, of 4 bytes for each pair, beyond it is an error.

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

    def __init__(self, n_clusters: int = 8, *, kernel: str | KernelTransformer = "norm(pt())",
                 n_init: int = 10, max_iter: int = 100, random_state: Any = None,
                 n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory

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
            expression_of(self.kernel), data._core, self.n_clusters, self.n_init, self.max_iter,
            seed_of(self.random_state), threads_of(self.n_jobs), self.memory)
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

    def _work(self) -> dict[str, Any]:
        return {"threads": threads_of(self.n_jobs), "memory": self.memory}

    def _diagonal(self, data: Any) -> np.ndarray:
        return diagonal(self.kernel, data, **self._work())

    def _means(self, values: np.ndarray) -> np.ndarray:
        """The mean over the examples of each cluster."""
        return np.array([values[self.labels_ == c].mean(axis=0) for c in range(self.n_clusters)])
