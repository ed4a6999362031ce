"""Any kernel as dense vectors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from . import _core
from .data import Dataset
from .errors import Error
from .kernels import _MEMORY


class Nystroem:
    """Dense vectors whose dot products approximate a kernel, by comparing with some examples.

    Between these landmarks the dot products are exact; elsewhere they are nearer with more landmarks.

    Parameters
    ----------
    kernel : str
        Any kernel expression.
    landmarks : int
        How many; all examples if there are not so many.
    policy : {"uniform", "kmeans++", "leverage", "classwise"}
        Which examples: any; some far from each other; those that others say little about; or the
        same number of each class.
    seed : int
        Of the choice.
    sets : int
        So many sets of landmarks, each with a vector of its own: one row holds them all.
    set_weights : {"equal", "error"}
        Whether all sets count the same, or less where they are less exact.
    tolerance : float
        Directions whose eigenvalue is below this share of the largest are dropped.
    threads, memory : int
        As in `gram`.

    Attributes
    ----------
    landmarks_ : numpy.ndarray
        After `fit`: where the landmarks stood in the data.

    See Also
    --------
    train : ``learner="linear", landmarks=500`` learns on such vectors.

    References
    ----------
    Williams and Seeger, Using the Nystroem method to speed up kernel machines, 2001.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> X = espalier.Nystroem("norm(sst())", landmarks=100).fit_transform(data)
    >>> X.shape, X.dtype.name
    ((720, 100), 'float32')
    >>> exact = espalier.gram("norm(sst())", data)
    >>> bool(abs(X @ X.T - exact).mean() < 0.05)
    True
    """

    def __init__(
        self,
        kernel: str,
        *,
        landmarks: int = 500,
        policy: str = "uniform",
        seed: int = 1,
        sets: int = 1,
        set_weights: str = "equal",
        tolerance: float = 1e-10,
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        self.policy = policy
        self.seed = seed
        self.sets = sets
        self.set_weights = set_weights
        self.tolerance = tolerance
        self.threads = threads
        self.memory = memory

    def fit(self, X: Dataset, y: Iterable | None = None) -> Nystroem:
        """Choose the landmarks.

        Parameters
        ----------
        X : Dataset
            The examples to choose from.
        y : iterable, optional
            The class of each example, for classwise; without it the labels of the data.

        Returns
        -------
        Nystroem
            Itself.
        """
        options = {
            "landmarks": self.landmarks,
            "policy": self.policy,
            "seed": self.seed,
            "sets": self.sets,
            "set_weights": self.set_weights,
        }
        core = _core.nystroem(self.kernel, options, self.tolerance)
        classes = []
        if self.policy == "classwise":
            numbers: dict[str, int] = {}
            labels = X.labels if y is None else y
            classes = [numbers.setdefault(repr(label), len(numbers)) for label in labels]
        core.fit(X._core, classes, self.threads, self.memory)
        self._core = core
        self.landmarks_ = np.array(core.chosen())
        return self

    def transform(self, X: Dataset) -> np.ndarray:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset
            The examples, those of `fit` or others.

        Returns
        -------
        numpy.ndarray
            A row of float32 for each: as many numbers as landmarks, or fewer if directions were dropped.
        """
        if not hasattr(self, "_core"):
            raise Error("fit() chooses the landmarks: call it first")
        return self._core.transform(X._core, self.threads, self.memory)

    def fit_transform(self, X: Dataset, y: Iterable | None = None) -> np.ndarray:
        """Choose landmarks and compute the vectors of the same examples."""
        return self.fit(X, y).transform(X)
