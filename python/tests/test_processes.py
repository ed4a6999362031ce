"""Threads, processes, interrupts, and requests that nobody can fulfil."""
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import espalier
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "examples/questions/train.tsv"
BUSY = "pt(lambda={0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8})"


def diagonal_sum(data):
    return float(np.trace(espalier.gram("norm(sst())", data)))


def test_a_pool_of_forked_processes_works():
    data = espalier.read(TRAIN)[:100]
    assert diagonal_sum(data) == pytest.approx(100)  # threads have been at work before the fork
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(diagonal_sum, [data, data[:50], data[50:]]).get()
    assert found == pytest.approx([100, 50, 50])


def test_two_threads_use_two_objects():
    data = [espalier.read(TRAIN), espalier.read(TRAIN)[::-1]]
    expected = [espalier.gram("norm(pt())", each) for each in data]
    found = [None, None]

    def work(which):
        for _ in range(3):
            found[which] = espalier.PartialTreeKernel().fit_transform(data[which])

    threads = [threading.Thread(target=work, args=[which]) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(found, expected))


LONG_WORK = [
    f"espalier.gram({BUSY!r}, data)",
    "espalier.TreeSVC('norm(pt())', C=1e6, tol=1e-9).fit(data)",
    "espalier.train('norm(pt())', data, learner='pa', epochs=1000)",
    "espalier.cross_validate('norm(pt())', data, folds=100, repeats=1000)",
    "espalier.TreeKMeans(30, n_init=1000).fit(data)",
    "espalier.DistributedTrees(dim=1 << 16).fit_transform(data)",
    "espalier.TreeNystroem(landmarks=700, policy='leverage').fit(data)",
]


def test_interrupts_stop_the_work():
    program = (
        "import signal, espalier\n"
        # A shell that runs the tests in the background has them ignore interrupts.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"data = espalier.read({str(TRAIN)!r})\n"
        f"for work in {LONG_WORK!r}:\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        while True: exec(work)\n"
        "    except KeyboardInterrupt: print('stopped', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    watch = threading.Timer(600, child.kill)  # what does not stop ends here, and the next line is empty
    watch.start()
    try:
        for work in LONG_WORK:
            assert child.stdout.readline() == "ready\n", work
            time.sleep(0.1)
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "stopped\n", work
    finally:
        watch.cancel()
        child.kill()
        child.communicate()


def test_the_impossible_is_a_memory_error():
    many = espalier.Dataset(["(a b)"])[np.zeros(200_000, dtype=int)]
    with pytest.raises(MemoryError):
        espalier.SubsetTreeKernel().fit_transform(many)
    with pytest.raises(MemoryError):
        espalier.DistributedTrees(dim=1 << 24).fit_transform(many)
    with pytest.raises(espalier.Error, match="memory"):
        espalier.TreeSVC(solver="matrix").fit(many, np.arange(len(many)) % 2)
