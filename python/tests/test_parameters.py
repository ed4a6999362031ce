"""Command line, signatures, docstrings, stubs and reference page agree with the C++ table."""

import ast
import functools
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import espalier
import pytest
from espalier import _core
from espalier.base import TreeEstimator, seed_of

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TABLES = _core.parameters()
each_parameter = pytest.mark.parametrize("table, name", [
    (table, name) for table, rows in TABLES.items()
    for name in dict.fromkeys(row["name"] for row in rows)])

COMMANDS = {"train": ["train", "cv"], "validation": ["cv"], "tune": ["tune"], "curve": ["curve"],
            "resampling": ["evaluate", "compare"],
            "nystroem": ["embed"], "distributed_trees": ["embed"], "cluster": ["cluster"],
            "fragments": ["fragments"], "hashed_fragments": ["embed"], "select": ["select"],
            "read": ["info", "train"], "execution": ["gram", "train"]}
# The estimators of a learner; what they lack of its parameters is fixed or for another task.
LEARNERS = {
    espalier.TreeSVC: ("svm", {"learner", "task", "nu", "epsilon"}),
    espalier.TreeSVR: ("svm", {"learner", "task", "nu", "multi_class", "class_weight",
                               "probabilities", "seed"}),
    espalier.TreePassiveAggressive: ("pa", {"learner", "task", "epsilon"}),
    espalier.KernelDeepClassifier: ("kda", {"learner", "task", "landmarks", "groups", "group_duplicates"}),
}
PYTHON = {
    "train": [espalier.train], "validation": [espalier.cross_validate], "tune": [espalier.tune],
    "curve": [espalier.learning_curve], "resampling": [espalier.estimate, espalier.compare],
    "nystroem": [espalier.TreeNystroem, espalier.KernelDeepClassifier],
    "distributed_trees": [espalier.DistributedTrees], "cluster": [espalier.TreeKMeans],
    "fragments": [espalier.Model.fragments, espalier.FragmentFeatures],
    "hashed_fragments": [espalier.HashedFragments], "select": [espalier.select_labels],
    "read": [espalier.read],
    "kernel:st": [espalier.SubtreeKernel, espalier.SubtreeFeatures],
    "kernel:sst": [espalier.SubsetTreeKernel], "kernel:pt": [espalier.PartialTreeKernel],
    "kernel:spt": [espalier.SmoothedPartialTreeKernel],
    "kernel:cspt": [espalier.CompositionalTreeKernel], "kernel:subpath": [espalier.SubpathKernel],
}
PYTHON["execution"] = [*LEARNERS, *{item for items in PYTHON.values() for item in items
                                    if item is not espalier.read}]
# Arguments that only Python has.
OTHERS = {"kernel", "data", "path", "training", "normalize", "on_error", "tree", "metric", "C",
          "self", "class_name", "sizes", "system", "systems", "truth", "groups", "relevant", "classes"}


def rows_of(table, name, learner=""):
    return [row for row in TABLES[table] if row["name"] == name
            and (not learner or learner in (row["users"] or learner).split(", "))]


def default_of(rows):
    """The default in Python."""
    unset = rows[0]["type"] == "class_weight" or rows[0]["default"] == ""
    return None if unset or len({row["default"] for row in rows}) > 1 else rows[0]["default"]


def flag_of(row):
    is_on = row["default"] is True and not row["choices"]
    long = ("--no-" if is_on else "--") + row["name"].replace("_", "-")
    return long if len(row["name"]) > 1 else f"-{row['name']}"


