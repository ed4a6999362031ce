"""Models from Python: learning, predicting, files."""

import copy
import gc
import math
import pickle
import threading
import warnings
from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "examples/questions/train.tsv"
TEST = ROOT / "examples/questions/test.tsv"
KERNEL = "norm(sst(lambda=0.4))"
LEARNERS = ["svm", "perceptron", "pa"]


@pytest.fixture
def data(tmp_path):
    """Makes a data set of lines of klp."""
    def make(*lines):
        path = tmp_path / "data.klp"
        path.write_text("".join(line + "\n" for line in lines))
        return espalier.read(path)
    return make


@pytest.fixture
def toy(data):
    """Two classes that differ in one subtree."""
    return data(*(f"{name} |BT:t| (S(A({word}))(B({rest}))) |ET|"
                  for name, word in (("yes", "x"), ("no", "y")) for rest in "abcdefgh"))


@pytest.fixture
def numbers(data):
    """About as many nodes as the label says."""
    return data(*(f":{n}.5 |BT:t| (a{'(b)' * n}) |ET|" for n in range(1, 21)))


@pytest.fixture
def several(data):
    """The classes are the leaves; some examples have none."""
    sets = [["x"], ["y"], ["x", "y"], [], ["x", "z"], ["z"]] * 4
    return data(*(f"{' '.join(s)} |BT:t| (a(rest{k}){''.join(f'({c})' for c in s)}) |ET|"
                  for k, s in enumerate(sets)))


@pytest.fixture(scope="module")
def train():
    return espalier.read(TRAIN)


@pytest.fixture(scope="module")
def test():
    return espalier.read(TEST)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_toy_problem_is_learned(toy, learner):
    model = espalier.train("norm(sst())", toy, learner=learner)
    assert (model.task, model.classes, model.multi_label) == ("classification", ["no", "yes"], False)
    assert model.kernel == "norm(sst())"
    assert model.predict(toy) == toy.labels
    scores = model.scores(toy)
    assert (scores.shape, scores.dtype, scores.flags.writeable) == ((16, 2), np.float64, True)
    assert [model.classes[c] for c in scores.argmax(axis=1)] == toy.labels
    assert model.evaluate(toy)["classification"]["accuracy"] == 1
    assert model.training["learner"] == learner and model.training["examples"] == 16
    assert model.summary["subtrees"] > 0 and model.summary["support_vectors"] == 0
    assert repr(model) == f"Model('norm(sst())', {learner}, 2 classes, learned from 16 examples)"


@pytest.mark.parametrize("learner, accuracy", [("svm", 0.9), ("perceptron", 0.8), ("pa", 0.9)])
def test_questions_are_learned(train, test, learner, accuracy):
    model = espalier.train(KERNEL, train, learner=learner)
    predicted = model.predict(test)
    share = np.mean([p == label for p, label in zip(predicted, test.labels)])
    scores = model.evaluate(test)["classification"]
    assert scores["accuracy"] == pytest.approx(share) and share > accuracy - 0.02
    assert scores["examples"] == len(test) and not scores["multi_label"]
    assert np.array(scores["confusion"]).sum() == len(test)
    assert {row["name"] for row in scores["classes"]} == set(model.classes)


@pytest.mark.parametrize("options", [{}, {"multi_class": "one-vs-one"}, {"learner": "pa"}])
def test_a_model_does_not_depend_on_threads(train, test, options):
    one, two = (espalier.train(KERNEL, train, threads=n, **options) for n in (1, 2))
    assert np.array_equal(one.scores(test, threads=1), two.scores(test, threads=2))


def test_results_outlive_model_and_data():
    scores = espalier.train(KERNEL, espalier.read(TEST)).scores(espalier.read(TEST))
    gc.collect()
    assert np.isfinite(scores).all()


# scikit-learn

def binary(tmp_path, path, name):
    """One class against all others, as 1 and -1."""
    lines = [line.split("\t", 1) for line in path.read_text().splitlines()]
    file = tmp_path / f"binary-{path.name}"
    file.write_text("".join(f"{'1' if label == name else '-1'}\t{rest}\n" for label, rest in lines))
    return espalier.read(file)


