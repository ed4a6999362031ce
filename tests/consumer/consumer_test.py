"""Other projects can use the library, installed or as a subdirectory."""
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).parent


def run(*command):
    done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def test_find_package_of_the_installed_library(tmp_path):
    prefix, build = tmp_path / "prefix", tmp_path / "build"
    run("cmake", "--install", BUILD, "--prefix", prefix)
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)

    version = re.search(
        r"project\(espalier VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()
    )
    assert run(build / "consumer") == f"espalier {version[1]}: 5 nodes, 3 distinct subtrees\n"
    questions = ROOT / "examples/questions"
    answer = run(build / "classify", questions / "train.tsv", questions / "test.tsv").split()
    assert answer[0] == "accuracy" and float(answer[1]) > 0.9 and len(answer) == 5
    # The headers we wrote all arrive, and nothing but them.
    installed = {path.relative_to(prefix) for path in (prefix / "include").rglob("*.hpp")}
    written = {path.relative_to(ROOT) for path in (ROOT / "include").rglob("*.hpp")}
    assert installed == written | {Path("include/espalier/version.hpp")}
    assert run(prefix / "bin/espalier", "--help")


def test_add_subdirectory_of_the_source_tree(tmp_path):
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", tmp_path, f"-DESPALIER_SOURCE={ROOT}")
    # Compiling the consumer shows that it gets our include paths and the C++ standard. Building the
    # whole library once more would show little else and take long.
    run("cmake", "--build", tmp_path, "--target", "CMakeFiles/consumer.dir/main.cpp.o")
    targets = run("cmake", "--build", tmp_path, "--target", "help")
    assert "espalier_tests" not in targets, "our tests must not be built by other projects"
