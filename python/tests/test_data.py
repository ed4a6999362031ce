"""Reading, writing and looking into data sets."""
import collections.abc
import gc
import gzip
import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import espalier
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")
FORMATS = ROOT / "examples/formats"
SAMPLES = sorted(FORMATS.iterdir())


@pytest.fixture
def file(tmp_path):
    """Makes a file with that content, str or bytes, and returns its path."""
    def make(content, name="data"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return make


@pytest.fixture
def sample():
    return espalier.read(FORMATS / "questions.klp")


@pytest.mark.parametrize("as_type", [str, Path, os.fsencode])
def test_paths_may_be_of_any_kind(as_type):
    assert len(espalier.read(as_type(str(FORMATS / "questions.tsv")))) == 5


@pytest.mark.parametrize("line, label", [
    ("|BT:t| (a) |ET|", None),
    ("X |BT:t| (a) |ET|", "X"),
    ("été |BT:t| (a) |ET|", "été"),
    (":2.5 |BT:t| (a) |ET|", 2.5),
    ("score:3 |BT:t| (a) |ET|", ("score", 3.0)),
    ("X Y |BT:t| (a) |ET|", ["X", "Y"]),
    ("X score:3 |BT:t| (a) |ET|", ["X", ("score", 3.0)]),
])
def test_labels(file, line, label):
    data = espalier.read(file(line + "\n"), "klp")
    assert data.labels == [label]
    assert type(data.labels[0]) is type(label)


def test_class_names_come_in_order_of_first_appearance(file):
    data = espalier.read(file("B A |BT:t| (a) |ET|\nscore:1 A C |BT:t| (a) |ET|\n"))
    assert data.class_names == ["B", "A", "C"]


def test_names(sample):
    assert sample.tree_names == ["const", "words"]
    assert sample.vector_names == ["bow"]
    assert sample.text_names == ["question"]


def test_trees_are_a_sequence(sample):
    trees = sample.trees("words")
    first, last = "(Q(Where)(is)(Lima)(?))", "(Q(Where)(does)(the)(Aare)(rise)(?))"
    assert isinstance(trees, collections.abc.Sequence)
    assert len(trees) == 5
    assert (trees[0], trees[-5], trees[4], trees[-1]) == (first, first, last, last)
    assert list(trees[::4]) == [first, last]
    assert list(trees[:0:-1]) == list(trees)[:0:-1]
    assert trees[3:][1] == last
    assert list(reversed(trees))[0] == last
    assert first in trees and "(nothing)" not in trees
    assert repr(trees) == "Trees('words', 5)"
    for index in (5, -6):
        with pytest.raises(IndexError):
            trees[index]
    with pytest.raises(TypeError):
        trees["0"]


def test_trees_and_texts_may_be_absent(file):
    data = espalier.read(file("A |BT:t| (a) |ET|\nA |BS:s| x |ES|\nA |BT:t| |ET|\n"))
    assert list(data.trees()) == ["(a)", None, ""]
    assert data.texts() == [None, "x", None]


def test_members_of_pairs_have_names_of_their_own():
    data = espalier.read(FORMATS / "pairs.klp")
    assert data.tree_names == ["a/const", "b/const"]
    assert data.text_names == ["a/question", "b/question"]
    assert data.vector_names == ["shared"]
    assert data.texts("b/question")[0] == "In which country is Lima?"
    assert data.trees("a/const")[0].startswith("(SBARQ(WHADVP(WRB(Where)))")
    assert data.forest().tree_count == 6
    assert data.forest("const").vertex_count == data.forest("b/const").vertex_count == 64


@pytest.mark.parametrize("ask, message", [
    (lambda d: d.trees(), "the examples have several trees: name one of const, words"),
    (lambda d: d.forest(), "the examples have several trees: name one of const, words"),
    (lambda d: d.trees("cons"), "the examples have no tree named 'cons': they have const, words"),
    (lambda d: d.texts("bow"), "the examples have no text named 'bow': they have question"),
])
def test_an_unknown_name_is_answered_with_the_known_ones(sample, ask, message):
    with pytest.raises(espalier.Error) as error:
        ask(sample)
    assert str(error.value) == message


def test_trees_outlive_the_data_set():
    trees = espalier.read(FORMATS / "questions.tsv").trees()
    gc.collect()
    assert trees[0].startswith("(SBARQ")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_info_is_what_the_program_prints(path):
    printed = subprocess.run([PROGRAM, "info", "--json", path], check=True, stdout=subprocess.PIPE)
    expected = json.loads(printed.stdout)
    del expected["file"]
    info = espalier.read(path).info()
    assert info == expected
    assert list(info) == list(expected)


def test_repr(sample, file):
    assert repr(sample) == ("Dataset(5 examples, 4 classes, trees 'const', 'words', "
                            "vector 'bow', text 'question')")
    assert repr(espalier.read(file("(a)"))) == "Dataset(1 example, tree 'tree')"


@pytest.mark.parametrize("path", [path for path in SAMPLES if path.suffix != ".conllu"],
                         ids=lambda path: path.name)
def test_writing_and_reading_again_changes_nothing(path, tmp_path):
    data = espalier.read(path)
    written = tmp_path / (path.name + ".gz")
    espalier.write(data, written)
    again = espalier.read(written)
    assert again.info() == data.info()
    assert again.labels == data.labels
    for name in data.tree_names:
        assert list(again.trees(name)) == list(data.trees(name))
    assert gzip.decompress(written.read_bytes()).endswith(b"\n")


def test_bytes_that_are_not_utf8_survive(file, tmp_path):
    path = file(b"\xff |BT:\xfe| (\xfd(\xc3\xa9)) |ET| \n", "data.klp")
    data = espalier.read(path)
    assert data.labels == ["\udcff"]
    assert data.trees("\udcfe")[0] == "(\udcfd(é))"
    assert data.info()["classes"] == [{"name": "\ufffd", "examples": 1}]
    espalier.write(data, tmp_path / "again.klp")
    assert (tmp_path / "again.klp").read_bytes() == path.read_bytes()


def test_what_is_skipped_is_warned_of(file):
    path = file("A |BT:t| (a) |ET| |BG:g| x |EG|\n")
    with pytest.warns(UserWarning, match="skipped") as caught:
        assert espalier.read(path).tree_names == ["t"]
    assert caught[0].filename == __file__


def test_bad_content_says_where(file):
    path = file("A\t(a b)\nB\t(a (b)\n")
    with pytest.raises(espalier.InputError) as caught:
        espalier.read(path)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, espalier.Error) and isinstance(error, ValueError)
        assert (error.file, error.line, error.column) == (str(path), 2, 3)
        assert str(error) == f"{path}:2:3: the tree that starts here is missing 1 closing bracket, near '(a (b)'"


