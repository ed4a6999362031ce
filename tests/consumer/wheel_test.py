"""The Python package as users get it: built by pip, with the flags of a release."""
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import espalier
data = espalier.read({train!r})
print(espalier.__file__)
print(espalier.diagonal("norm(sst())", data[:3]).tolist())
"""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@pytest.mark.slow
def test_pip_builds_a_wheel_that_works(tmp_path):
    # No isolation and no dependencies: the environment has them, so this works without a network.
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, ROOT)
    wheel, = tmp_path.glob("espalier-*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    (module,) = (
        name for name in names if name.startswith("espalier/_core.") and name.endswith(".so")
    )
    written = {
        str(path.relative_to(ROOT / "python"))
        for path in (ROOT / "python/espalier").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == written | {module}
    run(*pip, "install", "--no-deps", "--target", tmp_path / "site", wheel)
    program = PROGRAM.format(train=str(ROOT / "examples/questions/train.tsv"))
    place, values = run(sys.executable, "-c", program, cwd=tmp_path,
                        env={"PYTHONPATH": str(tmp_path / "site")}).splitlines()
    assert place.startswith(str(tmp_path)) and values == "[1.0, 1.0, 1.0]"
