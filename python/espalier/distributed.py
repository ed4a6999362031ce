"""Trees as dense vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from .base import TreeTransformer, seed_of, threads_of
from .kernels import _MEMORY


class DistributedTrees(TreeTransformer):
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
    random_state : int, RandomState or None
        The seed of the vectors of labels; None is the seed of the program, 1.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

    Attributes
    ----------
    seed_ : int
        The seed that `fit` took.

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
        random_state: Any = None,
        tree: str = "",
        n_jobs: int | None = None,
        memory: int = _MEMORY,
    ) -> None:
        self.dimension = dimension
        self.decay = decay
        self.compose = compose
        self.fragments = fragments
        self.arity = arity
        self.random_state = random_state
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory

    def fit(self, X: Iterable[Any], y: Any = None) -> DistributedTrees:
        """Check the options: there is nothing to learn.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : ignored

        Returns
        -------
        DistributedTrees
            Itself.
        """
        self._to_fit(X)
        self.seed_ = seed_of(self.random_state)
        self._compile()
        return self

    def transform(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            A row of float32 for each; zeros for an example without a tree.
        """
        data = self._dataset(X)
        return self._compile().transform(data._core, self.tree, threads_of(self.n_jobs), self.memory)

    def quantized(self, X: Iterable[Any]) -> tuple[np.ndarray, np.ndarray]:
        """Compute the vectors with one byte a number, for search.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        codes : numpy.ndarray
            A row of int8 for each example.
        scales : numpy.ndarray
            What to multiply each row with to get the vector.
        """
        data = self._dataset(X)
        codes, scales = self._compile().quantized(data._core, self.tree, threads_of(self.n_jobs),
                                                      self.memory)
        return codes, np.array(scales, dtype=np.float32)

    @property
    def _n_features_out(self) -> int:
        return self.dimension

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _compile(self) -> _core.DistributedTrees:
        seed = self.seed_ if hasattr(self, "seed_") else seed_of(self.random_state)
        return _core.distributed_trees(self.dimension, self.decay, self.compose, self.fragments,
                                       self.arity, seed)
