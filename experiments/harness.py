"""What the experiments share: the program, the data, tables."""
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build" / "release" / "espalier"
DATA = ROOT.parent / "shared" / "data"


def data_file(folder, name):
    """A file of the data; ends the program with one line if it is not there."""
    path = Path(folder) / name
    if not path.exists():
        sys.exit(f"{path} is missing: experiments/README.md says where to get it; --data FOLDER names another folder")
    return path


def run(*arguments):
    """The output of the program on one thread, and its CPU seconds."""
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is missing: make build")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([PROGRAM, *map(str, arguments), "--threads", "1", "--quiet"], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def header(*names):
    print("| " + " | ".join(map(str, names)) + " |\n|---|" + "---:|" * (len(names) - 1), flush=True)


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
