"""Outputs that cannot be written are noticed, and do not take others with them."""
import os

import pytest
from program import TEST, TRAIN, assert_refused, run, run_well

KERNEL = "norm(st())"
NETWORK = ("--learner", "kda", "--landmarks", "20", "--epochs", "2")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "q.model"
    run_well("train", "-k", KERNEL, TRAIN, "-o", path)
    return path


PRINTERS = {
    "help": ("--help",),
    "help-all": ("gram", "--help-all"),
    "version": ("--version",),
    "info": ("info", TEST),
    "convert": ("convert", TEST, "-", "--to", "klp"),
    "kernel": ("kernel", "-k", KERNEL, TEST),
    "gram": ("gram", "-k", KERNEL, TEST, "-o", "-", "--to", "tsv"),
    "embed": ("embed", "--method", "dtk", "--dim", "64", TEST, "-o", "-"),
    "train": ("train", "-k", KERNEL, TEST, "-o", "-"),
    "predict": ("predict", "MODEL", TEST),
    "evaluate": ("evaluate", "MODEL", TEST),
    "explain": ("explain", "MODEL", TEST, "--only", "1"),
    "info-model": ("info", "MODEL"),
    "cv": ("cv", "-k", KERNEL, "--folds", "2", TEST),
    "tune": ("tune", "-k", KERNEL, "--folds", "2", TEST),
    "cluster": ("cluster", "-k", KERNEL, "--clusters", "2", TEST),
    "report": ("report", TEST, "-o", "-"),
}


@pytest.mark.parametrize("command", PRINTERS.values(), ids=PRINTERS)
def test_standard_output_that_is_full_is_an_error(command, model):
    with open("/dev/full", "wb") as full:
        code, _, errors = run(*(model if word == "MODEL" else word for word in command), stdout=full)
    assert code == 1
    assert errors.endswith(b"espalier: cannot write <stdout>: No space left on device\n")


def test_standard_error_that_is_full_is_ignored(tmp_path):
    with open("/dev/full", "wb") as full:
        code, _, _ = run("train", "-k", KERNEL, TEST, "-o", tmp_path / "m", stderr=full)
        assert code == 0
        assert run("info", "missing.tsv", stderr=full)[0] == 1
    assert (tmp_path / "m").exists()


@pytest.mark.parametrize("command, kept", [
    (("train", "-k", KERNEL, *NETWORK, TEST, "-o", "q.model", "--curve", "/dev/full"), "q.model"),
    (("tune", "-k", KERNEL, "--folds", "2", TEST, "-o", "q.model", "--plot", "/dev/full"), "q.model"),
    (("embed", "--method", "pca", "-k", KERNEL, "--landmarks", "20", TEST, "-o", "x.npy", "--plot",
      "/dev/full"), "x.npy"),
], ids=["train", "tune", "embed"])
def test_a_plot_that_cannot_be_written_does_not_cost_the_result(command, kept, tmp_path):
    code, _, errors = run(*command, cwd=tmp_path)
    assert code == 1
    assert errors.endswith(b"espalier: cannot write /dev/full: No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == [kept]
    (tmp_path / "again").mkdir()
    run_well(*command[:-2], cwd=tmp_path / "again")
    assert (tmp_path / kept).read_bytes() == (tmp_path / "again" / kept).read_bytes()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_an_output_that_leads_to_an_input_is_refused(link, tmp_path):
    data, other = tmp_path / "data.tsv", tmp_path / "other.tsv"
    data.write_bytes(TEST.read_bytes())
    link(data, other)
    assert_refused(run("gram", "-k", KERNEL, data, "-o", other), "other.tsv is an input")
    assert data.read_bytes() == TEST.read_bytes()
