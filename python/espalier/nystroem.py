"""Any kernel as dense vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer, class_numbers, seed_of, threads_of
from .kernels import _MEMORY, expression_of

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreeNystroem(TreeTransformer):
    """Dense vectors whose dot products approximate a kernel, by comparing with some examples.

    Between these landmarks the dot products are exact; elsewhere they are nearer with more landmarks.

    Parameters
    ----------
    kernel : str or kernel
        Any kernel expression, or one of the kernels of this package.
    landmarks : int
        How many; all examples if there are not so many.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}
        Which examples: any; some far from each other; those that others say little about; the
        same number of each class; or those likely to be support vectors of a linear SVM.
    random_state : int, RandomState or None
        The seed of the choice; None is the seed of the program, 1.
    sets : int
        So many sets of landmarks, each with a vector of its own: one row holds them all.
    set_weights : {"equal", "error"}
        Whether all sets count the same, or less where they are less exact.
    tolerance : float
        Directions whose eigenvalue is below this share of the largest are dropped.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

    Attributes
    ----------
    landmarks_ : numpy.ndarray
        Where the landmarks stood in the data.
    components_ : Dataset
        The landmarks.

    See Also
    --------
    train : ``learner="linear", landmarks=500`` learns on such vectors.

    References
    ----------
    Williams and Seeger, Using the Nystroem method to speed up kernel machines, 2001.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> X = espalier.TreeNystroem("norm(sst())", landmarks=100).fit_transform(data)
    >>> X.shape, X.dtype.name
    ((720, 100), 'float32')
    >>> exact = espalier.gram("norm(sst())", data)
    >>> bool(abs(X @ X.T - exact).mean() < 0.05)
    True
    """

    def __init__(
        self,
        kernel: str | KernelTransformer = "norm(pt())",
        *,
        landmarks: int = 500,
        policy: str = "uniform",
        random_state: Any = None,
        sets: int = 1,
        set_weights: str = "equal",
        tolerance: float = 1e-10,
        n_jobs: int | None = None,
        memory: int = _MEMORY,
    ) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        self.policy = policy
        self.random_state = random_state
        self.sets = sets
        self.set_weights = set_weights
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.memory = memory

    def fit(self, X: Iterable[Any], y: Any = None) -> TreeNystroem:
        """Choose the landmarks.

        Parameters
        ----------
        X : Dataset or sequence of trees
            The examples to choose from.
        y : sequence, optional
            The class of each example, for classwise and support; without it, the labels of a data set.

        Returns
        -------
        TreeNystroem
            Itself.
        """
        data = self._to_fit(X)
        labels = data.labels if y is None else list(y)
        classes = class_numbers(labels) if self.policy in ("classwise", "support") else []
        core = self._fitted(data, classes, self.landmarks, self.policy)
        # What gives the same vectors again: the landmarks alone, unless they were dealt into sets.
        self._again = (data, classes, self.landmarks, self.policy) if self.sets > 1 else None
        self.landmarks_ = np.array(core.chosen())
        self.components_ = data[self.landmarks_]
        self._n_features_out = core.rank()
        self._compiled = core
        return self

    def transform(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset or sequence of trees
            The examples, those of `fit` or others.

        Returns
        -------
        numpy.ndarray
            A row of float32 for each: as many numbers as landmarks, or fewer if directions were dropped.
        """
        check_is_fitted(self)
        return self._core_object().transform(self._dataset(X)._core, threads_of(self.n_jobs), self.memory)

    def _fitted(self, data: Any, classes: list[int], landmarks: int, policy: str) -> _core.Nystroem:
        options = {"landmarks": landmarks, "policy": policy, "seed": seed_of(self.random_state),
                   "sets": self.sets, "set_weights": self.set_weights}
        core = _core.nystroem(expression_of(self.kernel), options, self.tolerance)
        core.fit(data._core, classes, threads_of(self.n_jobs), self.memory)
        return core

    def _compile(self) -> _core.Nystroem:
        return self._fitted(*(self._again or (self.components_, [], len(self.components_), "uniform")))
