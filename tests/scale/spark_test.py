"""Stages of Spark pipelines have the bits of the package, for any number of partitions."""
import needed  # noqa: F401, I001

import os
import re
import subprocess
import sys

import espalier
import espalier.spark as es
import numpy as np
import pytest
from espalier.batches import Predict
from forests import BAD, labels, trees
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.classification import LinearSVC, LogisticRegression
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import StringIndexer
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

TEXTS = trees(300)
LABELS = labels(TEXTS)
DATA = espalier.Dataset(TEXTS, LABELS)


@pytest.fixture(scope="module")
def frame(spark):
    rows = [(i, text, label) for i, (text, label) in enumerate(zip(TEXTS, LABELS))]
    return spark.createDataFrame(rows, "id long, tree string, y string").cache()


@pytest.fixture(scope="module")
def model():
    return espalier.train("norm(sst())", DATA, C=3)


def stages(model, frame):
    return {
        "TreeHasher": es.TreeHasher(hashDim=1024),
        "DistributedTrees": es.DistributedTrees(dim=64),
        "TreeNystroem": es.TreeNystroem(landmarks=20, kernel="norm(pt())").fit(frame),
        "TreeModel": es.TreeModel(model, outputCol="features"),
    }


NAMES = ["TreeHasher", "DistributedTrees", "TreeNystroem", "TreeModel"]


