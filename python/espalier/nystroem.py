"""Any kernel as dense vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer, class_numbers
from .kernels import expression_of

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreeNystroem(TreeTransformer):
    """Dense vectors whose dot products approximate a kernel, by comparing with some examples.

    Between these landmarks the dot products are exact; elsewhere they are nearer with more landmarks.

    Parameters
    ----------
    kernel : str or kernel
        Any kernel expression, or one of the kernels of this package.
    landmarks : int >= 0, default: 500
        Number of landmarks for Nystroem vectors; 0: none.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}, default: "uniform"
        How landmarks are sampled. Needs `landmarks`.
    sets : int >= 1, default: 1
        Sets of landmarks, whose vectors are concatenated. Needs `landmarks`.
    set_weights : {"equal", "error"}, default: "equal"
        Weights of the sets: equal, or by their approximation error. Needs `landmarks`.
    rank_tolerance : float in [0, 1), default: 1e-10
        Drop directions whose eigenvalue is below this fraction of the largest. Needs `landmarks`.
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

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
        self, kernel: str | KernelTransformer = "norm(pt())", *, landmarks: int = 500,
        policy: Literal["uniform", "kmeans++", "leverage", "classwise", "support"] = "uniform",
        sets: int = 1, set_weights: Literal["equal", "error"] = "equal",
        rank_tolerance: float = 1e-10, random_state: Any = None, n_jobs: int | None = None,
        memory: int = 2**30,
    ) -> None:
        self._keep(locals())

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
        return self._core_object().transform(self._dataset(X)._core, *self._work().values())

    def _fitted(self, data: Any, classes: list[int], landmarks: int, policy: str) -> _core.Nystroem:
        options = {**self._options(), "landmarks": landmarks, "policy": policy}
        core = _core.nystroem(expression_of(self.kernel), options)
        core.fit(data._core, classes, *self._work().values())
        return core

    def _compile(self) -> _core.Nystroem:
        return self._fitted(*(self._again or (self.components_, [], len(self.components_), "uniform")))
