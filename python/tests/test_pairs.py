"""Pairs of texts, related words, pruning, and data sets made of parts."""
from pathlib import Path

import espalier
import numpy as np
import pytest
from scipy import sparse

FORMATS = Path(__file__).resolve().parents[2] / "examples/formats"
SENTENCES = FORMATS / "sentences.conllu"

QUESTION = "(S(WHNP(WP(who)))(VP(VBD(wrote))(NP(NNP(Faust)))))"
ANSWER = "(S(NP(NNP(Goethe)))(VP(VBD(finished))(NP(NNP(Faust)))))"


def test_pairs_of_files_have_marks_features_labels_and_groups(tmp_path):
    labels = tmp_path / "labels"
    labels.write_text("yes\nno\nyes\nno\nyes\nno\n")
    pairs = espalier.read_pairs(SENTENCES, SENTENCES, labels, related="lemma", features=True,
                                group="genre", represent=["grct", "shallow"])
    assert pairs.labels == ["yes", "no"] * 3
    assert pairs.tree_names == ["a/grct", "a/shallow", "b/grct", "b/shallow"]
    assert pairs.texts("genre")[0] == "story"
    assert "REL-root" in pairs.trees("a/grct")[0]
    assert pairs.trees("a/shallow")[3] == (
        "(SYNT##REL-S(SYNT##REL-NP(POS##REL-NNP(LEX##lisbon::n)))(SYNT##REL-VP(POS##REL-VBZ(LEX##be::v)))"
        "(SYNT##REL-NP(POS##REL-DT(LEX##a::d))(POS##REL-NN(LEX##port::n))))")
    assert espalier.read_pairs(SENTENCES, SENTENCES, [1, 2.5, 3, 4, 5, 6]).labels[1] == 2.5
    value = espalier.gram("linear(features)", pairs[:1])
    assert np.asarray(value).item() == pytest.approx(10)  # all of them are 1


def test_pairs_that_do_not_fit_are_errors(tmp_path):
    labels = tmp_path / "labels"
    labels.write_text("yes\n")
    with pytest.raises(espalier.Error, match="a missing label: it has 1 line"):
        espalier.read_pairs(SENTENCES, SENTENCES, labels)
    with pytest.raises(espalier.Error, match="ends after 5 examples"):
        espalier.read_pairs(SENTENCES, FORMATS / "questions.penn")
    with pytest.raises(FileNotFoundError):
        espalier.read_pairs(SENTENCES, tmp_path / "none")
    with pytest.raises(TypeError, match="relatd"):
        espalier.read_pairs(SENTENCES, SENTENCES, relatd="lemma")
    with pytest.raises(ValueError, match="6 examples, but 1 labels"):
        espalier.read_pairs(SENTENCES, SENTENCES, ["x"])


def test_related_words_are_marked_in_trees_lists_and_data_sets():
    marked = "(REL-S(NP(NNP(Goethe)))(REL-VP(VBD(finished))(REL-NP(REL-NNP(Faust)))))"
    assert espalier.mark_related(QUESTION, ANSWER)[1] == marked
    assert espalier.mark_related([QUESTION] * 2, [ANSWER] * 2, "form")[1] == [marked] * 2
    data = espalier.Dataset([ANSWER], ["x"])
    assert espalier.mark_related(espalier.Dataset([QUESTION]), data)[1].trees()[0] == marked
    assert espalier.mark_related(QUESTION, ANSWER, levels=1)[1].count("REL-") == 1
    with pytest.raises(ValueError, match="1 trees and 2"):
        espalier.mark_related([QUESTION], [ANSWER] * 2)
    with pytest.raises(espalier.Error, match="expected form, lemma"):
        espalier.mark_related(QUESTION, ANSWER, "synonyms")


def test_words_are_related_by_vectors(tmp_path):
    file = tmp_path / "v.txt"
    file.write_text("dog 1 0\npuppy 0.8 0.6\n")
    a, b = espalier.mark_related("(S(NN(dog)))", "(S(NN(puppy)))", "vectors:0.7", vectors=str(file))
    assert (a, b) == ("(REL-S(REL-NN(dog)))", "(REL-S(REL-NN(puppy)))")


def test_pruning():
    assert espalier.prune(ANSWER, prune_labels="NP,VBD") == "(S(VP))"
    assert espalier.prune([ANSWER], prune_depth=1) == ["(S(NP)(VP))"]
    marked = espalier.mark_related(QUESTION, ANSWER, levels=1)[1]
    assert espalier.prune(marked, prune_distance=0) == "(S(VP(NP(REL-NNP))))"
    assert espalier.prune(ANSWER, prune_distance=0) == ANSWER
    with pytest.raises(espalier.ElementError, match="leaves nothing") as caught:
        espalier.prune([QUESTION, ANSWER], prune_labels="S")
    assert caught.value.index == 0


