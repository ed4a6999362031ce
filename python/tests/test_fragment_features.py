"""Fragments as features, from Python."""

import os
import pickle
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = ROOT / "examples/questions/train.tsv"


@pytest.fixture(scope="module")
def data():
    return espalier.read(TRAIN)


@pytest.mark.parametrize("kernel", ["norm(sst())", "subpath()", "norm(pt(lambda=0.3))"])
def test_all_fragments_have_the_kernel_as_their_product(kernel):
    trees = ["(S (A x) (B y))", "(S (A x))", "(S (B y z))", "(T (A x) (A x))"]
    features = espalier.FragmentFeatures(kernel, top=10**6)
    rows = features.fit_transform(trees, ["a", "b", "c", "d"])
    np.testing.assert_allclose((rows @ rows.T).toarray(), espalier.gram(kernel, espalier.Dataset(trees)), atol=1e-12)


def test_features_survive_pickling_and_have_names(data):
    features = espalier.FragmentFeatures("norm(sst())", top=20, C=3).fit(data)
    again = pickle.loads(pickle.dumps(features))
    first, second = features.transform(data), again.transform(data)
    assert (first != second).nnz == 0
    names = again.get_feature_names_out()
    assert len(names) == first.shape[1] == len(set(names))
    listed = {each["fragment"] for each in features.model_.fragments(top=20)}
    assert set(names) == listed


def test_hashed_rows_depend_on_their_tree_alone(data):
    hashed = espalier.HashedFragments("norm(sst())", max_size=2, hash_dim=2**12)
    rows = hashed.transform(data)
    assert rows.shape == (len(data), 2**12)
    np.testing.assert_allclose(scipy.sparse.linalg.norm(rows, axis=1), 1)
    alone = hashed.transform([data[7]])
    assert (alone != rows[7]).nnz == 0
    with pytest.raises(espalier.Error, match="not a power of two"):
        espalier.HashedFragments(hash_dim=100).fit(data)


def test_pipelines(data):
    test = espalier.read(ROOT / "examples/questions/test.tsv")
    for features in (espalier.FragmentFeatures("norm(sst())", top=200, C=3), espalier.HashedFragments(max_size=2)):
        pipeline = make_pipeline(features, LinearSVC(C=10)).fit(data, data.labels)
        assert pipeline.score(test, test.labels) > 0.85


def test_models_on_fragments(data):
    test = espalier.read(ROOT / "examples/questions/test.tsv")
    model = espalier.train("norm(sst())", data, learner="linear", fragments=300, C=3)
    assert "linear on fragments" in repr(model)
    predicted = model.predict(test)
    assert np.mean([a == b for a, b in zip(predicted, test.labels)]) > 0.88
    fragments = model.fragments(class_name="HUM", top=5)
    assert len(fragments) == 5 and fragments.exact == {"HUM": True}
    decision = model.explain(test, 0)["decision"]
    assert decision["fragments"] and decision["class"] == predicted[0]
    hashed = espalier.train("norm(sst())", data, learner="linear", hash_dim=2**14, max_size=2, C=3)
    with pytest.raises(espalier.Error, match="hashed"):
        hashed.fragments()
    with pytest.raises(espalier.Error, match="max_size"):
        espalier.train("norm(sst())", data, learner="linear", max_size=2)


def test_the_program_writes_the_same_vectors(data, tmp_path):
    features = espalier.FragmentFeatures("norm(sst())", top=10, C=3).fit(data)
    features.model_.save(tmp_path / "m")
    subprocess.run([PROGRAM, "embed", "--method", "fragments", "--from", tmp_path / "m", "--top", "10", TRAIN,
                    "-o", tmp_path / "x.npz"], check=True, capture_output=True)
    rows = scipy.sparse.load_npz(tmp_path / "x.npz")
    assert (rows != features.transform(data)).nnz == 0
