"""Which examples of the data sets take part: lines as they stand there, which the program reads."""
import csv
import gzip
import io
import random
import re
import tarfile


def lines(path):
    with gzip.open(path, "rt") as file:
        yield from file


def rows(path):
    return csv.DictReader(lines(path))


def inex(data, part):
    with tarfile.open(data / "inex2005.tar.gz") as archive:
        name = next(n for n in archive.getnames() if n.endswith(f"inex05.{part}.elastic.tree"))
        yield from io.TextIOWrapper(archive.extractfile(name))


def at_most(most, key, examples):
    """The first `most` examples of each key."""
    seen = {}
    for example in examples:
        seen[key(example)] = seen.get(key(example), 0) + 1
        if seen[key(example)] <= most:
            yield example


def html(data):
    """Pages by the program that made them. Of each package at most 100, as its pages are alike."""
    return at_most(100, lambda line: line.split("\t", 2)[1], lines(data / "htmldoc.tsv.gz"))


def rna(data):
    """Families by secondary structure, each structure once."""
    yield "family,structure\n"
    for row in at_most(1, lambda row: row["dot_bracket"], rows(data / "rna_archiveII.csv.gz")):
        yield f"{re.split('[_-]', row['sequence_id'])[0]},{row['dot_bracket']}\n"


def glycans(data, most=4000, least=30):
    """Glycans that one kingdom alone has, each once, of kingdoms with at least 30."""
    kingdoms = {}
    for row in rows(data / "glycans_species.csv.gz"):
        if row["kingdom"]:
            kingdoms.setdefault(row["target"], set()).add(row["kingdom"])
    alone = [(next(iter(of)), text) for text, of in kingdoms.items() if len(of) == 1]
    counts = {}
    for kingdom, _ in alone:
        counts[kingdom] = counts.get(kingdom, 0) + 1
    frequent = [f"{kingdom}\t{text}\n" for kingdom, text in alone if counts[kingdom] >= least]
    random.Random(1).shuffle(frequent)
    return frequent[:most]


def programs(data, classes=12, most=100):
    """The first classes, the same number of programs of each."""
    first = set()

    def of_first_classes(line):
        if len(first) < classes:
            first.add(line.split("\t", 1)[0])
        return line.split("\t", 1)[0] in first

    kept = filter(of_first_classes, lines(data / "poj104.train.sexpr.gz"))
    return at_most(most, lambda line: line.split("\t", 1)[0], kept)
