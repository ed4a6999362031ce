"""Kills the program at random moments: nothing may be lost, and the next run must be right.

    ESPALIER_KILLS=50 pytest tests/faults/kill_test.py      more moments than in make test
"""
import os
import random
import signal
import subprocess
import time

import pytest
from program import TEST, assert_refused, run, run_well, start, write_trees

KILLS = int(os.environ.get("ESPALIER_KILLS", "6"))
COMMANDS = {  # on 600 trees of 50 nodes, or 2500 of 15
    "train": "train -k norm(pt()) large.tsv -o",
    "train-working-set": "train --solver working-set --memory 3M -k norm(sst()) small.tsv -o",
    "gram": "gram -k norm(pt()) large.tsv -o",
    "gram-rectangle": "gram -k norm(pt()) large.tsv small.tsv -o",
    "gram-sweep": "gram -k norm(pt(lambda={0.2,0.4})) large.tsv -o",
    "embed-dtk": "embed --method dtk small.tsv -o",
    "embed-nystroem": "embed --method nystroem -k norm(pt()) --landmarks 600 small.tsv -o",
}
RESUMABLE = [name for name in COMMANDS if name != "train"]


@pytest.fixture(scope="module")
def references(tmp_path_factory):
    """For each command its arguments, the right output, and how long it takes."""
    folder = tmp_path_factory.mktemp("kills")
    write_trees(folder / "large.tsv", 600, 50)
    write_trees(folder / "small.tsv", 2500, 15)
    out = {}
    for name, command in COMMANDS.items():
        arguments = [folder / word if word.endswith(".tsv") else word for word in command.split()]
        begin = time.monotonic()
        run_well(*arguments, folder / "right.npy")
        out[name] = arguments, (folder / "right.npy").read_bytes(), time.monotonic() - begin
    return out


def names(folder):
    return {path.name for path in folder.iterdir()}


def run_and_kill(seconds, *arguments):
    """Runs for so long."""
    process = start(*arguments)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    assert process.returncode in (0, -signal.SIGKILL)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_kill_leaves_the_old_output_or_the_new_one(name, references, tmp_path):
    command, right, seconds = references[name]
    moments = random.Random(name)
    output = tmp_path / "output.npy"
    for _ in range(-(-KILLS // len(COMMANDS))):
        output.write_bytes(b"old")
        run_and_kill(moments.uniform(0, seconds), *command, output)
        assert output.read_bytes() in (b"old", right)
        assert names(tmp_path) == {"output.npy"}
        run_well(*command, output)
        assert output.read_bytes() == right


@pytest.mark.parametrize("name", RESUMABLE)
def test_resume_goes_on_after_kills_and_gives_the_same_bytes(name, references, tmp_path):
    command, right, seconds = references[name]
    moments = random.Random(name)
    output = tmp_path / "output.npy"
    for _ in range(-(-KILLS // len(RESUMABLE))):
        for _ in range(2):
            run_and_kill(moments.uniform(0, seconds), *command, output, "--resume")
            assert not output.exists() or output.read_bytes() == right
            assert names(tmp_path) <= {"output.npy", "output.npy.part", "output.npy.part.npy",
                                       "output.npy.part.new"}
        run_well(*command, output, "--resume", "--threads", moments.choice("12"))
        assert output.read_bytes() == right
        assert names(tmp_path) == {"output.npy"}
        output.unlink()


def test_what_is_kept_of_another_computation_is_refused_and_left_alone(references, tmp_path):
    command, _, seconds = references["gram-sweep"]
    output = tmp_path / "output.npy"
    files = [tmp_path / "output.npy.part", tmp_path / "output.npy.part.npy"]
    while not files[1].exists():
        run_and_kill(seconds / 2, *command, output, "--resume")
    output.unlink(missing_ok=True)
    kept = [file.read_bytes() for file in files]
    data = next(word for word in command if str(word).endswith(".tsv"))
    for other in (["gram", "-k", "norm(pt(lambda={0.2,0.5}))", data], [*command[:-1], "--float32"],
                  ["gram", "-k", "norm(pt(lambda={0.2,0.4}))", TEST],
                  ["embed", "--method", "dtk", data]):
        other = [word for word in other if word != "-o"]
        assert_refused(run(*other, "-o", output, "--resume"), "is of another computation")
        assert [file.read_bytes() for file in files] == kept
    assert names(tmp_path) == {file.name for file in files}