def test_a_missing_file_is_what_python_users_expect(tmp_path):
    with pytest.raises(FileNotFoundError):
        espalier.read(tmp_path / "missing.tsv")


@pytest.mark.parametrize("call, error, message", [
    (lambda f: espalier.read(f), espalier.Error, "directory"),
    (lambda f: espalier.read(FORMATS / "questions.tsv", "tvs"), espalier.Error, "did you mean 'tsv'"),
    (lambda f: espalier.read("a\0b"), ValueError, "null byte"),
    (lambda f: espalier.read(3), TypeError, "PathLike"),
    (lambda f: espalier.write(espalier.read(FORMATS / "pairs.klp"), f / "x.tsv"), espalier.Error,
     "example 1: tsv cannot store pairs"),
    (lambda f: espalier.write(espalier.read(FORMATS / "pairs.klp"), f / "x"), espalier.Error,
     "does not determine the output format"),
])
def test_other_mistakes_are_clear(tmp_path, call, error, message):
    with pytest.raises(error, match=message):
        call(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_other_threads_run_while_a_file_is_read(tmp_path):
    # The reader waits for a pipe that only another thread of this process fills.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lengths = []
    reader = threading.Thread(target=lambda: lengths.append(len(espalier.read(pipe))), daemon=True)
    reader.start()
    pipe.write_text("A\t(a b)\n")
    reader.join(60)
    assert lengths == [1]


def test_formats_and_version():
    assert {"conllu", "klp", "penn", "svmlight-tk", "tsv", "xml", "directory"} <= set(espalier.formats())
    assert all(espalier.formats().values())
    assert espalier.__version__ in (ROOT / "CMakeLists.txt").read_text()


def test_sentences_become_trees_as_asked_for():
    path = FORMATS / "sentences.conllu"
    assert espalier.read(path).tree_names == ["grct"]
    data = espalier.read(path, represent="loct", forms=True, coarse=True, lower_case=False,
                         punctuation=True, label_from="sent_id", label_until="-")
    assert data.tree_names == ["loct"]
    assert data.trees()[1] == '(LEX##said::v(LEX##Wait::v(LEX##"::.)(LEX##,::.)(LEX##"::.))(LEX##she::p)(LEX##.::.))'
    assert data.labels == ["mill"] * 3 + ["ports"] * 3


@pytest.mark.parametrize("candidates, classes", [
    ("arguments", ["argument", "none"]),
    ("roles", ["ARG0", "R-ARG0", "ARG1", "none", "ARGM-MNR"]),
])
def test_candidate_arguments(candidates, classes):
    data = espalier.read(FORMATS / "arguments.conllu", candidates=candidates)
    assert len(data) == 7
    assert data.class_names == classes


def test_wrong_options_of_sentences():
    with pytest.raises(espalier.Error, match="did you mean 'grct'"):
        espalier.read(FORMATS / "sentences.conllu", represent="grtc")
    with pytest.raises(espalier.Error, match="candidates takes one of"):
        espalier.read(FORMATS / "sentences.conllu", candidates="argument")
    with pytest.raises(espalier.Error, match="leave label_from out"):
        espalier.read(FORMATS / "arguments.conllu", candidates="roles", label_from="x")
    with pytest.raises(espalier.Error, match="no sentence has 'x'"):
        espalier.read(FORMATS / "sentences.conllu", label_from="x")
    with pytest.raises(espalier.Error, match="represent is for conllu, not for tsv"):
        espalier.read(FORMATS / "questions.tsv", "tsv", represent="loct")


def test_what_sentences_lose_is_a_warning(file):
    path = file("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n1.1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n")
    with pytest.warns(UserWarning, match="empty nodes"):
        espalier.read(path, forms=True)


def test_options_say_how_documents_become_trees(file):
    path = file('<p class="big red">one<b/></p>', "page.xml")
    assert str(espalier.read(path).trees()[0]) == "(p(b))"
    kept = espalier.read(path, text="keep", labels="tag.class")
    assert str(kept.trees()[0]) == "(p.big(one)(b))"
    table = file("id,kind,tree\n1,A,\"(a,b);\"\n")
    assert espalier.read(table, columns="class=kind,newick=tree").labels == ["A"]


def test_limits_are_options(file):
    path = file("[[[1]]]")
    with pytest.raises(espalier.InputError, match="more than 2 levels; the option max-depth"):
        espalier.read(path, max_depth=2)
    with pytest.raises(TypeError, match="max_dept"):
        espalier.read(path, max_dept=2)
    with pytest.raises(TypeError, match="no parameter 'max_dept'; did you mean 'max_depth'"):
        espalier.Dataset(["(a)"], max_dept=2)


def test_a_folder_is_a_data_set(tmp_path):
    (tmp_path / "A").mkdir()
    (tmp_path / "A/1.penn").write_text("(S x)")
    assert espalier.read(tmp_path, "directory").labels == ["A"]


def test_tables_need_pyarrow_and_say_so(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "espalier.arrow", raising=False)
    monkeypatch.delattr(espalier, "arrow", raising=False)
    path = file("PAR1", "x.parquet")
    data = espalier.Dataset(["(a)"])
    for call in (lambda: espalier.read(path, tree="ast"), lambda: espalier.write(data, path),
                 lambda: espalier.Dataset.from_arrow({}), data.to_arrow):
        with pytest.raises(ImportError, match=r"pip install 'espalier\[arrow\]'"):
            call()
    with pytest.raises(TypeError, match="label names a column of a Parquet or Arrow file"):
        espalier.read(FORMATS / "questions.tsv", label="y")
