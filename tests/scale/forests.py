"""Trees for the tests of this folder."""
import random

BAD = {"broken": "(a (b", "empty": "", "null": None, "large label": "(" + "x" * 10_000_000 + ")"}


def trees(count, seed=1):
    """Small labelled trees; some occur again."""
    source = random.Random(seed)

    def tree(depth):
        label = source.choice("abcde")
        if depth == 0:
            return label if source.random() < 0.5 else f"({label})"
        return f"({label} {' '.join(tree(depth - 1) for _ in range(source.randint(1, 3)))})"

    out = []
    for _ in range(count):
        text = tree(source.randint(1, 3))
        text = text if text[0] == "(" else f"({text})"
        out.append(source.choice(out) if out and source.random() < 0.05 else text)
    return out


def labels(texts):
    """A class that the trees say."""
    return ["few" if text[1] in "ab" else "many" for text in texts]
