"""`espalier predict` on streams: rows as they come, and bad lines."""
import gzip
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
GOOD = "\t(S(NP(a)))\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "d.tsv").write_text("x\t(S(NP(a)))\ny\t(S(VP(b)))\n" * 5)
    path = str(folder / "m.model")
    subprocess.run([PROGRAM, "train", "--quiet", "-k", "sst()", folder / "d.tsv", "-o", path],
                   check=True)
    return path


def predict(model, text, *options):
    return subprocess.run([PROGRAM, "predict", model, "-", "--format", "tsv", *options],
                          input=text, capture_output=True, text=True)


def test_answers_before_the_input_ends(model):
    with subprocess.Popen([PROGRAM, "predict", model, "-", "--format", "tsv"], text=True, bufsize=0,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        os.write(process.stdin.fileno(), GOOD.encode())
        assert process.stdout.readline() == "label\tx\ty\n"
        assert process.stdout.readline().startswith("x\t")
        for _ in range(3):
            os.write(process.stdin.fileno(), GOOD.encode())
            assert process.stdout.readline().startswith("x\t")  # would wait for ever
        os.write(process.stdin.fileno(), GOOD[:5].encode())
        os.write(process.stdin.fileno(), GOOD[5:].encode())
        assert process.stdout.readline().startswith("x\t")
        process.stdin.close()
        assert process.wait() == 0


def test_a_bad_line_keeps_what_came_before(model):
    done = predict(model, GOOD * 3000 + "\t(S\n" + GOOD)
    assert done.returncode == 1 and "<stdin>:3001" in done.stderr
    assert len(done.stdout.splitlines()) == 1 + 3000


def test_bad_lines_are_skipped(model):
    lines = [GOOD] * 5000
    bad = [0, 17, 1999, 2000, 4999]
    for k in bad:
        lines[k] = "\t(S\n"
    done = predict(model, "".join(lines), "--on-error", "skip")
    assert done.returncode == 0
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["label", "x", "y", "error"] and len(rows) == 5000
    assert [k for k, row in enumerate(rows) if row[0] == ""] == bad
    assert all("<stdin>:" in rows[k][-1] and len(rows[k]) == 4 for k in bad)
    assert "5 examples skipped" in done.stderr


def test_a_format_without_lines_stops(model):
    done = subprocess.run([PROGRAM, "predict", model, "-", "--format", "xml", "--on-error", "skip"],
                          input="<a><b></a>", capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("espalier: <stdin>")


def test_gzip_in_a_pipe(model):
    packed = gzip.compress(GOOD.encode() * 10) + gzip.compress(GOOD.encode() * 10)
    done = subprocess.run([PROGRAM, "predict", model, "-", "--format", "tsv"], input=packed,
                          capture_output=True)
    assert done.returncode == 0 and done.stdout.count(b"\n") == 21
    done = subprocess.run([PROGRAM, "predict", model, "-", "--format", "tsv"], input=packed[:-9],
                          capture_output=True)
    assert done.returncode == 1 and b"truncated" in done.stderr


def test_an_example_is_numbered_within_the_whole_input(tmp_path):
    """Also one that can be read but not compared within the memory, after others were skipped."""
    children = "".join(f"(a(x)(y{k}))" for k in range(2000))
    data, path = tmp_path / "d.tsv", tmp_path / "m.model"
    data.write_text(f"A\t(r{children})\nB\t(r(a(x)(z)))\n")
    subprocess.run([PROGRAM, "train", "--quiet", "-k", "pt()", data, "-o", path], check=True)
    stream = "\t(r)\n" * 2500 + "\t(r\n" + "\t(r)\n" + f"\t(r{children})\n"
    done = predict(path, stream, "--on-error", "skip", "--memory", "1")
    assert done.returncode == 1
    assert "espalier: example 2503 is too large for this kernel" in done.stderr
    assert len(done.stdout.splitlines()) == 1 + 2000


def test_an_example_that_does_not_fit_the_others_is_located(model):
    line = "|BDV:v| 1 2 |EDV| |BT:tree| (S(NP(a))) |ET|\n"
    done = subprocess.run([PROGRAM, "predict", model, "-", "--format", "klp"], text=True,
                          input=line * 2 + line.replace("1 2", "1"), capture_output=True)
    assert done.returncode == 1
    assert done.stderr == "espalier: <stdin>:3:1: vector 'v' has 1 values here and 2 before\n"
    assert len(done.stdout.splitlines()) == 1 + 2
