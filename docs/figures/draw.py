"""Draws the fragments that each kernel counts in one small tree, as SVG files beside this script.

Example: .venv/bin/python docs/figures/draw.py
"""

from itertools import combinations, product
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TREE = ("VP", (("V", (("eats", ()),)), ("NP", (("fish", ()),))))
COLUMNS = 8


def nodes(tree):
    yield tree
    for child in tree[1]:
        yield from nodes(child)


def subtrees(tree):
    """ST: a node with all that is below it; single leaves do not count by default."""
    return [node for node in nodes(tree) if node[1]]


def expansions(node):
    """SST, from this node down: every node keeps all of its children or none."""
    options = [[(child[0], ())] + (expansions(child) if child[1] else []) for child in node[1]]
    return [(node[0], children) for children in product(*options)]


def partials(node):
    """PT, from this node down: every node keeps any subsequence of its children."""
    out = []
    for count in range(len(node[1]) + 1):
        for chosen in combinations(node[1], count):
            out += [(node[0], children) for children in product(*map(partials, chosen))]
    return out


def paths(node):
    """Subpath, from this node down: one child at most below each node."""
    return [(node[0], ())] + [(node[0], (path,)) for child in node[1] for path in paths(child)]


def leaves(tree):
    return sum(map(leaves, tree[1])) or 1


def draw(ax, tree, x=0.0, depth=0):
    """Draws the tree with its leftmost leaf at x and returns the place of its root."""
    places, at = [], x
    for child in tree[1]:
        places.append(draw(ax, child, at, depth + 1))
        at += leaves(child)
    place = (places[0] + places[-1]) / 2 if places else x
    for below in places:
        ax.plot([place, below], [-depth - 0.3, -depth - 0.7], color="#6f9460", linewidth=1)
    ax.text(place, -depth, tree[0], ha="center", va="center", color="#333333")
    return place


def sheet(path, fragments):
    """All fragments side by side, the whole tree first on a tinted ground."""
    cells = [TREE, *fragments]
    columns, rows = min(COLUMNS, len(cells)), -(-len(cells) // COLUMNS)
    figure, axes = plt.subplots(rows, columns, figsize=(1.15 * columns, 1.25 * rows), squeeze=False,
                                gridspec_kw={"wspace": 0.06, "hspace": 0.06, "left": 0.005, "right": 0.995,
                                             "bottom": 0.01, "top": 0.99})
    for i, ax in enumerate(axes.flat):
        ax.set(xticks=[], yticks=[], ylim=(-2.6, 0.5))
        if i >= len(cells):
            ax.axis("off")
            continue
        middle = (leaves(cells[i]) - 1) / 2
        ax.set(xlim=(middle - 1.1, middle + 1.1), facecolor="#eef4ea" if i == 0 else "#ffffff")
        ax.spines[:].set_color("#cfc8b8")
        draw(ax, cells[i])
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main():
    # Text stays text, and the same picture is the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "espalier", "font.size": 10})
    kinds = {
        "st": subtrees(TREE),
        "sst": [f for node in subtrees(TREE) for f in expansions(node)],
        "pt": [f for node in nodes(TREE) for f in partials(node)],
        "subpath": [f for node in nodes(TREE) for f in paths(node)],
    }
    for name, fragments in kinds.items():
        sheet(Path(__file__).with_name(f"{name}.svg"), fragments)
        print(f"{name}: {len(fragments)} fragments")


if __name__ == "__main__":
    main()
