"""Networks on landmarks, and why models decide."""
import pickle

import espalier
import numpy as np
import pytest

QUESTIONS = "examples/questions/{}.tsv"
SMALL = {"learner": "kda", "landmarks": 80, "hidden": [30], "epochs": 40, "batch_size": 64, "learning_rate": 0.01}


@pytest.fixture(scope="module")
def data():
    return espalier.read(QUESTIONS.format("train")), espalier.read(QUESTIONS.format("test"))


@pytest.fixture(scope="module")
def model(data):
    return espalier.train("norm(pt())", data[0], **SMALL)


def test_a_network_learns_and_tells_how(data, model):
    assert model.evaluate(data[1])["classification"]["accuracy"] > 0.75
    assert len(model.curve) == model.training["iterations"] <= 40
    assert model.curve[-1]["loss"] < model.curve[0]["loss"]
    np.testing.assert_allclose(model.probabilities(data[1]).sum(axis=1), 1)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.scores(data[1]), model.scores(data[1]))


def test_the_seed_decides_and_threads_do_not(data, model):
    same = espalier.train("norm(pt())", data[0], **SMALL, threads=1)
    np.testing.assert_array_equal(same.scores(data[1]), model.scores(data[1]))
    other = espalier.train("norm(pt())", data[0], **SMALL, seed=2)
    assert (other.scores(data[1]) != model.scores(data[1])).any()


def test_reasons_add_up_to_the_score(data, model):
    svm = espalier.train("norm(pt())", data[0])
    for each in (model, svm):
        scores = each.scores(data[1])
        for i in (0, 7):
            why = each.explain(data[1], i)
            decision = why["decision"]
            assert decision["class"] == each.classes[scores[i].argmax()]
            assert decision["score"] == pytest.approx(scores[i].max(), rel=1e-5)
            parts = sum(share["value"] for share in decision["subtrees"]) + decision["bias"]
            assert parts == pytest.approx(decision["score"], rel=1e-6)
            assert why["rival"]["score"] <= decision["score"]
            if each is model:
                relevance = sum(share["value"] for share in decision["landmarks"])
                assert relevance + decision["like_none"] + decision["bias"] == pytest.approx(parts, rel=1e-5)
                assert "because it is like: " in why["sentence"]


def test_misuse_is_an_error(data):
    with pytest.raises(IndexError):
        espalier.train("norm(pt())", data[0], learner="linear", landmarks=20).explain(data[1], 1000)
    for options, message in (({"hidden": [-1]}, "hidden = -1"), ({"dropout": 1.0}, "dropout = 1"),
                             ({"validation_fraction": 1.0}, "validation_fraction = 1"),
                             ({"C": 3}, "C is for svm, linear, not for kda")):
        with pytest.raises(espalier.Error, match=message):
            espalier.train("norm(pt())", data[0], learner="kda", **options)
