"""Trees as people have them become the trees that the library knows."""
import ast
import pickle
from pathlib import Path

import espalier
import nltk
import numpy as np
import pandas as pd
import pytest
from espalier.trees import to_brackets

FORMATS = Path(__file__).resolve().parents[2] / "examples/formats"
BRACKETS = "(S (NP (N dog)) (VP (V barks)))"
COMPACT = "(S(NP(N(dog)))(VP(V(barks))))"
SENTENCE = ("# text = Dogs bark\n"
            "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n")


@pytest.mark.parametrize("tree", [
    BRACKETS,
    np.str_(BRACKETS),
    ("S", ("NP", ("N", "dog")), ("VP", ("V", "barks"))),
    ["S", ["NP", ["N", ["dog"]]], ["VP", ["V", "barks"]]],
    ("S", [("NP", [("N", ["dog"])]), ("VP", [("V", [("barks", [])])])]),
    nltk.Tree.fromstring(BRACKETS),
    nltk.ParentedTree.fromstring(BRACKETS),
    {"label": "S", "children": [{"label": "NP", "children": [{"label": "N", "children": ["dog"]}]},
                                ("VP", {"label": "V", "children": [{"label": "barks"}]})]},
], ids=lambda tree: type(tree).__name__)
def test_all_kinds_are_the_same_tree(tree):
    assert espalier.Dataset([tree, tree])[1] == COMPACT


@pytest.mark.parametrize("text, tree", [
    ("<a><b x='1'>word</b><c/></a>", "(a(b)(c))"),
    ("<!DOCTYPE html><p>some<br>words", "(html(head)(body(p(br))))"),
    ("<html><body></body></html>", "(html(head)(body))"),
    (SENTENCE, espalier.Dataset([SENTENCE], format="conllu")[0]),
    ("", ""),
    ("  (a b)\n", "(a(b))"),
], ids=["xml", "html", "html without doctype", "conllu", "empty", "blanks around"])
def test_texts_tell_what_they_are(text, tree):
    assert espalier.Dataset([text])[0] == tree


def test_formats_may_be_named_and_have_options():
    assert espalier.Dataset(["((a,b),c);"], format="newick")[0] == "(((a)(b))(c))"
    assert espalier.Dataset(["<p>x</p>"], format="xml", text="keep")[0] == "(p(x))"
    with pytest.raises(espalier.Error, match="no format 'newik'"):
        espalier.Dataset(["(a)"], format="newik")
    with pytest.raises(espalier.Error, match="max-nodes"):
        espalier.Dataset(["(a b c)"], max_nodes=2)


def test_python_programs_are_syntax_trees():
    tree = to_brackets(ast.parse("def f(x, *y):\n    global z\n    return x.a[1:'two'] if z else None"))
    assert tree == ("(Module(FunctionDef(f)(arguments(arg(x))(arg(y)))(Global(z))(Return(IfExp(Name(z))"
                    "(Subscript(Attribute(Name(x))(a))(Slice(Constant(1))(Constant('two'))))(Constant(None))))))")


@pytest.mark.parametrize("trees", [
    [BRACKETS, BRACKETS],
    (BRACKETS, BRACKETS),
    np.array([BRACKETS, BRACKETS]),
    np.array([BRACKETS, BRACKETS], dtype=object),
    np.array([[BRACKETS], [BRACKETS]], dtype=object),
    pd.Series([BRACKETS, BRACKETS], index=["x", "y"]),
    pd.DataFrame({"tree": [BRACKETS, BRACKETS]}),
    espalier.Dataset([BRACKETS, BRACKETS]).trees(),
    espalier.Dataset([BRACKETS, BRACKETS]).forest(),
    (tree for tree in [BRACKETS, BRACKETS]),
], ids=lambda trees: type(trees).__name__)
def test_all_containers_will_do(trees):
    data = espalier.Dataset(trees)
    assert [data[0], data[1], len(data)] == [COMPACT, COMPACT, 2]


def test_a_tree_may_be_missing():
    data = espalier.Dataset(pd.Series([BRACKETS, None, float("nan")]))
    assert list(data.trees()) == [COMPACT, None, None]
    assert espalier.gram("sst()", [BRACKETS, None])[1].tolist() == [0, 0]


