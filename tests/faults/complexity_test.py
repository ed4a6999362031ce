"""Whatever may occur many times in an input costs time in proportion to how often it does.

Instructions are counted, which does not depend on the load of the machine. Twice as much of
something may take 2.5 times the instructions, beyond those that an empty input takes. Limits are
raised: here the question is what happens before them.
"""
import re
import shutil
import subprocess

import pytest
from constructs import CASES
from program import PROGRAM

LIMITS = ["--max-parts", "1M", "--max-attributes", "1M"]


def instructions(path, options):
    """Those that `espalier info` takes for a file."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         PROGRAM, "info", *LIMITS, *options.split(), path],
        text=True, errors="replace", capture_output=True)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts instructions")
@pytest.mark.parametrize("case", CASES)
def test_time_is_linear_in(case, tmp_path):
    name, options, content = CASES[case]
    path = tmp_path / name
    counts = []
    for n in (1, 4000, 8000):
        path.write_text(content(n), encoding="utf-8")
        counts.append(instructions(path, options))
    start, one, two = counts
    assert two - start < 2.5 * (one - start), f"{one - start:,} and {two - start:,} instructions"
