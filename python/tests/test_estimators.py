"""Machines that learn from trees are those of the library, in the clothes of scikit-learn."""
import os
import pickle
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = ROOT / "examples/questions/train.tsv"
TEST = ROOT / "examples/questions/test.tsv"
KERNEL = "norm(sst(lambda=0.3))"


@pytest.fixture(scope="module")
def train():
    return espalier.read(TRAIN)


@pytest.fixture(scope="module")
def test():
    return espalier.read(TEST)


def by_program(tmp_path, options):
    model, out = tmp_path / "m", tmp_path / "out.tsv"
    subprocess.run([PROGRAM, "train", "-k", KERNEL, *options, TRAIN, "-o", model, "--quiet"], check=True)
    subprocess.run([PROGRAM, "predict", model, TEST, "-o", out, "--quiet"], check=True)
    return [line.split("\t")[1] for line in out.read_text().splitlines()[1:]]


@pytest.mark.parametrize("estimator, options", [
    (espalier.TreeSVC(KERNEL, C=3), ["-C", "3"]),
    (espalier.TreeSVC(KERNEL, C=3, multi_class="one-vs-one"), ["-C", "3", "--multi-class", "one-vs-one"]),
    (espalier.TreePassiveAggressive(KERNEL, C=0.5), ["--learner", "pa", "--aggressiveness", "0.5"]),
], ids=["svm", "one against one", "passive-aggressive"])
def test_classes_are_those_of_the_program(estimator, options, train, test, tmp_path):
    found = estimator.fit(train, train.labels).predict(test)
    assert found.tolist() == by_program(tmp_path, options)


def test_scores_are_those_of_train(train, test):
    estimator = espalier.TreeSVC(KERNEL, C=3, probability=True).fit(train)
    model = espalier.train(KERNEL, train, C=3, probabilities=True)
    order = [model.classes.index(name) for name in estimator.classes_]
    assert estimator.classes_.tolist() == sorted(model.classes)
    assert np.array_equal(estimator.decision_function(test), model.scores(test)[:, order])
    assert np.array_equal(estimator.predict_proba(test), model.probabilities(test)[:, order])
    assert not hasattr(espalier.TreeSVC(), "predict_proba")


@pytest.mark.parametrize("y", [["b", "b", "a", "a"], [7, 7, -1, -1], [True, True, False, False], [2.0, 2.0, 1.0, 1.0]],
                         ids=["names", "numbers", "flags", "floats"])
def test_classes_may_be_anything(y):
    trees = ["(r a)", "(r a a)", "(s b)", "(s b b)"]
    estimator = espalier.TreeSVC(C=100).fit(trees, y)
    assert estimator.classes_.tolist() == sorted(set(y))
    assert estimator.predict(trees).tolist() == y
    assert (estimator.decision_function(trees) > 0).tolist() == [True, True, False, False]


def test_classes_have_weights(train):
    heavy = espalier.TreeSVC(KERNEL, class_weight={"ABBR": 50}).fit(train)
    model = espalier.train(KERNEL, train, class_weight={"ABBR": 50})
    assert heavy.predict(train).tolist() == model.predict(train)
    with pytest.raises(ValueError, match="'ABR', which is none"):
        espalier.TreeSVC(KERNEL, class_weight={"ABR": 50}).fit(train)


def test_numbers_are_predicted(train):
    sizes = [text.count("(") for text in train.trees()]
    estimator = espalier.TreeSVR("subpath(lambda=0.5)", C=10).fit(train[:500], sizes[:500])
    assert estimator.score(train[500:], sizes[500:]) > 0.8
    model = espalier.train("subpath(lambda=0.5)", train[:500].with_labels(sizes[:500]), C=10,
                           task="regression")
    assert np.array_equal(estimator.predict(train[500:]), model.predict(train[500:]))


def test_learning_in_parts_is_learning_in_order(train, test):
    whole = espalier.train(KERNEL, train, learner="pa", epochs=1, shuffle=False)
    estimator = espalier.TreePassiveAggressive(KERNEL)
    for part in (slice(0, 100), slice(100, None)):
        estimator.partial_fit(train[part], train.labels[part], classes=train.class_names)
    assert estimator.predict(test).tolist() == whole.predict(test)


