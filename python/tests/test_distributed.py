"""Trees as dense vectors."""
import os
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))


@pytest.fixture(scope="module")
def data():
    return espalier.read(ROOT / "examples/questions/test.tsv")


@pytest.mark.parametrize("options, kernel", [
    ({}, "sst(lambda=0.4)"),
    ({"compose": "convolution"}, "sst(lambda=0.4)"),
    ({"fragments": "subpaths"}, "subpath(lambda=0.4)"),
    ({"fragments": "subtrees"}, "st(decay=0.4, weight=productions)"),
])
def test_dot_products_estimate_the_kernel(data, options, kernel):
    X = espalier.DistributedTrees(decay=0.4, **options).fit_transform(data).astype(np.float64)
    estimated = X @ X.T
    exact = espalier.gram(kernel, data) / 0.4
    lengths = np.sqrt(np.outer(np.diag(exact), np.diag(exact)))
    # The error of a dot product is about the lengths over the root of the dimension.
    assert np.abs(estimated - exact).max() < 8 * lengths.max() / np.sqrt(8192)
    assert np.corrcoef(estimated.ravel(), exact.ravel())[0, 1] > 0.98


def test_dtk_is_the_kernel_of_the_vectors(data):
    X = espalier.DistributedTrees(dim=256, random_state=4).transform(data).astype(np.float64)
    assert np.allclose(espalier.gram("dtk(dim=256, seed=4)", data), X @ X.T)


def test_a_linear_svm_learns_from_them(data):
    train = espalier.read(ROOT / "examples/questions/train.tsv")
    model = espalier.train("norm(dtk(dim=2048))", train, learner="linear")
    assert model.evaluate(data)["classification"]["accuracy"] > 0.8


def test_bytes_are_near_the_vectors(data):
    embedding = espalier.DistributedTrees(dim=1024)
    codes, scales = embedding.quantized(data)
    assert codes.dtype == np.int8
    X = embedding.transform(data)
    assert np.abs(codes * scales[:, None] - X).max() <= 0.51 * scales.max()


def test_the_program_writes_the_same(data, tmp_path):
    subprocess.run([PROGRAM, "embed", "--method", "dtk", "--dim", "512", "--seed", "7",
                    ROOT / "examples/questions/test.tsv", "-o", tmp_path / "x.npy", "--quiet"], check=True)
    assert (
        np.load(tmp_path / "x.npy") == espalier.DistributedTrees(dim=512, random_state=7).transform(data)
    ).all()


def test_the_program_writes_bytes_with_their_scales(data, tmp_path):
    subprocess.run([PROGRAM, "embed", "--method", "dtk", "--dim", "512", "--int8", tmp_path / "scales.npy",
                    ROOT / "examples/questions/test.tsv", "-o", tmp_path / "x.npy", "--quiet"], check=True)
    codes, scales = espalier.DistributedTrees(dim=512).quantized(data)
    assert (np.load(tmp_path / "x.npy") == codes).all()
    assert (np.load(tmp_path / "x.npy") * np.load(tmp_path / "scales.npy") == codes * scales[:, None]).all()


@pytest.mark.parametrize("options, message", [
    ({"compose": "sum"}, "compose takes one of product, convolution, not 'sum'"),
    ({"fragments": "all"}, "fragments"),
    ({"compose": "convolution", "dim": 100}, "convolution"),
    ({"dim": 0}, "dim = 0"),
    ({"decay": 2}, "lambda|decay"),
])
def test_a_wrong_option_is_an_error(data, options, message):
    with pytest.raises(espalier.Error, match=message):
        espalier.DistributedTrees(**options).fit(data)


WIDE = "(r" + "(e(m(r(s))(n(p))(a(l))))" * 1600 + ")"


@pytest.mark.parametrize("recipe", ["signs", "papers"])
def test_vectors_outside_the_range(recipe):
    trees = ["(a(b))", WIDE]
    options = {"dim": 64, "compose": "convolution", "decay": 1, "recipe": recipe}
    with pytest.raises(espalier.Error, match="example 2: its vector is outside the range"):
        espalier.DistributedTrees(**options).transform(trees)
    with pytest.warns(UserWarning, match="1 vectors outside .* are zeros: examples 2"):
        X = espalier.DistributedTrees(on_error="zero", **options).transform(trees)
    assert X.any(axis=1).tolist() == [True, False]
    X = espalier.DistributedTrees(normalize=True, **options).transform(trees)
    assert np.allclose(np.linalg.norm(X, axis=1), 1, atol=1e-5)
    kernel = f"norm(dtk(dim=64, compose=convolution, lambda=1, recipe={recipe}))"
    assert np.allclose(espalier.gram(kernel, trees), X @ X.T, atol=1e-5)


@pytest.mark.parametrize("learner", ["linear", "svm", "perceptron"])
def test_wide_trees_can_be_learned_from(learner):
    wide = [f"(r{i % 2}" + f"(e(m(r(s))(n(p{i}))(a(l))))" * 800 + ")" for i in range(4)]
    data = espalier.Dataset(wide * 2, ["x", "y"] * 4)
    kernel = "norm(dtk(dim=64, compose=convolution, lambda=1))"
    model = espalier.train(kernel, data, learner=learner)
    scores = model.scores(data)
    assert np.isfinite(scores).all() and np.allclose(scores[:4], scores[4:])


def test_pairs_train_by_a_linear_svm(tmp_path):
    lines = []
    for i in range(40):
        a, b = f"(S(NP(w{i % 5}))(VP(v)))", f"(S(NP(w{i % 5 if i % 2 else 7}))(VP(u{i % 2})))"
        lines.append(f"{'yes' if i % 2 else 'no'} |<| |BT:t| {a} |ET| |,| |BT:t| {b} |ET| |>|\n")
    (tmp_path / "pairs.klp").write_text("".join(lines))
    data = espalier.read(tmp_path / "pairs.klp")
    kernel = "pair(norm(dtk(dim=256)))"
    model = espalier.train(kernel, data, learner="linear")
    assert model.evaluate(data)["classification"]["accuracy"] == 1
    exact = espalier.train(kernel, data, C=1)
    scores = [np.ravel(each.scores(data)) for each in (model, exact)]
    assert np.corrcoef(*scores)[0, 1] > 0.95