def column(frame, name="features"):
    """The values by id: arrays of numbers, or what is there."""
    rows = frame.select("id", name).orderBy("id").collect()
    return [row[1].toArray().tolist() if hasattr(row[1], "toArray") else row[1] for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_bits_are_the_same_for_any_partitions(name, frame, model):
    found = [column(stages(model, frame.repartition(count))[name].transform(frame.repartition(count)))
             for count in (1, 2, 7)]
    assert found[0] == found[1] == found[2] and len(found[0]) == len(TEXTS)


def test_vectors_are_those_of_the_package(frame, model):
    found = stages(model, frame)
    exact = espalier.DistributedTrees(dim=64).transform(DATA)
    assert (np.array(column(found["DistributedTrees"].transform(frame))) == exact).all()
    exact = espalier.HashedFragments("norm(sst())", hash_dim=1024).transform(DATA).toarray()
    assert (np.array(column(found["TreeHasher"].transform(frame))) == exact).all()


def test_predictions_are_those_of_the_program(frame, model, tmp_path):
    model.save(tmp_path / "m.model")
    espalier.write(DATA, tmp_path / "x.tsv")
    out = subprocess.run([os.environ["ESPALIER_PROGRAM"], "predict", tmp_path / "m.model",
                          tmp_path / "x.tsv", "--quiet"], check=True, text=True, capture_output=True).stdout
    lines = [line.split("\t") for line in out.splitlines() if not line.startswith("#")]
    done = es.TreeModel(str(tmp_path / "m.model")).transform(frame)
    header = lines[0]
    rows = lines[1:] if "x" in header or len(lines) > len(TEXTS) else lines
    assert column(done, "prediction") == [next(cell for cell in row if cell in ("few", "many"))
                                          for row in rows]
    assert column(done, "scores") == model.scores(DATA).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_stages_save_and_load(name, frame, model, tmp_path):
    stage = stages(model, frame)[name]
    stage.save(str(tmp_path / "stage"))
    again = type(stage).load(str(tmp_path / "stage"))
    assert column(again.transform(frame)) == column(stage.transform(frame))
    again.write().overwrite().save(str(tmp_path / "stage"))


def test_pipelines_save_and_load(frame, tmp_path):
    pipeline = Pipeline(stages=[StringIndexer(inputCol="y", outputCol="label"),
                                es.TreeNystroem(kernel="norm(subpath())", landmarks=30), LinearSVC(maxIter=20)])
    pipeline.save(str(tmp_path / "pipeline"))
    fitted = Pipeline.load(str(tmp_path / "pipeline")).fit(frame)
    fitted.save(str(tmp_path / "model"))
    found = column(fitted.transform(frame), "prediction")
    again = PipelineModel.load(str(tmp_path / "model"))
    assert column(again.transform(frame), "prediction") == found
    truth = column(fitted.transform(frame), "label")
    assert np.mean(np.array(found) == np.array(truth)) > 0.8


def test_cross_validation_chooses(frame, tmp_path):
    hasher, learner = es.TreeHasher(hashDim=1024), LogisticRegression(maxIter=5)
    pipeline = Pipeline(stages=[StringIndexer(inputCol="y", outputCol="label"), hasher, learner])
    grid = ParamGridBuilder().addGrid(hasher.maxSize, [1, 3]).addGrid(learner.regParam, [0.0, 100.0]).build()
    search = CrossValidator(estimator=pipeline, estimatorParamMaps=grid, numFolds=2, seed=1,
                            evaluator=MulticlassClassificationEvaluator(metricName="accuracy"))
    fitted = search.fit(frame)
    best = grid[int(np.argmax(fitted.avgMetrics))]
    assert best[learner.regParam] == 0.0 and max(fitted.avgMetrics) > min(fitted.avgMetrics)
    fitted.save(str(tmp_path / "best"))


def test_errors_follow_the_policy(spark, frame, model):
    bad = [(1000 + i, text) for i, text in enumerate(BAD.values())]
    mixed = frame.select("id", "tree").union(spark.createDataFrame(bad, "id long, tree string")).repartition(3)
    for name, stage in stages(model, frame).items():
        done = stage.copy().setParams(onError="null", errorCol="why").transform(mixed).cache()
        wrong = done.where("why is not null").orderBy("id").collect()
        assert [row["id"] for row in wrong] == [1000, 1001, 1002, 1003], name
        assert all(row["features"] is None for row in wrong)
        assert column(done.where("why is null")) == column(stage.transform(frame))
        with pytest.raises(Exception, match="on_error"):
            stage.transform(mixed).collect()
    fitted = es.TreeNystroem(landmarks=20, kernel="norm(pt())", onError="null").fit(mixed)
    assert fitted.transform(mixed).where("error is null").count() == len(TEXTS)


def test_any_function_maps_batches(spark, model):
    rows = [(text, text) for text in TEXTS[:20]]
    two = spark.createDataFrame(rows, "a string, b string")
    data = espalier.Dataset.from_arrow(two.toArrow(), tree=["a", "b"])
    model = espalier.train("norm(sst(a)) + st(b)", data.with_labels(["x", "y"] * 10))
    done = es.map_batches(two, Predict(model, tree=["a", "b"])).collect()
    assert [row["prediction"] for row in done] == model.predict(data)


def test_mistakes_are_named(frame):
    with pytest.raises(TypeError, match="no parameter 'dims'"):
        es.DistributedTrees(dims=3)
    with pytest.raises(espalier.Error, match="already is a column 'y'"):
        es.TreeHasher(outputCol="y").transform(frame)


@pytest.mark.parametrize("kernel", ["norm(pt())", "sst()"])
def test_gram_blocks_have_the_bits_of_the_matrix(frame, kernel, tmp_path):
    from espalier.batches import gram_matrix

    exact = espalier.gram(kernel, DATA)
    for partitions in (1, 2, 7):
        tiles = es.gram_blocks(frame.repartition(partitions), kernel=kernel, block=110)
        path = str(tmp_path / f"{partitions}.parquet")
        tiles.write.parquet(path)
        import pyarrow.parquet as pq

        assert (gram_matrix(pq.read_table(path)) == exact).all()
    some = frame.where("id < 50")
    between = gram_matrix(es.gram_blocks(some, frame, kernel=kernel, block=110).toArrow(), symmetric=False)
    assert (between == espalier.gram(kernel, espalier.Dataset(TEXTS[:50]), DATA)).all()


def test_near_duplicates_are_exactly_those(spark, frame):
    exact = espalier.gram("norm(st())", DATA)
    wanted = {(i, j): exact[i, j] for i in range(len(TEXTS)) for j in range(i + 1, len(TEXTS))
              if exact[i, j] >= 0.8}
    for partitions in (1, 7):
        found = es.near_duplicates(frame.repartition(partitions), 0.8, buckets=2**12)
        assert {(a, b): k for a, b, k in found.collect()} == wanted
    bad = spark.createDataFrame([(1000 + i, text) for i, text in enumerate(BAD.values())],
                                "id long, tree string")
    mixed = frame.select("id", "tree").union(bad)
    assert es.near_duplicates(mixed, 0.8, on_error="null").count() == len(wanted)


def test_the_example_of_the_docs_runs():
    root = os.path.join(os.path.dirname(__file__), "../..")
    done = subprocess.run([sys.executable, "examples/scale/train_on_spark.py", "--functions", "2000"], cwd=root,
                          text=True, capture_output=True, timeout=900)
    accuracies = [float(x) for x in re.findall(r"accuracy ([0-9.]+) %", done.stdout)]
    assert len(accuracies) == 2 and min(accuracies) > 90, done.stdout + done.stderr[-3000:]
    assert "4 damaged trees" in done.stdout and "near duplicates" in done.stdout
