"""Explanations: why a model decides as it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from .data import Dataset
from .model import Model


class Nodes:
    """The nodes of one tree, in preorder.

    Parameters
    ----------
    tree
        A tree as `Dataset` takes it.

    Attributes
    ----------
    labels : list of str
    parents : list of int
        The place of each node's parent; -1 for the root.
    texts : list of str
        The subtree at each node, in brackets.

    Examples
    --------
    >>> from espalier.explain import Nodes
    >>> nodes = Nodes("(a (b c) d)")
    >>> nodes.labels, nodes.parents
    (['a', 'b', 'c', 'd'], [-1, 0, 1, 0])
    """

    def __init__(self, tree: Any, format: str | None = None) -> None:
        forest = Dataset([tree], format=format).forest()
        self.labels: list[str] = []
        self.parents: list[int] = []
        self.texts: list[str] = []
        self._begins: list[int] = []  # where each subtree begins in the text of the tree
        stack = [(forest.vertex_count - 1, -1, 0)] if forest.vertex_count else []  # the root is the last
        while stack:
            vertex, parent, begin = stack.pop()
            children = forest.children(vertex).tolist()
            text = forest.subtree(vertex)
            lengths = [len(forest.subtree(child)) for child in children]
            places = begin + len(text) - 1 - sum(lengths) + np.cumsum([0, *lengths])
            below = [(child, len(self.labels), int(place)) for child, place in zip(children, places)]
            stack.extend(reversed(below))
            self.labels.append(forest.labels[forest.label[vertex]])
            self.parents.append(parent)
            self.texts.append(text)
            self._begins.append(begin)

    def __len__(self) -> int:
        return len(self.labels)

    def without(self, node: int) -> str:
        """The tree without the subtree at a node, in brackets; empty without the root."""
        begin, length = self._begins[node], len(self.texts[node])
        return self.texts[0][:begin] + self.texts[0][begin + length:]


def contributions(estimator: Any, tree: Any, label: Any = None) -> np.ndarray:
    """How much the subtree at each node of a tree adds to the score of a class.

    This is what the score falls by when the subtree is taken out, so it works for every kernel and
    model; what two subtrees say together counts for both.

    Parameters
    ----------
    estimator : fitted classifier, regressor or Model
        What has scores: ``decision_function``, numbers that it predicts, or ``Model.scores``.
    tree
        A tree as `Dataset` takes it.
    label : optional
        The class; without it, the one that is predicted. None for numbers.

    Returns
    -------
    numpy.ndarray
        A value for each node, in preorder.

    See Also
    --------
    espalier.plot.tree : Draws them.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> estimator = espalier.TreeSVC("norm(sst())").fit(data)
    >>> tree = "(SBARQ (WHNP (WP Who)) (SQ (VP (VBD wrote) (NP (NNP Emma)))) (. ?))"
    >>> values = espalier.contributions(estimator, tree)
    >>> int(values[1:].argmax())  # the subtree (WHNP(WP(Who)))
    0
    """
    nodes = Nodes(tree)
    parts = [nodes.without(node) for node in range(len(nodes))]
    trees = Dataset([*nodes.texts[:1], *parts] or [""], format="brackets")
    scores = _scores(estimator, trees, label)
    return scores[0] - scores[1:]


def _scores(estimator: Any, trees: Dataset, label: Any) -> np.ndarray:
    if isinstance(estimator, Model):
        scores, classes = estimator.scores(trees), estimator.classes
    elif hasattr(estimator, "decision_function"):
        scores, classes = estimator.decision_function(trees), estimator.classes_.tolist()
        if scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
    else:
        return estimator.predict(trees)
    if scores.ndim == 1:
        return scores
    if label is not None and label not in classes:
        raise ValueError(f"there is no class {label!r}; there are {', '.join(map(str, classes))}")
    return scores[:, int(scores[0].argmax()) if label is None else classes.index(label)]
