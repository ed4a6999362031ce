"""Explanations and scatter plots in a browser."""
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).resolve()
QUESTIONS = ROOT / "examples/questions"



def espalier(*arguments):
    subprocess.run([PROGRAM, *arguments, "--quiet"], check=True, timeout=60, capture_output=True)


@pytest.mark.parametrize("options", [[], ["--learner", "linear", "--landmarks", "100"]])
def test_an_explanation_shows_coloured_trees(browser, tmp_path, options):
    model, page = tmp_path / "q.model", tmp_path / "why.html"
    espalier("train", "-k", "norm(pt())", *options, QUESTIONS / "train.tsv", "-o", model)
    espalier("explain", model, QUESTIONS / "test.tsv", "--only", "1,2,3", "-o", page)
    browser.open(page)
    assert browser.execute_script("return document.querySelectorAll('section.explanation').length") == 3
    backgrounds = browser.execute_script("""
      return [...document.querySelectorAll('#e3 svg g.for rect, #e3 svg g.against rect')]
        .map(r => [getComputedStyle(r).fill, r.getBoundingClientRect().width])""")
    assert len({fill for fill, _ in backgrounds}) == 2 and all(width > 5 for _, width in backgrounds)
    # Every node has a background: as many labels as backgrounds.
    assert browser.execute_script("return document.querySelectorAll('#e3 svg text').length") == len(backgrounds)
    assert "because" in browser.execute_script("return document.querySelector('#e3 .sentence').textContent")
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth + 1")
    assert browser.console() == []


def test_a_scatter_plot_has_a_point_for_each_example(browser, tmp_path):
    page = tmp_path / "pca.html"
    espalier("embed", "--method", "pca", "-k", "norm(pt())", "--landmarks", "100", "--plot", page,
             QUESTIONS / "train.tsv", "-o", tmp_path / "pca.npy")
    browser.open(page)
    points = browser.execute_script("""const box = document.querySelector('svg').getBoundingClientRect();
      return [...document.querySelectorAll('circle.point')].map(c => c.getBoundingClientRect())
        .filter(c => c.left >= box.left && c.right <= box.right)
        .filter(c => c.top >= box.top && c.bottom <= box.bottom).length""")
    assert points == 720
    title = browser.execute_script("return document.querySelector('circle.point title').textContent")
    assert title.startswith("DESC: How is bread")
    assert browser.console() == []
