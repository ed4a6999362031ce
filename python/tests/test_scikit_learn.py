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
