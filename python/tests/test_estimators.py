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
    return [line.split("\t")[0] for line in out.read_text().splitlines()[1:]]


@pytest.mark.parametrize("machine, options", [
    (espalier.TreeSVC(KERNEL, C=3), ["-C", "3"]),
    (espalier.TreeSVC(KERNEL, C=3, multi_class="one_vs_one"), ["-C", "3", "--multi-class", "one-vs-one"]),
    (espalier.TreePassiveAggressive(KERNEL, C=0.5), ["--learner", "pa", "--aggressiveness", "0.5"]),
], ids=["svm", "one against one", "passive-aggressive"])
def test_classes_are_those_of_the_program(machine, options, train, test, tmp_path):
    found = machine.fit(train, train.labels).predict(test)
    assert found.tolist() == by_program(tmp_path, options)


def test_scores_are_those_of_train(train, test):
    machine = espalier.TreeSVC(KERNEL, C=3, probability=True).fit(train)
    model = espalier.train(KERNEL, train, C=3, probabilities=True)
    order = [model.classes.index(name) for name in machine.classes_]
    assert machine.classes_.tolist() == sorted(model.classes)
    assert np.array_equal(machine.decision_function(test), model.scores(test)[:, order])
    assert np.array_equal(machine.predict_proba(test), model.probabilities(test)[:, order])
    assert not hasattr(espalier.TreeSVC(), "predict_proba")


@pytest.mark.parametrize("y", [["b", "b", "a", "a"], [7, 7, -1, -1], [True, True, False, False], [2.0, 2.0, 1.0, 1.0]],
                         ids=["names", "numbers", "flags", "floats"])
def test_classes_may_be_anything(y):
    trees = ["(r a)", "(r a a)", "(s b)", "(s b b)"]
    machine = espalier.TreeSVC(C=100).fit(trees, y)
    assert machine.classes_.tolist() == sorted(set(y))
    assert machine.predict(trees).tolist() == y
    assert (machine.decision_function(trees) > 0).tolist() == [True, True, False, False]


def test_classes_have_weights(train):
    heavy = espalier.TreeSVC(KERNEL, class_weight={"ABBR": 50}).fit(train)
    model = espalier.train(KERNEL, train, class_weight={"ABBR": 50})
    assert heavy.predict(train).tolist() == model.predict(train)
    with pytest.raises(ValueError, match="'ABR', which is none"):
        espalier.TreeSVC(KERNEL, class_weight={"ABR": 50}).fit(train)


def test_numbers_are_predicted(train):
    sizes = [text.count("(") for text in train.trees()]
    machine = espalier.TreeSVR("subpath(lambda=0.5)", C=10).fit(train[:500], sizes[:500])
    assert machine.score(train[500:], sizes[500:]) > 0.8
    model = espalier.train("subpath(lambda=0.5)", train[:500].with_labels(sizes[:500]), C=10)
    assert np.array_equal(machine.predict(train[500:]), model.predict(train[500:]))


def test_learning_in_parts_is_learning_in_order(train, test):
    whole = espalier.train(KERNEL, train, learner="pa", epochs=1, shuffle=False)
    machine = espalier.TreePassiveAggressive(KERNEL)
    for part in (slice(0, 100), slice(100, None)):
        machine.partial_fit(train[part], train.labels[part], classes=train.class_names)
    assert machine.predict(test).tolist() == whole.predict(test)


def test_classes_to_come_have_no_score_yet():
    machine = espalier.TreePassiveAggressive().partial_fit(["(a b)", "(c d)"], [1, 2], classes=[1, 2, 3])
    assert np.isneginf(machine.decision_function(["(a b)"])[0, 2])
    assert machine.predict(["(a b)"]).tolist() == [1]
    with pytest.raises(ValueError, match="none of those"):
        machine.partial_fit(["(e)"], [4])
    with pytest.raises(ValueError, match="all classes"):
        espalier.TreePassiveAggressive().partial_fit(["(e)"], [4])


def test_networks_are_those_of_train(train, test):
    options = {"landmarks": 60, "hidden": (20,), "epochs": 15, "dropout": 0.1, "input_dropout": 0.3,
               "steps": "linear", "policy": "support"}
    machine = espalier.KernelDeepClassifier(KERNEL, **options, random_state=5).fit(train)
    model = espalier.train(KERNEL, train, learner="kda", **options, seed=5)
    order = [model.classes.index(name) for name in machine.classes_]
    assert machine.predict(test).tolist() == model.predict(test)
    assert np.array_equal(machine.predict_proba(test), model.probabilities(test)[:, order])
    assert len(machine.curve_) == 15
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(test), machine.decision_function(test))


def test_kernels_may_be_objects(train, test):
    text = espalier.TreeSVC("norm(pt(lambda=0.3))").fit(train)
    kernel = espalier.TreeSVC(espalier.PartialTreeKernel(decay=0.3)).fit(train)
    assert np.array_equal(text.decision_function(test), kernel.decision_function(test))
    assert "kernel__decay" in kernel.get_params()


@pytest.mark.parametrize("machine", [espalier.TreeSVC(KERNEL), espalier.TreePassiveAggressive(KERNEL)],
                         ids=["svm", "pa"])
def test_pickled_machines_predict_the_same(machine, train, test):
    machine.fit(train)
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(test), machine.decision_function(test))


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


def test_machines_must_be_fitted_first():
    for machine in (espalier.TreeSVC(), espalier.TreeSVR(), espalier.TreePassiveAggressive()):
        with pytest.raises(NotFittedError):
            machine.predict(["(a)"])


def test_clusters_are_those_of_the_program(train, tmp_path):
    out = tmp_path / "clusters.tsv"
    subprocess.run([PROGRAM, "cluster", "-k", KERNEL, "--clusters", "6", "--seed", "3", TRAIN, "-o", out, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    rows = [line.split("\t") for line in out.read_text().splitlines()[1:]]
    machine = espalier.TreeKMeans(6, kernel=KERNEL, random_state=3).fit(train)
    assert (machine.labels_ + 1).tolist() == [int(cluster) for cluster, _ in rows]
    distances = machine.transform(train)[np.arange(len(train)), machine.labels_]
    np.testing.assert_allclose(distances, [float(distance) for _, distance in rows], atol=1e-3)
    assert (machine.predict(train) == machine.labels_).mean() > 0.99
    assert machine.inertia_ == pytest.approx((distances ** 2).sum(), rel=1e-4)