def fitted(svm, kind, matrix, targets, new, **options):
    """The decision values of scikit-learn on the same Gram matrix."""
    made = getattr(svm, kind)(kernel="precomputed", tol=1e-5, **options).fit(matrix, targets)
    return made.predict(new) if kind == "SVR" else made.decision_function(new)


@pytest.fixture
def svm():
    return pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")


# A smaller C would leave all examples at their bounds, where the bias is not unique.
@pytest.mark.parametrize("C", [0.5, 1, 10])
@pytest.mark.parametrize("weights", [None, {"1": 3.0}, {"1": 0.5, "-1": 2.0}, "balanced"])
@pytest.mark.parametrize("kernel", [KERNEL, "0.01*sst()"])
def test_two_classes_are_those_of_scikit_learn(svm, tmp_path, C, weights, kernel):
    train, test = (binary(tmp_path, path, "HUM") for path in (TRAIN, TEST))
    model = espalier.train(kernel, train, C=C, class_weight=weights)
    signs = np.array([int(label) for label in train.labels])
    theirs = weights
    if weights == "balanced":
        theirs = {1: (signs < 0).sum() / (signs > 0).sum()}
    elif weights:
        theirs = {int(name): weight for name, weight in weights.items()}
    expected = fitted(svm, "SVC", espalier.gram(kernel, train), signs,
                       espalier.gram(kernel, test, train), C=C, class_weight=theirs)
    scores = model.scores(test)
    assert np.abs(scores[:, model.classes.index("1")] - expected).max() < 2e-3
    assert np.array_equal(scores[:, 0], -scores[:, 1])


def test_multi_class_svm_matches_scikit_learn(svm, train, test):
    model = espalier.train(KERNEL, train, C=5)
    matrix, new = espalier.gram(KERNEL, train), espalier.gram(KERNEL, test, train)
    for c, name in enumerate(model.classes):
        signs = np.array([1 if label == name else -1 for label in train.labels])
        expected = fitted(svm, "SVC", matrix, signs, new, C=5)
        assert np.abs(model.scores(test)[:, c] - expected).max() < 2e-3


def test_numbers_are_those_of_scikit_learn(svm, numbers):
    model = espalier.train("pt()", numbers, C=10, epsilon=0.2)
    matrix = espalier.gram("pt()", numbers)
    expected = fitted(svm, "SVR", matrix, numbers.labels, matrix, C=10, epsilon=0.2)
    assert np.abs(model.predict(numbers) - expected).max() < 2e-3


def test_outliers_are_those_of_scikit_learn(svm, train, test):
    model = espalier.train(KERNEL, train, task="one-class", nu=0.2)
    expected = fitted(svm, "OneClassSVM", espalier.gram(KERNEL, train), None,
                      espalier.gram(KERNEL, test, train), nu=0.2)
    assert np.abs(model.scores(test) - expected).max() < 2e-3


# Tasks

def test_numbers(numbers):
    model = espalier.train("norm(pt()) + 0.1*pt()", numbers, C=100, epsilon=0.01)
    predicted = model.predict(numbers)
    assert (model.task, model.classes) == ("regression", [])
    assert predicted.shape == (20,) and np.array_equal(predicted, model.scores(numbers))
    scores = model.evaluate(numbers)["regression"]
    errors = predicted - np.array(numbers.labels)
    assert scores["mean_squared_error"] == pytest.approx((errors**2).mean())
    assert scores["r2"] > 0.9
    assert repr(model).endswith("svm, regression, learned from 20 examples)")


@pytest.mark.parametrize("labels, task", [
    ([1, 2, 3, 4], "classification"),
    ([1.0, 2.0, 3.0, 4.0], "classification"),
    (np.array([1, 2, 3, 4]), "classification"),
    ([1, 2, 3, 4.5], "regression"),
    (["1", "2", "3", "4.5"], "regression"),
    (["a", "b", "a", "b"], "classification"),
])
def test_labels_decide_the_task(labels, task):
    data = espalier.Dataset(["(a b)", "(a c)", "(a d)", "(a e)"], labels)
    assert espalier.train("sst()", data).task == task
    assert len(data.class_names) == (len(set(labels)) if task == "classification" else 0)
    assert espalier.train("sst()", data.with_labels([1, 2, 3, 4]), task="regression").task == "regression"


