"""Every example runs: in docstrings, in the guide, in the gallery. The reference is complete."""
import doctest
import importlib
import inspect
import pkgutil
import re
import runpy
from pathlib import Path

import espalier
import matplotlib
import pytest

matplotlib.use("Agg")

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["espalier"] + [module.name for module in pkgutil.walk_packages(espalier.__path__, "espalier.")
                          if module.name != "espalier._core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    try:
        module = importlib.import_module(name)
    except ImportError as error:  # of what few need, which says how to install it
        assert "pip install 'espalier[" in str(error)
        pytest.skip(str(error))
    result = doctest.testmod(module, extraglobs={"espalier": espalier})
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in inspect.getsource(module)


@pytest.mark.parametrize("name", [name for name in espalier.__all__ if name != "__version__"])
def test_all_that_is_public_is_documented(name):
    item = getattr(espalier, name)
    assert inspect.getdoc(item)
    if inspect.ismodule(item):
        assert all(inspect.getdoc(value) for name, value in vars(item).items() if inspect.isfunction(value)
                   and not name.startswith("_"))
    if inspect.isclass(item):
        for member, value in vars(item).items():
            assert member.startswith("_") or inspect.getdoc(value), member


BLOCKS = [code for path in ("README.md", "docs/python.md")
          for code in re.findall(r"```python\n(.*?)```", (ROOT / path).read_text(), re.DOTALL)]


@pytest.mark.parametrize("code", BLOCKS, ids=[f"block {i}" for i in range(len(BLOCKS))])
def test_the_guide_runs(code, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "the guide", "exec"), {})
    printed = capsys.readouterr().out.split()
    if "cross_validate" in code:
        assert float(printed[0]) == pytest.approx(float(printed[1]), abs=1e-12)


GALLERY = sorted((ROOT / "examples/python").glob("*.py"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_the_gallery_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    accuracies = [float(number) for number in re.findall(r"accuracy[^0-9]* ([0-9.]+) %", printed)]
    assert accuracies and min(accuracies) > 85, printed


def test_the_reference_lists_all_that_is_public(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    groups = importlib.import_module("python_api").GROUPS
    listed = {name for names in groups.values() for name in names}
    assert set(espalier.__all__) - listed == {"__version__", "plot"}
