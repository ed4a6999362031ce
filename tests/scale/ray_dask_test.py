"""The same functions under Ray and Dask give the same bits."""
import needed  # noqa: F401, I001

import espalier
import pandas as pd
import pyarrow as pa
import pytest
from espalier import batches
from forests import BAD, labels, trees

TEXTS = trees(100)
MODEL = espalier.train("norm(sst())", espalier.Dataset(TEXTS, labels(TEXTS)))
ROWS = [*TEXTS[:50], *BAD.values(), *TEXTS[50:]]
FUNCTIONS = [batches.Predict(MODEL, on_error="null"),
             batches.Embed(espalier.DistributedTrees(dim=16), on_error="null"),
             batches.Embed(espalier.HashedFragments(hash_dim=256), on_error="null")]


def expected(function):
    batch = pa.record_batch({"row": range(len(ROWS)), "tree": pa.array(ROWS)})
    return pa.Table.from_batches([function(batch)])


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_dask_has_the_same_bits(parts):
    import dask.dataframe as dd
    from espalier.dask import map_partitions

    frame = pd.DataFrame({"row": range(len(ROWS)), "tree": ROWS})
    for function in FUNCTIONS:
        done = map_partitions(dd.from_pandas(frame, npartitions=parts), function).compute(
            scheduler="threads")
        for name in [field.name for field in function.fields()]:
            left = [None if x is None or x is pd.NA or x != x else x for x in map(_plain, done[name])]
            assert left == [_plain(x) for x in expected(function)[name].to_pylist()]


def _plain(value):
    """Lists and dicts without arrays."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.fixture(scope="module")
def ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_ray_has_the_same_bits(ray, parts):
    from espalier.ray import map_batches

    table = pa.table({"row": range(len(ROWS)), "tree": pa.array(ROWS)})
    for function in FUNCTIONS:
        data = ray.data.from_arrow(table).repartition(parts)
        done = map_batches(data, function, batch_size=16)
        rows = sorted(done.take_all(), key=lambda row: row["row"])
        assert len(rows) == len(ROWS)
        for name in [field.name for field in function.fields()]:
            assert [_plain(row[name]) for row in rows] == expected(function)[name].to_pylist()