def test_classes_to_come_have_no_score_yet():
    estimator = espalier.TreePassiveAggressive().partial_fit(["(a b)", "(c d)"], [1, 2], classes=[1, 2, 3])
    assert np.isneginf(estimator.decision_function(["(a b)"])[0, 2])
    assert estimator.predict(["(a b)"]).tolist() == [1]
    with pytest.raises(ValueError, match="none of those"):
        estimator.partial_fit(["(e)"], [4])
    with pytest.raises(ValueError, match="all classes"):
        espalier.TreePassiveAggressive().partial_fit(["(e)"], [4])


def test_networks_are_those_of_train(train, test):
    options = {"landmarks": 60, "hidden": (20,), "epochs": 15, "dropout": 0.1, "input_dropout": 0.3,
               "schedule": "linear", "policy": "support"}
    estimator = espalier.KernelDeepClassifier(KERNEL, **options, random_state=5).fit(train)
    model = espalier.train(KERNEL, train, learner="kda", **options, seed=5)
    order = [model.classes.index(name) for name in estimator.classes_]
    assert estimator.predict(test).tolist() == model.predict(test)
    assert np.array_equal(estimator.predict_proba(test), model.probabilities(test)[:, order])
    assert len(estimator.curve_) == 15
    again = pickle.loads(pickle.dumps(estimator))
    assert np.array_equal(again.decision_function(test), estimator.decision_function(test))


def test_kernels_may_be_objects(train, test):
    text = espalier.TreeSVC("norm(pt(lambda=0.3))").fit(train)
    kernel = espalier.TreeSVC(espalier.PartialTreeKernel(decay=0.3)).fit(train)
    assert np.array_equal(text.decision_function(test), kernel.decision_function(test))
    assert "kernel__decay" in kernel.get_params()


@pytest.mark.parametrize("estimator", [espalier.TreeSVC(KERNEL), espalier.TreePassiveAggressive(KERNEL)],
                         ids=["svm", "pa"])
def test_pickled_estimators_predict_the_same(estimator, train, test):
    estimator.fit(train)
    again = pickle.loads(pickle.dumps(estimator))
    assert np.array_equal(again.decision_function(test), estimator.decision_function(test))


@pytest.mark.parametrize("X, y, message", [
    (["(a)", "(b)"], None, "requires y"),
    (["(a)", "(b)"], [1], "2 trees, but 1 labels"),
    (["(a)", "(b)"], [1, 1], "only one class"),
    ([], [], "no trees"),
    (["(a)", "(b"], [1, 2], "element 1"),
])
def test_what_cannot_be_learned_is_an_error(X, y, message):
    with pytest.raises(ValueError, match=message):
        espalier.TreeSVC().fit(X, y)


def test_estimators_must_be_fitted_first():
    for estimator in (espalier.TreeSVC(), espalier.TreeSVR(), espalier.TreePassiveAggressive()):
        with pytest.raises(NotFittedError):
            estimator.predict(["(a)"])


def test_clusters_are_those_of_the_program(train, tmp_path):
    out = tmp_path / "clusters.tsv"
    subprocess.run([PROGRAM, "cluster", "-k", KERNEL, "--clusters", "6", "--seed", "3", TRAIN, "-o", out, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    rows = [line.split("\t") for line in out.read_text().splitlines()[1:]]
    estimator = espalier.TreeKMeans(6, kernel=KERNEL, random_state=3).fit(train)
    assert (estimator.labels_ + 1).tolist() == [int(cluster) for cluster, _ in rows]
    distances = estimator.transform(train)[np.arange(len(train)), estimator.labels_]
    np.testing.assert_allclose(distances, [float(distance) for _, distance in rows], atol=1e-3)
    assert (estimator.predict(train) == estimator.labels_).mean() > 0.99
    assert estimator.inertia_ == pytest.approx((distances ** 2).sum(), rel=1e-4)
