"""Fragments of trees as sparse vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer, targets
from .kernels import expression_of
from .training import train

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class _FragmentVectors(TreeTransformer):
    """What both kinds of fragment vectors share."""

    def _rows(self, features: _core.FragmentFeatures, X: Any) -> scipy.sparse.csr_matrix:
        values, columns, begins, shape = features.transform(
            self._dataset(X)._core, *self._work().values())
        return scipy.sparse.csr_matrix((values, columns, begins), shape=shape)


class FragmentFeatures(_FragmentVectors):
    """Sparse vectors: a column for each of the fragments that an SVM weighs most.

    `fit` trains an SVM and finds its heaviest fragments, exactly. A value is that of the fragment in
    the tree: ``lambda**(s / 2)`` times its occurrences for sst with ``s`` productions, over the norm
    of the tree for a normalised kernel. A linear model on these vectors costs only the fragments
    that match; ``train(.., learner="linear", fragments=5000)`` makes one.

    Parameters
    ----------
    kernel : str or kernel
        A kernel that counts fragments: sst, st, pt, subpath or route, their norms and sums.
    top : int >= 1, default: 50
        Number of fragments of each class.
    min_size : int >= 1, default: 1
        Fewest productions (sst) or nodes of a fragment.
    max_size : int >= 0, default: 0
        Most productions (sst) or nodes of a fragment; 0: no limit.
    expansions : int >= 0, default: 0
        Stop the search of a class after extending this many fragments; 0: no limit.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    model_ : Model
        The SVM in which the fragments were found.

    See Also
    --------
    HashedFragments : All fragments up to a size, without a model.
    Model.fragments : The same fragments with their weights.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> features = espalier.FragmentFeatures("norm(sst())", top=100, C=3).fit(data, data.labels)
    >>> X = features.transform(data)
    >>> X.shape[0], X.shape[1] <= 6 * 100
    (720, True)
    >>> "(WP Who)" in features.get_feature_names_out()
    True
    """

    def __init__(
        self, kernel: str | KernelTransformer = "norm(sst())", *, top: int = 50, min_size: int = 1,
        max_size: int = 0, expansions: int = 0, C: float = 1.0, n_jobs: int | None = None,
        memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def fit(self, X: Iterable[Any], y: Any = None) -> FragmentFeatures:
        """Train an SVM and find its heaviest fragments.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence, optional
            The class or number of each; without it, the labels of a data set.

        Returns
        -------
        FragmentFeatures
            Itself.
        """
        data = self._to_fit(X)
        options = self._options()
        cost = options.pop("C")
        labelled = data.with_labels(targets(data, y).tolist())
        self.model_ = train(expression_of(self.kernel), labelled, C=cost, **self._work())
        self._compiled = _core.fragment_features(self.model_._core, options,
                                                 *self._work().values())
        self._saved = self._compiled.save()
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
            A row for each tree.
        """
        check_is_fitted(self)
        return self._rows(self._core_object(), X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The fragment of each column, in brackets.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        numpy.ndarray of str objects
        """
        check_is_fitted(self)
        return np.asarray(self._core_object().names(), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _compile(self) -> _core.FragmentFeatures:
        return _core.load_fragment_features(self._saved, self.model_._core)


class HashedFragments(_FragmentVectors):
    """Sparse vectors of all fragments up to a size, hashed to a fixed number of columns.

    A vector depends on its tree and the options alone: there is nothing to fit, and every machine
    gives the same bits. A normalised kernel has vectors of length 1.

    Parameters
    ----------
    kernel : str or kernel
        A kernel that counts fragments: sst, st, pt, subpath or route, their norms and sums.
    hash_dim : int in [0, 16777216], default: 262_144
        Number of columns that all fragments up to max_size are hashed to, a power of two.
    max_size : int in [1, 64], default: 3
        Most productions (sst) or nodes of a hashed fragment; the number of fragments grows fast
        with it. Needs `hash_dim`.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    See Also
    --------
    FragmentFeatures : Only the fragments that matter, each with a column and a name.

    References
    ----------
    Weinberger, Dasgupta, Langford, Smola and Attenberg, Feature hashing for large scale multitask
    learning, 2009.

    Examples
    --------
    >>> X = espalier.HashedFragments("sst(lambda=1)", max_size=1).transform(["(a (b x) (b x))"])
    >>> X.shape, sorted(abs(X.data).tolist())
    ((1, 262144), [1.0, 2.0])
    """

    def __init__(
        self, kernel: str | KernelTransformer = "norm(sst())", *, hash_dim: int = 262_144,
        max_size: int = 3, n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def fit(self, X: Iterable[Any], y: Any = None) -> HashedFragments:
        """Check the options: there is nothing to learn.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : ignored

        Returns
        -------
        HashedFragments
            Itself.
        """
        self._to_fit(X)
        self._compile()
        return self

    def transform(self, X: Iterable[Any]) -> scipy.sparse.csr_matrix:
        """Compute the vectors.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        scipy.sparse.csr_matrix
            A row for each tree.
        """
        return self._rows(self._compile(), X)

    @property
    def _n_features_out(self) -> int:
        return self.hash_dim

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _compile(self) -> _core.FragmentFeatures:
        return _core.hashed_fragments(expression_of(self.kernel), self._options())
