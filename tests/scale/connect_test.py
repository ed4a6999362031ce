"""The same through Spark Connect, which has no RDDs and no JVM beside the driver."""
import needed  # noqa: F401, I001

import os
import subprocess
import sys

# A session of its own process: Connect and the other kind do not live in one.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import espalier, espalier.spark as es, numpy as np
from espalier.batches import gram_matrix
from forests import trees, labels
from pyspark.ml import Pipeline
from pyspark.ml.classification import LogisticRegression
from pyspark.sql import SparkSession

spark = SparkSession.builder.remote("local[2]").getOrCreate()
assert "connect" in type(spark).__module__
texts = trees(100)
data = espalier.Dataset(texts, labels(texts))
rows = [(i, text, float(y == "few")) for i, (text, y) in enumerate(zip(texts, data.labels))]
frame = spark.createDataFrame(rows, "id long, tree string, label double").repartition(3)
model = espalier.train("norm(sst())", data)
done = es.TreeModel(model).transform(frame).orderBy("id").collect()
assert [row["prediction"] for row in done] == model.predict(data)
assert [row["scores"] for row in done] == model.scores(data).tolist()
G = gram_matrix(es.gram_blocks(frame, kernel="norm(pt())", block=40).toArrow())
assert (G == espalier.gram("norm(pt())", data)).all()
exact = espalier.gram("norm(st())", data)
pairs = es.near_duplicates(frame, 0.8, buckets=64).collect()
assert len(pairs) == (np.triu(exact, 1) >= 0.8).sum() > 0
for stage in (es.TreeHasher(hashDim=256), es.TreeNystroem(kernel="norm(subpath())", landmarks=30)):
    fitted = Pipeline(stages=[stage, LogisticRegression(maxIter=5)]).fit(frame)
    good = fitted.transform(frame).where("prediction = label").count()
    assert good > 60, good
print("all good")
"""


def test_everything_works_through_connect(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, os.path.dirname(__file__)], text=True,
                          capture_output=True, cwd=tmp_path, timeout=900)
    assert "all good" in done.stdout, done.stderr[-3000:]
