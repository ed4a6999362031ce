"""Which family is this RNA of? Secondary structures as trees, clustered and classified.

    python examples/python/rna.py
"""
import random

import espalier
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_score

PAIRS = ["GC", "CG", "AU", "UA", "GU"]


def stem(length, inside, chance):
    """A stem around what is inside: bases and structure."""
    bases, structure = inside
    for _ in range(length):
        first, second = chance.choice(PAIRS)
        bases, structure = first + bases + second, "(" + structure + ")"
    return bases, structure


def loop(length, chance):
    return "".join(chance.choice("ACGU") for _ in range(length)), "." * length


def joined(*parts):
    return "".join(bases for bases, _ in parts), "".join(structure for _, structure in parts)


def hairpin(chance):
    return stem(chance.randint(4, 8), loop(chance.randint(3, 7), chance), chance)


def molecule(family, chance):
    """A structure of the family, in dot-bracket notation."""
    if family == "hairpin":
        inside = hairpin(chance)
        whole = stem(chance.randint(2, 5), joined(loop(chance.randint(1, 3), chance), inside), chance)
    else:
        arms = 3 if family == "cloverleaf" else 2
        parts = [part for _ in range(arms) for part in (loop(1, chance), hairpin(chance))]
        whole = stem(chance.randint(4, 7), joined(*parts), chance)
    return "\n".join(joined(whole, loop(chance.randint(0, 4), chance)))


def main():
    chance = random.Random(1)
    families = [chance.choice(["hairpin", "twin", "cloverleaf"]) for _ in range(90)]
    trees = espalier.Dataset([molecule(family, chance) for family in families], families, format="dot-bracket")
    print("a molecule:", trees[0][:60] + "..")
    machine = espalier.TreeSVC(espalier.PartialTreeKernel(depth_decay=0.6), C=10)
    print(f"accuracy {100 * cross_val_score(machine, trees, families, cv=5).mean():.1f} %")
    # Bases say little about a family, the shape says all.
    shape = espalier.TreeKernel("norm(st(labels=false, leaves=true, decay=1))")
    clusters = espalier.TreeKMeans(3, kernel=shape).fit_predict(trees)
    print(f"clusters by shape against families: adjusted Rand {adjusted_rand_score(families, clusters):.2f}")


if __name__ == "__main__":
    main()