def test_other_forms_of_trees():
    assert espalier.lexical([ANSWER]) == ["(S(NP(NNP(goethe::n)))(VP(VBD(finished::v))(NP(NNP(faust::n)))))"]
    data = espalier.shallow(espalier.Dataset([ANSWER], ["x"]))
    assert data.labels == ["x"]
    assert data[0] == ANSWER.replace("(VP(VBD(finished))", "(VP(VBD(finished)))").replace(")))))", "))))")


def test_leaves_are_words_where_they_are_read(tmp_path):
    file = tmp_path / "t.tsv"
    file.write_text(f"x\t{ANSWER}\n")
    expected = espalier.lexical(ANSWER)
    assert espalier.read(file, words="leaves")[0] == expected
    assert espalier.Dataset([ANSWER], words="leaves")[0] == expected
    assert espalier.Dataset([ANSWER])[0] == ANSWER


def test_models_find_their_word_vectors(tmp_path):
    vectors = tmp_path / "v.txt"
    vectors.write_text("dog 1 0\ncat 0.8 0.6\ncar 0 1\nbus 0.1 1\n")
    kernel = f'norm(spt(vectors="{vectors}"))'
    data = espalier.Dataset(["(NN(dog::n))", "(NN(car::n))"], ["animal", "thing"])
    model = espalier.train(kernel, data)
    new = espalier.Dataset(["(NN(cat::n))", "(NN(bus::n))"])
    expected = model.scores(new)
    folder = tmp_path / "there"
    folder.mkdir()
    model.save(folder / "m")
    vectors.rename(folder / "v.txt")
    assert espalier.Model.load(folder / "m").scores(new).tolist() == expected.tolist()
    (folder / "v.txt").rename(tmp_path / "w")
    assert espalier.Model.load(folder / "m", vectors=tmp_path / "w").scores(new).tolist() == expected.tolist()
    with pytest.raises(espalier.Error, match="name the file"):
        espalier.Model.load(folder / "m").scores(new)
    without = espalier.Model.load(folder / "m", vectors="none")
    assert abs(without.scores(new)).max() < abs(expected).max()
    (tmp_path / "w").write_text("dog 1 0\ncat 0.8 0.6\ncar 0 1\nbus 0.2 1\n")
    with pytest.raises(espalier.Error, match="has changed since the model was trained"):
        espalier.Model.load(folder / "m", vectors=tmp_path / "w").scores(new)


def test_data_sets_are_made_of_parts():
    data = espalier.Dataset({"x": ["(a b)", None], "y": [("a", "c"), "(d)"]}, ["p", "q"],
                            vectors={"dense": np.array([[1.0, 2], [3, 4]]), "sparse": [{"f": 2}, None],
                                     "matrix": sparse.csr_matrix([[0, 5.0], [0, 0]])},
                            texts={"id": ["q1", None]})
    assert data.tree_names == ["x", "y"]
    assert list(data.trees("x")) == ["(a(b))", None]
    assert sorted(data.vector_names) == ["dense", "matrix", "sparse"]
    assert data.texts("id") == ["q1", None]
    assert espalier.gram("linear(dense)", data).tolist() == [[5, 11], [11, 25]]
    assert espalier.gram("linear(matrix)", data)[0, 0] == 25
    assert espalier.gram("linear(sparse)", data)[0, 0] == 4


def test_data_sets_of_pairs_are_as_those_of_files():
    left = espalier.Dataset({"grct": ["(a(b))", "(c)"]})
    right = espalier.Dataset({"grct": ["(a(d))", "(c)"]})
    pairs = espalier.Dataset(labels=["x", "y"], pairs=(left, right), vectors={"v": [[1], [2]]})
    assert pairs.tree_names == ["a/grct", "b/grct"]
    assert espalier.gram("pair(st(grct, decay=1))", pairs).shape == (2, 2)
    assert espalier.Dataset(pairs=(["(a)"], ["(b)"])).tree_names == ["a/tree", "b/tree"]
    assert espalier.Dataset(pairs=(left[1:], right[1:])).trees("b/grct")[0] == "(c)"


@pytest.mark.parametrize("arguments, message", [
    ({"trees": {"x": ["(a)"], "y": ["(a)", "(b)"]}}, "there are 1, 2"),
    ({"trees": ["(a)"], "texts": {"id": ["1", "2"]}}, "there are 1, 2"),
    ({"pairs": (["(a)"], ["(a)", "(b)"])}, "there are 1, 2"),
    ({"pairs": (["(a)"],)}, "pairs are two"),
    ({}, "there are none"),
])
def test_parts_must_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        espalier.Dataset(**arguments)


def test_vectors_hold_numbers():
    with pytest.raises(espalier.ElementError, match="'x', which is not a number") as caught:
        espalier.Dataset(["(a)", "(b)"], vectors={"v": [[1], ["x"]]})
    assert caught.value.index == 1
    with pytest.raises(espalier.ElementError, match="not finite|finite"):
        espalier.Dataset(["(a)"], vectors={"v": [[float("nan")]]})
