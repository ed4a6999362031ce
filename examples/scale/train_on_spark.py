"""Is a function recursive? Syntax trees in Parquet, hashed fragments and logistic regression on Spark.

    python examples/scale/train_on_spark.py [--master 'local-cluster[2,1,1024]'] [--functions 4000]

Needs Java 17 and pip install '.[spark]'. docs/scale.md explains it.
"""
import argparse
import ast
import os
import random
import sys
import tempfile

import espalier
from espalier.trees import to_brackets

RECURSIVE = ["def {f}({x}):\n    if {x} < 2:\n        return {k}\n    return {x} {op} {f}({x} - 1)",
             "def {f}({x}):\n    if not {x}:\n        return {k}\n    return {x}[0] {op} {f}({x}[1:])",
             "def {f}({x}, y):\n    return {k} if {x} == 0 else {f}({x} - 1, y {op} {x})"]
ITERATIVE = ["def {f}({x}):\n    y = {k}\n    while {x} > 1:\n        y = y {op} {x}\n        {x} -= 1\n    return y",
             "def {f}({x}):\n    y = {k}\n    for z in {x}:\n        y = y {op} z\n    return y",
             "def {f}({x}, y):\n    for z in range({x}):\n        y = y {op} g(z)\n    return y"]


def functions(count):
    """Paths, syntax trees in brackets, and whether they are recursive; one in 500 is damaged."""
    chance = random.Random(1)
    for i in range(count):
        form = chance.choice(RECURSIVE if i % 2 else ITERATIVE)
        source = form.format(f=chance.choice("fgh"), x=chance.choice("nmk"), k=chance.randint(0, 9),
                             op=chance.choice("+-*"))
        tree = to_brackets(ast.parse(source))
        yield f"f{i}.py", tree if i % 500 else tree[:-1], float(i % 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--functions", type=int, default=4000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "functions.parquet")
        write_parquet(path, given.functions)
        run(path, folder, given.master)


def write_parquet(path, count):
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths, trees, labels = zip(*functions(count))
    pq.write_table(pa.table({"path": paths, "ast": trees, "label": labels}), path)
    print(f"{count} syntax trees, {os.path.getsize(path) / count:.0f} bytes each in Parquet")


def run(path, folder, master):
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers' Python has espalier, too
    import espalier.spark as es
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.classification import LogisticRegression
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    spark = SparkSession.builder.master(master).config("spark.ui.enabled", "false").getOrCreate()
    frame = spark.read.parquet(path)
    test = F.crc32("path") % 5 == 0

    # Trees that are damaged get null and a message; the job goes on.
    hasher = es.TreeHasher(inputCol="ast", outputCol="features", kernel="norm(sst())", hashDim=2**14,
                           maxSize=2, onError="null")
    hashed = hasher.transform(frame).cache()
    wrong = hashed.where("error is not null")
    print(f"{wrong.count()} damaged trees, such as {wrong.first()['path']}: {wrong.first()['error'][:60]}")
    good = hashed.where("error is null")

    pipeline = Pipeline(stages=[LogisticRegression(regParam=1e-4, maxIter=20)])
    pipeline.fit(good.where(~test)).save(os.path.join(folder, "model"))
    done = PipelineModel.load(os.path.join(folder, "model")).transform(good.where(test))
    right = done.where("label = prediction").count()
    print(f"logistic regression on hashed fragments: accuracy {100 * right / done.count():.1f} %")

    # A kernel SVM, trained on a sample on this machine, predicts all others.
    sample = good.where(~test).select("ast", F.col("label").cast("string").alias("y")).limit(500)
    data = espalier.Dataset.from_arrow(sample.toArrow(), tree="ast", label="y")
    model = espalier.train("norm(sst())", data)
    done = es.TreeModel(model, inputCol="ast").transform(good.where(test))
    right = done.where("cast(label as string) = prediction").count()
    print(f"SVM trained on 500 of them: accuracy {100 * right / done.count():.1f} %")

    pairs = es.near_duplicates(good.select("path", "ast").limit(300), 0.95, tree="ast", id="path")
    print(f"{pairs.count()} pairs of near duplicates among 300 of them")
    spark.stop()


if __name__ == "__main__":
    main()
