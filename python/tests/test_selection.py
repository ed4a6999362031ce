"""Approximate tree kernels: `select(K, labels=..)`, and the labels that are chosen for it."""
import os
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = ROOT / "examples/questions/train.tsv"


@pytest.fixture(scope="module")
def questions():
    return espalier.read(TRAIN)


def nodes(tree):
    yield tree
    for child in tree[1:]:
        yield from nodes(child)


def subset_trees(x, y, labels, decay=0.4):
    """D of the definition: 0 where a label is not selected."""
    if [x[0], [c[0] for c in x[1:]]] != [y[0], [c[0] for c in y[1:]]] or x[0] not in labels or not x[1:]:
        return 0
    return decay * np.prod([1 + subset_trees(a, b, labels, decay) for a, b in zip(x[1:], y[1:])])


def test_only_nodes_with_selected_labels_match():
    trees = [("S", ("N", ("d",)), ("V", ("N", ("d",)))), ("S", ("N", ("d",)), ("V", ("M", ("d",)))),
             ("V", ("N", ("d",)))]
    for labels in (["S"], ["N", "S"], ["V", "N"], ["S", "N", "V", "M"]):
        found = espalier.gram(f"select(sst(), labels=[{', '.join(labels)}])", trees)
        expected = [[sum(subset_trees(x, y, labels) for x in nodes(a) for y in nodes(b)) for b in trees] for a in trees]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_selects_as_the_program_does(questions):
    found = espalier.select_labels("norm(pt())", questions, budget=0.05, supervised=True, sample=150, seed=3)
    done = subprocess.run([PROGRAM, "select", "-k", "norm(pt())", "--budget", "0.05", "--supervised", "--sample", "150",
                           "--seed", "3", "--quiet", TRAIN], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == found["kernel"]
    assert len(found["sample"]) == 150
    chosen = [each for each in found["labels"] if each["selected"]]
    assert 0 < sum(each["cost"] for each in chosen) <= 0.05 and all(each["gain"] > 0 for each in chosen)
    assert sum(each["cost"] for each in found["labels"]) == pytest.approx(1)


def test_the_kernel_is_one_like_any_other(questions):
    kernel = espalier.select_labels(espalier.SubsetTreeKernel(), questions, top=12, supervised=True)["kernel"]
    assert kernel.startswith("norm(select(sst(), labels=[")
    clf = espalier.TreeSVC(espalier.TreeKernel(kernel), C=3).fit(questions, questions.labels)
    test = espalier.read(ROOT / "examples/questions/test.tsv")
    assert clf.score(test, test.labels) > 0.85
    labels = kernel[kernel.index("[") + 1:kernel.index("]")].split(", ")
    for fragment in espalier.train(kernel, questions).fragments(class_name="HUM", top=20):
        assert fragment["fragment"].split()[0].strip("()") in labels


def test_compares_two_kernels(questions):
    effect = espalier.compare_kernels("norm(sst())", "norm(select(sst(), labels=[NP, WP, WHNP]))", questions)
    full, other = (espalier.gram(k, questions)[np.tril_indices(len(questions), -1)]
                   for k in ("norm(sst())", "norm(select(sst(), labels=[NP, WP, WHNP]))"))
    assert effect["correlation"] == pytest.approx(np.corrcoef(full, other)[0, 1])
    assert effect["speed_up"] == pytest.approx(effect["seconds"] / effect["seconds_selected"])
    assert 0.5 < effect["accuracy_selected"] < effect["accuracy"]


def test_says_what_is_wrong(questions):
    with pytest.raises(espalier.Error, match="either a number of labels or a budget"):
        espalier.select_labels("sst()", questions, top=3, budget=0.5)
    with pytest.raises(espalier.Error, match="sst, pt, subpath or route"):
        espalier.select_labels("st()", questions)
    with pytest.raises(espalier.Error, match="budget = 2"):
        espalier.select_labels("sst()", questions, budget=2)
