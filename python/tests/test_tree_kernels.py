"""Kernels as transformers give the matrices of the library."""
import pickle
from pathlib import Path

import espalier
import numpy as np
import pytest
from sklearn.base import clone

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def data():
    return espalier.read(ROOT / "examples/questions/test.tsv")


KERNELS = [
    (espalier.SubtreeKernel(decay=0.3, leaves=True), "norm(st(decay=0.3, leaves=true))"),
    (espalier.SubtreeKernel(kappa="min", unordered=True, normalize=False), "st(kappa=min, unordered=true)"),
    (espalier.SubsetTreeKernel(decay=0.2), "norm(sst(lambda=0.2))"),
    (espalier.SubsetTreeKernel(tree="tree", normalize=False), "sst(tree)"),
    (espalier.PartialTreeKernel(depth_decay=0.3, gap="span"), "norm(pt(mu=0.3, gap=span))"),
    (espalier.SubpathKernel(decay=0.7), "norm(subpath(lambda=0.7))"),
    (espalier.TreeKernel("norm(sst()) + 0.5*norm(pt())"), "norm(sst()) + 0.5*norm(pt())"),
]


@pytest.mark.parametrize("kernel, expression", KERNELS, ids=[text for _, text in KERNELS])
def test_matrices_are_those_of_the_expression(kernel, expression, data):
    whole = espalier.gram(expression, data)
    kernel = clone(kernel)
    assert np.array_equal(kernel.fit_transform(data), whole)
    assert np.array_equal(kernel.transform(data), whole)
    assert kernel.kernel_ == expression
    np.testing.assert_allclose(kernel.diagonal(data), np.diag(whole), rtol=1e-12)
    rows, columns = data[100:], data[:100]
    np.testing.assert_allclose(kernel.fit(columns).transform(rows), whole[100:, :100], rtol=1e-12)
    assert np.array_equal(espalier.gram(kernel, rows, columns), kernel.transform(rows))


def test_words_match_by_their_vectors(tmp_path):
    vectors = str(tmp_path / "my words.txt")
    Path(vectors).write_text("lisbon::n 1 0.5\nport::n 0.5 1\nparis::n 0.9 0.6\n")
    trees = espalier.read(ROOT / "examples/formats/sentences.conllu")
    for kernel, expression in [
        (espalier.SmoothedPartialTreeKernel(vectors, threshold=0.2), f'norm(spt(vectors="{vectors}", threshold=0.2))'),
        (espalier.CompositionalTreeKernel(vectors, beta=0.5), f'norm(cspt(vectors="{vectors}", beta=0.5))'),
    ]:
        assert np.array_equal(kernel.fit_transform(trees), espalier.gram(expression, trees))


@pytest.mark.parametrize(
    "kernel",
    [
        espalier.PartialTreeKernel(),
        espalier.SubtreeKernel(weight="discriminance"),
        espalier.SubtreeFeatures(weight="discriminance"),
        espalier.TreeNystroem(landmarks=20),
        espalier.TreeNystroem(landmarks=10, sets=2, policy="classwise"),
        espalier.DistributedTrees(dim=64),
        espalier.TreeKMeans(3),
    ],
    ids=lambda kernel: type(kernel).__name__,
)
def test_pickled_transformers_give_the_same(kernel, data):
    expected = kernel.fit(data[:60], data.labels[:60]).transform(data)
    found = pickle.loads(pickle.dumps(kernel)).transform(data)
    if isinstance(kernel, espalier.SubtreeFeatures):
        expected, found = expected.toarray(), found.toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_features_have_names(data):
    features = espalier.SubtreeFeatures().fit(data)
    names = features.get_feature_names_out()
    assert len(names) == features.transform(data).shape[1] == len(set(names))
    assert espalier.PartialTreeKernel().fit(data[:2]).get_feature_names_out().tolist() == [
        "partialtreekernel0", "partialtreekernel1"]


def test_features_of_a_part_are_those_of_its_trees(data):
    part = espalier.SubtreeFeatures().fit(data[:50])
    alone = espalier.SubtreeFeatures().fit(list(data.trees()[:50]))
    assert set(part.get_feature_names_out()) == set(alone.get_feature_names_out())


def test_wrong_parameters_are_errors_of_fit(data):
    for kernel, message in [(espalier.PartialTreeKernel(decay=2), "outside"), (espalier.TreeKernel("ptt()"), "did you"),
                            (espalier.SubtreeKernel(weight="hight"), "weight")]:
        with pytest.raises(espalier.Error, match=message):
            kernel.fit(data)
    with pytest.raises(ValueError, match="n_jobs"):
        espalier.PartialTreeKernel(n_jobs=-3).fit_transform(data)


def test_kernels_are_shown_by_their_parameters():
    kernel = espalier.PartialTreeKernel(decay=0.2)
    assert repr(kernel) == "PartialTreeKernel(decay=0.2)"
    assert "PartialTreeKernel" in kernel._repr_html_()
