"""Kills the program at random moments: nothing may be lost, and the next run must be right.

    ESPALIER_KILLS=50 pytest tests/faults/kill_test.py      more moments than in make test
"""
import os
import random
import subprocess
import time

import pytest
from program import TEST, TRAIN, run_well, start

KILLS = int(os.environ.get("ESPALIER_KILLS", "6"))
TASKS = {
    "train": ("train", "-k", "norm(sst(lambda=0.4))", TRAIN, "-o"),
    "train-pt": ("train", "-k", "norm(pt())", TRAIN, "-o"),
    "gram": ("gram", "-k", "norm(pt())", TRAIN, "-o"),
    "gram-rectangle": ("gram", "-k", "norm(pt())", TRAIN, TEST, "-o"),
    "embed-dtk": ("embed", "--method", "dtk", "--dim", "2048", TRAIN, "-o"),
    "embed-nystrom": ("embed", "--method", "nystrom", "-k", "norm(pt())", "--landmarks", "200",
                      TRAIN, "-o"),
}
RESUMABLE = {
    "gram": TASKS["gram"],
    "gram-sweep": ("gram", "-k", "norm(pt(lambda={0.2,0.4}))", TRAIN, "-o"),
    "gram-rectangle": TASKS["gram-rectangle"],
    "embed-dtk": TASKS["embed-dtk"],
    "embed-nystrom": TASKS["embed-nystrom"],
}


def names(folder):
    return {path.name for path in folder.iterdir()}


def reference(task, folder):
    """The right output, and how long it takes."""
    path = folder / "right.npy"
    begin = time.monotonic()
    run_well(*task, path)
    seconds = time.monotonic() - begin
    content = path.read_bytes()
    path.unlink()
    return content, seconds


def run_and_kill(seconds, *arguments):
    """Runs for so long; whether the program was still running then."""
    process = start(*arguments)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    assert process.returncode == 0
    return False


@pytest.mark.parametrize("name", TASKS)
def test_a_kill_leaves_the_old_output_or_the_new_one(name, tmp_path):
    right, seconds = reference(TASKS[name], tmp_path)
    moments = random.Random(name)
    output = tmp_path / "output.npy"
    killed = 0
    for _ in range(max(1, KILLS // len(TASKS))):
        output.write_bytes(b"old")
        killed += run_and_kill(moments.uniform(0, seconds), *TASKS[name], output)
        assert output.read_bytes() in (b"old", right)
        assert names(tmp_path) == {"output.npy"}
        run_well(*TASKS[name], output)
        assert output.read_bytes() == right
    assert killed or KILLS < len(TASKS)


@pytest.mark.parametrize("name", RESUMABLE)
def test_resume_goes_on_after_kills_and_gives_the_same_bytes(name, tmp_path):
    right, seconds = reference(RESUMABLE[name], tmp_path)
    moments = random.Random(name)
    output = tmp_path / "output.npy"
    for _ in range(max(1, KILLS // len(RESUMABLE))):
        for _ in range(3):
            share = moments.uniform(0.3, 0.9)
            if not run_and_kill(share * seconds, *RESUMABLE[name], output, "--resume"):
                break
            assert not output.exists() or output.read_bytes() == right
            assert names(tmp_path) <= {"output.npy", "output.npy.part"}
        run_well(*RESUMABLE[name], output, "--resume", "--threads", moments.choice("12"))
        assert output.read_bytes() == right
        assert names(tmp_path) == {"output.npy"}
        output.unlink()
