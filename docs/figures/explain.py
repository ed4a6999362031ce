#!/usr/bin/env python3
"""Writes the explanations of twenty questions into docs/explain.md: docs/figures/explain.py (after make build)."""
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/espalier"
PAGE = ROOT / "docs/explain.md"


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments, "--quiet"], cwd=ROOT, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def main():
    questions = "examples/questions"
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/q.model"
        run("train", "--learner", "kda", "--landmarks", "300", "-k", "norm(pt())",
            f"{questions}/train.tsv", "-o", model)
        text = run("explain", model, f"{questions}/test.tsv", "--top", "2", "--only",
                   ",".join(map(str, range(1, 21))))
    block = "<!-- docs/figures/explain.py -->\n```\n" + text.strip() + "\n```\n<!-- end -->"
    page, count = re.subn(r"<!-- docs/figures/explain.py -->.*<!-- end -->", lambda _: block,
                          PAGE.read_text(), flags=re.DOTALL)
    assert count == 1
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
