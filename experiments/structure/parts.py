"""Splits the four data sets into the parts "train", "validation" and "test", in the format of their files.

Trees are not parsed here: lines and rows are copied, and the program reads them.
"""
import csv
import gzip
import random
import re


def lines(path):
    with gzip.open(path, "rt") as file:
        yield from file


def rows(path):
    with gzip.open(path, "rt", newline="") as file:
        yield from csv.DictReader(file)


def deal(members, part_of_group):
    """Assigns whole groups of (class, group, line) to parts: {part: [(class, line)]}, in the order given."""
    parts = {"train": [], "validation": [], "test": []}
    for label, group, line in members:
        parts[part_of_group[group]].append((label, line))
    return parts


def groups_of(members):
    """The groups of each class with their sizes, in the order given; a group is of the class of its first member."""
    class_of, out = {}, {}
    for label, group, _ in members:
        sizes = out.setdefault(class_of.setdefault(group, label), {})
        sizes[group] = sizes.get(group, 0) + 1
    return out


def by_fraction(members, fractions):
    """Assigns the groups of each class at random until "test" and "validation" have their fractions of its members."""
    rng = random.Random(1)
    part_of_group = {}
    for sizes in groups_of(members).values():
        groups = list(sizes)
        rng.shuffle(groups)
        total, dealt = sum(sizes.values()), 0
        for group in groups:
            fraction = (dealt + 0.5) / total
            part_of_group[group] = next((part for part, end in fractions if fraction < end), "train")
            dealt += sizes[group]
    return deal(members, part_of_group)


THIRDS = [("test", 0.33), ("validation", 0.5)]  # the rest, a half, is for training


def html(data):
    """Pages by generator. Of the packages of each generator the largest is for training, the second for testing, others
    for validation. Pages of a generator with one package serve only to distinguish the others from."""
    members = []
    for line in lines(data / "htmldoc.tsv.gz"):
        label, package, _ = line.split("\t", 2)
        # Its pages are labelled DocBook, but most are Sphinx (genindex.html, search.html).
        if package != "debian-policy":
            members.append((label, package, line))
    part_of_group = {}
    for sizes in groups_of(members).values():
        for i, package in enumerate(sorted(sizes, key=lambda package: (-sizes[package], package))):
            part_of_group[package] = ("train", "test", "validation")[min(i, 2)]
    return deal(members, part_of_group)


def shape(structure):
    """The structure without lengths: runs of unpaired bases are merged, and so are directly nested pairs."""
    short = re.sub(r"\.+", ".", structure)
    partner, opened = {}, []
    for i, char in enumerate(short):
        if char == "(":
            opened.append(i)
        elif char == ")":
            partner[i] = opened.pop()
            partner[partner[i]] = i

    def has_pair_within(i):
        first, last = sorted((i, partner[i]))
        return partner.get(first + 1) == last - 1

    return "".join(char for i, char in enumerate(short) if char == "." or not has_pair_within(i))


def rna(data):
    """Families by secondary structure, each structure once. Structures of one shape, and the domains of one ribosomal
    RNA, are in one part."""
    seen, found, group_of = set(), [], {}
    for row in rows(data / "rna_archiveII.csv.gz"):
        structure, name = row["dot_bracket"], row["sequence_id"]
        if structure in seen:
            continue
        seen.add(structure)
        family, molecule = re.split("[_-]", name)[0], re.sub("_domain.*", "", name)
        form = shape(structure)
        found.append((family, molecule, structure))
        joined = {group_of.setdefault(key, key) for key in (molecule, form)}
        for key, group in group_of.items():
            if group in joined:
                group_of[key] = min(joined)
    return by_fraction(
        [(family, group_of[molecule], f"{family},{structure}\n") for family, molecule, structure in found], THIRDS
    )


def glycans(data, least=20):
    """Glycans that occur in a single kingdom, each once, of kingdoms with at least 20."""
    kingdoms = {}
    for row in rows(data / "glycans_species.csv.gz"):
        if row["kingdom"]:
            kingdoms.setdefault(row["target"], set()).add(row["kingdom"])
    members = [(next(iter(of)), text, f"{next(iter(of))}\t{text}\n") for text, of in kingdoms.items() if len(of) == 1]
    sizes = groups_of(members)
    return by_fraction([member for member in members if len(sizes[member[0]]) >= least], THIRDS)


def programs(data, each=48):
    """48 of each class of the training programs, a quarter of them for validation.

    All validation programs are for testing.
    """
    members = []
    for line in lines(data / "poj104.train.sexpr.gz"):
        label, name, _ = line.split("\t", 2)
        members.append((label, (label, name), line))
    fraction = each * len(groups_of(members)) / len(members)
    drawn = by_fraction(members, [("validation", fraction / 4), ("train", fraction), ("test", 1)])
    given = [(line.split("\t", 1)[0], line) for line in lines(data / "poj104.val.sexpr.gz")]
    return {**drawn, "test": given}