def test_names_among_numbers_are_warned_of():
    data = espalier.Dataset(["(a b)", "(a c)", "(a d)"], ["1", "x", "2.5"])
    with pytest.warns(UserWarning, match="2 of the 3 labels are numbers .* task sets what is learned"):
        assert espalier.train("sst()", data).classes == ["1", "2.5", "x"]
    for function in (espalier.cross_validate, espalier.tune):
        with pytest.warns(UserWarning, match="labels are numbers"):
            function("sst()", data[[0, 0, 1, 1, 2, 2]], folds=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        espalier.train("sst()", data, task="classification")


@pytest.mark.parametrize("wrong", ["nan", "inf"])
def test_numbers_must_be_finite(wrong):
    data = espalier.Dataset(["(a b)", "(a c)"], ["0.5", wrong])
    with pytest.raises(espalier.Error, match="example 2 has a label that is not a finite number"):
        espalier.train("sst()", data)
    with pytest.raises(espalier.Error, match="not a finite number"):
        espalier.Dataset(["(a b)", "(a c)"], [0.5, float(wrong)])


@pytest.mark.parametrize("call", [
    lambda: espalier.gram("st()", ["(a)"], threads=10**9),
    lambda: espalier.TreeSVC("st()", n_jobs=10**9).fit(["(a)", "(b)"], ["x", "y"]),
    lambda: espalier.PartialTreeKernel(n_jobs=2000).fit_transform(["(a)"]),
])
def test_threads_are_limited(call):
    with pytest.raises(espalier.Error, match=r"threads = \d+ is outside \[0, 1024\]"):
        call()


def test_what_is_not_defined_is_none(data, numbers):
    same = data(":1 |BT:t| (a(b)) |ET|", ":1 |BT:t| (a(b)(b)) |ET|")
    scores = espalier.train("norm(pt())", numbers).evaluate(same)["regression"]
    assert scores["r2"] is None and scores["pearson"] is None
    assert scores["mean_absolute_error"] > 0


def test_outliers(data, train, test):
    model = espalier.train(KERNEL, train, task="one-class", nu=0.1)
    assert (model.task, model.classes) == ("one-class", [])
    predicted = model.predict(train)
    assert set(predicted.tolist()) == {-1, 1} and 0.05 < np.mean(predicted < 0) < 0.15
    assert model.predict(data("|BT:tree| (Q(R(s))) |ET|")).tolist() == [-1]
    assert model.scores(test).shape == (len(test),)
    with pytest.raises(espalier.Error, match="one-class"):
        model.evaluate(test)


@pytest.mark.parametrize("learner", LEARNERS)
def test_multi_label(several, learner):
    options = {"C": 100} if learner == "svm" else {"epochs": 50}
    model = espalier.train("st()", several, learner=learner, **options)
    assert model.multi_label and sorted(model.classes) == ["x", "y", "z"]
    predicted = model.predict(several)
    assert all(isinstance(classes, list) for classes in predicted)
    decided = [[model.classes[c] for c in np.flatnonzero(row > 0)] for row in model.scores(several)]
    assert predicted == decided
    scores = model.evaluate(several)["classification"]
    assert scores["multi_label"] and scores["confusion"] == [] and scores["micro"]["f1"] > 0.8


def test_ranking(data):
    pairs = data(*(f"{label} |BS:q| {q} |ES| |BT:t| (A({word})({rest})) |ET|"
                   for q in ("one", "two") for label, word, rest in
                   (("no", "u", "a"), ("yes", "v", "b"), ("no", "u", "c"))))
    model = espalier.train("st()", pairs)
    ranking = model.evaluate(pairs, groups="q")["ranking"]
    assert (ranking["groups"], ranking["items"]) == (2, 6)
    assert ranking["mean_average_precision"] == ranking["precision_at_1"] == 1
    worst = model.evaluate(pairs, groups="q", relevant="no")["ranking"]
    assert worst["precision_at_1"] == 1
    with pytest.raises(espalier.Error, match="no text named 'p': they have q"):
        model.evaluate(pairs, groups="p")


def test_probabilities(train, test):
    for options in ({}, {"multi_class": "one-vs-one"}):
        model = espalier.train(KERNEL, train, probabilities=True, **options)
        P = model.probabilities(test)
        assert P.shape == (180, 6) and P.min() >= 0
        assert np.allclose(P.sum(axis=1), 1)
        assert np.mean(P.argmax(axis=1) == model.scores(test).argmax(axis=1)) > 0.8
    with pytest.raises(espalier.Error, match="has no probabilities: train it"):
        espalier.train(KERNEL, test).probabilities(test)


def test_weights_by_number_name_classes_too(data):
    lines = [f"{s} |BT:t| (a({w})) |ET|" for s, w in ((":1", "x"), (":-1", "y"), (":1", "z"))]
    by_number = espalier.train("st()", data(*lines), class_weight={1: 5, -1.0: 2})
    by_name = espalier.train("st()", data(*lines), class_weight={"1": 5, "-1": 2})
    assert np.array_equal(by_number.scores(data(*lines)), by_name.scores(data(*lines)))


def test_names_that_are_not_utf8_survive(tmp_path):
    path = tmp_path / "data.klp"
    path.write_bytes(b"\xff |BT:t| (a(b)) |ET|\nB |BT:t| (a(c)) |ET|\n")
    data = espalier.read(path)
    model = espalier.train("st()", data, class_weight={"\udcff": 2, "B": 2})
    assert model.classes == ["B", "\udcff"]
    assert model.predict(data) == ["\udcff", "B"]


# Files

@pytest.mark.parametrize("name", ["m.model", "m.model.gz"])
@pytest.mark.parametrize("options", [
    {"probabilities": True}, {"multi_class": "one-vs-one"}, {"task": "one-class"},
    {"learner": "pa", "budget": 50}, {"learner": "perceptron"}])
def test_saving_and_loading_changes_nothing(train, test, tmp_path, options, name):
    model = espalier.train(KERNEL, train, **options)
    model.save(tmp_path / name)
    for again in (espalier.Model.load(tmp_path / name), pickle.loads(pickle.dumps(model)),
                  copy.deepcopy(model)):
        assert isinstance(again, espalier.Model) and repr(again) == repr(model)
        assert (again.training, again.summary) == (model.training, model.summary)
        assert np.array_equal(again.scores(test), model.scores(test))
        if "probabilities" in options:
            assert np.array_equal(again.probabilities(test), model.probabilities(test))


def test_files_that_are_no_models(toy, tmp_path):
    with pytest.raises(FileNotFoundError):
        espalier.Model.load(tmp_path / "missing")
    with pytest.raises(espalier.Error, match="this is no model"):
        espalier.Model.load(TEST)
    path = tmp_path / "m"
    espalier.train("st()", toy).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(espalier.Error, match="cut off"):
        espalier.Model.load(path)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(espalier.Error, match="damaged"):
        espalier.Model.load(path)
    with pytest.raises(espalier.Error):
        espalier.train("st()", toy).save(tmp_path / "no/such/folder")


# Online

@pytest.mark.parametrize("learner", ["perceptron", "pa"])
def test_learning_in_parts_is_learning_in_one_go(tmp_path, test, learner):
    lines = TRAIN.read_text().splitlines(keepends=True)
    parts = []
    for k, part in enumerate((lines[:300], lines[300:], lines)):
        path = tmp_path / f"{k}.tsv"
        path.write_text("".join(part))
        parts.append(espalier.read(path))
    once = {"epochs": 1, "shuffle": False}
    model = espalier.train(KERNEL, parts[0], learner=learner, **once)
    assert model.continue_training(parts[1], **once) is model
    whole = espalier.train(KERNEL, parts[2], learner=learner, **once)
    assert np.allclose(model.scores(test), whole.scores(test), atol=1e-9)
    assert model.training["examples"] == 720


def test_new_classes_may_come_later(data):
    model = espalier.train("st()", data("A |BT:t| (a(x)) |ET|", "B |BT:t| (a(y)) |ET|"),
                           learner="perceptron")
    more = data("C |BT:t| (a(z)) |ET|", "A |BT:t| (a(x)) |ET|")
    model.continue_training(more)
    assert model.classes == ["A", "B", "C"]
    assert model.predict(more) == ["C", "A"]


def test_rules_and_budgets_count(train, test):
    made = [espalier.train(KERNEL, train, learner="pa", **options) for options in
            ({}, {"rule": "pa"}, {"rule": "pa2"}, {"aggressiveness": 0.1}, {"budget": 30},
             {"seed": 2}, {"epochs": 1}, {"shuffle": False})]
    scores = [model.scores(test) for model in made]
    for k, other in enumerate(scores[1:], 1):
        if k > 1:  # with norms PA-I hardly ever goes to its limit
            assert not np.array_equal(scores[0], other), k
    assert made[4].training["support_vectors"] == 30


def test_a_failed_continuation_changes_nothing(data, toy):
    model = espalier.train("st()", toy, learner="pa")
    before = model.scores(toy)
    with pytest.raises(espalier.Error, match="several"):
        model.continue_training(data("new |BT:t| (S(A)) |ET|", "no |BT:u| (S(A)) |ET|"))
    assert model.classes == ["no", "yes"]
    assert np.array_equal(model.scores(toy), before) and model.training["examples"] == 16


# Mistakes

@pytest.mark.parametrize("options, error, message", [
    ({"learner": "svn"}, espalier.Error,
     "learner takes one of svm, linear, kda, perceptron, pa, not 'svn'; did you mean 'svm'"),
    ({"learner": 1}, TypeError, "learner takes a string, not 1"),
    ({"task": "regresion"}, espalier.Error, "did you mean 'regression'"),
    ({"task": "regression"}, espalier.Error, "example 1 needs one number"),
    ({"multi_class": "one_vs_one"}, espalier.Error, "did you mean 'one-vs-one'"),
    ({"learner": "pa", "rule": "pa3"}, espalier.Error, "rule takes one of pa, pa1, pa2"),
    ({"C": 0}, espalier.Error, r"C = 0 is outside \(0, inf\)"),
    ({"C": math.nan}, espalier.Error, "C = "),
    ({"C": "1"}, TypeError, "C takes a number, not '1'"),
    ({"tolerance": -1}, espalier.Error, "tolerance = -1"),
    ({"class_weight": "balance"}, espalier.Error, "class_weight takes None, 'balanced' or a dict"),
    ({"class_weight": {"yess": 2}}, espalier.Error, "no class 'yess' to weigh: did you mean 'yes'"),
    ({"class_weight": {"yes": -2}}, espalier.Error, "the weight -2 of 'yes' is outside"),
    ({"class_weight": {"yes": "2"}}, TypeError, "class_weight takes a number, not '2'"),
    ({"class_weight": 2}, TypeError, "class_weight takes None, 'balanced' or a dict, not 2"),
    ({"task": "one-class", "nu": 2}, espalier.Error, "nu = 2"),
    ({"seed": -1}, espalier.Error, "seed = -1 is outside"),
    ({"learner": "pa", "epochs": 0}, espalier.Error, "epochs = 0"),
    ({"learner": "pa", "epochs": 1.5}, TypeError, "epochs takes an integer, not 1.5"),
    ({"learner": "pa", "C": 2}, espalier.Error, "C is for svm, linear, not for pa"),
    ({"learner": "perceptron", "rule": "pa"}, espalier.Error, "rule is for pa, not for perceptron"),
    ({"epochs": 9}, espalier.Error, "epochs is for kda, perceptron, pa, not for svm"),
    ({"probabilities": 1}, TypeError, "probabilities takes True or False"),
    ({"memory": 100, "solver": "matrix"}, espalier.Error, "the Gram matrix of 16 examples"),
    ({"cost": 2}, TypeError, "cost"),
])
def test_wrong_options_are_clear_errors(toy, options, error, message):
    with pytest.raises(error, match=message):
        espalier.train("norm(sst())", toy, **options)


def test_other_mistakes_are_clear(toy, several):
    with pytest.raises(espalier.Error, match="a list makes several kernels"):
        espalier.train("sst(lambda={0.2,0.4})", toy)
    with pytest.raises(TypeError, match="data is a Dataset, as espalier.read returns, not list"):
        espalier.train("sst()", [])
    with pytest.raises(espalier.Error, match="only perceptron and pa models can"):
        espalier.train("sst()", toy).continue_training(toy)
    with pytest.raises(espalier.Error, match="one-vs-one needs a single class"):
        espalier.train("sst()", several, multi_class="one-vs-one")


# Work

def test_many_threads_may_use_one_model(train, test):
    model = espalier.train(KERNEL, train, learner="pa", epochs=1)
    expected = model.predict(test)
    results = []
    threads = [threading.Thread(target=lambda: results.append(model.predict(test)))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8
