"""Trees as dense vectors."""

from __future__ import annotations

import numpy as np

from . import _core
from .data import Dataset
from .kernels import _MEMORY


class DistributedTrees:
    """Dense vectors whose dot products estimate a tree kernel.

    A vector depends on its tree and the options alone: there is nothing to fit, and every machine
    gives the same bits.

    Parameters
    ----------
    dimension : int
        Numbers in a vector. The error of a dot product falls with its square root.
    decay : float
        Lambda of the kernel.
    compose : {"product", "convolution"}
        How the vectors of nodes are combined; a convolution needs a power of two as dimension.
    fragments : {"subset_trees", "subtrees", "subpaths"}
        Dot products estimate ``sst``, ``st(weight=productions)`` or ``subpath``, divided by the decay.
    arity : bool
        Whether the vector of a node depends on its number of children; False is the formula of the
        papers, which is biased.
    seed : int
        Of the vectors of labels.
    tree : str
        The name of the tree; "" for the only one.
    threads, memory : int
        As in `gram`.

    See Also
    --------
    gram : The exact kernel, which is faster where all pairs are wanted.

    Examples
    --------
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> X = espalier.DistributedTrees(dimension=4096).transform(data)
    >>> X.shape, X.dtype.name
    ((5, 4096), 'float32')
    >>> exact = espalier.gram("sst(lambda=0.4)", data) / 0.4
    >>> bool((abs(X @ X.T - exact) < 1).all())
    True
    """

    def __init__(
        self,
        *,
        dimension: int = 8192,
        decay: float = 0.4,
        compose: str = "product",
        fragments: str = "subset_trees",
        arity: bool = True,
        seed: int = 1,
        tree: str = "",
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> None:
        self.dimension = dimension
        self.decay = decay
        self.compose = compose
        self.fragments = fragments
        self.arity = arity
        self.seed = seed
        self.tree = tree
        self.threads = threads
        self.memory = memory

    def fit(self, X: Dataset, y: object = None) -> DistributedTrees:
        """Do nothing but check the options, as there is nothing to learn."""
        self._core()
        return self

    def transform(self, X: Dataset) -> np.ndarray:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset
            The examples.

        Returns
        -------
        numpy.ndarray
            A row of float32 for each; zeros for an example without a tree.
        """
        return self._core().transform(X._core, self.tree, self.threads, self.memory)

    def fit_transform(self, X: Dataset, y: object = None) -> np.ndarray:
        """Compute the vectors: the same as `transform`."""
        return self.transform(X)

    def quantized(self, X: Dataset) -> tuple[np.ndarray, np.ndarray]:
        """Compute the vectors with one byte a number, for search.

        Parameters
        ----------
        X : Dataset
            The examples.

        Returns
        -------
        codes : numpy.ndarray
            A row of int8 for each example.
        scales : numpy.ndarray
            What to multiply each row with to get the vector.
        """
        codes, scales = self._core().quantized(X._core, self.tree, self.threads, self.memory)
        return codes, np.array(scales, dtype=np.float32)

    def _core(self) -> _core.DistributedTrees:
        return _core.distributed_trees(
            self.dimension, self.decay, self.compose, self.fragments, self.arity, self.seed
        )
