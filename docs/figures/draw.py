"""Draws the fragments that each kernel counts in one small tree, as SVG files beside this script.

Example: python3 docs/figures/draw.py
"""

from itertools import combinations, product
from pathlib import Path

TREE = ("VP", (("V", (("eats", ()),)), ("NP", (("fish", ()),))))
LEVEL, GAP, CHARACTER = 34, 16, 8


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


def width(tree):
    below = sum(map(width, tree[1])) + GAP * max(0, len(tree[1]) - 1)
    return max(CHARACTER * len(tree[0]) + 6, below)


def height(tree):
    return 1 + max(map(height, tree[1]), default=0)


def draw(tree, x, y):
    """SVG elements of the tree with its top left corner at x, y; and the middle of its root."""
    below = sum(map(width, tree[1])) + GAP * max(0, len(tree[1]) - 1)
    at = x + (width(tree) - below) / 2
    parts, middles = [], []
    for child in tree[1]:
        drawn, middle = draw(child, at, y + LEVEL)
        parts.append(drawn)
        middles.append(middle)
        at += width(child) + GAP
    middle = (middles[0] + middles[-1]) / 2 if middles else x + width(tree) / 2
    lines = "".join(f'<path d="M{middle:g} {y + 16:g}L{m:g} {y + LEVEL + 2:g}"/>' for m in middles)
    label = f'<text x="{middle:g}" y="{y + 13:g}">{tree[0]}</text>'
    return f"{lines}{label}{''.join(parts)}", middle


def sheet(fragments, columns=8):
    """All fragments side by side, the whole tree first on a tinted ground."""
    cell_width = max(map(width, [TREE, *fragments])) + 26
    cell_height = LEVEL * height(TREE) + 18
    cells = [TREE, *fragments]
    rows = -(-len(cells) // columns)
    out = []
    for i, tree in enumerate(cells):
        x, y = i % columns * cell_width, i // columns * cell_height
        fill = "#eef4ea" if i == 0 else "#ffffff"
        out.append(
            f'<rect x="{x + 3}" y="{y + 3}" width="{cell_width - 6}" height="{cell_height - 6}" '
            f'rx="6" fill="{fill}" stroke="#cfc8b8"/>'
        )
        out.append(draw(tree, x + (cell_width - width(tree)) / 2, y + 12)[0])
    total = cell_width * min(columns, len(cells)), cell_height * rows
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]} {total[1]}" '
        f'width="{total[0]}" height="{total[1]}" font-family="system-ui, sans-serif" font-size="13" '
        f'text-anchor="middle" stroke="#6f9460" fill="#333">'
        f'<g><style>text{{stroke:none}}</style>{"".join(out)}</g></svg>\n'
    )


def main():
    kinds = {
        "st": subtrees(TREE),
        "sst": [f for node in subtrees(TREE) for f in expansions(node)],
        "pt": [f for node in nodes(TREE) for f in partials(node)],
        "subpath": [f for node in nodes(TREE) for f in paths(node)],
    }
    for name, fragments in kinds.items():
        Path(__file__).with_name(f"{name}.svg").write_text(sheet(fragments), encoding="utf-8")
        print(f"{name}: {len(fragments)} fragments")


if __name__ == "__main__":
    main()
