"""Cross-validation and tuning from Python."""

from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "norm(sst())"


@pytest.fixture(scope="module")
def questions():
    return espalier.read(ROOT / "examples/questions/test.tsv")


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers.klp"
    path.write_text("".join(f":{n}.5 |BT:t| (a{'(b)' * n}) |ET|\n" for n in range(1, 31)))
    return espalier.read(path)


@pytest.mark.parametrize("options", [{}, {"C": 10}, {"learner": "pa"}, {"class_weight": "balanced"},
                                     {"multi_class": "one-vs-one"}])
def test_metrics_are_those_of_the_splits(questions, options):
    result = espalier.cross_validate(KERNEL, questions, folds=5, repeats=2, **options)
    accuracies = [split["classification"]["accuracy"] for split in result["splits"]]
    spread = result["metrics"]["accuracy"]
    assert spread["count"] == len(accuracies) == 10
    assert spread["mean"] == pytest.approx(np.mean(accuracies))
    assert spread["standard_deviation"] == pytest.approx(np.std(accuracies, ddof=1))
    assert (spread["min"], spread["max"]) == (min(accuracies), max(accuracies))
    f1 = [split["classification"]["macro"]["f1"] for split in result["splits"]]
    assert result["metrics"]["macro_f1"]["mean"] == pytest.approx(np.mean(f1))
    assert list(result["metrics"]) == ["accuracy", "macro_precision", "macro_recall", "macro_f1"]
    assert result["pooled"]["classification"]["examples"] == 2 * len(questions)


def test_options_of_training_count(questions):
    smooth, sharp = (espalier.cross_validate(KERNEL, questions, folds=3, C=C) for C in (1e-4, 10))
    assert smooth["metrics"]["accuracy"]["mean"] < sharp["metrics"]["accuracy"]["mean"]


def test_the_seed_makes_the_splits(questions):
    first, same, other = (espalier.cross_validate(KERNEL, questions, folds=3, seed=seed)
                          for seed in (1, 1, 2))
    assert first == same != other


def test_random_splits(questions):
    result = espalier.cross_validate(KERNEL, questions, split="random", repeats=3, train_fraction=0.5)
    assert [split["classification"]["examples"] for split in result["splits"]] == [90] * 3


def test_leaving_one_out_has_pooled_results_only(questions):
    result = espalier.cross_validate(KERNEL, questions, split="leave-one-out")
    assert result["splits"] == []
    assert result["pooled"]["classification"]["examples"] == len(questions)
    assert result["metrics"]["accuracy"]["mean"] == result["pooled"]["classification"]["accuracy"]
    assert result["metrics"]["accuracy"]["standard_deviation"] is None


def test_numbers(numbers):
    result = espalier.cross_validate("pt()", numbers, folds=3, C=10)
    assert list(result["metrics"]) == ["r2", "pearson", "spearman", "mse", "mae"]
    errors = [split["regression"]["mean_squared_error"] for split in result["splits"]]
    assert result["metrics"]["mse"]["mean"] == pytest.approx(np.mean(errors))
    assert result["metrics"]["spearman"]["mean"] > 0.9


def test_tuning_tries_all_settings(questions):
    found = espalier.tune("norm(sst(lambda={0.2,0.4}))", questions, C=[0.01, 1, 10, 1000])
    assert [(point["kernel"], point["C"]) for point in found["points"]] == [
        (kernel, C) for kernel in ("norm(sst(lambda=0.2))", "norm(sst())") for C in (0.01, 1, 10, 1000)]
    means = [point["score"]["mean"] for point in found["points"]]
    assert found["best"] == max(found["points"], key=lambda p: p["score"]["mean"])
    assert found["best"]["score"]["mean"] == max(means) > min(means)
    assert found["metric"] == "accuracy"
    for point in found["points"][:2]:
        alone = espalier.cross_validate(point["kernel"], questions, folds=5, C=point["C"])
        assert alone["metrics"]["accuracy"].items() >= point["score"].items()


def test_tuning_takes_several_kernels_and_a_metric(questions):
    found = espalier.tune(["norm(st())", "norm(sst(lambda={0.2,0.4}))"], questions, C=10,
                          metric="macro_f1", folds=3, class_weight="balanced")
    assert len(found["points"]) == 3 and found["metric"] == "macro_f1"
    alone = espalier.cross_validate("norm(st())", questions, folds=3, C=10, class_weight="balanced")
    assert alone["metrics"]["macro_f1"].items() >= found["points"][0]["score"].items()


def test_tuning_of_numbers_is_for_r2(numbers):
    found = espalier.tune("pt()", numbers, C=[0.01, 10])
    assert (found["metric"], found["best"]["C"]) == ("r2", 10)


