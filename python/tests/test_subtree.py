"""The subtree kernel with learned weights."""
import os
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest
import scipy.sparse

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "trees.tsv"
    path.write_text("A\t(r(a)(b))\nA\t(r(b)(a))\nB\t(r(a))\nB\t(r(c))\nC\t(r(d(a)))\nC\t(r(d(a)))\n")
    return espalier.read(path)


def test_weights_are_those_counted_by_hand(data):
    kernel = espalier.SubtreeKernel(weight="discriminance", f="identity", normalize=False).fit(data)
    weights = {w.subtree: w for w in kernel.weights_}
    assert weights["(b)"] == ("(b)", 1.0, "A", False, {"A": 2, "B": 0, "C": 0})
    assert weights["(a)"] == ("(a)", 0.5, "B", True, {"A": 2, "B": 1, "C": 2})
    assert weights["(d(a))"].label == "C"
    gram = kernel.transform(data)
    assert gram[0, 1] == pytest.approx(1.5)
    assert gram[4, 5] == pytest.approx(2.5)
    assert [w.subtree for w in kernel.top_subtrees("A", 1)] == ["(b)"]


def test_classes_may_be_given(data):
    kernel = espalier.SubtreeKernel(weight="discriminance").fit(data, ["x", "x", "x", "y", "y", "y"])
    assert kernel.classes_.tolist() == ["x", "y"]
    with pytest.raises(ValueError, match="6 trees, but 1 labels"):
        espalier.SubtreeKernel(weight="discriminance").fit(data, ["x"])
    with pytest.raises(ValueError, match="no class"):
        kernel.top_subtrees("z")


def test_features_have_the_kernel_as_their_product(data):
    for options in ({}, {"weight": "discriminance"}, {"kappa": "min", "leaves": True}, {"unordered": True}):
        kernel = espalier.SubtreeKernel(**options)
        gram = kernel.fit_transform(data)
        rows = espalier.SubtreeFeatures(**options).fit_transform(data)
        np.testing.assert_allclose((rows @ rows.T).toarray(), gram, atol=1e-12)


def test_fixed_weights_are_those_of_gram(data):
    kernel = espalier.SubtreeKernel(decay=0.3, normalize=False)
    assert (kernel.fit_transform(data) == espalier.gram("st(decay=0.3)", data)).all()
    with pytest.raises(AttributeError, match="discriminance"):
        _ = kernel.weights_


def test_a_wrong_option_is_an_error(data):
    with pytest.raises(espalier.Error, match="weight"):
        espalier.SubtreeKernel(weight="hight").fit(data)


def test_linear_learner_in_python(data):
    model = espalier.train("st(leaves=true)", data, learner="linear")
    assert model.predict(data)[:2] == ["A", "A"]


def test_the_program_writes_features_that_scipy_reads(tmp_path):
    questions = ROOT / "examples/questions/test.tsv"
    subprocess.run([PROGRAM, "embed", "--method", "subtree", "-k", "norm(st())", questions, "-o", tmp_path / "x.npz"],
                   check=True, capture_output=True)
    rows = scipy.sparse.load_npz(tmp_path / "x.npz")
    np.testing.assert_allclose((rows @ rows.T).toarray(), espalier.gram("norm(st())", espalier.read(questions)),
                               atol=1e-12)
