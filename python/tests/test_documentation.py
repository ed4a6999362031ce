"""Every example in a docstring runs."""
import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import espalier
import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["espalier"] + [f"espalier.{module.name}" for module in pkgutil.iter_modules(espalier.__path__)
                          if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"espalier": espalier})
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in inspect.getsource(module)


@pytest.mark.parametrize("name", [name for name in espalier.__all__ if name != "__version__"])
def test_all_that_is_public_is_documented(name):
    item = getattr(espalier, name)
    assert inspect.getdoc(item)
    if inspect.isclass(item):
        for member, value in vars(item).items():
            assert member.startswith("_") or inspect.getdoc(value), member
