"""Estimators work in all that scikit-learn puts around them."""
import os
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = ROOT / "examples/questions/train.tsv"


@pytest.fixture(scope="module")
def data():
    return espalier.read(TRAIN)


@pytest.fixture(scope="module")
def small(data):
    return data[:240]


def tuned(path, decays, costs):
    """The score of each setting as the program prints it, with four digits."""
    kernel = f"norm(pt(lambda={{{','.join(map(str, decays))}}}))"
    printed = subprocess.run(
        [
            PROGRAM,
            "tune",
            "-k",
            kernel,
            "-C",
            ",".join(map(str, costs)),
            "--multi-class",
            "one-vs-one",
            "--quiet",
            path,
        ],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return [line.split("\t")[2] for line in printed.stdout.splitlines()[1:]]


def searched(data, decays, costs):
    estimator = Pipeline([("k", espalier.PartialTreeKernel()), ("svc", SVC(kernel="precomputed"))])
    grid = {"k__decay": decays, "svc__C": costs}
    return GridSearchCV(estimator, grid, cv=espalier.stratified_folds(data.labels, 5)).fit(data, data.labels)


def test_grid_search_finds_what_the_program_finds(data):
    decays, costs = [0.2, 0.4], [1, 10]
    found = searched(data, decays, costs)
    scores = found.cv_results_["mean_test_score"].tolist()
    assert [f"{score:.4f}" for score in scores] == tuned(TRAIN, decays, costs)
    points = espalier.tune("norm(pt(lambda={0.2,0.4}))", data, C=costs, multi_class="one-vs-one")["points"]
    assert scores == pytest.approx([point["score"]["mean"] for point in points], abs=1e-12)


@pytest.mark.parametrize("kind", [list, pd.Series, lambda trees: np.array(trees, dtype=object)],
                         ids=["list", "series", "array"])
def test_grid_search_takes_trees_as_they_are(small, kind):
    trees, y = kind(list(small.trees())), small.labels
    estimator = Pipeline([("k", espalier.SubsetTreeKernel()), ("svc", SVC(kernel="precomputed"))])
    grid = GridSearchCV(estimator, {"k__decay": [0.2, 0.4]}, cv=3)
    assert (grid.fit(trees, y).cv_results_["mean_test_score"].tolist() ==
            clone(grid).fit(small, y).cv_results_["mean_test_score"].tolist())


def test_grid_search_parses_nothing_twice(small, monkeypatch):
    calls = []
    parse = espalier._core.from_texts
    monkeypatch.setattr(espalier._core, "from_texts", lambda *key: calls.append(1) or parse(*key))
    trees = [tree.replace("(", "(x", 1) for tree in small.trees()]  # not seen before
    estimator = make_pipeline(espalier.SubsetTreeKernel(), SVC(kernel="precomputed"))
    grid = {"subsettreekernel__decay": [0.1, 0.2, 0.3, 0.4], "svc__C": [1, 10]}
    GridSearchCV(estimator, grid, cv=3, refit=False).fit(trees, small.labels)
    assert len(calls) == 6  # a part to learn from and one to test on, for each fold
    calls.clear()
    GridSearchCV(estimator, grid, cv=3).fit(espalier.Dataset(trees), small.labels)
    assert len(calls) == 1


def test_folds_share_the_forest(data):
    some, others = data[::2], data[1::2]
    assert some._core.forest(None).vertex_count == others._core.forest(None).vertex_count > some.forest().vertex_count


def test_grid_search_over_a_kernel_inside_an_estimator(small):
    grid = GridSearchCV(
        espalier.TreeSVC(espalier.SubsetTreeKernel()), {"kernel__decay": [0.2, 0.4], "C": [1, 10]}, cv=3
    )
    assert grid.fit(small, small.labels).best_score_ > 0.7


def test_grid_search_in_processes(small):
    grid = GridSearchCV(espalier.TreeSVC("norm(sst())", n_jobs=1), {"C": [0.1, 10]}, cv=2)
    alone = clone(grid).fit(small, small.labels)
    with parallel_config(backend="multiprocessing"):
        together = grid.set_params(n_jobs=2).fit(small, small.labels)
    assert together.cv_results_["mean_test_score"].tolist() == alone.cv_results_["mean_test_score"].tolist()


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(espalier.TreeNystroem(landmarks=60), LinearSVC()),
        make_pipeline(espalier.SubtreeFeatures(leaves=True), LinearSVC()),
        make_pipeline(espalier.DistributedTrees(dim=512), LinearSVC()),
        make_pipeline(espalier.TreeKMeans(12), StandardScaler(), LogisticRegression()),
        make_pipeline(espalier.SubtreeKernel(), SVC(kernel="precomputed", C=10)),
        espalier.TreePassiveAggressive("norm(sst())"),
    ],
    ids=lambda estimator: (
        estimator[0].__class__.__name__ if isinstance(estimator, Pipeline) else type(estimator).__name__
    ),
)
def test_cross_validation(estimator, small):
    assert cross_val_score(estimator, small, small.labels, cv=3).mean() > 0.5


