"""Turns the data sets of the experiment into "class TAB tree" files."""
import csv
import gzip
import io
import random
import re
import tarfile

WORD = re.compile(r"[^\s()]+|[()]")
SPECIAL = re.compile(r"([() ])")


def brackets(label, children):
    return "(" + SPECIAL.sub(r"\\\1", label) + "".join(children) + ")"


def prefix_tree(text):
    """"a(b c(d))", the label before the bracket of its children, as "(a(b)(c(d)))"."""
    words, out = WORD.findall(text), []
    for word, after in zip(words, words[1:] + [""]):
        if word == ")":
            out.append(")")
        elif word != "(":
            out.append("(" + word + ("" if after == "(" else ")"))
    return "".join(out)


def inex(data, part):
    with tarfile.open(data / "inex2005.tar.gz") as archive:
        name = next(n for n in archive.getnames() if n.endswith(f"inex05.{part}.elastic.tree"))
        for line in io.TextIOWrapper(archive.extractfile(name)):
            label, text = line.rstrip("\n").split(":", 1)
            yield label, prefix_tree(text)


def html(data):
    """Pages by the program that made them. Of each package at most 100, as its pages are alike."""
    seen = {}
    with gzip.open(data / "htmldoc.tsv.gz", "rt") as lines:
        for line in lines:
            label, package, _, tree = line.rstrip("\n").split("\t")
            seen[package] = seen.get(package, 0) + 1
            if seen[package] <= 100:
                yield label, tree


def rna(data):
    """Families by secondary structure: a node for each pair of bases, a leaf for each other base.
    Each structure once."""
    seen = set()
    with gzip.open(data / "rna_archiveII.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            structure = row["dot_bracket"]
            if structure in seen:
                continue
            seen.add(structure)
            out = "(root" + structure.replace("(", "(pair").replace(".", "(base)") + ")"
            yield re.split(r"[_-]", row["sequence_id"])[0], out


def glycan_tree(text):
    """IUPAC-condensed: the root comes last, branches stand in square brackets before their parent."""
    # From the right: a sugar, then its first child directly before it, others in brackets.
    at = len(text)

    def parse():
        nonlocal at
        children = []
        end = at
        # The linkage "(a1-3)" of a sugar to its parent belongs to its label.
        if text[at - 1] == ")":
            at = text.rindex("(", 0, at)
        while at > 0 and text[at - 1] not in ")]":
            if text[at - 1] == "[":
                break
            at -= 1
        label = text[at:end]
        while at > 0 and text[at - 1] == "]":
            at -= 1
            children.append(parse())
            assert text[at - 1] == "[", text
            at -= 1
        if at > 0 and text[at - 1] == ")":
            children.append(parse())
        return brackets(label.replace("(", " ").replace(")", ""), children[::-1])

    tree = parse()
    assert at == 0, text
    return tree


def glycans(data, most=4000):
    """Glycans that one kingdom alone has, each once."""
    kingdoms = {}
    with gzip.open(data / "glycans_species.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            if row["kingdom"]:
                kingdoms.setdefault(row["target"], set()).add(row["kingdom"])
    rows = []
    for text, of in kingdoms.items():
        try:
            rows.append((next(iter(of)), glycan_tree(text)) if len(of) == 1 else None)
        except (AssertionError, ValueError):
            pass  # a ring or a repeat: no tree
    rows = frequent([row for row in rows if row], 30)
    random.Random(1).shuffle(rows)
    return rows[:most]


def programs(data, classes=12, most=100):
    """The first classes, so many programs of each."""
    counts = {}
    with gzip.open(data / "poj104.train.sexpr.gz", "rt") as lines:
        for line in lines:
            label, _, tree = line.rstrip("\n").split("\t")
            if label not in counts and len(counts) == classes:
                continue
            counts[label] = counts.get(label, 0) + 1
            if counts[label] <= most:
                yield label, tree


def frequent(rows, least):
    counts = {}
    for label, _ in rows:
        counts[label] = counts.get(label, 0) + 1
    return [row for row in rows if counts[row[0]] >= least]


def write(rows, path):
    path.write_text("".join(f"{label}\t{tree}\n" for label, tree in rows))
    return path
