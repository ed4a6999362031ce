"""`espalier embed --method dtk` on trees whose vectors leave the range of single precision."""
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
WIDE = "(r" + "(e(m(r(s))(n(p))(a(l))))" * 1600 + ")"
ERROR = ("espalier: example 2 (w): its vector is outside the range of single precision; --normalize writes vectors "
         "of length 1, which always fit, and --on-error skip or zero goes on\n")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "d.tsv"
    path.write_text(f"x\ts\t(a(b))\nx\tw\t{WIDE}\nx\tt\t(a(b(c)))\n")
    return path


def embed(data, *options):
    out = data.with_suffix(".npy")
    out.unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, "embed", "--method", "dtk", "--dim", "64", data, "-o", out, *options],
                          capture_output=True, text=True)
    return done.returncode, done.stderr, np.load(out) if out.exists() else None


@pytest.mark.parametrize("compose", ["product", "convolution"])
@pytest.mark.parametrize("recipe", ["signs", "papers"])
@pytest.mark.parametrize("decay", ["0.01", "0.4", "1"])
def test_vectors_of_length_1_always_fit(data, compose, recipe, decay):
    status, _, rows = embed(data, "--normalize", "--compose", compose, "--recipe", recipe, "--lambda", decay)
    assert status == 0 and rows.shape == (3, 64)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_other_vectors_may_stop_the_run_or_be_left_out(data):
    options = ["--compose", "convolution", "--lambda", "1"]
    status, errors, rows = embed(data, *options)
    assert status == 1 and rows is None and errors == ERROR
    status, errors, rows = embed(data, *options, "--on-error", "skip")
    assert status == 0 and rows.shape == (2, 64) and rows.any(axis=1).all()
    assert "1 vector outside the range of single precision, skipped: example 2 (w)" in errors
    status, errors, rows = embed(data, *options, "--on-error", "zero")
    assert status == 0 and rows.any(axis=1).tolist() == [True, False, True]
    assert "1 vector outside the range of single precision, written as zeros: example 2 (w)" in errors


def test_without_arity_two_shapes_have_one_vector(tmp_path):
    path = tmp_path / "d.tsv"
    path.write_text("x\t(a(b)(c))\nx\t(a(b(c)))\n")
    options = ["--fragments", "subtrees", "--lambda", "1"]
    _, _, rows = embed(path, *options)
    assert not np.allclose(rows[0], rows[1] - embed_one(tmp_path, "(b(c))", *options))
    options.append("--no-arity")
    _, _, rows = embed(path, *options)
    assert np.allclose(rows[0], rows[1] - embed_one(tmp_path, "(b(c))", *options), atol=1e-6)


def embed_one(folder, tree, *options):
    path = folder / "one.tsv"
    path.write_text(f"x\t{tree}\n")
    return embed(path, *options)[2][0]
