"""Runs the commands in golden/*.txt and compares what they print and how they end.

A line of a transcript begins with one of these:
    $ the command, for bash, in a folder with copies of golden/files, examples/formats and
      examples/questions
      (two blanks) what it prints to standard output
    ! what it prints to standard error
    = its exit code, if that is not 0
    # a comment
New cases: write the command, run with ESPALIER_UPDATE_GOLDEN=1, read what that wrote.
"""
import fcntl
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).resolve()
INPUTS = [HERE / "golden/files", ROOT / "examples/formats", ROOT / "examples/questions"]
UPDATE = os.environ.get("ESPALIER_UPDATE_GOLDEN") == "1"
ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}


def cases():
    for path in sorted((HERE / "golden").glob("*.txt")):
        command, expected = None, []
        for line in [*path.read_text(**ENCODING).split("\n"), "#"]:
            if line.startswith(("  ", "! ", "= ")):
                expected.append(line)
            else:
                if command:
                    yield pytest.param(path, command, expected, id=f"{path.stem}: {command}")
                command, expected = line[2:] if line.startswith("$ ") else None, []


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run(command, folder, programs):
    """The lines of a transcript that a command leads to."""
    environment = {**os.environ, "LC_ALL": "C", "PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, **ENCODING)
    lines = []
    for mark, text in (("  ", done.stdout), ("! ", done.stderr)):
        assert text == "" or text.endswith("\n")
        lines += [mark + line for line in text.split("\n")[:-1]]
    return lines + ([f"= {done.returncode}"] if done.returncode else [])


def update(transcript, command, expected, lines):
    """Replaces what a transcript says about a command. Several processes may do so at a time."""
    old, new = (
        f"$ {command}\n" + "".join(f"{line}\n" for line in block) for block in (expected, lines)
    )
    with open(transcript, "r+", newline="", **ENCODING) as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        text = file.read()
        assert text.count(old) == 1
        file.seek(0)
        file.write(text.replace(old, new))
        file.truncate()


def test_updates_at_the_same_time_are_all_kept(tmp_path):
    transcript, count = tmp_path / "t.txt", 200
    transcript.write_text("".join(f"$ command {k};\n  old\n\n" for k in range(count)))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: update(transcript, f"command {k};", ["  old"], ["  new", "= 1"]),
                      range(count)))
    assert transcript.read_text() == "".join(
        f"$ command {k};\n  new\n= 1\n\n" for k in range(count))


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    (folder / "espalier").symlink_to(PROGRAM)
    return folder


@pytest.mark.parametrize("transcript, command, expected", list(cases()))
def test_transcript(transcript, command, expected, tmp_path, programs):
    for folder in INPUTS:
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    before = contents(tmp_path)
    lines = run(command, tmp_path, programs)
    after = contents(tmp_path)

    # Whatever the transcript says: no crash, at most one line of complaint, no trace of a failure.
    assert {line for line in lines if line.startswith("=")} <= {"= 1", "= 2"}
    if lines and lines[-1].startswith("="):
        assert len([line for line in lines if line.startswith("! espalier: ")]) == 1
        assert after == before
    assert [name for name in after.keys() - before.keys() if name not in command] == []

    if UPDATE:
        update(transcript, command, expected, lines)
    else:
        assert lines == expected
