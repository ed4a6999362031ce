"""Pictures of trees, matrices and what was learned. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .explain import Nodes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .subtree import SubtreeFeatures, SubtreeKernel


def tree(tree: Any, contributions: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw a tree.

    Parameters
    ----------
    tree
        A tree as `Dataset` takes it.
    contributions : array, optional
        A number for each node in preorder, as `espalier.contributions` computes: nodes above 0 are
        blue, those below orange, as on the pages of `espalier explain`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> ax = espalier.plot.tree("(S (NP dog) (VP barks))")
    >>> sorted(text.get_text() for text in ax.texts)
    ['NP', 'S', 'VP', 'barks', 'dog']
    """
    nodes = Nodes(tree)
    values = np.zeros(len(nodes)) if contributions is None else np.asarray(contributions, dtype=float)
    if len(values) != len(nodes):
        raise ValueError(f"the tree has {len(nodes)} nodes, but there are {len(values)} contributions")
    places, depths = _layout(nodes)
    ax = _axes(ax, (max(3, 0.7 * (places.max(initial=0) + 1)), max(2, 0.7 * (depths.max(initial=0) + 1))))
    colours = _for_and_against(values / (np.abs(values).max(initial=0) or 1))
    for node, parent in enumerate(nodes.parents):
        if parent >= 0:
            ax.plot(places[[parent, node]], -depths[[parent, node]], color="0.6", linewidth=1, zorder=1)
        shown = "white" if contributions is None else colours[node]
        ax.text(places[node], -depths[node], nodes.labels[node], ha="center", va="center", zorder=2,
                bbox={"boxstyle": "round,pad=0.25", "facecolor": shown, "edgecolor": "none"})
    ax.set_xlim(-0.7, places.max(initial=0) + 0.7)
    ax.set_ylim(-depths.max(initial=0) - 0.5, 0.5)
    ax.axis("off")
    return ax


