"""Draws docs/figures/python-contributions.png.

    .venv/bin/python docs/figures/python.py
"""
from pathlib import Path

import espalier
import matplotlib

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parents[2]
QUESTION = "(SBARQ (WHNP (WP Who)) (SQ (VP (VBD discovered) (NP (NN penicillin)))) (. ?))"


def main():
    svm = espalier.TreeSVC("norm(sst())", C=3).fit(espalier.read(ROOT / "examples/questions/train.tsv"))
    ax = espalier.plot.tree(QUESTION, espalier.contributions(svm, QUESTION))
    ax.figure.savefig(ROOT / "docs/figures/python-contributions.png", dpi=80)


if __name__ == "__main__":
    main()
