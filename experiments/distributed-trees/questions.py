"""The questions of the papers, as constituency trees and as grammatical relations (GRCT)."""
import random
import sys
import tarfile


def constituency(data, part, out):
    """Coarse classes and parse trees stand in two files of the archive; here they become one."""
    with tarfile.open(data / "qc_constituency_stanford.tar.gz") as archive:
        read = lambda name: archive.extractfile(f"./question_classification_{name}").read().decode("latin-1")
        classes = [line.split(":")[0] for line in read(f"{part}.txt").splitlines() if line.strip()]
        trees = [" ".join(tree.split()) for tree in read(f"{part}_sents_parsed.txt").split("\n\n") if tree.strip()]
    if len(classes) != len(trees):
        sys.exit(f"{part}: {len(classes)} labels, but {len(trees)} trees")
    out.write_text("".join(f"{c}\tq{i}\t{t}\n" for i, (c, t) in enumerate(zip(classes, trees), 1)))
    return out


def files(data, work):
    """Where the trees of each kind are: (name of the kind, name of the tree, train, test)."""
    yield "constituency", "tree", *(constituency(data, part, work / f"{part}.tsv") for part in ("train", "test"))
    yield "grct", "grct", *(data / f"qc_kelp_{part}.klp.gz" for part in ("train", "test"))


def sample(trees, count, out):
    """A file with some of the trees, the same each time."""
    chosen = random.Random(1).sample(range(len(trees)), count)
    out.write_text("".join(f"?\tq{i}\t{trees[i]}\n" for i in chosen))
    return out
