"""Trees as dense vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from . import _core
from .base import TreeTransformer, seed_of
from .errors import Error


class DistributedTrees(TreeTransformer):
    """Dense vectors whose dot products estimate a tree kernel.

    A vector depends on its tree and the options alone: there is nothing to fit, and every machine
    gives the same bits.

    Parameters
    ----------
    dim : int in [1, 16777216], default: 8192
        Dimension of the vectors; the error falls with 1/sqrt(dim).
    decay : float in [0, 1], default: 0.4
        A fragment weighs lambda^(expanded nodes - 1). Called lambda in kernel expressions.
    compose : {"product", "convolution"}, default: "product"
        How the vectors of nodes are combined; convolution needs a power of two as dim.
    fragments : {"subset_trees", "subtrees", "subpaths"}, default: "subset_trees"
        Fragments to embed: estimates sst, st(weight=productions) or subpath.
    recipe : {"signs", "papers"}, default: "signs"
        signs: labels of +-1, shuffled within slices, without the mean of a convolution; papers: as
        published, normally distributed labels, full permutations, no arity.
    arity : bool, default: True
        Whether a node's vector depends on its number of children (recipe=signs).
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    normalize : bool, default: False
        Scale each vector to length 1, which always fits single precision.
    on_error : {"stop", "zero"}, default: "stop"
        Vectors outside the range of single precision: raise an error, or zeros and a warning.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

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
    >>> X = espalier.DistributedTrees(dim=4096).transform(data)
    >>> X.shape, X.dtype.name
    ((5, 4096), 'float32')
    >>> exact = espalier.gram("sst(lambda=0.4)", data) / 0.4
    >>> bool((abs(X @ X.T - exact) < 1).all())
    True
    """

    def __init__(
        self, *, dim: int = 8192, decay: float = 0.4,
        compose: Literal["product", "convolution"] = "product",
        fragments: Literal["subset_trees", "subtrees", "subpaths"] = "subset_trees",
        recipe: Literal["signs", "papers"] = "signs", arity: bool = True, random_state: Any = None,
        normalize: bool = False, on_error: Literal["stop", "zero"] = "stop", tree: str = "",
        n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

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
        rows, outside = self._compile().transform(data._core, self.tree, self.normalize,
                                                  *self._work().values())
        self._report(outside)
        return rows

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
        codes, scales, outside = self._compile().quantized(
            data._core, self.tree, self.normalize, *self._work().values())
        self._report(outside)
        return codes, np.array(scales, dtype=np.float32)

    @property
    def _n_features_out(self) -> int:
        return self.dim

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _report(self, outside: list[int]) -> None:
        if not outside:
            return
        if self.on_error == "stop":
            raise Error(
                f"example {outside[0] + 1}: its vector is outside the range of single precision; "
                'normalize=True gives vectors of length 1, which always fit, and on_error="zero" goes on')
        names = ", ".join(str(i + 1) for i in outside[:10]) + (", .." if len(outside) > 10 else "")
        warnings.warn(f"{len(outside)} vectors outside the range of single precision are zeros: examples {names}",
                      stacklevel=3)

    def _compile(self) -> _core.DistributedTrees:
        seed = self.seed_ if hasattr(self, "seed_") else seed_of(self.random_state)
        return _core.distributed_trees({**self._options(), "seed": seed})
