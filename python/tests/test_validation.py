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
    assert list(result["metrics"]) == ["accuracy", "macro_f1", "micro_f1"]
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
    assert list(result["metrics"]) == ["r2", "pearson", "spearman", "mean_squared_error",
                                       "mean_absolute_error"]
    errors = [split["regression"]["mean_squared_error"] for split in result["splits"]]
    assert result["metrics"]["mean_squared_error"]["mean"] == pytest.approx(np.mean(errors))
    assert result["metrics"]["spearman"]["mean"] > 0.9


def test_tuning_tries_all_settings(questions):
    found = espalier.tune("norm(sst(lambda={0.2,0.4}))", questions, C=[0.01, 1, 10])
    assert [(point["kernel"], point["C"]) for point in found["points"]] == [
        (kernel, C) for kernel in ("norm(sst(lambda=0.2))", "norm(sst())") for C in (0.01, 1, 10)]
    means = [point["score"]["mean"] for point in found["points"]]
    assert found["best"] == max(found["points"], key=lambda p: (p["score"]["mean"], -p["C"]))
    assert found["best"]["score"]["mean"] == max(means) > min(means)
    assert found["metric"] == "accuracy"
    for point in found["points"][:2]:
        alone = espalier.cross_validate(point["kernel"], questions, folds=5, C=point["C"])
        assert alone["metrics"]["accuracy"] == point["score"]


def test_tuning_takes_several_kernels_and_a_metric(questions):
    found = espalier.tune(["norm(st())", "norm(sst(lambda={0.2,0.4}))"], questions, C=10,
                          metric="macro_f1", folds=3, class_weight="balanced")
    assert len(found["points"]) == 3 and found["metric"] == "macro_f1"
    alone = espalier.cross_validate("norm(st())", questions, folds=3, C=10, class_weight="balanced")
    assert alone["metrics"]["macro_f1"] == found["points"][0]["score"]


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
    assert found["best"]["score"] == alone["metrics"]["micro_f1"]


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
    ("tune", {"metric": "r2"}, espalier.Error, "does not apply"),
    ("tune", {"C": []}, espalier.Error, "there are no settings"),
    ("tune", {"C": [1, -1]}, espalier.Error, "C = -1 is outside"),
    ("tune", {"learner": "pa"}, espalier.Error, "tuning is for svm"),
    ("tune", {"costs": [1]}, TypeError, "no parameter 'costs'"),
])
def test_mistakes_are_clear(questions, function, options, error, message):
    with pytest.raises(error, match=message):
        getattr(espalier, function)(KERNEL, questions, **options)
