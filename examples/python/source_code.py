"""Is a function recursive? Python programs as syntax trees, whatever their names are.

    python examples/python/source_code.py
"""
import ast
import random

import espalier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

RECURSIVE = [
    "def {f}({n}):\n    if {n} < 2:\n        return {k}\n    return {n} {op} {f}({n} - 1)",
    "def {f}({xs}):\n    if not {xs}:\n        return {k}\n    return {xs}[0] {op} {f}({xs}[1:])",
    "def {f}({n}, {xs}):\n    return {k} if {n} == 0 else {f}({n} - 1, {xs} {op} {n})",
    "def {f}({xs}):\n    print({xs}[0])\n    if len({xs}) > {k}:\n        {f}({xs}[1:])",
]
ITERATIVE = [
    "def {f}({n}):\n    {xs} = {k}\n    while {n} > 1:\n        {xs} = {xs} {op} {n}\n        {n} -= 1\n"
    "    return {xs}",
    "def {f}({xs}):\n    {n} = {k}\n    for x in {xs}:\n        {n} = {n} {op} x\n    return {n}",
    "def {f}({n}, {xs}):\n    for i in range({n}):\n        {xs} = {xs} {op} g(i)\n    return {xs}",
    "def {f}({xs}):\n    for x in {xs}[{k}:]:\n        print(x)",
]


def programs(count, seed=1):
    """Sources and whether they are recursive."""
    chance = random.Random(seed)
    names = ["alpha", "beta", "count", "data", "item", "left", "merge", "node", "total", "value"]
    sources, labels = [], []
    for i in range(count):
        recursive = i % 2 == 0
        f, n, xs = chance.sample(names, 3)
        form = chance.choice(RECURSIVE if recursive else ITERATIVE)
        sources.append(form.format(f=f, n=n, xs=xs, k=chance.randint(0, 9), op=chance.choice("+-*")))
        labels.append("recursive" if recursive else "iterative")
    return sources, labels


def main():
    sources, labels = programs(120)
    trees = [ast.parse(source) for source in sources]
    # A bag of words cannot tell: all functions draw their names from one pool.
    for kernel in (espalier.PartialTreeKernel(depth_decay=0.3), espalier.SubpathKernel()):
        model = make_pipeline(kernel, SVC(kernel="precomputed", C=10))
        scores = cross_val_score(model, espalier.Dataset(trees), labels, cv=5)
        print(f"{type(kernel).__name__}: accuracy {100 * scores.mean():.1f} %")


if __name__ == "__main__":
    main()
