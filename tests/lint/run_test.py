"""The runner of GoogleTest: a test that crashes or hangs costs no other test its result."""
import importlib.machinery
import importlib.util

import pytest
from source_tree import ROOT

# Behaves like a GoogleTest program with the tests A.ok, A.bad, A.end and A.skipped.
PROGRAM = """#!/usr/bin/env python3
import os, sys, time
def say(text): print(text, flush=True)
if "--gtest_list_tests" in sys.argv:
    say("Running main()\\nA.\\n  ok\\n  bad  # GetParam() = 1\\n  end\\n  skipped")
    sys.exit()
chosen = next(a for a in sys.argv if a.startswith("--gtest_filter=")).split("=")[1].split(":")
failed = False
for name in chosen:
    say(f"[ RUN      ] {name}")
    if name == "A.bad":
        if os.environ["BAD"] == "crash": os.abort()
        if os.environ["BAD"] == "hang": time.sleep(1000)
        say("it went wrong")
        failed = True
        say(f"[  FAILED  ] {name}, where GetParam() = 1 (0 ms)")
    elif name == "A.skipped":
        say(f"file.cpp:1: Skipped\\nno data\\n[  SKIPPED ] {name} (0 ms)")
    else:
        say(f"[       OK ] {name} (0 ms)")
if failed: say("[  FAILED  ] 1 test, listed below:\\n[  FAILED  ] A.bad")
if os.environ["BAD"] == "leak": sys.exit(99)
sys.exit(failed)
"""


@pytest.fixture(scope="module")
def runner():
    loader = importlib.machinery.SourceFileLoader("runner", str(ROOT / "tests/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("runner", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("bad, failed, message", [
    ("fail", 1, "it went wrong"), ("crash", 1, "A.bad: ended with code -6"),
    ("hang", 1, "A.bad: hung for 0.1 s"), ("leak", 2, "A: ended with code 99")])
def test_all_other_results_count(runner, tmp_path, monkeypatch, capsys, bad, failed, message):
    program = tmp_path / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("BAD", bad)
    start_timer = runner.GoogleTestRun._restart_timer

    def give_up_soon_on_bad(run):
        monkeypatch.setattr(runner, "TIME_LIMIT", 0.1 if run._current == "A.bad" else 1800)
        start_timer(run)

    if bad == "hang":
        monkeypatch.setattr(runner.GoogleTestRun, "_restart_timer", give_up_soon_on_bad)
    outcomes = runner.google_test(program, "*")
    assert dict(outcomes) == {"passed": 2, "skipped": 1, "failed": failed}
    printed = capsys.readouterr().out
    assert message in printed and "skipped A.skipped: no data" in printed
