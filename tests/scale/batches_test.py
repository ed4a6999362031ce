"""Functions of batches: a row gets the same bits in every batch, and errors are of rows."""
import needed  # noqa: F401, I001

import pickle

import espalier
import numpy as np
import pyarrow as pa
import pytest
from espalier import batches
from forests import BAD, labels, trees

TEXTS = trees(200)
DATA = espalier.Dataset(TEXTS, labels(TEXTS))
MODEL = espalier.train("norm(sst())", DATA)
NYSTROEM = espalier.TreeNystroem("norm(sst())", landmarks=20).fit(DATA)
COUNTS = np.ones(64, dtype=np.int64)
FUNCTIONS = {
    "predict": batches.Predict(MODEL),
    "predict with probabilities": batches.Predict(
        espalier.train("norm(sst())", DATA, probabilities=True)),
    "predict by pa": batches.Predict(espalier.train("norm(pt())", DATA, learner="pa")),
    "predict by landmarks": batches.Predict(
        espalier.train("norm(sst())", DATA, learner="linear", landmarks=20)),
    "predict numbers": batches.Predict(
        espalier.train("norm(st())", DATA.with_labels([len(text) + 0.5 for text in TEXTS]))),
    "dtk": batches.Embed(espalier.DistributedTrees(dim=64)),
    "nystroem": batches.Embed(NYSTROEM),
    "hashed fragments": batches.Embed(espalier.HashedFragments("norm(sst())", hash_dim=256)),
    "hashed subtrees": batches.Embed(espalier.HashedFragments("norm(st())", hash_dim=256)),
    "subtrees": batches.Embed(espalier.SubtreeFeatures().fit(DATA)),
    "signatures": batches.SubtreeSignatures("norm(st())", 0.8, COUNTS),
    "kernel values": batches.KernelValues("norm(pt())", "tree", "tree"),
}
every_function = pytest.mark.parametrize("name", FUNCTIONS)


def batch_of(texts):
    return pa.record_batch({"row": range(len(texts)), "tree": pa.array(texts, pa.string())})


def in_parts(function, batch, size):
    parts = [function(batch.slice(at, size)) for at in range(0, batch.num_rows, size)]
    return pa.Table.from_batches(parts).combine_chunks()


@every_function
def test_the_bits_of_a_row_do_not_depend_on_its_batch(name):
    function, batch = FUNCTIONS[name], batch_of(TEXTS)
    whole = pa.Table.from_batches([function(batch)])
    assert whole.num_rows == len(TEXTS) and whole.schema == function.schema(batch.schema)
    for size in (1, 7, 60):
        assert in_parts(function, batch, size).equals(whole)
    reverse = function(batch.take(pa.array(range(len(TEXTS) - 1, -1, -1))))
    assert pa.Table.from_batches([reverse]).sort_by("row").equals(whole)


@every_function
def test_what_is_unpickled_gives_the_same_bits(name):
    function, batch = FUNCTIONS[name], batch_of(TEXTS)
    assert pickle.loads(pickle.dumps(function))(batch).equals(function(batch))


@every_function
def test_rows_that_are_wrong_get_null_and_a_message(name):
    function, good = FUNCTIONS[name], TEXTS[:50]
    function = pickle.loads(pickle.dumps(function))
    with pytest.raises(espalier.Error, match="row 2 of a batch of 6, .*on_error"):
        function(batch_of([*good[:2], *BAD.values()]))
    function._on_error = "null"
    mixed = good[:10] + list(BAD.values()) + good[10:]
    done = pa.Table.from_batches([function(batch_of(mixed))])
    messages = done["error"].to_pylist()
    assert [i for i, message in enumerate(messages) if message] == [10, 11, 12, 13]
    for message, words in zip(messages[10:14], ["closing brackets", "no tree", "no tree", "label"]):
        assert words in message and len(message) < 200
    columns = [field.name for field in function.fields()][:-1]
    assert all(done[column][i].as_py() is None for column in columns for i in range(10, 14))
    kept = done.filter(done["error"].is_null()).select(columns)
    assert kept.equals(pa.Table.from_batches([function(batch_of(good))]).select(columns))


@every_function
def test_batches_may_be_empty_or_wholly_wrong(name):
    function = pickle.loads(pickle.dumps(FUNCTIONS[name]))
    function._on_error = "null"
    for texts in ([], [None], [None, "(a"]):
        done = function(batch_of(texts))
        assert done.num_rows == len(texts) and done.schema == function.schema(done.schema.empty_table(
            ).select(["row", "tree"]).schema)


class Fussy(batches.BatchFunction):
    """Fails for a whole batch, as errors of kernels do that do not name a row."""

    def _new_fields(self):
        return [pa.field("length", pa.int64())]

    def _values(self, data):
        if any("unlucky" in tree for tree in data):
            raise espalier.Error("this cannot be computed")
        return [pa.array([len(tree) for tree in data])]


