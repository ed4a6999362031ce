"""Pictures hold what they should; docstrings show them at work."""
import espalier
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

matplotlib.use("Agg")

TREE = "(S (NP (DT the) (N dog)) (VP barks))"


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def test_parents_stand_above_the_middle_of_their_children():
    places = {text.get_text(): text.get_position() for text in espalier.plot.tree(TREE).texts}
    assert places["NP"][0] == pytest.approx((places["DT"][0] + places["N"][0]) / 2)
    assert places["S"][1] > places["NP"][1] == places["VP"][1] > places["N"][1]
    assert places["the"][0] < places["dog"][0] < places["barks"][0]


def test_contributions_are_colours():
    ax = espalier.plot.tree(TREE, [0, 1, 0, 0, 0, 0, -1, 0])
    colour = {text.get_text(): text.get_bbox_patch().get_facecolor() for text in ax.texts}
    assert colour["NP"][2] > colour["NP"][0] and colour["VP"][0] > colour["VP"][2]  # blue for, orange against
    with pytest.raises(ValueError, match="8 nodes"):
        espalier.plot.tree(TREE, [1])


def test_a_matrix_is_sorted_by_class():
    G = np.diag([1.0, 2, 3])
    ax = espalier.plot.gram(G, ["b", "a", "b"])
    assert np.diag(ax.images[0].get_array()).tolist() == [2, 1, 3]
    with pytest.raises(ValueError, match="square"):
        espalier.plot.gram(G[:2])
    with pytest.raises(ValueError, match="labels"):
        espalier.plot.gram(G, ["a"])


def test_pictures_go_where_they_should():
    _, ax = plt.subplots()
    for draw in (lambda: espalier.plot.tree(TREE, ax=ax), lambda: espalier.plot.gram(np.eye(2), ax=ax),
                 lambda: espalier.plot.training_curve({"loss": [1], "accuracy": [0.5]}, ax=ax)):
        assert draw() is ax


def test_a_curve_may_come_epoch_by_epoch():
    lines = espalier.plot.training_curve([{"loss": 2, "score": 0.5}, {"loss": 1, "score": 0.6}]).lines
    assert [list(line.get_ydata()) for line in lines] == [[2, 1], [0.5, 0.6]]


def test_circles_are_hollow_where_absence_speaks():
    kernel = espalier.SubtreeKernel(weight="discriminance").fit(
        ["(r a)", "(r a b)", "(r b)", "(r c)", "(r d)", "(r d e)"], ["x", "x", "y", "y", "z", "z"])
    ax = espalier.plot.discriminance(kernel)
    expected = [len(c) == 0 for c in (s.get_facecolors() for s in ax.collections)]
    assert sum(expected) == sum(w.by_absence for w in kernel.weights_)
    assert len(ax.collections) == len(kernel.weights_)


def test_contributions_add_up_to_the_score():
    trees, y = ["(r a)", "(r a a)", "(r b)", "(r b b)"], [1, 1, 2, 2]
    estimator = espalier.TreeSVC("subpath()").fit(trees, y)
    values = espalier.contributions(estimator, ("r", "a", "b"), 1)
    assert values[1] > 0 > values[2]
    model = estimator.model_
    bias = model.explain(espalier.Dataset(["(r a b)"]), 0)["decision"]["bias"]
    score = estimator.decision_function(["(r a b)"])[0]
    assert sum(values) == pytest.approx(-score - bias if score < 0 else bias - score)
    assert espalier.contributions(model, "(r a b)", "1").tolist() == values.tolist()
    assert espalier.contributions(estimator, "(r a b)", 2).tolist() == (-values).tolist()
    with pytest.raises(ValueError, match="no class 3"):
        espalier.contributions(estimator, "(r a)", 3)
    numbers = espalier.TreeSVR("subpath()", C=10).fit(trees, [1, 2, 0, 0])
    assert espalier.contributions(numbers, "(r a b)").shape == (3,)
    assert espalier.contributions(numbers, "").shape == (0,)
