"""Any kernel as dense vectors, and learning on them."""
import os
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
KERNEL = "norm(pt())"


@pytest.fixture(scope="module")
def train():
    return espalier.read(ROOT / "examples/questions/train.tsv")


@pytest.fixture(scope="module")
def test():
    return espalier.read(ROOT / "examples/questions/test.tsv")


def test_all_examples_as_landmarks_give_the_exact_kernel(test):
    X = espalier.TreeNystroem(KERNEL, landmarks=1000).fit_transform(test).astype(np.float64)
    assert np.abs(X @ X.T - espalier.gram(KERNEL, test)).max() < 1e-6


@pytest.mark.parametrize("policy", ["uniform", "kmeans++", "leverage", "classwise", "support"])
def test_landmarks_are_chosen_by_a_policy(train, policy):
    nystroem = espalier.TreeNystroem(KERNEL, landmarks=60, policy=policy).fit(train)
    assert len(set(nystroem.landmarks_)) == 60
    if policy == "classwise":
        chosen = [train.labels[i] for i in nystroem.landmarks_]
        assert {chosen.count(name) for name in train.class_names} == {10}


def test_classes_may_be_given(train):
    y = [i < 5 for i in range(len(train))]
    nystroem = espalier.TreeNystroem(KERNEL, landmarks=10, policy="classwise").fit(train, y)
    assert (nystroem.landmarks_ < 5).sum() == 5


@pytest.mark.parametrize("policy", ["kmeans++", "classwise", "support"])
def test_the_program_writes_the_same(train, test, tmp_path, policy):
    subprocess.run([PROGRAM, "embed", "--method", "nystroem", "-k", KERNEL, "--landmarks", "50", "--seed", "7",
                    "--policy", policy, "--fit", ROOT / "examples/questions/train.tsv",
                    ROOT / "examples/questions/test.tsv", "-o", tmp_path / "x.npy", "--quiet"], check=True)
    nystroem = espalier.TreeNystroem(KERNEL, landmarks=50, random_state=7, policy=policy).fit(train)
    assert (np.load(tmp_path / "x.npy") == nystroem.transform(test)).all()


def test_a_linear_svm_learns_on_them(train, test):
    model = espalier.train(KERNEL, train, learner="linear", landmarks=200, C=3)
    assert model.training["support_vectors"] == 200
    assert model.evaluate(test)["classification"]["accuracy"] > 0.8
    squared = espalier.train(KERNEL, train, learner="linear", landmarks=200, C=3, loss="squared_hinge",
                             policy="support")
    assert squared.evaluate(test)["classification"]["accuracy"] > 0.8
    assert not np.array_equal(squared.scores(test), model.scores(test))
    result = espalier.cross_validate(KERNEL, train, learner="linear", landmarks=100, policy="classwise", folds=3)
    assert result["metrics"]["accuracy"]["mean"] > 0.7


@pytest.mark.parametrize("options, message", [
    ({"landmarks": 0}, "landmarks = 0"),
    ({"policy": "all"}, "policy takes one of uniform"),
    ({"rank_tolerance": 1}, "rank_tolerance = 1 is outside"),
])
def test_a_wrong_option_is_an_error(train, options, message):
    with pytest.raises(espalier.Error, match=message):
        espalier.TreeNystroem(KERNEL, **options).fit(train)


def test_misuse_is_an_error(train, test):
    with pytest.raises(NotFittedError):
        espalier.TreeNystroem(KERNEL).transform(test)
    with pytest.raises(espalier.Error, match="landmarks is for linear, kda, not for svm"):
        espalier.train(KERNEL, train, landmarks=10)
    with pytest.raises(espalier.Error, match="policy needs landmarks"):
        espalier.train(KERNEL, train, learner="linear", policy="kmeans++")