def test_tuning_uses_one_metric_for_all_splits(tmp_path):
    # Most examples have one class: in some splits all of them do.
    path = tmp_path / "several.klp"
    path.write_text("".join(f"{label} |BT:t| (a({label[-1]})(r{k})) |ET|\n" for k, label in
                            enumerate(["x", "y"] * 10 + ["x z"])))
    data = espalier.read(path)
    found = espalier.tune("st()", data, C=[1], folds=7)
    alone = espalier.cross_validate("st()", data, folds=7)
    assert found["metric"] == "micro_f1"
    assert found["best"]["score"].items() <= alone["metrics"]["micro_f1"].items()


@pytest.mark.parametrize("function, options, error, message", [
    ("cross_validate", {"fold": 3}, TypeError, "no parameter 'fold'; did you mean 'folds'"),
    ("cross_validate", {"learner": "svn"}, espalier.Error, "did you mean 'svm'"),
    ("cross_validate", {"folds": 1}, espalier.Error, "folds = 1"),
    ("cross_validate", {"folds": -1}, espalier.Error, "folds = -1"),
    ("cross_validate", {"repeats": 0}, espalier.Error, "repeats = 0"),
    ("cross_validate", {"split": "random", "train_fraction": 2}, espalier.Error, "train_fraction = 2"),
    ("cross_validate", {"split": "bootstrap"}, espalier.Error, "one of folds, random, leave-one-out"),
    ("cross_validate", {"train_fraction": 0.5}, espalier.Error, "train_fraction is for random, not for folds"),
    ("cross_validate", {"task": "one-class"}, espalier.Error, "a one-class model cannot be cross-validated"),
    ("cross_validate", {"learner": "pa", "C": 3}, espalier.Error, "C is for svm, linear, not for pa"),
    ("tune", {"metric": "acuracy"}, espalier.Error, "did you mean accuracy"),
    ("tune", {"metric": "r2"}, espalier.Error, "r2 is for regression"),
    ("tune", {"C": []}, espalier.Error, "C has no values"),
    ("tune", {"C": [1, -1]}, espalier.Error, "C = -1 is outside"),
    ("tune", {"learner": "pa", "C": [1, 2]}, espalier.Error, "C is for svm, linear, not for pa"),
    ("tune", {"costs": [1]}, TypeError, "no parameter 'costs'"),
    ("tune", {"search": {"tolerence": [1]}}, espalier.Error, "did you mean 'tolerance'"),
    ("tune", {"search": {"dropout": [0.1]}}, espalier.Error, "dropout is for kda, not for svm"),
    ("tune", {"search": {"seed": [1, 2]}}, espalier.Error, "seed is not searched"),
    ("tune", {"search": {"tolerance": ["x"]}}, TypeError, "tolerance takes a number"),
    ("tune", {"trials": -1}, espalier.Error, "trials = -1"),
    ("tune", {"nested": 1}, espalier.Error, "folds = 1"),
])
def test_mistakes_are_clear(questions, function, options, error, message):
    with pytest.raises(error, match=message):
        getattr(espalier, function)(KERNEL, questions, **options)


def test_kernels_are_compared_in_a_table(questions):
    pandas = pytest.importorskip("pandas")
    result = espalier.cross_validate(["norm(sst())", "norm(st())"], questions, folds=4,
                                     metric=["accuracy", "roc_auc"])
    table = pandas.DataFrame(result["table"])
    assert list(table["kernel"]) == ["norm(sst())"] * 2 + ["norm(st())"] * 2
    assert list(table["metric"]) == ["accuracy", "roc_auc"] * 2
    first, second = (espalier.cross_validate(kernel, questions, folds=4)["splits"]
                     for kernel in ("norm(sst())", "norm(st())"))
    differences = [b["classification"]["accuracy"] - a["classification"]["accuracy"]
                   for a, b in zip(first, second)]
    assert table["difference"][2] == pytest.approx(np.mean(differences))
    assert table["p_value"][0] is None or np.isnan(table["p_value"][0])
    assert (table["low"] <= table["mean"]).all() and (table["mean"] <= table["high"]).all()


def test_groups_stay_together(tmp_path):
    path = tmp_path / "answers.tsv"
    path.write_text("".join(f"{'yes' if i % 3 == 0 else 'no'}\tq{i // 5}\t(a x{i})\n" for i in range(60)))
    data = espalier.read(path)
    result = espalier.cross_validate("st()", data, folds=4, groups="id", metric=["map", "accuracy"])
    assert result["pooled"]["ranking"]["groups"] == 12
    assert [split["ranking"]["groups"] for split in result["splits"]] == [3] * 4
    with pytest.raises(espalier.Error, match="folds = 13 is outside .2, 12., the number of groups"):
        espalier.cross_validate("st()", data, folds=13, groups="id")
    with pytest.raises(espalier.Error, match="no text named 'question': they have id"):
        espalier.tune("st()", data, groups="question")


def test_learning_curves(questions):
    rows = espalier.learning_curve(["norm(sst())", "norm(st())"], questions, sizes=[20, 60], folds=3)
    assert [(row["kernel"], row["size"]) for row in rows] == [
        (kernel, size) for kernel in ("norm(sst())", "norm(st())") for size in (20, 60)]
    assert all(row["metric"] == "accuracy" and row["seconds"] > 0 for row in rows)
    with pytest.raises(espalier.Error, match="size = 10000 is more than"):
        espalier.learning_curve("st()", questions, sizes=[10000])


