"""A cluster of worker processes on this machine survives the death of one."""
import needed  # noqa: F401, I001

import os
import subprocess
import sys

# Of its own process: a session has one master. Kills a Python worker, then the JVM of a worker, each
# in the middle of its work.
PROGRAM = """
import os, signal, sys, time
sys.path.insert(0, sys.argv[1])
import espalier, espalier.spark as es
from espalier import batches
from forests import labels, trees
from pyspark.sql import SparkSession

class DiesOnce(batches.Predict):
    def __init__(self, model, above, mark):
        super().__init__(model)
        self.above, self.mark = above, mark

    def __call__(self, batch):
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().__call__(batch)
        victim = os.getpid()
        for _ in range(self.above):  # its parent
            victim = int(open(f"/proc/{victim}/stat").read().rsplit(")", 1)[1].split()[1])
        name = open(f"/proc/{victim}/comm").read().strip()
        open(self.mark, "w").write(name)
        os.kill(victim, signal.SIGKILL)
        time.sleep(600)

texts = trees(400)
data = espalier.Dataset(texts, labels(texts))
model = espalier.train("norm(sst())", data)
spark = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
         .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
         .getOrCreate())
frame = spark.createDataFrame(list(enumerate(texts)), "id long, tree string").repartition(8)
for above, name in ((0, "python"), (2, "java")):
    mark = f"{sys.argv[2]}/{above}"
    done = es.map_batches(frame, DiesOnce(model, above, mark)).orderBy("id").collect()
    assert open(mark).read().startswith(name), open(mark).read()
    assert [row["prediction"] for row in done] == model.predict(data)
    assert [row["scores"] for row in done] == model.scores(data).tolist()
print("all good")
"""


def test_a_killed_worker_costs_no_row(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, os.path.dirname(__file__), str(tmp_path)],
                          text=True, capture_output=True, cwd=tmp_path, timeout=900)
    assert "all good" in done.stdout, done.stderr[-3000:]


def test_a_python_without_the_package_is_named(tmp_path):
    wrong = tmp_path / "python3"
    wrong.write_text(f"#!/bin/sh\nexec env -u PYTHONPATH {sys._base_executable} -I \"$@\"\n")
    wrong.chmod(0o755)
    program = """
import espalier, espalier.spark as es
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
         .getOrCreate())
try:
    es.TreeHasher().transform(spark.createDataFrame([("(a)",)], "tree string"))
except espalier.Error as error:
    print("said:", error)
"""
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, cwd=tmp_path,
                          env={**os.environ, "PYSPARK_PYTHON": str(wrong)}, timeout=600)
    assert "said:" in done.stdout and "set PYSPARK_PYTHON" in done.stdout, done.stdout + done.stderr[-3000:]