@pytest.mark.parametrize("label", ["a b", "(", ")", "\\", "a\\", "\\(", "\\\\ ", "é", "", "\udcff"])
def test_labels_may_be_anything(label):
    data = espalier.Dataset([("r", label, (label, "x"))])
    forest = data.forest()
    assert set(forest.labels) == {"r", label, "x"}
    assert forest.vertex_count == 4


@pytest.mark.parametrize("bad, message", [
    ("(a", "element 2:1:1: .* missing 1 closing bracket"),
    ("a b", "element 2:1:1: neither brackets nor XML"),
    ("<a><b></a>", "element 2:1:"),
    ("(a\0)", "NUL"),
    (("a", 3), "element 2: this is no tree: 3"),
    (3, "element 2: this is no tree: 3"),
    ((), r"no tree: \(\)"),
    ({"name": "a"}, "without a label"),
    (("a", "b\tc"), "tab"),
    (SENTENCE + "\n" + SENTENCE, "second tree"),
])
def test_errors_know_the_element(bad, message):
    with pytest.raises(espalier.ElementError, match=message) as error:
        espalier.Dataset(["(a)", ("b",), bad, "(also wrong"])
    assert error.value.index == 2
    assert pickle.loads(pickle.dumps(error.value)).index == 2


@pytest.mark.parametrize("single", [BRACKETS, nltk.Tree("S", []), {"label": "a"}, ast.parse("x")])
def test_a_single_tree_is_no_list_of_trees(single):
    with pytest.raises(TypeError, match="list of trees"):
        espalier.Dataset(single)


def test_a_table_of_several_columns_is_refused():
    with pytest.raises(ValueError, match="shape"):
        espalier.Dataset(np.array([["(a)", "(b)"]], dtype=object))


@pytest.mark.parametrize("text, rival", [
    ("((..))", "dot-bracket"),
    ("((.[..).])", "dot-bracket"),
    ("((a,b),c);", "newick"),
    ("(module (call function: (identifier)))", "tree-sitter"),
    ("(module [0, 0] - [1, 0])", "tree-sitter"),
])
def test_a_text_of_two_meanings_needs_a_format(text, rival):
    with pytest.raises(espalier.ElementError, match=f'format="brackets" or "{rival}"'):
        espalier.Dataset([text])
    assert espalier.Dataset([text], format=rival)[0]


def test_trees_of_a_data_set_are_in_brackets():
    data = espalier.Dataset(["((..))", "(a b)"], format="brackets")
    assert list(espalier.Dataset(data.trees()).trees()) == ["((..))", "(a(b))"]


@pytest.mark.parametrize("text", ["(. .)", "(.(.))", "(S (NP dog) (. .))", "(())", "(a (: :) (b c))",
                                  "(: (a))", "(a;)"])
def test_brackets_are_told_from_other_formats(text):
    assert espalier.Dataset([text])[0] == espalier.Dataset([text], format="brackets")[0]


@pytest.mark.parametrize("pair", [("(a b)", "(a c)"), ["(a b)", " (a c) "], ("(a)", "(b)", "(c)")])
def test_a_tuple_of_texts_in_brackets_is_no_tree(pair):
    with pytest.raises(espalier.ElementError, match="element 1: this is no tree but a tuple or list of texts"):
        espalier.Dataset(["(a)", pair])


def test_a_tree_that_contains_itself_is_refused():
    items = ["a"]
    items.append(items)
    loop = {"label": "a"}
    loop["children"] = [("b", loop)]
    for tree in (items, loop, ("r", ("s", items))):
        with pytest.raises(espalier.ElementError, match="contains itself"):
            espalier.Dataset([tree])
    shared = ("b", "c")  # at several places, but not below itself
    assert to_brackets(("a", shared, ("d", shared))) == "(a(b(c))(d(b(c))))"


def test_nodes_of_objects_are_limited():
    tree = ("a",)
    for _ in range(40):
        tree = ("a", tree, tree)  # 2**41 - 1 nodes
    with pytest.raises(espalier.ElementError, match="more than 20000000 nodes; max_nodes sets this limit"):
        espalier.Dataset([tree])
    with pytest.raises(espalier.ElementError, match="element 0: this is no tree"):
        espalier.Dataset([(tree, tree)])
    with pytest.raises(espalier.ElementError, match="more than 2 nodes"):
        espalier.Dataset([("a", "b", "c")], max_nodes=2)
    assert espalier.Dataset([("a", "b", "c")], max_nodes=3)[0] == "(a(b)(c))"
    wide = ("a", [("b", "c")] * 50_000)
    assert espalier.Dataset([wide]).forest().node_count == 100_001