def test_errors_of_computing_are_those_of_their_rows():
    texts = [f"(a{'unlucky' * (i in (3, 17, 18))})" for i in range(40)]
    done = Fussy(on_error="null")(batch_of(texts))
    assert [i for i, message in enumerate(done["error"].to_pylist()) if message] == [3, 17, 18]
    assert done["length"].null_count == 3


def test_values_are_those_of_the_package():
    whole = espalier.Dataset(TEXTS)
    batch = batch_of(TEXTS)
    done = FUNCTIONS["predict"](batch)
    assert done["prediction"].to_pylist() == MODEL.predict(whole)
    assert (np.array(done["scores"].to_pylist()) == MODEL.scores(whole)).all()
    chances = FUNCTIONS["predict with probabilities"](batch)["probabilities"]
    assert np.array(chances.to_pylist()).sum(axis=1) == pytest.approx(1)
    for name, estimator in [("dtk", espalier.DistributedTrees(dim=64)), ("nystroem", NYSTROEM)]:
        found = FUNCTIONS[name](batch)["vector"].values.to_numpy().reshape(len(TEXTS), -1)
        assert (found == estimator.transform(whole)).all()
    X = espalier.HashedFragments("norm(sst())", hash_dim=256).transform(whole)
    vectors = FUNCTIONS["hashed fragments"](batch)["vector"]
    assert (np.concatenate(vectors.field("indices").to_pylist()) == X.indices).all()
    assert (vectors.field("values").values.to_numpy() == X.data).all()
    values = FUNCTIONS["kernel values"](batch)["kernel"].to_numpy()
    assert (values == espalier.kernel("norm(pt())", whole, espalier.Dataset(TEXTS[::-1])[::-1])).all()


def test_tiles_assemble_to_the_matrix():
    kernel, size = "norm(pt())", 64
    rows = []
    for i in range(0, len(TEXTS), size):
        for j in range(0, i + 1, size):
            a, b = TEXTS[i:i + size], TEXTS[j:j + size]
            rows.append({"first_row": i, "first_column": j, "rows": len(a), "columns": len(b),
                         "row_trees": a, "column_trees": b})
    tiles = batches.GramTiles(kernel, symmetric=True)(pa.RecordBatch.from_pylist(rows))
    assert (batches.gram_matrix(pa.table(tiles)) == espalier.gram(kernel, DATA)).all()


def near(texts, threshold, counts, kernel="norm(st())"):
    """Pairs that share a signature whose remaining lengths allow the threshold."""
    done = batches.SubtreeSignatures(kernel, threshold, counts)(batch_of(texts))
    where = {}
    for i, row in enumerate(done.to_pylist()):
        for signature, remaining in zip(row["signature"], row["remaining"]):
            where.setdefault(signature, []).append((i, remaining))
    return {(i, j) for group in where.values() for n, (i, x) in enumerate(group)
            for j, y in group[n + 1:] if x * y >= threshold - 1e-9}


@pytest.mark.parametrize("kernel", ["norm(st())", "norm(st(decay=0.9, leaves=true))",
                                    "norm(st(unordered=true, weight=size, kappa=binary))"])
@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.95, 1.0])
def test_no_similar_pair_lacks_a_common_signature(kernel, threshold):
    texts = trees(150, seed=7)
    exact = espalier.gram(kernel, espalier.Dataset(texts))
    wanted = {(i, j) for i in range(len(texts)) for j in range(i + 1, len(texts))
              if exact[i, j] >= threshold}
    counts = np.zeros(64, dtype=np.int64)
    found = batches.SubtreeCounts(kernel, 64)(batch_of(texts))
    np.add.at(counts, found["bucket"].to_numpy(), found["count"].to_numpy())
    for order in (counts, COUNTS, counts.max() - counts):
        assert wanted <= near(texts, threshold, order, kernel)
    assert wanted, "the test must have something to find"


def test_signatures_are_refused_for_other_kernels():
    with pytest.raises(espalier.Error, match="by norm"):
        batches.SubtreeSignatures("sst()", 0.9, COUNTS)
    with pytest.raises(ValueError, match="outside"):
        batches.SubtreeSignatures("norm(st())", 0, COUNTS)


def test_columns_are_not_overwritten():
    with pytest.raises(espalier.Error, match="already is a column 'kernel'"):
        FUNCTIONS["kernel values"](batch_of(TEXTS).rename_columns(["kernel", "tree"]))
    renamed = batches.KernelValues("st()", "tree", "tree", names={"kernel": "k"})
    assert renamed(batch_of(TEXTS)).schema.names == ["row", "tree", "k"]