def test_transformers_side_by_side(small):
    union = FeatureUnion([("subtrees", espalier.SubtreeFeatures()), ("paths", espalier.DistributedTrees(
        dim=256, fragments="subpaths"))])
    assert cross_val_score(make_pipeline(union, LinearSVC()), small, small.labels, cv=3).mean() > 0.5


def test_a_column_of_a_table(small):
    table = pd.DataFrame({"tree": list(small.trees()), "length": [len(tree) for tree in small.trees()]})
    columns = ColumnTransformer(
        [("tree", espalier.SubtreeFeatures(), "tree"), ("length", StandardScaler(), ["length"])]
    )
    estimator = make_pipeline(columns, LinearSVC())
    assert cross_val_score(estimator, table, small.labels, cv=3).mean() > 0.5
    names = columns.fit(table).get_feature_names_out()
    assert names[-1] == "length__length" and names[0].startswith("tree__(")


def test_calibrated_probabilities(small):
    estimator = CalibratedClassifierCV(espalier.TreeSVC("norm(sst())"), cv=2).fit(small, small.labels)
    P = estimator.predict_proba(list(small.trees()))
    assert P.shape == (240, 6)
    np.testing.assert_allclose(P.sum(axis=1), 1)


def test_output_as_a_table(small):
    kernel = espalier.SubsetTreeKernel().set_output(transform="pandas")
    assert kernel.fit_transform(small[:3]).columns.tolist() == [f"subsettreekernel{i}" for i in range(3)]


def test_splitting(data):
    first, second, y1, y2 = train_test_split(data, data.labels, test_size=0.25, random_state=1)
    assert isinstance(first, espalier.Dataset)
    assert first.labels == list(y1) and second.labels == list(y2)


def test_group_folds_and_scorers(small):
    from sklearn.metrics import make_scorer, matthews_corrcoef
    from sklearn.model_selection import GroupKFold

    groups = np.arange(len(small)) // 4
    scoring = {"f1": "f1_macro", "mcc": make_scorer(matthews_corrcoef)}
    grid = GridSearchCV(espalier.TreeSVC("norm(sst())"), {"C": [0.1, 3]}, cv=GroupKFold(3), scoring=scoring,
                        refit="mcc").fit(small, np.array(small.labels), groups=groups)
    assert grid.best_params_ == {"C": 3} and 0 < grid.best_score_ < 1
    for train, test in GroupKFold(3).split(np.zeros(len(small)), groups=groups):
        assert not set(groups[train]) & set(groups[test])


@pytest.mark.parametrize("estimator, y", [
    (espalier.TreeSVC("norm(sst())", C=3, tol=1e-7), "labels"),
    (espalier.TreeSVR("norm(sst())", C=3, tol=1e-7), "numbers"),
], ids=["svc", "svr"])
def test_weights_do_what_copies_do(small, estimator, y):
    targets = np.array(small.labels) if y == "labels" else np.arange(len(small)) % 7 / 2
    weights = np.arange(len(small)) % 3  # 0: left out
    places = np.repeat(np.arange(len(small)), weights)
    copies = clone(estimator).fit(small[places.tolist()], targets[places])
    weighed = clone(estimator).fit(small, targets, sample_weight=weights)
    values = (lambda e: e.decision_function(small)) if y == "labels" else (lambda e: e.predict(small))
    assert values(weighed) == pytest.approx(values(copies), abs=1e-3)
    for wrong, message in (([1], "has the shape"), (-np.ones(len(small)), "negative"),
                           (np.zeros(len(small)), "are zero")):
        with pytest.raises(ValueError, match=message):
            clone(estimator).fit(small, targets, sample_weight=wrong)
    with pytest.raises(TypeError, match="sample_weight"):
        espalier.TreePassiveAggressive().fit(small, small.labels, sample_weight=weights)


@pytest.mark.parametrize("estimator", [
    espalier.TreeSVC("norm(sst())", C=10, probability=True),
    espalier.KernelDeepClassifier("norm(sst())", landmarks=60, hidden=[30], epochs=60, batch_size=32,
                                  learning_rate=0.01, validation_fraction=0),
], ids=["svc", "kda"])
def test_several_labels(small, estimator):
    from scipy.sparse import csr_matrix
    from sklearn.metrics import f1_score

    labels = np.array(small.labels)
    y = np.stack([labels == "HUM", np.isin(labels, ["HUM", "LOC"]), labels == "NUM"], axis=1).astype(int)
    estimator.fit(small, y)
    predicted = estimator.predict(small)
    assert predicted.shape == y.shape and f1_score(y, predicted, average="micro") > 0.9
    scores = estimator.decision_function(small)
    assert scores.shape == y.shape and ((scores > 0) == predicted).mean() > 0.99
    assert estimator.predict_proba(small).shape == y.shape
    assert (clone(estimator).fit(small, csr_matrix(y)).predict(small) == predicted).all()
    scores = cross_val_score(clone(estimator), small, y, cv=3, scoring="f1_micro")
    assert scores.mean() > 0.6
    with pytest.raises(ValueError, match="takes one class for each tree"):
        espalier.TreePassiveAggressive().fit(small, y)
