"""Splits the four data sets into the parts "fit", "choose" and "test", as the files they come in.

Trees are not parsed here: lines and rows are dealt out as they stand, and the program reads them.
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
    """Parts of (class, group, line), whole groups each: {part: [(class, line)]}, in the order given."""
    parts = {"fit": [], "choose": [], "test": []}
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


def by_share(members, shares):
    """Deals the groups of each class at random until "test" and "choose" have their shares of its members."""
    rng = random.Random(1)
    part_of_group = {}
    for sizes in groups_of(members).values():
        groups = list(sizes)
        rng.shuffle(groups)
        total, dealt = sum(sizes.values()), 0
        for group in groups:
            share = (dealt + 0.5) / total
            part_of_group[group] = next((part for part, end in shares if share < end), "fit")
            dealt += sizes[group]
    return deal(members, part_of_group)


THIRDS = [("test", 0.33), ("choose", 0.5)]  # and the rest, a half, to fit


def html(data):
    """Pages by the program that made them. Of the packages of each program the largest is to fit, the second to test,
    others to choose. Pages of a program with one package are there to be told from the others."""
    members = []
    for line in lines(data / "htmldoc.tsv.gz"):
        label, package, _ = line.split("\t", 2)
        # Its pages are said to be DocBook's, but most are Sphinx's (genindex.html, search.html).
        if package != "debian-policy":
            members.append((label, package, line))
    part_of_group = {}
    for sizes in groups_of(members).values():
        for i, package in enumerate(sorted(sizes, key=lambda package: (-sizes[package], package))):
            part_of_group[package] = ("fit", "test", "choose")[min(i, 2)]
    return deal(members, part_of_group)


def shape(structure):
    """The structure without lengths: unpaired bases in a row are one, and so are pairs directly within each other."""
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
    RNA, are on one side."""
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
    return by_share([(family, group_of[molecule], f"{family},{structure}\n") for family, molecule, structure in found],
                    THIRDS)


def glycans(data, least=20):
    """Glycans that one kingdom alone has, each once, of kingdoms with at least 20."""
    kingdoms = {}
    for row in rows(data / "glycans_species.csv.gz"):
        if row["kingdom"]:
            kingdoms.setdefault(row["target"], set()).add(row["kingdom"])
    members = [(next(iter(of)), text, f"{next(iter(of))}\t{text}\n") for text, of in kingdoms.items() if len(of) == 1]
    sizes = groups_of(members)
    return by_share([member for member in members if len(sizes[member[0]]) >= least], THIRDS)


def programs(data, each=48):
    """48 of each class of the training programs, a quarter of which choose; all validation programs to test."""
    members = []
    for line in lines(data / "poj104.train.sexpr.gz"):
        label, name, _ = line.split("\t", 2)
        members.append((label, (label, name), line))
    share = each * len(groups_of(members)) / len(members)
    drawn = by_share(members, [("choose", share / 4), ("fit", share), ("test", 1)])
    given = [(line.split("\t", 1)[0], line) for line in lines(data / "poj104.val.sexpr.gz")]
    return {**drawn, "test": given}
