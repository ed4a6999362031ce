"""Which family is this RNA of? Secondary structures as trees, classified and clustered.

    python examples/python/rna.py
"""
import random

import espalier
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_score


def stem(length, inside):
    return "(" * length + inside + ")" * length


def hairpin(chance):
    return stem(chance.randint(4, 8), "." * chance.randint(3, 7))


def molecule(family, chance):
    """A structure of the family, in dot-bracket notation."""
    if family == "hairpin":
        whole = stem(chance.randint(2, 5), "." * chance.randint(1, 3) + hairpin(chance))
    else:
        arms = 3 if family == "cloverleaf" else 2
        whole = stem(chance.randint(4, 7), "".join("." + hairpin(chance) for _ in range(arms)))
    return whole + "." * chance.randint(0, 4)


def main():
    chance = random.Random(1)
    families = [chance.choice(["hairpin", "twin", "cloverleaf"]) for _ in range(90)]
    structures = [molecule(family, chance) for family in families]
    trees = espalier.Dataset(structures, families, format="dot-bracket")
    print(f"{structures[0]} is {trees[0][:60]}..")
    # Where stems branch is a node with all of its children: what a subset tree keeps together.
    kernel = espalier.SubsetTreeKernel()
    model = espalier.TreeSVC(kernel, C=10)
    print(f"accuracy {100 * cross_val_score(model, trees, families, cv=5).mean():.1f} %")
    clusters = espalier.TreeKMeans(3, kernel=kernel).fit_predict(trees)
    print(f"clusters against families: adjusted Rand {adjusted_rand_score(families, clusters):.2f}")


if __name__ == "__main__":
    main()
