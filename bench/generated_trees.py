"""Labelled trees like those of sentences, for benchmarks of learning: phrases over parts of speech over words.

Words and rules have Zipf's frequencies. One word in four is drawn from words that its class prefers, and one label in
twenty is wrong: learnable, not trivial. The trees of a smaller number are the first ones of a larger number.
"""

import bisect
import random
from itertools import accumulate

WORDS, TAGS, PHRASES = 20_000, 30, 20


class Zipf:
    """Numbers below `count`, the k-th with a probability proportional to 1 / (k + 1)."""

    def __init__(self, count):
        self.sums = list(accumulate(1 / (k + 1) for k in range(count)))

    def __call__(self, source):
        return bisect.bisect(self.sums, source.random() * self.sums[-1])


def lines(count, classes, seed=1):
    """`count` lines of TSV: a class, and a tree of about 23 nodes."""
    source = random.Random(seed)
    word, tag, phrase = Zipf(WORDS), Zipf(TAGS), Zipf(PHRASES)

    def leaf(kind):
        w = word(source)
        if source.random() < 0.25:
            w = 1000 + w * classes + kind  # rare in other classes
        return f"(T{tag(source)} w{w % WORDS})"

    def tree(kind, leaves):
        if leaves <= 2:
            inside = " ".join(leaf(kind) for _ in range(leaves))
        else:
            left = source.randrange(1, leaves)
            inside = tree(kind, left) + " " + tree(kind, leaves - left)
        return f"(P{phrase(source)} {inside})"

    for _ in range(count):
        kind = source.randrange(classes)
        text = tree(kind, source.randrange(4, 9))
        label = source.randrange(classes) if source.random() < 0.05 else kind
        yield f"c{label}\t{text}\n"
