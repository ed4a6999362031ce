"""Arrow tables and Parquet files hold what data sets hold."""
import needed  # noqa: F401, I001

import os
import subprocess
import sys

import espalier
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forests import labels, trees

TEXTS = ["(a (b c))", None, "(a b)", "(a (b c))"]
KINDS = {
    "string": pa.array(TEXTS, pa.string()),
    "large_string": pa.array(TEXTS, pa.large_string()),
    "string_view": pa.array(TEXTS + ["(a (b (longer_than_twelve_bytes x)))"], pa.string_view())[:4],
    "binary": pa.array([text and text.encode() for text in TEXTS], pa.binary()),
    "dictionary": pa.array(TEXTS, pa.string()).dictionary_encode(),
    "dictionary of large_string": pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 0], pa.uint16()), pa.array(["(a (b c))", "(a b)"], pa.large_string())),
    "slice": pa.array(["(wrong", *TEXTS, "(wrong"], pa.string())[1:5],
    "slice of a dictionary": pa.array(["(x)", *TEXTS]).dictionary_encode()[1:],
}


@pytest.mark.parametrize("kind", KINDS)
def test_strings_of_every_layout_are_trees(kind):
    data = espalier.Dataset.from_arrow(pa.table({"tree": KINDS[kind]}))
    assert list(data) == list(espalier.Dataset(TEXTS))


def test_long_string_views_are_read():
    long = "(a (b longer_than_twelve_bytes))"
    data = espalier.Dataset.from_arrow(pa.table({"t": pa.array([long, "(c)"], pa.string_view())}), tree="t")
    assert list(data) == list(espalier.Dataset([long, "(c)"]))


@pytest.mark.parametrize("column, expected", [
    (pa.array(["x", None, "y"]), ["x", None, "y"]),
    (pa.array(["x", "x", "y"]).dictionary_encode(), ["x", "x", "y"]),
    (pa.array([1, 2, 3]), [1.0, 2.0, 3.0]),
    (pa.array([1.5, None, 3], pa.float32()), [1.5, None, 3.0]),
    (pa.array([["x", "y"], [], None]), [["x", "y"], None, None]),
    (pa.array([True, False, True]), ["true", "false", "true"]),
])
def test_labels_are_classes_several_classes_or_numbers(column, expected):
    data = espalier.Dataset.from_arrow(pa.table({"tree": ["(a)"] * 3, "y": column}), label="y")
    found = [float(x) if isinstance(x, str) and x.isdigit() else x for x in data.labels]
    assert found == expected


VECTORS = {
    "list": pa.array([[1, 2], [0, 3]], pa.list_(pa.int32())),
    "large_list": pa.array([[1, 2], [0, 3]], pa.large_list(pa.float32())),
    "fixed": pa.array([[1, 2], [0, 3]], pa.list_(pa.float32(), 2)),
    "map": pa.array([[("0", 1), ("1", 2)], [("1", 3)]], pa.map_(pa.string(), pa.float64())),
    "pairs": pa.array([[(0, 1.0), (1, 2.0)], [(1, 3.0)]],
                      pa.list_(pa.struct([("i", pa.int32()), ("x", pa.float64())]))),
}


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_are_lists_or_maps(kind):
    data = espalier.Dataset.from_arrow(pa.table({"v": VECTORS[kind]}), vectors="v")
    assert espalier.gram("linear(v)", data).tolist() == [[5, 6], [6, 9]]


def test_pairs_are_columns_of_their_members():
    table = pa.table({"p": ["(a b)", "(a c)"], "q": ["(a b)", "(a b)"]})
    data = espalier.Dataset.from_arrow(table, tree={"a/t": "p", "b/t": "q"})
    assert data.tree_names == ["a/t", "b/t"]
    assert espalier.gram("pair(st())", data).shape == (2, 2)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("source", ["examples/formats/questions.klp", "examples/formats/questions.tsv"])
def test_files_hold_what_a_data_set_holds(source, suffix, tmp_path):
    data = espalier.read(os.path.join(os.path.dirname(__file__), "../..", source))
    espalier.write(data, tmp_path / f"x{suffix}")
    again = espalier.read(tmp_path / f"x{suffix}")
    assert repr(again) == repr(data) and again.labels == data.labels
    for name in data.tree_names:
        assert list(again.trees(name)) == list(data.trees(name))
    for name in data.text_names:
        assert again.texts(name) == data.texts(name)
    for name in data.vector_names:
        kernel = f"linear({name})"
        assert (espalier.gram(kernel, again) == espalier.gram(kernel, data)).all()


def test_columns_have_names_and_folders_are_read(tmp_path):
    texts = trees(50)
    (tmp_path / "x.parquet").mkdir()
    for part in range(2):
        rows = slice(part * 25, part * 25 + 25)
        pq.write_table(pa.table({"ast": texts[rows], "y": labels(texts)[rows], "path": range(25),
                                 "more": [{"not": "ours"}] * 25}), tmp_path / f"x.parquet/{part}.parquet")
    data = espalier.read(tmp_path / "x.parquet", tree="ast", label="y", id="path")
    assert list(data) == list(espalier.Dataset(texts)) and data.labels == labels(texts)
    assert data.texts("id")[:3] == ["0", "1", "2"]


def test_errors_say_what_to_do(tmp_path):
    table = pa.table({"ast": ["(a)", "(b"], "n": [{"x": 1}] * 2})
    with pytest.raises(espalier.Error, match="there is no column 'tree'.*name one of ast, n"):
        espalier.Dataset.from_arrow(table)
    with pytest.raises(espalier.Error, match="'n' of type struct.*cannot be the tree"):
        espalier.Dataset.from_arrow(table, tree="n")
    with pytest.raises(espalier.ElementError, match="row 1, ast:1:1") as error:
        espalier.Dataset.from_arrow(table, tree="ast")
    assert error.value.index == 1


def test_the_program_says_how_parquet_is_read(tmp_path):
    pq.write_table(pa.table({"tree": ["(a)"]}), tmp_path / "x.parquet")
    done = subprocess.run([os.environ["ESPALIER_PROGRAM"], "info", tmp_path / "x.parquet"],
                          text=True, capture_output=True)
    assert done.returncode == 1 and "python3 -m espalier" in done.stderr


def test_parquet_is_converted_for_the_program(tmp_path):
    texts = trees(20)
    pq.write_table(pa.table({"ast": texts, "y": labels(texts)}), tmp_path / "x.parquet")
    command = [sys.executable, "-m", "espalier"]
    subprocess.run([*command, tmp_path / "x.parquet", tmp_path / "x.tsv", "--tree", "ast", "--label", "y"],
                   check=True)
    data = espalier.read(tmp_path / "x.tsv")
    assert list(data) == list(espalier.Dataset(texts)) and data.labels == labels(texts)
    subprocess.run([*command, tmp_path / "x.tsv", tmp_path / "y.parquet"], check=True)
    assert espalier.read(tmp_path / "y.parquet").labels == labels(texts)
    done = subprocess.run([*command, tmp_path / "none.parquet", tmp_path / "x.tsv"], text=True,
                          capture_output=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "none.parquet" in done.stderr
