"""Runs the program for the tests beside this file."""
import os
import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).resolve()
TRAIN = ROOT / "examples/questions/train.tsv"
TEST = ROOT / "examples/questions/test.tsv"


def start(*arguments, **options):
    return subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdin=subprocess.DEVNULL,
                            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})


def run(*arguments, **options):
    """The exit code, standard output and standard error, as bytes."""
    process = start(*arguments, **options)
    out, errors = process.communicate()
    return process.returncode, out, errors


def run_well(*arguments, **options):
    code, out, errors = run(*arguments, **options)
    assert code == 0, errors
    return out


def assert_refused(result, message):
    """One clear line on standard error and the exit code 1."""
    code, _, errors = result
    lines = errors.decode().splitlines()
    assert code == 1 and len(lines) == 1, result
    assert lines[0].startswith("espalier: ") and message in lines[0], lines


def write_trees(path, count, nodes):
    """A file of two classes with random trees, always the same ones."""
    choose = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for example in range(count):
            above = [choose.randrange(max(0, node - 6), node) for node in range(1, nodes)]
            texts = [""] * nodes
            for node in reversed(range(nodes)):
                texts[node] = f"({choose.choice('abc')}{texts[node]})"
                if node:
                    texts[above[node - 1]] = texts[node] + texts[above[node - 1]]
            file.write(f"{'AB'[example % 2]}\t{texts[0]}\n")
    return path
