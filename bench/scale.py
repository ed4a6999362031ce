"""What the functions of batches cost in a plain loop and in Spark, in one run; and a million trees end to end.

    python bench/scale.py make trees.parquet --trees 1000000           # the trees: bench/generated_trees.py, seeded
    python bench/scale.py functions trees.parquet --limit 20000        # each function in a plain loop
    python bench/scale.py overhead trees.parquet --master 'local-cluster[2,1,1024]'
    python bench/scale.py train trees.parquet --master 'local-cluster[2,1,1024]'

Times are CPU seconds, which other work on the machine hardly changes: of this process for a loop, of all
processes below this one for Spark, in which the JVMs of the workers and their Python are shown by themselves.
"""

import argparse
import json
import os
import resource
import sys
import threading
import time
from pathlib import Path

import espalier
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
from espalier import batches
from generated_trees import lines

HERTZ = os.sysconf("SC_CLK_TCK")


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


class Processes:
    """The processes below this one: CPU seconds and memory by kind, also of those that have ended."""

    def __init__(self):
        self.known, self.peak, self._stop = {}, {}, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def look(self):
        stats = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    memory = int((folder / "statm").read_text().split()[1]) * 4096
                except (OSError, IndexError):
                    continue
                stats[int(folder.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / HERTZ,
                                           command, memory)
        below = {os.getpid()}
        while more := {pid for pid, row in stats.items() if row[0] in below} - below:
            below |= more
        for pid in below - {os.getpid()}:
            _, seconds, command, memory = stats[pid]
            kind = ("executor" if "CoarseGrainedExecutorBackend" in command else
                    "driver" if "SparkSubmit" in command else
                    "python" if "pyspark.daemon" in command or "pyspark/daemon" in command else "other")
            self.known[pid] = (kind, seconds)
            self.peak[kind, pid] = max(self.peak.get((kind, pid), 0), memory)

    def _watch(self):
        while not self._stop.wait(0.5):
            self.look()

    def seconds(self):
        self.look()
        out = {}
        for kind, seconds in self.known.values():
            out[kind] = out.get(kind, 0) + seconds
        return out

    def memory(self):
        """MB of the largest process of each kind."""
        out = {}
        for (kind, _), size in self.peak.items():
            out[kind] = max(out.get(kind, 0), round(size / 2**20))
        return out


def session(master):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    return (SparkSession.builder.master(master).config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "4").config("spark.sql.files.maxPartitionBytes", "8m")
            .getOrCreate())


def difference(after, before):
    return {kind: after[kind] - before.get(kind, 0) for kind in after}


def measure_overhead(path, master, limit):
    import espalier.spark as es

    spark = session(master)
    watch = Processes()
    frame = spark.read.parquet(path).select("id", "tree")
    if limit:
        frame = frame.where(f"id < {limit}")
    count = frame.count()
    parts = batches_of(path, count)
    print("| function | loop, CPU s | Spark: Python | Spark: JVMs of workers | throughput, % of the loop |")
    print("|---|---|---|---|---|")
    for name, function in functions(pa.dataset.dataset(path).head(2000)).items():
        if "counts" in name:
            continue
        es.map_batches(frame.limit(100), function).write.format("noop").mode("overwrite").save()
        before = watch.seconds()
        es.map_batches(frame, function).write.format("noop").mode("overwrite").save()
        used = difference(watch.seconds(), before)
        alone = loop(function, parts)
        python, jvm = used.get("python", 0), used.get("executor", 0)
        print(f"| {name} | {alone:.1f} | {python:.1f} | {jvm:.1f} | {100 * alone / (python + jvm):.0f} |", flush=True)
    print("largest process, MB:", json.dumps(watch.memory()))


def measure_training(path, master, limit):
    """Hashed features, logistic regression, predictions."""
    import espalier.spark as es
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import LogisticRegression
    from pyspark.ml.feature import StringIndexer
    from pyspark.sql import functions as F

    spark = session(master)
    watch = Processes()
    frame = spark.read.parquet(path)
    if limit:
        frame = frame.where(f"id < {limit}")
    test = F.col("id") % 10 == 0
    started = time.monotonic()

    def said(what, value):
        used = {kind: round(seconds) for kind, seconds in watch.seconds().items()}
        print(f"{time.monotonic() - started:.0f} s: {what}: {value}; CPU seconds so far {used}", flush=True)

    hashed = f"{path}.hashed"
    es.TreeHasher(hashDim=2**16, maxSize=2).transform(frame).drop("tree").write.mode("overwrite").parquet(hashed)
    features = spark.read.parquet(hashed)
    said("hashed features", features.count())
    stages = [StringIndexer(inputCol="y", outputCol="label"), LogisticRegression(maxIter=10, regParam=1e-5)]
    model = Pipeline(stages=stages).fit(features.where(~test))
    said("trained", model.stages[-1].numFeatures)
    done = model.transform(features).select("id", "y", "label", "prediction")
    done.write.mode("overwrite").parquet(f"{path}.predicted")
    done = spark.read.parquet(f"{path}.predicted")
    said("predictions", done.count())
    right = done.where(test).select(F.avg((F.col("label") == F.col("prediction")).cast("double"))).first()[0]
    said("accuracy on the tenth that was held out", f"{100 * right:.1f} %")
    print("largest process, MB:", json.dumps(watch.memory()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["make", "functions", "overhead", "train"])
    parser.add_argument("path")
    parser.add_argument("--trees", type=int, default=1_000_000)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    given = parser.parse_args()
    if given.what == "make":
        make(given.path, given.trees)
    elif given.what == "functions":
        measure_functions(given.path, given.limit or 20_000)
    elif given.what == "overhead":
        measure_overhead(given.path, given.master, given.limit)
    else:
        measure_training(given.path, given.master, given.limit)


if __name__ == "__main__":
    main()
