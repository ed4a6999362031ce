"""Explanations: why a model decides as it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from .data import Dataset
from .kernels import _MEMORY
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
        stack = [(forest.vertex_count - 1, -1)] if forest.vertex_count else []  # the root is the last
        while stack:
            vertex, parent = stack.pop()
            stack.extend((child, len(self.labels)) for child in reversed(forest.children(vertex).tolist()))
            self.labels.append(forest.labels[forest.label[vertex]])
            self.parents.append(parent)
            self.texts.append(forest.subtree(vertex))

    def __len__(self) -> int:
        return len(self.labels)


def contributions(estimator: Any, tree: Any, label: Any = None) -> np.ndarray:
    """What each node of a tree contributes to the score of a class: all fragments rooted there.

    The same quantity as in `Model.explain`: contributions, the bias and parts of the kernel that are
    no sums over subtrees add up to the score.

    Parameters
    ----------
    estimator : Model, or fitted classifier or regressor of this package
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
    >>> int(values.argmax())  # (VP(VBD(wrote))(NP(NNP(Emma))))
    5
    """
    model = estimator if isinstance(estimator, Model) else estimator.model_
    data = Dataset([tree])
    values = model._core.node_contributions(data._core, _class_name(estimator, model, data, label), 0, _MEMORY)
    return np.array(values) if values else np.zeros(len(Nodes(tree)))


def _class_name(estimator: Any, model: Model, data: Dataset, label: Any) -> str:
    if not model.classes:
        return ""
    if label is None:
        return model.classes[int(model.scores(data)[0].argmax())]
    classes, names = model.classes, model.classes
    if estimator is not model:
        classes, names = estimator.classes_.tolist(), estimator._class_names()
    if label not in classes:
        raise ValueError(f"there is no class {label!r}; there are {', '.join(map(str, classes))}")
    return names[classes.index(label)]
