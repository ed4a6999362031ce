"""The distinct subtrees of a data set."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from . import _core


class Forest:
    """All trees of one name, each distinct complete subtree stored once.

    A *vertex* is one distinct subtree. Vertices are numbered from 0, children before parents. Made
    by `Dataset.forest`.

    Attributes
    ----------
    tree_count : int
        Trees, of all examples and members of pairs that have one of this name.
    node_count : int
        Nodes of all trees together, before sharing.
    vertex_count : int
        Distinct subtrees.
    production_count : int
        Distinct productions: a label with the labels of its children.

    Examples
    --------
    >>> forest = espalier.read("examples/formats/questions.tsv").forest()
    >>> forest
    Forest(5 trees, 76 nodes, 63 distinct subtrees)
    >>> tallest = forest.height.argmax()
    >>> forest.subtree(tallest)
    '(SBARQ(WHNP(WP(Who)))(SQ(VP(VBD(wrote))(NP(NNP(Faust)))))(.(?)))'
    >>> [forest.labels[forest.label[child]] for child in forest.children(tallest)]
    ['WHNP', 'SQ', '.']
    """

    def __init__(self, core: _core.Forest) -> None:
        self._core = core
        self.tree_count: int = core.tree_count
        self.node_count: int = core.node_count
        self.vertex_count: int = core.vertex_count
        self.production_count: int = core.production_count

    @cached_property
    def labels(self) -> list[str]:
        """The distinct labels of nodes, in order of first appearance."""
        return self._core.labels()

    @cached_property
    def label(self) -> np.ndarray:
        """Per vertex: the label of its root, as a place in `labels`. Read-only."""
        return self._core.vertex_labels()

    @cached_property
    def height(self) -> np.ndarray:
        """Per vertex: its height, 0 for a leaf. Read-only."""
        return self._core.heights()

    @cached_property
    def size(self) -> np.ndarray:
        """Per vertex: its number of nodes. Read-only."""
        return self._core.sizes()

    @cached_property
    def production(self) -> np.ndarray:
        """Per vertex: a number that is equal where a root and its children have equal labels.
        Read-only."""
        return self._core.productions()

    def children(self, vertex: int) -> np.ndarray:
        """The vertices below a vertex, in order."""
        return self._core.children(vertex)

    def subtree(self, vertex: int) -> str:
        """What a vertex stands for, in brackets."""
        return self._core.subtree(vertex)

    def __repr__(self) -> str:
        return (f"Forest({self.tree_count} trees, {self.node_count} nodes, "
                f"{self.vertex_count} distinct subtrees)")
