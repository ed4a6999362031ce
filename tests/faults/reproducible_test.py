"""The same input, seed and version give the same bytes, wherever and however the program runs."""
import os
import shutil
import subprocess

import pytest
from program import ROOT, run_well

COMMANDS = {
    "gram.npy": "gram -k norm(pt())+0.5*norm(st()) train.tsv -o OUT",
    "gram.tsv": "gram -k norm(sst(lambda=0.4)) train.tsv test.tsv -o OUT",
    "gram.libsvm": "gram -k norm(sst(lambda=0.4)) test.tsv -o OUT",
    "svm": "train -k norm(sst(lambda=0.4)) --probabilities train.tsv -o OUT",
    "linear": "train -k norm(st()) --learner linear train.tsv -o OUT",
    "online": "train -k norm(sst()) --learner pa --seed 3 train.tsv -o OUT",
    "landmarks": "train -k norm(pt()) --learner linear --landmarks 50 train.tsv -o OUT",
    "dtk.npy": "embed --method dtk --dim 512 --seed 3 train.tsv -o OUT",
    "nystroem.npy": "embed --method nystroem -k norm(pt()) --policy kmeans++ --landmarks 50 train.tsv"
                   " -o OUT",
    "subtree.npz": "embed --method subtree -k norm(st()) train.tsv -o OUT",
    "subtree.svm": "embed --method subtree -k norm(st()) train.tsv -o OUT",
    "clusters": "cluster -k norm(sst()) --clusters 3 --seed 3 train.tsv -o OUT",
    "report.html": "report train.tsv -o OUT",
    "convert.klp": "convert train.tsv OUT",
    "convert.tsv.gz": "convert train.tsv OUT",
}
WITHOUT_THREADS = ("report", "convert", "embed --method subtree")
PRINTERS = ["info --json train.tsv", "kernel -k norm(pt()) test.tsv", "predict svm test.tsv",
            "evaluate svm test.tsv --json", "cv -k norm(sst()) --folds 3 test.tsv"]


def outputs(folder, threads, **environment):
    """All that the commands write and print."""
    folder.mkdir(parents=True)
    for name in ("train.tsv", "test.tsv"):
        shutil.copy(ROOT / "examples/questions" / name, folder)
    options = {"cwd": folder, "env": {**os.environ, **environment}}
    out = {}
    for name, command in COMMANDS.items():
        extra = [] if command.startswith(WITHOUT_THREADS) else ["--threads", threads]
        printed = run_well(*command.replace("OUT", name).split(), *extra, **options)
        out[name] = printed, (folder / name).read_bytes()
    for command in PRINTERS:
        out[command] = run_well(*command.split(), **options)
    return out


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return outputs(tmp_path_factory.mktemp("usual") / "here", "1", LC_ALL="C", TZ="UTC")


def assert_same(outputs, usual):
    assert [name for name in usual if outputs[name] != usual[name]] == []


def test_with_two_threads_in_another_place_and_time_zone(usual, tmp_path):
    folder = tmp_path / "a longer name with blanks" / "here"
    assert_same(outputs(folder, "2", LC_ALL="C.UTF-8", TZ="Asia/Tokyo"), usual)


def test_where_numbers_have_a_comma(usual, tmp_path):
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"],
                          capture_output=True) if shutil.which("localedef") else None
    if made is None or not (tmp_path / "de_DE.UTF-8").is_dir():
        pytest.skip("no locale with a decimal comma can be made here")
    assert_same(outputs(tmp_path / "here", "3", LC_ALL="de_DE.UTF-8", LOCPATH=str(tmp_path)), usual)
