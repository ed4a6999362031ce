"""Kernel values from Python are those of the library and the program."""

import os
import subprocess
import threading
import time
from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = ROOT / "examples/questions/train.tsv"
TEST = ROOT / "examples/questions/test.tsv"


@pytest.fixture(scope="module")
def train():
    return espalier.read(TRAIN)


@pytest.fixture(scope="module")
def test():
    return espalier.read(TEST)


@pytest.mark.parametrize("kernel", ["norm(sst(lambda=0.4))", "pt()", "st(unordered=true)"])
def test_gram_equals_the_programs_to_the_bit(kernel, train, test, tmp_path):
    out = tmp_path / "g.npy"
    command = [PROGRAM, "gram", "-k", kernel, str(TRAIN), str(TEST), "-o", str(out)]
    subprocess.run(command, check=True)
    assert np.array_equal(espalier.gram(kernel, test, train), np.load(out))


def test_gram_is_symmetric_and_does_not_depend_on_threads_or_memory(train):
    first = espalier.gram("pt()", train, threads=1)
    assert np.array_equal(first, first.T)
    assert np.array_equal(first, espalier.gram("pt()", train, threads=2, memory=1 << 20))


def test_single_precision_is_the_rounded_value(test):
    single = espalier.gram("sst()", test, dtype="float32")
    assert single.dtype == np.float32
    assert np.array_equal(single, espalier.gram("sst()", test).astype(np.float32))


def test_sweep_has_one_matrix_for_each_value(test):
    both = espalier.gram("sst(lambda={0.2,0.4})", test)
    assert both.shape == (2, len(test), len(test))
    assert np.array_equal(both[1], espalier.gram("sst(lambda=0.4)", test))


def test_diagonal_and_kernel_are_the_diagonal(test):
    diagonal = np.diag(espalier.gram("pt()", test))
    assert np.allclose(espalier.diagonal("pt()", test), diagonal, rtol=1e-12)
    assert np.allclose(espalier.kernel("pt()", test, test), diagonal, rtol=1e-12)


def test_result_outlives_the_data():
    matrix = espalier.gram("sst()", espalier.read(TEST))
    assert np.isfinite(matrix).all() and matrix.flags.writeable


@pytest.mark.parametrize("kernel, message", [
    ("sts()", "did you mean"), ("sst(grct)", "no tree named 'grct'"), ("sst(lambda=2)", "outside"),
])
def test_wrong_kernels_are_errors(kernel, message, test):
    with pytest.raises(espalier.Error, match=message):
        espalier.gram(kernel, test)


def test_wrong_type_of_result_is_an_error(test):
    with pytest.raises(TypeError, match="float32 or float64"):
        espalier.gram("sst()", test, dtype="int32")


def test_other_threads_run_meanwhile(train):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    time.sleep(0.01)
    before = counted[0]
    espalier.gram("pt(lambda={0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8})", train, threads=1)
    during = counted[0] - before
    stop.set()
    counter.join()
    assert during >= 2
