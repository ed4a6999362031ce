"""Peak memory of tree kernels: what the data take, plus the output, plus 1.2 times --memory."""
import gzip
import os
import subprocess
from pathlib import Path

import pytest
from program import run_well, start

MEMORY = 20 << 20
KERNELS = ["pt()", "subpath()", "route()", "norm(pt())", "norm(subpath())", "norm(route())"]


def peak(*arguments):
    """The most memory that the program has taken, in bytes. It must succeed."""
    process = start(*arguments, stdout=subprocess.DEVNULL)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, errors
    return usage.ru_maxrss << 10


def assert_bounded(data, memory, output, *command):
    used = peak(*command, "--memory", str(memory), "--threads", "2")
    assert used <= peak("info", data) + output + 1.2 * memory, f"{used >> 20} MB"


def write_star(folder, leaves):
    path = folder / "star.penn"
    path.write_text("(r" + "(x)" * leaves + ")\n")
    return path


def write_path(folder, nodes):
    path = folder / "path.penn"
    path.write_text("(a" * nodes + ")" * nodes + "\n")
    return path


def write_comb(folder, nodes):
    """A path whose nodes have another subtree each."""
    path = folder / "comb.penn"
    count = nodes // 4
    path.write_text(
        "".join(f"(a(b(x)(y{k}))" for k in range(count)) + ")" * count + "\n")
    return path


# One row of values for each of these nodes would take 800 MB, a list of all pairs 4 GB.
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("write", [write_star, write_path, write_comb])
def test_of_wide_and_deep_trees(tmp_path, write, kernel):
    data = write(tmp_path, 10_000)
    assert_bounded(data, MEMORY, 0, "kernel", "-k", kernel, data)


def test_of_a_sweep(tmp_path):
    data = write_star(tmp_path, 5_000)
    assert_bounded(data, MEMORY, 0, "kernel", "-k", "pt(lambda={0.2,0.4})", data)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS[:3])  # a norm takes twice the minutes and no more memory
@pytest.mark.parametrize("write", [write_star, write_path])
def test_of_trees_of_100000_nodes(tmp_path, write, kernel):
    data = write(tmp_path, 100_000)
    assert_bounded(data, 100 << 20, 0, "kernel", "-k", kernel, data)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_of_an_array_of_numbers(tmp_path, kernel):
    data = tmp_path / "numbers.json"
    data.write_text(str(list(range(20_000))))
    assert_bounded(data, 100 << 20, 0, "kernel", "-k", kernel, data)


def write_page(folder, cells):
    data = folder / "page.html"
    data.write_text("<table><tr>" + "<td>" * cells + "</table>")
    return data


def train_on_pages(folder, kernel):
    for tag in ["p", "ul"]:
        (folder / "pages" / tag).mkdir(parents=True)
        for k in range(10):
            (folder / "pages" / tag / f"{k}.html").write_text(
                "<table>" + f"<tr>{'<td>' * (k + 1)}<{tag}>x" * (k + 1) + "</table>")
    model = folder / "model"
    run_well("train", "--format", "directory", "-k", kernel, folder / "pages", "-o", model,
             "--quiet")
    return model


@pytest.mark.parametrize("kernel", ["pt()", "norm(pt())", "norm(subpath())"])
@pytest.mark.parametrize("cells", [5_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_of_predicting_a_wide_page(tmp_path, kernel, cells):
    model, data = train_on_pages(tmp_path, kernel), write_page(tmp_path, cells)
    assert_bounded(data, MEMORY, 0, "predict", model, data, "--quiet")


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_of_all_pages(tmp_path, kernel):
    shared = os.environ.get("ESPALIER_SHARED")
    if not shared:
        pytest.skip("needs ../shared/data")
    data = tmp_path / "pages.tsv"
    with gzip.open(Path(shared, "data/htmldoc.tsv.gz")) as pages:
        data.write_bytes(pages.read())
    count = len(data.read_bytes().splitlines())
    assert_bounded(data, 100 << 20, 8 * count * count, "gram", "-k", kernel, data, "-o",
                   tmp_path / "gram.npy", "--quiet")