def gram(matrix: Any, labels: Sequence[Any] | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw a Gram matrix as a picture, the examples of a class beside each other.

    Parameters
    ----------
    matrix : array
        Square, as `espalier.gram` computes.
    labels : sequence, optional
        The class of each example.
    ax : matplotlib.axes.Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> data = espalier.read("examples/questions/test.tsv")
    >>> ax = espalier.plot.gram(espalier.gram("norm(pt())", data), data.labels)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
    """
    values = np.asarray(matrix)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"a Gram matrix is square, not of shape {values.shape}")
    ax = _axes(ax, (6, 5))
    names: np.ndarray = np.array([])
    sizes: np.ndarray = np.array([])
    if labels is not None:
        classes = np.asarray([str(label) for label in labels])
        if len(classes) != len(values):
            raise ValueError(f"{len(values)} examples, but {len(classes)} labels")
        order = np.argsort(classes, kind="stable")
        values = values[np.ix_(order, order)]
        names, sizes = np.unique(classes, return_counts=True)
    image = ax.imshow(values, cmap="viridis", interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="kernel")
    ends = np.cumsum(sizes)
    for end in ends[:-1]:
        ax.axhline(end - 0.5, color="white", linewidth=0.8)
        ax.axvline(end - 0.5, color="white", linewidth=0.8)
    middles = ends - np.asarray(sizes) / 2 - 0.5
    ax.set_yticks(middles, names)
    ax.set_xticks(middles, names, rotation=90)
    return ax


def training_curve(history: Mapping[str, Sequence[float]] | Sequence[Mapping[str, float]], *,
                   ax: Axes | None = None) -> Axes:
    """Draw how something changed from epoch to epoch.

    Parameters
    ----------
    history : mapping, or sequence of mappings
        For each name, such as "loss", its values; the first is that of epoch 1. Or for each epoch the
        value of each name, as `Model.curve`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> ax = espalier.plot.training_curve({"loss": [1.2, 0.7, 0.5]})
    >>> ax.get_xlabel(), len(ax.lines)
    ('epoch', 1)
    """
    if not isinstance(history, Mapping):
        history = {name: [epoch[name] for epoch in history] for name in (history[0] if history else ())}
    ax = _axes(ax, (6, 4))
    for name, values in history.items():
        ax.plot(range(1, len(values) + 1), values, marker=".", label=name)
    ax.set_xlabel("epoch")
    ax.grid(True, color="0.9")
    if len(history) == 1:
        ax.set_ylabel(next(iter(history)))
    elif history:
        ax.legend()
    return ax


def discriminance(kernel: SubtreeKernel | SubtreeFeatures, n: int = 20, *, ax: Axes | None = None) -> Axes:
    """Draw which subtrees indicate which class.

    Each circle is a subtree: its column and colour are the class, its row how high it is, its area
    how much it weighs. Filled if its presence indicates the class, hollow if its absence does. The
    heaviest of each column has its text.

    Parameters
    ----------
    kernel : SubtreeKernel or SubtreeFeatures
        Fitted, with ``weight="discriminance"``.
    n : int
        The most subtrees of a class.
    ax : matplotlib.axes.Axes, optional
        Where to draw; without it, in a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> kernel = espalier.SubtreeKernel(weight="discriminance").fit(data)
    >>> ax = espalier.plot.discriminance(kernel)
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
    """
    names = kernel.classes_.tolist()
    ax = _axes(ax, (1.6 * len(names) + 1.5, 5))
    colours = _plt().get_cmap("tab10")
    for column, name in enumerate(names):
        subtrees = kernel.top_subtrees(name, n)
        heights = [_height(subtree.subtree) for subtree in subtrees]
        taken: dict[int, int] = {}
        for place, (subtree, height) in enumerate(zip(subtrees, heights)):
            # The heaviest of a row in the middle, the others to its left and right.
            k = taken[height] = taken.get(height, -1) + 1
            x = column + (-1) ** k * ((k + 1) // 2) * min(0.16, 0.8 / heights.count(height))
            colour = colours(column % 10)
            ax.scatter(x, height, s=10 + 500 * subtree.weight, edgecolors=[colour], alpha=0.8,
                       facecolors="none" if subtree.by_absence else [colour])
            if place == 0:
                ax.annotate(_short(subtree.subtree), (x, height), xytext=(0, 14), fontsize=8,
                            textcoords="offset points", ha="center")
    ax.set_xticks(range(len(names)), [str(name) for name in names])
    ax.set_ylabel("height of the subtree")
    ax.locator_params(axis="y", integer=True)
    ax.margins(x=0.1, y=0.15)
    return ax


def _plt() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("espalier.plot needs matplotlib: pip install matplotlib") from error
    return plt


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    return _plt().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def _for_and_against(values: np.ndarray) -> np.ndarray:
    """From orange at -1 to blue at 1."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("", ["#f0914f", "white", "#4ba3dd"])((values + 1) / 2)


def _layout(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """Where nodes stand: leaves side by side, parents above the middle of their children; and depths."""
    places, depths = np.zeros(len(nodes)), np.zeros(len(nodes))
    below: list[list[int]] = [[] for _ in range(len(nodes))]
    for node, parent in enumerate(nodes.parents):
        if parent >= 0:
            below[parent].append(node)
            depths[node] = depths[parent] + 1
    right = 0.0
    for node, children in enumerate(below):
        if not children:
            # Half the length of the labels, so that they do not overlap.
            width = max(1.0, 0.16 * len(nodes.labels[node]) + 0.3)
            places[node] = right + width / 2 - 0.5
            right += width
    for node in range(len(nodes) - 1, -1, -1):
        if below[node]:
            places[node] = (places[below[node][0]] + places[below[node][-1]]) / 2
    return places, depths


def _height(text: str) -> int:
    nodes = Nodes(text, format="brackets")
    return int(_layout(nodes)[1].max())


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:22] + ".."
