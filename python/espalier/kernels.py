"""Kernel values between the examples of data sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .data import as_dataset

if TYPE_CHECKING:
    from .tree_kernels import TreeKernel

_MEMORY = 2**30


def gram(
    kernel: str | TreeKernel,
    data: Iterable[Any],
    columns: Iterable[Any] | None = None,
    *,
    dtype: str | type = "float64",
    threads: int = 0,
    memory: int = _MEMORY,
) -> np.ndarray:
    """Compute the matrix of kernel values between examples.

    Other threads run meanwhile, and Ctrl-C stops it. The result does not depend on `threads` or
    `memory`, to the bit.

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, such as ``"norm(sst(lambda=0.4))"``; `describe_kernels` lists them. Or
        one of the kernels of this package, as ``PartialTreeKernel()``.
    data : Dataset or sequence of trees
        The examples of the rows; `Dataset` says what a tree may be.
    columns : Dataset or sequence of trees, optional
        The examples of the columns; without it, those of the rows, and the matrix is symmetric.
    dtype : {"float64", "float32"}
        The type of the result; sums run in double precision either way.
    threads : int
        How many threads; 0 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

    Returns
    -------
    numpy.ndarray
        Of shape (rows, columns), or (kernels, rows, columns) when the expression is a sweep, as in
        ``"sst(lambda={0.2,0.4})"``.

    Raises
    ------
    Error
        If the expression is wrong, a tree is missing, or a value does not fit the type.

    See Also
    --------
    diagonal, kernel

    Examples
    --------
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> G = espalier.gram("norm(sst(lambda=0.4))", data)
    >>> G.shape, bool((G == G.T).all()), float(G[0, 0])
    ((5, 5), True, 1.0)
    """
    kind = np.dtype(dtype)
    if kind not in (np.float32, np.float64):
        raise TypeError(f"dtype is float32 or float64, not {kind}")
    other = None if columns is None else as_dataset(columns)._core
    single = kind == np.float32
    return _core.gram(expression_of(kernel), as_dataset(data)._core, other, single, threads, memory)


def kernel(
    kernel: str | TreeKernel, a: Iterable[Any], b: Iterable[Any], *, threads: int = 0,
    memory: int = _MEMORY
) -> np.ndarray:
    """Compute the kernel of each example of `a` with the one of `b` in the same place.

    Parameters
    ----------
    kernel : str or kernel
        As in `gram`.
    a, b : Dataset or sequence of trees
        Two of the same length.
    threads, memory : int
        As in `gram`.

    Returns
    -------
    numpy.ndarray
        One value for each example.

    See Also
    --------
    gram, diagonal

    Examples
    --------
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> espalier.kernel("norm(pt())", data, data).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    first, second = as_dataset(a)._core, as_dataset(b)._core
    return np.array(_core.aligned(expression_of(kernel), first, second, threads, memory))


def diagonal(
    kernel: str | TreeKernel, data: Iterable[Any], *, threads: int = 0, memory: int = _MEMORY
) -> np.ndarray:
    """Compute the kernel of each example with itself.

    Parameters
    ----------
    kernel : str or kernel
        As in `gram`.
    data : Dataset or sequence of trees
        The examples.
    threads, memory : int
        As in `gram`.

    Returns
    -------
    numpy.ndarray
        One value for each example.

    See Also
    --------
    gram, kernel

    Examples
    --------
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> bool((espalier.diagonal("sst()", data) > 0).all())
    True
    """
    examples = as_dataset(data)._core
    return np.array(_core.aligned(expression_of(kernel), examples, examples, threads, memory))


def describe_kernels() -> str:
    """List all kernels with their parameters, defaults and ranges.

    Returns
    -------
    str
        A text for people to read.

    Examples
    --------
    >>> "sst" in espalier.describe_kernels()
    True
    """
    return _core.describe_kernels()


def expression_of(kernel: str | TreeKernel) -> str:
    """The expression of a kernel, which may be an expression already."""
    return kernel if isinstance(kernel, str) else kernel.expression
