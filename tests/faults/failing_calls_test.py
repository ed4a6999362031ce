"""The n-th allocation, write, rename, .. of the program fails, for every n that occurs in a run.

It must succeed as if nothing had happened, or print one clear line and exit with 1. Either way the
output is the old one or the complete new one, and no other file is left.
"""
import os
import random
import subprocess

import pytest
from program import PROGRAM, run_well, write_trees

LIBRARY = PROGRAM.parent / "libespalier_failing_calls.so"
SST = "-k norm(sst(lambda=0.4))"
COMMANDS = {  # the output is the last word
    "train": f"train {SST} --probabilities DATA -o new",
    "train-linear": f"train {SST} --learner linear --landmarks 2 DATA -o new",
    "train-kda": f"train {SST} --learner kda --landmarks 2 --epochs 1 --threads 4 DATA -o new",
    "gram": "gram -k norm(pt())*norm(st()) --threads 2 DATA -o new.npy",
    "gram-gz": f"gram {SST} DATA -o new.tsv.gz",
    "gram-resume": f"gram {SST} --resume DATA -o new.npy",
    "embed-dtk": "embed --method dtk --dim 8 DATA -o new.npy",
    "embed-nystroem": f"embed --method nystroem {SST} --landmarks 2 --resume DATA -o new.npy",
    "tune": "tune -k sst(lambda={0.2,0.4}) --folds 2 --quiet DATA -o new",
    "predict": "predict MODEL DATA -o new.tsv",
    "convert": "convert DATA new.klp",
    "convert-html": "convert PAGE new.klp",
}
CALLS = ["open", "read", "write", "fsync", "close", "link", "rename", "mmap", "thread"]
RUNS = 24  # of those whose allocations fail, for each command


class Faulty:
    """A command in a folder of its own, to be run with calls that fail."""

    def __init__(self, name, folder):
        self._folder = folder / "outputs"
        self._folder.mkdir()
        data, model, page = folder / "data.tsv", folder / "model", folder / "page.html"
        write_trees(data, 12, 5)
        page.write_text("<p class=x>one<ul><li>two<li>three</ul><table><td>four</table>")
        run_well("train", "-k", "st()", data, "-o", model)
        paths = {"DATA": data, "MODEL": model, "PAGE": page}
        self._command = [str(paths.get(word, word)) for word in COMMANDS[name].split()]
        self._output = self._folder / self._command[-1]
        self._kept = {self._output.name}
        if "--resume" in self._command:  # the finished blocks, and the matrix that they are part of
            self._kept |= {f"{self._output.name}.part", f"{self._output.name}.part.npy"}
        # Setting up the options of all commands is most of what is allocated.
        self.set_up = self._count(["--version"])["malloc"]
        self.calls = self._count(self._command)
        self._right = self._output.read_bytes()

    def _count(self, command):
        """How often it calls what, when nothing fails."""
        counts = self._folder.parent / "calls"
        done = self._start(command, ESPALIER_CALLS=str(counts))
        assert done.returncode == 0, done.stderr
        return {name: int(number) for name, number in map(str.split, counts.read_text().splitlines())}

    def _start(self, command, **environment):
        return subprocess.run([PROGRAM, *command], cwd=self._folder, text=True, timeout=30,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              env={**os.environ, "LD_PRELOAD": str(LIBRARY), **environment})

    def fail(self, fault, expected=""):
        """Runs it with this fault; `expected` is part of the message if it does not succeed."""
        for path in self._folder.iterdir():
            path.unlink()
        self._output.write_bytes(b"old")
        done = self._start(self._command, ESPALIER_FAIL=fault)
        if done.returncode:
            assert done.returncode == 1, (fault, done)
            lines = [line for line in done.stderr.splitlines() if ": warning: " not in line]
            assert len(lines) == 1 and lines[0].startswith("espalier: "), (fault, lines)
            assert "unexpected" not in lines[0] and expected in lines[0], (fault, lines)
        content = self._output.read_bytes()
        # What is told after the output is in place may still run out of memory.
        late = done.returncode == 1 and fault.startswith("malloc") and content == self._right
        assert content == (b"old" if done.returncode else self._right) or late, (fault, done)
        assert {path.name for path in self._folder.iterdir()} <= self._kept, (fault, done)
        return done.returncode


@pytest.fixture(params=COMMANDS)
def faulty(request, tmp_path):
    return Faulty(request.param, tmp_path)


def test_every_call_that_fails(faulty):
    codes = [faulty.fail(f"{call} {n}{mode}")
             for call in CALLS for n in range(1, faulty.calls[call] + 1) for mode in ("", " on")]
    assert 1 in codes


def fail_allocations(faulty, numbers):
    for n in numbers:
        faulty.fail(f"malloc {n}", "memory")
        faulty.fail(f"malloc {n} on", "memory")


def test_some_allocations_that_fail(faulty):
    choose = random.Random(1)
    fail_allocations(faulty, [choose.randint(1, faulty.set_up), faulty.calls["malloc"]] + [
        choose.randint(faulty.set_up, faulty.calls["malloc"]) for _ in range(RUNS // 2)])


@pytest.mark.slow
def test_every_allocation_that_fails(faulty):
    fail_allocations(faulty, range(faulty.set_up, faulty.calls["malloc"] + 1))


@pytest.mark.slow
def test_allocations_that_fail_before_any_work(tmp_path):
    faulty = Faulty("convert", tmp_path)
    fail_allocations(faulty, range(1, faulty.set_up, 7))
