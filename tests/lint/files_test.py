"""Small rules for every file of the project."""
import re

import pytest
from source_tree import ROOT, code_files, files

LONGEST = 450  # lines
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
# Someone's own folders, and addresses of package registries: both work on one machine only.
PRIVATE = re.compile(
    r"(?<![\w.~}])/(?:home|root|work|Users)/\w"
    r"|--(?:extra-)?index-url|--find[-]links"
    r"|\b(?:files\.pythonhosted|pypi|deb\.debian|security\.debian)\.org(?!/project)", re.IGNORECASE)


def test_no_code_file_is_too_long():
    lengths = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines())
               for path in code_files()}
    assert lengths
    assert {name: n for name, n in lengths.items() if n > LONGEST} == {}


def test_names_say_what_a_file_holds():
    assert [str(path) for path in code_files()
            if VAGUE_NAMES & {path.stem, path.parent.name}] == []


def test_headers_are_included_once():
    assert [str(path) for path in code_files()
            if path.suffix == ".hpp" and "#pragma once" not in path.read_text()] == []


def test_learners_are_distinguished_in_one_file():
    """All others use PreparedLearner; the header has the default."""
    found = {str(path.relative_to(ROOT)) for folder in ("src", "include", "cli", "python")
             for path in (ROOT / folder).rglob("*.[hc]pp")
             if re.search(r"\bLearner::", path.read_text())}
    assert found == {"src/model/train.cpp", "include/espalier/model/train.hpp"}


def test_nothing_works_on_one_machine_only():
    found = []
    for path in files():
        if b"\0" in path.read_bytes()[:4096]:  # not a text
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if PRIVATE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize("line, private", [
    ("cd " + "/home/" + "ann/espalier", True),
    ('"' + "/root/" + 'data"', True),
    ("pip install --" + "index-url x", True),
    ("https://" + "pypi" + ".org/simple", True),
    ("reads ../shared/data/train.tsv", False),
    ("our https://" + "pypi" + ".org/project/espalier page", False),
    ("a network/work/play split", False),
])
def test_the_check_tells_right_from_wrong(line, private):
    assert bool(PRIVATE.search(line)) is private