def test_splitters_and_scorers_of_scikit_learn(questions):
    from sklearn.model_selection import GroupKFold, cross_val_score, cross_validate

    labels = np.array(questions.labels)
    groups = np.arange(len(questions)) // 3
    svc = espalier.TreeSVC("norm(sst())", C=3)
    scores = cross_val_score(svc, questions, labels, groups=groups, cv=GroupKFold(3), scoring="f1_macro")
    assert len(scores) == 3 and scores.mean() > 0.3
    found = cross_validate(svc, questions, labels, cv=3, scoring=["accuracy", "balanced_accuracy"])
    assert len(found["test_accuracy"]) == 3


def test_tuning_of_any_parameter_is_a_table(questions):
    import pandas as pd

    search = {"class_weight": [None, "balanced", {"HUM": 3}], "multi_class": ["one-vs-rest", "one-vs-one"]}
    found = espalier.tune("norm(sst(lambda={0.2,0.4}))", questions, C=[1, 10, 100], search=search, folds=3)
    table = pd.DataFrame(found["table"])
    assert len(table) == 2 * 3 * 3 * 2 and table["chosen"].sum() == 1
    assert list(table)[:5] == ["kernel", "lambda", "C", "class_weight", "multi_class"]
    assert set(table["lambda"]) == {0.2, 0.4} and (table["low"] <= table["mean"]).all()
    best = found["best"]
    assert table["mean"].max() == best["score"]["mean"]
    alone = espalier.cross_validate(best["kernel"], questions, folds=3, C=best["C"],
                                    class_weight=best["class_weight"], multi_class=best["multi_class"])
    assert alone["metrics"]["accuracy"].items() >= best["score"].items()


def test_tuning_at_random_by_halving_and_by_one_standard_error(questions):
    costs = [0.001, 0.01, 0.1, 1, 10, 100]
    some = espalier.tune(KERNEL, questions, C=costs, trials=3)
    assert len(some["points"]) == 3
    halved = espalier.tune(KERNEL, questions, C=costs, halving=True)
    assert sorted(row["splits"] for row in halved["table"]) == [1, 1, 1, 2, 4, 5]
    simple = espalier.tune(KERNEL, questions, C=costs, one_standard_error=True)["best"]
    best = espalier.tune(KERNEL, questions, C=costs)["best"]
    assert simple["C"] <= best["C"]


def test_tuning_warns_at_the_edge_of_a_grid(questions):
    with pytest.warns(UserWarning, match="the best C, 0.01, is the largest tried"):
        espalier.tune(KERNEL, questions, C=[0.001, 0.01])


def test_tuning_with_a_validation_set(questions):
    train, rest = questions[:120], questions[120:]
    found = espalier.tune(KERNEL, train, C=[0.1, 1, 10], validation=rest)
    for point in found["points"]:
        model = espalier.train(KERNEL, train, C=point["C"])
        assert model.evaluate(rest)["classification"]["accuracy"] == pytest.approx(point["score"]["mean"])
    options = {"learner": "kda", "landmarks": 20, "hidden": [8], "epochs": 20, "batch_size": 16}
    found = espalier.tune(KERNEL, train, search={"dropout": [0.0, 0.3]}, validation=rest, **options)
    model = espalier.train(KERNEL, train, dropout=0.0, validation=rest, **options)
    assert (model.evaluate(rest)["classification"]["accuracy"] ==
            pytest.approx(found["points"][0]["score"]["mean"]))
    with pytest.raises(espalier.Error, match="which is for kda, not for svm"):
        espalier.train(KERNEL, train, validation=rest)
    with pytest.raises(ValueError, match="has no validation set"):
        espalier.tune(KERNEL, train, C=[1, 2], nested=2, validation=rest)


def test_nested_cross_validation(questions):
    found = espalier.tune(KERNEL, questions, C=[0.1, 1, 10], folds=3, nested=4)
    assert [row["fold"] for row in found["table"]] == [0, 1, 2, 3]
    assert found["score"]["mean"] == pytest.approx(np.mean([row["test"] for row in found["table"]]))
    assert found["interval"]["low"] < found["score"]["mean"] < found["interval"]["high"]


def test_tables_are_for_pandas(questions):
    import pandas as pd

    kernels = ["norm(sst())", "norm(st())"]
    folds = pd.DataFrame(espalier.cross_validate(kernels, questions, folds=3)["table"])
    curve = pd.DataFrame(espalier.learning_curve(kernels, questions, sizes=[20, 60], folds=3))
    models = {kernel: espalier.train(kernel, questions[:120]).predict(questions[120:]) for kernel in kernels}
    compared = pd.DataFrame(espalier.compare(models, questions[120:].labels))
    for table in (folds, curve, compared):
        assert len(table) > 1 and not any(isinstance(value, (dict, list)) for value in table.iloc[0])

