"""Docs, help texts, messages and public headers use the field's words, not words of our own."""
import re

import pytest
from source_tree import ROOT, files

# What we once wrote, and what scikit-learn, LIBSVM and papers write instead.
INSTEAD = {
    r"machines?": "classifier, binary classifier, SVM",
    r"(?:has|have|having|with|without) (?:a|no) say": "support vector, non-zero coefficient",
    r"task[ =](?:classes|numbers|outliers)": "classification, regression, one-class",
    r"seconds of processor|processor seconds|processor time": "CPU seconds, CPU time",
    r"by the wall": "wall time",
    r"development (?:part|share|set)": "validation set, fraction",
    r"train(?:s|ed|ing)?[ _-]further": "warm start, --continue, partial_fit",
    r"steps=linear": "learning-rate schedule",
    r"extras": "difference from the base value",
    r"turned round": "inverted",
    r"giv(?:e|es|en|ing) back|gave back": "return, release",
    r"t(?:ell|ells|old|elling) apart": "distinguish",
    r"of everything random": "random seed",
    r"dealt anew|deal anew": "reshuffled",
    r"mends?|mended": "fix",
    r"so many": "n",
    r"[Nn]ystrom": "nystroem",
    r"subset-trees": "subset_trees",
}
WORDS = re.compile("|".join(rf"(?P<w{i}>\b(?:{word})\b)" for i, word in enumerate(INSTEAD)),
                   re.IGNORECASE)
# Where the word is right: the field's term, or a computer.
ALLOWED = re.compile(
    r"support[ -]vector machines?|kernel machines?|factorization machines?|machine[ -]learning"
    r"|machine translation|virtual machines?|Debian machines?"
    r"|(?:this|another|any|every|each|one|a|the|same|other|quiet|fresh|shared|busy|slow|your|two|few"
    r"|different|of|similar|overloaded|across|What) machines?(?!s? (?:of|for|with) (?:a |the )?class)"
    r"|machine's|on machines"
    r"|`nystrom` to `nystroem`"  # the changelog names what was renamed
    r"|#sst-subset-trees",  # an address made from a heading
    re.IGNORECASE)
FOLDERS = ("docs", "include", "cli", "examples", "experiments", "python/espalier")
SUFFIXES = {".md", ".hpp", ".cpp", ".py", ".pyi", ""}


def hits(text):
    """The words of a text that should be others, with the line they are in."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        allowed = [match.span() for match in ALLOWED.finditer(line)]
        for match in WORDS.finditer(line):
            if not any(begin <= match.start() < end for begin, end in allowed):
                instead = list(INSTEAD.values())[int(match.lastgroup[1:])]
                found.append(f"{number}: '{match[0]}' should be: {instead}")
    return found


def texts():
    yield from ROOT.glob("*.md")
    yield ROOT / "bench/RESULTS.md"
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(FOLDERS) and path.suffix in SUFFIXES:
            yield path


def test_our_texts_use_the_words_of_the_field():
    found = [f"{path.relative_to(ROOT)}:{hit}" for path in sorted(texts())
             for hit in hits(path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("line, right", [
    ("a support vector machine of two classes", True),
    ("the same bits on every machine", True),
    ("measured on this machine", True),
    ("machine learning on trees", True),
    ("so much for that", True),
    ("one of the machines has a say", False),
    ("Machines are saved", False),
    ("12 seconds of processor", False),
    ("--dev: the development part", False),
    ("the seed of everything random", False),
])
def test_the_check_finds_such_words(line, right):
    assert (hits(line) == []) is right