def in_help(value):
    """A default as --help shows it: 1G for 2**30."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    for suffix, size in ("G", 2**30), ("M", 2**20), ("K", 2**10):
        if isinstance(value, int) and value and value % size == 0 and value > 10**6:
            return f"{value // size}{suffix}"
    return f"{value:g}" if isinstance(value, float) else str(value)


@functools.cache
def help_entries(command):
    """The options of a command: their description by flag. It begins with the form of the value."""
    text = subprocess.run([PROGRAM, command, "--help-all"], check=True, capture_output=True,
                          text=True).stdout
    out = {}
    for entry in re.findall(r"^  (-[^\n]*(?:\n {6,}[^\n]*)*)", text, re.MULTILINE):
        flags = re.match(r"(-[-\w]+,? *)+", entry).group()
        for flag in re.findall(r"-[-\w]+", flags):
            out[flag] = " ".join(entry[len(flags):].split())
    return out


def python_name(item, name):
    """The name of a parameter of the table in a function or class of the package."""
    name = {"lambda": "decay", "mu": "depth_decay"}.get(name, name)
    if not (inspect.isclass(item) and issubclass(item, TreeEstimator)):
        return name
    names = {table: python for python, table in item._names.items()}
    return names.get(name, {"threads": "n_jobs"}.get(name, name))


def documented(item):
    """The entries of the Parameters section: type and description by name."""
    section = re.search(r"Parameters\n-+\n(.*?\n)(?=\n|\Z)", inspect.getdoc(item) + "\n",
                        re.DOTALL).group(1)
    entries = re.findall(r"^(\S+)(?: : ([^\n]*))?\n((?:    [^\n]*\n)*)", section, re.MULTILINE)
    return {name.lstrip("*"): (kind, " ".join(text.split())) for name, kind, text in entries}


def check_python(item, rows):
    """Signature and docstring agree with the rows of one name."""
    name = python_name(item, rows[0]["name"])
    kind, text = documented(item)[name]
    default = inspect.signature(item).parameters[name].default
    if name in ("n_jobs", "random_state"):  # as in scikit-learn
        assert default is None
        return
    assert (default, type(default)) == (default_of(rows), type(default_of(rows)))
    assert rows[0]["help"][1:] in text
    assert all(f'"{choice}"' in kind for choice in rows[0]["choices"])
    if default is not None:
        assert eval(kind.split("default: ")[1]) == default
    elif len({row["default"] for row in rows}) > 1:
        assert all(f"{row['default']} ({row['users']})" in kind for row in rows)
    else:
        assert kind.endswith(", optional")


@each_parameter
def test_the_command_line_has_it(table, name):
    rows = rows_of(table, name)
    for command in COMMANDS.get(table, []):
        text = help_entries(command)[flag_of(rows[0])]
        if name == "format":
            continue  # its names are those of formats()
        assert rows[0]["help"] in text
        if rows[0]["type"] in ("choice", "boolean"):
            assert text.startswith("|".join(rows[0]["choices"]))
        assert all(choice in text for choice in rows[0]["choices"])
        if len({row["default"] for row in rows}) > 1:
            assert all(f"{row['users']}: {in_help(row['default'])}" in text for row in rows)
        elif text.endswith("(required)"):
            continue
        elif default_of(rows) is not None and not isinstance(default_of(rows), bool):
            assert f"[{in_help(rows[0]['default'])}]" in text


@each_parameter
def test_python_has_it(table, name):
    for item in PYTHON.get(table, []):
        if not (name == "seed" and table in ("validation", "tune", "curve")):  # there in **training
            check_python(item, rows_of(table, name))


@pytest.mark.parametrize("estimator", LEARNERS, ids=lambda estimator: estimator.__name__)
def test_estimators_have_the_parameters_of_their_learner(estimator):
    learner, without = LEARNERS[estimator]
    for name in {row["name"] for row in TABLES["train"]} - without:
        if rows := rows_of("train", name, learner):
            check_python(estimator, rows)


def test_python_has_nothing_else():
    for item in PYTHON["execution"] + [espalier.read, espalier.Model.continue_training]:
        learner, without = LEARNERS.get(item, ("", set()))
        tables = [table for table, items in PYTHON.items() if item in items]
        tables += ["train", "execution"] if learner or inspect.ismethod(item) else []
        known = {python_name(item, row["name"]) for table in tables for row in TABLES[table]
                 if table != "train" or row["name"] not in without}
        names = set(inspect.signature(item).parameters) - {"self"}
        assert documented(item).keys() == names, item
        if item is not espalier.Model.continue_training:
            assert names - known <= OTHERS, item


def test_defaults_that_nothing_generates():
    assert {row["default"] for rows in TABLES.values() for row in rows
            if row["name"] == "seed"} == {seed_of(None)}
    defaults = {row["name"]: row["default"] for row in TABLES["execution"]}
    for item in [espalier.gram, espalier.kernel, espalier.diagonal, espalier.TreeKernel,
                 *filter(inspect.isfunction, vars(espalier.Model).values())]:
        for name, parameter in inspect.signature(item).parameters.items():
            assert parameter.default == defaults.get(name, parameter.default), item


def test_stubs_fit_the_compiled_module():
    stub = {node.name: node
            for node in ast.parse((ROOT / "python/espalier/_core.pyi").read_text()).body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name, table, arguments in (("TrainOptions", "train", {"C", "groups", "group_duplicates"}),
                                   ("ReadOptions", "read", {"format", "labels"})):
        fields = {statement.target.id for statement in stub.pop(name).body}
        assert fields == {row["name"] for row in TABLES[table]} - arguments
    compiled = {name: value for name, value in vars(_core).items() if callable(value)
                and not (isinstance(value, type) and issubclass(value, Exception))}
    assert compiled.keys() == stub.keys()
    for name, node in stub.items():
        if isinstance(node, ast.FunctionDef):
            expected = [argument.arg for argument in node.args.args]
            signature = re.sub(r"\[[^]]*\]", "", compiled[name].__doc__.splitlines()[0])
            found = re.findall(r"(?:\(|, )(\w+): ", signature)
            assert len(found) == len(expected), name
            assert found == expected or found[0].startswith("arg"), name  # bound without names


@each_parameter
def test_the_reference_page_has_it(table, name):
    row = rows_of(table, name)[0]
    begin = f"| `{python_name(None, name)}` | `{flag_of(row)}` |"
    if table.startswith("kernel:"):
        begin = f"| `{table.partition(':')[2]}` | `{name}` |"
    lines = [line for line in (ROOT / "docs/parameters.md").read_text().splitlines()
             if line.startswith(begin) and line.endswith(f"| {row['help']} |")]
    assert lines
    assert all(f"`{choice}`" in line for choice in row["choices"] for line in lines)
    if isinstance(row["default"], (float, bool)):
        assert any(f"| `{row['default']}` |" in line for line in lines)


def test_what_is_generated_is_up_to_date():
    result = subprocess.run([sys.executable, ROOT / "scripts/generate", "--check"],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
