"""Fragments of models from Python."""

from pathlib import Path

import espalier
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def data():
    return espalier.read(ROOT / "examples/questions/train.tsv")


@pytest.fixture(scope="module")
def model(data):
    return espalier.train("norm(sst())", data, C=3)


def test_fragments_are_a_table(model, data):
    pandas = pytest.importorskip("pandas")
    fragments = model.fragments(data, top=5, min_size=2)
    table = pandas.DataFrame(fragments)
    assert list(table.columns) == ["class", "fragment", "weight", "size", "subtrees", "examples", "occurrences"]
    assert list(table["class"].unique()) == model.classes and len(table) == 5 * len(model.classes)
    assert (table["size"] >= 2).all() and (table["examples"] > 0).all()
    for _, of_class in table.groupby("class"):
        assert of_class["weight"].abs().is_monotonic_decreasing
    assert fragments.exact == dict.fromkeys(model.classes, True)
    assert "examples" not in model.fragments(class_name="HUM", top=1)[0]


def test_fragments_say_when_they_are_not_exact(model):
    fragments = model.fragments(class_name="HUM", top=1000, expansions=1)
    assert fragments.exact == {"HUM": False} and fragments.bounds["HUM"] > 0


def test_a_notebook_draws_fragments():
    data = espalier.Dataset(["(<b> x)", "(a y)"], labels=["A&", "B"])
    fragments = espalier.train("sst()", data).fragments()
    page = fragments._repr_html_()
    assert page.count("<svg") == len(fragments) == 2
    assert "&lt;b&gt;" in page and "<b>" not in page and "A&amp;" in page


def test_fragments_of_an_unknown_class_are_an_error(model):
    with pytest.raises(espalier.Error, match="did you mean 'HUM'"):
        model.fragments(class_name="HUN")
    with pytest.raises(espalier.Error, match="top = 0 is outside"):
        model.fragments(top=0)


def test_explanations_name_fragments(model, data):
    decision = model.explain(data, 0)["decision"]
    assert len(decision["fragments"]) == 12
    values = [abs(each["value"]) for each in decision["fragments"]]
    assert values == sorted(values, reverse=True)
