"""The forest as NumPy arrays."""
import gc

import espalier
import numpy as np
import pytest


@pytest.fixture
def forest(tmp_path):
    path = tmp_path / "trees.penn"
    path.write_text("(S (A x) (B (A x)))\n(S (A y) (B (A x)))\n")
    return espalier.read(path).forest()


def test_counts(forest):
    assert (forest.tree_count, forest.node_count) == (2, 12)
    # x, (A x), (B (A x)), the first S; y, (A y), the second S
    assert forest.vertex_count == 7
    # x, A -> x, B -> A, S -> A B, y, A -> y
    assert forest.production_count == 6
    assert repr(forest) == "Forest(2 trees, 12 nodes, 7 distinct subtrees)"


def test_arrays(forest):
    subtrees = [forest.subtree(v) for v in range(forest.vertex_count)]
    assert set(subtrees) == {"(x)", "(A(x))", "(B(A(x)))", "(S(A(x))(B(A(x))))",
                             "(y)", "(A(y))", "(S(A(y))(B(A(x))))"}
    assert sorted(forest.labels) == ["A", "B", "S", "x", "y"]
    for v, text in enumerate(subtrees):
        assert text.startswith("(" + forest.labels[forest.label[v]])
        assert forest.size[v] == text.count("(")
        assert forest.height[v] == max(text[:i].count("(") - text[:i].count(")")
                                       for i in range(len(text))) - 1
        assert all(forest.children(v) < v)
        assert "".join(subtrees[c] for c in forest.children(v)) == text[2:-1]
    first, second = (v for v, text in enumerate(subtrees) if text.startswith("(S"))
    assert forest.production[first] == forest.production[second]
    assert len(set(forest.production)) == forest.production_count


def test_arrays_are_read_only_and_outlive_the_forest(forest):
    arrays = [forest.label, forest.height, forest.size, forest.production]
    expected = [array.tolist() for array in arrays]
    del forest
    gc.collect()
    for array, values in zip(arrays, expected):
        assert (array.dtype, array.shape) == (np.uint32, (7,))
        assert array.tolist() == values
        with pytest.raises(ValueError):
            array[0] = 1


@pytest.mark.parametrize("vertex", [7, 2**40])
def test_a_vertex_that_is_not_there_is_an_error(forest, vertex):
    for ask in (forest.subtree, forest.children):
        with pytest.raises(IndexError):
            ask(vertex)


def test_a_deep_tree_comes_back(tmp_path):
    deep = "(a" * 100_000 + ")" * 100_000
    path = tmp_path / "deep.penn"
    path.write_text(deep)
    data = espalier.read(path)
    assert data.trees()[0] == deep
    assert data.forest().height[-1] == 99_999
