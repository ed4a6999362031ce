"""Kernels of trees as transformers: Gram matrices in pipelines of scikit-learn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from .base import TreeTransformer
from .kernels import diagonal


class KernelTransformer(TreeTransformer):
    """Base of all kernels: `fit` keeps the trees of the columns, `transform` computes a matrix.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.
    """

    @property
    def expression(self) -> str:
        """The kernel as an expression, for `gram`, `train` or the program."""
        raise NotImplementedError

    def fit(self, X: Iterable[Any], y: Any = None) -> KernelTransformer:
        """Keep the trees of the columns.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : ignored

        Returns
        -------
        The kernel itself.
        """
        data = self._to_fit(X)
        kernel = self._learn(data, y)
        self.X_fit_ = data
        self.kernel_ = str(kernel)
        self._n_features_out = len(data)
        self._compiled = kernel
        return self

    def transform(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the kernels of trees with those of `fit`.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            A row for each of them, a column for each tree of `fit`.
        """
        check_is_fitted(self)
        rows, columns = self._dataset(X)._core, self.X_fit_._core
        return _core.fitted_gram(self._core_object(), rows, None if rows is columns else columns,
                                 **self._work())

    def fit_transform(self, X: Iterable[Any], y: Any = None) -> np.ndarray:
        """Keep the trees and compute the symmetric matrix of their kernels.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : ignored

        Returns
        -------
        numpy.ndarray
        """
        self.fit(X, y)
        return self.transform(self.X_fit_)

    def diagonal(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the kernel of each tree with itself.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
        """
        return diagonal(self.expression, self._dataset(X), **self._work())

    def _learn(self, data: Any, y: Any) -> _core.FittedKernel:
        """The kernel, with what it has learned from classes."""
        return _core.fitted(self.expression, data._core, [], 0)

    def _compile(self) -> Any:
        return self._learn(self.X_fit_, None)


class TreeKernel(KernelTransformer):
    """Any kernel that an expression can say, as a transformer.

    Parameters
    ----------
    kernel : str
        The expression; `describe_kernels` lists what it may hold. One about vectors or pairs needs a
        `Dataset` that has these.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    See Also
    --------
    gram : The same as a function.

    Examples
    --------
    >>> kernel = espalier.TreeKernel("norm(sst()) + norm(subpath())")
    >>> kernel.fit_transform(["(a b)", "(a c)"]).round(3).tolist()
    [[2.0, 0.417], [0.417, 2.0]]
    """

    def __init__(
        self, kernel: str = "norm(pt())", *, n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    @property
    def expression(self) -> str:
        """The kernel as an expression, for `gram`, `train` or the program."""
        return self.kernel


class NamedKernel(KernelTransformer):
    """Base of the kernels with a class of their own: their parameters make the expression."""

    _function: str  # in expressions

    @property
    def expression(self) -> str:
        """The kernel as an expression, for `gram`, `train` or the program."""
        values = [f"{name}={_written(value)}" for name, value in self._options().items()
                  if name != "normalize" and value is not None]
        arguments = ([_written(self.tree)] if self.tree else []) + values
        inside = f"{self._function}({', '.join(arguments)})"
        return f"norm({inside})" if self.normalize else inside


def _written(value: Any) -> str:
    """A value as expressions write it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(float(value))