def test_objects_and_texts_have_the_same_limit():
    rows = {row["name"]: row for table in espalier._core.parameters().values() for row in table}
    assert rows["max_nodes"]["default"] == espalier.trees._MAX_NODES


def test_deep_trees_are_no_problem():
    tree = ("a",)
    for _ in range(50_000):
        tree = ("a", tree)
    assert espalier.Dataset([tree]).forest().vertex_count == 50_001


def test_values_are_those_of_the_file():
    data = espalier.read(Path(__file__).resolve().parents[2] / "examples/questions/test.tsv")
    again = espalier.Dataset(list(data.trees()), data.labels)
    assert again.labels == data.labels
    assert np.array_equal(espalier.gram("norm(pt())", again), espalier.gram("norm(pt())", data))


def test_texts_seen_before_are_not_parsed_again():
    texts = ["(a (b c))", "(a d)"]
    assert espalier.Dataset(texts)._core is espalier.Dataset(list(texts))._core
    assert espalier.Dataset(texts)._core is not espalier.Dataset(texts, name="other")._core
    assert espalier.Dataset(texts)._core is not espalier.Dataset(texts[::-1])._core


def test_what_is_remembered_is_bounded():
    from espalier.data import _Parsed
    parsed = _Parsed(characters=10)
    first = parsed.dataset(("(a)",), "tree", {})
    for name in "bcdef":
        parsed.dataset((f"({name})",), "tree", {})
    assert len(parsed._known) == 3
    assert parsed.dataset(("(a)",), "tree", {}) is not first
    parsed.dataset(("(a long one)",), "tree", {})
    assert not parsed._known


@pytest.mark.parametrize("data", [
    espalier.Dataset(["(a)", None, "", "(b c)"]),
    espalier.Dataset([None, None]),
    espalier.Dataset([]),
    espalier.Dataset([("r", "a b", "x|y", "<c>", "\\(")], ["c l|s"]),
    espalier.Dataset(["(a)", "(b)"], [1, 2.5]),
    espalier.read(FORMATS / "pairs.klp"),
    espalier.read(FORMATS / "questions.klp"),
    espalier.read(FORMATS / "questions.klp")[3:0:-2],
    espalier.Dataset(["(a)", None, "(b)"], ["x", "y", "x"])[1:2],
    espalier.Dataset(espalier.read(FORMATS / "questions.tsv").forest()),
], ids=["missing", "nothing", "none", "odd labels", "numbers", "pairs", "several trees", "a view",
        "a view without trees", "a forest"])
def test_data_sets_can_be_pickled(data):
    again = pickle.loads(pickle.dumps(data))
    for names in ("tree_names", "vector_names", "text_names"):
        assert getattr(again, names) == getattr(data, names)
    assert (len(again), again.labels, again.info()) == (len(data), data.labels, data.info())
    assert all(list(again.trees(name)) == list(data.trees(name)) for name in data.tree_names)
    assert all(again.texts(name) == data.texts(name) for name in data.text_names)
    for name in {name.split("/")[-1] for name in data.vector_names}:
        kernel = f"pair(linear({name}))" if "/" in data.vector_names[0] else f"linear({name})"
        assert np.array_equal(espalier.gram(kernel, again), espalier.gram(kernel, data))


def test_damaged_pickles_are_errors():
    read, (content,) = espalier.Dataset(["(a b)", "(c)"], ["x", "y"]).__reduce__()
    for wrong in (b"", content[:-1], content + b"x", b"\xff" * len(content)):
        with pytest.raises(espalier.Error):
            read(wrong)


def test_data_sets_are_indexed_like_arrays():
    data = espalier.Dataset(["(a)", "(b)", "(c)"], ["x", "y", "z"])
    for key, expected in [([2, 0], "zx"), (slice(1, None), "yz"), (np.array([True, False, True]), "xz"),
                          ((np.array([1]), Ellipsis), "y"), ([], ""), ([-1, -1], "zz")]:
        assert data[key].labels == list(expected)
    assert data[-1] == data[2:][0] == "(c)"
    assert data[1:].forest().tree_count == data[1:].info()["trees"][0]["trees"] == 2
    for wrong in ([3], 3, np.array([True])):
        with pytest.raises(IndexError):
            data[wrong]
