"""The two-class model of the paper, to see how many trees a kernel needs.

Each class has a template; the two share no subtree but leaves. A tree of a class is its template after one
edit: a height h is drawn from a binomial distribution, a node of that height is drawn, and the subtree below
it is replaced by a random one of the same height, made of labels of its own.
"""
import random

LEAF = "leaf"


def random_tree(rng, height, alphabet, widest=3):
    """A tree of exactly this height, as (label, children)."""
    if height == 0:
        return (LEAF, ())
    children = [random_tree(rng, rng.randrange(height), alphabet, widest) for _ in range(rng.randint(0, widest - 1))]
    children.insert(rng.randint(0, len(children)), random_tree(rng, height - 1, alphabet, widest))
    return (rng.choice(alphabet), tuple(children))


def height(tree):
    return 1 + max(map(height, tree[1])) if tree[1] else 0


def paths(tree, path=()):
    """Where all nodes are, with their heights."""
    yield path, height(tree)
    for i, child in enumerate(tree[1]):
        yield from paths(child, path + (i,))


def replaced(tree, path, new):
    if not path:
        return new
    children = list(tree[1])
    children[path[0]] = replaced(children[path[0]], path[1:], new)
    return (tree[0], tuple(children))


def sample(rng, template, chance):
    """A template of height H after one edit at a height drawn from Binomial(H, chance)."""
    top = height(template)
    at = sum(rng.random() < chance for _ in range(top))
    path = rng.choice([path for path, h in paths(template) if h == at])
    return replaced(template, path, random_tree(rng, at, ["x", "y", "z"]))


def text(tree):
    return "(" + tree[0] + "".join(map(text, tree[1])) + ")"


def data(seed, count, top=6, chance=0.5):
    """`count` trees of each class, one class after the other in turn."""
    rng = random.Random(seed)
    templates = [random_tree(rng, top, alphabet) for alphabet in (["a", "b"], ["c", "d"])]
    for _ in range(count):
        for label, template in enumerate(templates):
            yield f"class{label}", text(sample(rng, template, chance))
