"""What the functions of batches cost, in a plain loop.

    python bench/scale.py make trees.parquet --trees 1000000           # the trees: bench/generated_trees.py, seeded
    python bench/scale.py functions trees.parquet --limit 20000        # each function in a plain loop

Times are CPU seconds, which other work on the machine hardly changes.
"""

import argparse
import os
import resource
import time

import espalier
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
from espalier import batches
from generated_trees import lines


def make(path, count, classes=4, part=50_000):
    """Parquet in several row groups: an id, a tree and a class."""
    schema = pa.schema([("id", pa.int64()), ("tree", pa.string()), ("y", pa.string())])
    rows = (line.rstrip("\n").split("\t") for line in lines(count, classes))
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, count, part):
            y, tree = zip(*(next(rows) for _ in range(min(part, count - first))))
            writer.write_table(pa.table({"id": range(first, first + len(y)), "tree": tree, "y": y}, schema))
    print(f"{count} trees, {os.path.getsize(path) / count:.0f} bytes each in Parquet")


def functions(sample):
    """Each function of batches, with sizes that are usual."""
    data = espalier.Dataset.from_arrow(sample, label="y")
    model = espalier.train("norm(sst())", data, C=3)
    nystroem = espalier.TreeNystroem("norm(sst())", landmarks=500).fit(data)
    counts = batches.SubtreeCounts("norm(st())")
    return {
        "hashed fragments, sst, max_size 3": batches.Embed(espalier.HashedFragments("norm(sst())")),
        "hashed subtrees, st, max_size 3": batches.Embed(espalier.HashedFragments("norm(st())")),
        "distributed trees, dim 1024": batches.Embed(espalier.DistributedTrees(dim=1024)),
        "nystroem, sst, 500 landmarks": batches.Embed(nystroem),
        f"predict, SVM on sst of {len(data)} trees": batches.Predict(model),
        "counts of subtrees": counts,
        "signatures, threshold 0.9": batches.SubtreeSignatures(
            "norm(st())", 0.9, np.ones(2**20, dtype=np.int64)),
        "kernel values, st": batches.KernelValues("norm(st())", "tree", "tree"),
    }


def batches_of(path, limit, rows=2000):
    table = pa.dataset.dataset(path).head(limit, columns=["id", "tree"])
    return table.combine_chunks().to_batches(max_chunksize=rows)


def cpu_seconds():
    return time.process_time()


def loop(function, parts):
    """CPU seconds of a plain loop."""
    start = cpu_seconds()
    for part in parts:
        function(part)
    return cpu_seconds() - start


def measure_functions(path, limit):
    sample = pa.dataset.dataset(path).head(2000)
    parts = batches_of(path, limit)
    print("| function | trees per CPU second and core | bytes of the result per tree | memory of the process, MB |")
    print("|---|---|---|---|")
    for name, function in functions(sample).items():
        function(parts[0])  # what is made once for each process
        size = sum(function(parts[0]).column(i).nbytes for i in range(2, len(function(parts[0]).columns))
                   ) if "counts" not in name else function(parts[0]).nbytes
        seconds = loop(function, parts)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"| {name} | {limit / seconds:,.0f} | {size / parts[0].num_rows:,.0f} | {peak:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["make", "functions"])
    parser.add_argument("path")
    parser.add_argument("--trees", type=int, default=1_000_000)
    parser.add_argument("--limit", type=int, default=0)
    given = parser.parse_args()
    if given.what == "make":
        make(given.path, given.trees)
    else:
        measure_functions(given.path, given.limit or 20_000)


if __name__ == "__main__":
    main()
