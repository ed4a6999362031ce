"""A Gram matrix larger than the memory for it, killed and resumed.

    ESPALIER_SHARED=../shared .venv/bin/python -m pytest -m slow -s tests/faults/large_gram_test.py

computes 60,000 x 60,000 values of POJ-104 within 2 GB: it takes 15 GB of disk in the folder for
temporary files (--basetemp), and about ten minutes.
"""
import filecmp
import gzip
import math
import os
import shutil
import signal
import time
from array import array
from pathlib import Path

import pytest
from memory_test import peak
from program import run_well, start, write_trees

# The peak memory of a process is at least that of the one that starts it: no NumPy here.


def row_of(path, i, columns, kind="d"):
    """A row of a matrix in a NumPy file."""
    out = array(kind)
    with open(path, "rb") as file:
        file.seek(128 + i * columns * out.itemsize)
        out.fromfile(file, columns)
    return out


def column_of(path, j, columns, kind="d"):
    out = array(kind)
    with open(path, "rb") as file:
        for i in range(columns):
            file.seek(128 + (i * columns + j) * out.itemsize)
            out.fromfile(file, 1)
    return out


def size_of(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def run_until_killed(blocks, output, *command):
    """Kills the program when it has finished so many blocks; returns its peak memory in bytes."""
    part = Path(f"{output}.part")
    while not part.exists():  # again, if it was faster than we
        output.unlink(missing_ok=True)
        process = start(*command, "-o", output, "--resume", "--quiet")
        title = ended = 0
        while not ended:
            time.sleep(0.001)
            title = title or size_of(part)
            if size_of(part) > title + 48 * blocks:  # 24 bytes each, after a header of 24
                os.kill(process.pid, signal.SIGKILL)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in (0, -signal.SIGKILL), process.stderr.read()
        process.communicate()
    return usage.ru_maxrss << 10


@pytest.mark.parametrize("kernel, options", [
    ("norm(st())", []), ("norm(st())", ["--float32"]), ("sst(lambda={0.2,0.4})", [])])
def test_is_bounded_and_resumed(tmp_path, kernel, options):
    memory, count = 20 << 20, 4_000
    data = write_trees(tmp_path / "trees.tsv", count, 12)
    output, again = tmp_path / "G.npy", tmp_path / "again.npy"
    command = ["gram", "-k", kernel, *options, data]
    limits = ["--memory", str(memory), "--threads", "2"]
    most = peak("info", data) + 1.2 * memory
    assert run_until_killed(5, output, *command, *limits) <= most
    assert peak(*command, *limits, "-o", output, "--resume") <= most
    assert peak(*command, *limits, "-o", again) <= most
    assert filecmp.cmp(output, again, shallow=False)
    assert {path.name for path in tmp_path.iterdir()} == {data.name, output.name, again.name}
    kind = "f" if options else "d"
    for i in [0, 600, 3_999]:
        assert row_of(output, i, count, kind) == column_of(output, i, count, kind)


def test_is_bounded_as_text(tmp_path):
    memory = 20 << 20
    data = write_trees(tmp_path / "trees.tsv", 2_000, 10)
    for name in ["G.tsv", "G.libsvm", "G.npy.gz"]:
        used = peak("gram", "-k", "st()", data, "-o", tmp_path / name, "--memory", str(memory))
        assert used <= peak("info", data) + 1.2 * memory, f"{name}: {used >> 20} MB"


@pytest.mark.slow
def test_of_60000_programs_in_2_gb(tmp_path):
    count, most = 60_000, 2_000_000_000
    shared = os.environ.get("ESPALIER_SHARED")
    if not shared:
        pytest.skip("needs ../shared/data")
    if shutil.disk_usage(tmp_path).free < 4 * count**2 + (1 << 30):
        pytest.skip("needs 15 GB of disk")
    data, output = tmp_path / "programs.tsv", tmp_path / "G.npy"
    with gzip.open(Path(shared, "data/poj104.train.sexpr.gz"), "rt") as file:
        lines = file.readlines()  # "class TAB index TAB tree"
    with open(data, "w", encoding="utf-8") as file:
        file.writelines((lines * 2)[:count])
    command = ["gram", "-k", "norm(st())", "--float32", "--memory", "500M", data]
    begin = time.monotonic()
    killed = run_until_killed(400, output, *command)
    resumed = peak(*command, "-o", output, "--resume", "--quiet")
    print(f"peak {killed / 1e6:.0f} MB until killed, {resumed / 1e6:.0f} MB when resumed, "
          f"{time.monotonic() - begin:.0f} s")
    assert max(killed, resumed) <= most
    # Repeated programs have equal rows; some rows are compared with those of a matrix of their own.
    sample = [0, 511, 512, 4_096, 20_999, len(lines) - 1]
    (tmp_path / "sample.tsv").write_text("".join(lines[i] for i in sample))
    run_well("gram", "-k", "norm(st())", data, tmp_path / "sample.tsv", "-o", tmp_path / "S.npy")
    for k, i in enumerate(sample):
        row, right = row_of(output, i, count, "f"), row_of(tmp_path / "S.npy", k, count)
        assert all(math.isclose(a, b, rel_tol=1e-6) for a, b in zip(row, right))
        assert row == column_of(output, i, count, "f")
        if i + len(lines) < count:
            assert row == row_of(output, i + len(lines), count, "f")
